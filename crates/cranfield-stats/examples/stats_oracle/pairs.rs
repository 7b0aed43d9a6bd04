//! Tests of two systems, corrections, and the distributions under them.

use cranfield_stats::bootstrap::{self, Statistic, bootstrap_test, interval};
use cranfield_stats::corrections::{Correction, adjust};
use cranfield_stats::effect;
use cranfield_stats::equivalence::{bayesian_signed_rank, tost};
use cranfield_stats::matrix::ScoreMatrix;
use cranfield_stats::paired_t::paired_t;
use cranfield_stats::randomisation::{self, randomisation, randomisation_of_pairs};
use cranfield_stats::sample::Differences;
use cranfield_stats::sign::sign_test;
use cranfield_stats::wilcoxon::{self, ZeroRule};
use cranfield_stats::wins::Tolerance;
use cranfield_stats::{Interval, distributions};
use serde_json::{Value, json};

use crate::request::{Answer, alternative, count, ends, number, numbers, resampling, text, word};

/// The answer, if the test is one of these.
pub(crate) fn answer(request: &Value) -> Option<Answer> {
    let answer = match request["test"].as_str()? {
        "distribution" => distribution(request),
        "adjust" => adjusted(request),
        "interval" => resampled_interval(request),
        "pairs" => pairs(request),
        name => paired(name, request)?,
    };
    Some(answer)
}

/// Tests of the scores a and b.
fn paired(name: &str, request: &Value) -> Option<Answer> {
    let test: fn(&Value, &[f64], &[f64]) -> Answer = match name {
        "paired_t" => t,
        "wilcoxon" => signed_rank,
        "sign" => sign,
        "randomisation" => fisher,
        "bootstrap_test" => shift,
        "effect" => effects,
        "tost" => equivalence,
        "bayes" => bayes,
        _ => return None,
    };
    let run = || test(request, &numbers(request, "a")?, &numbers(request, "b")?);
    Some(run())
}

fn distribution(request: &Value) -> Answer {
    let x = numbers(request, "x")?;
    let value = match (word(request, "name")?, x.as_slice()) {
        ("normal_cdf", [z]) => distributions::normal_cdf(*z),
        ("normal_quantile", [p]) => distributions::normal_quantile(*p),
        ("t_sf", [t, df]) => distributions::t_sf(*t, *df),
        ("t_quantile", [p, df]) => distributions::t_quantile(*p, *df),
        ("f_sf", [f, df1, df2]) => distributions::f_sf(*f, *df1, *df2),
        ("f_quantile", [p, df1, df2]) => distributions::f_quantile(*p, *df1, *df2),
        ("chi_squared_sf", [x, df]) => distributions::chi_squared_sf(*x, *df),
        ("chi_squared_cdf", [x, df]) => distributions::chi_squared_cdf(*x, *df),
        ("noncentral_t_cdf", [t, df, delta]) => distributions::noncentral_t_cdf(*t, *df, *delta),
        ("fair_binomial_sf", [k, n]) => distributions::fair_binomial_sf(*k as u64, *n as u64),
        ("beta_cdf", [x, a, b]) => distributions::beta_cdf(*x, 1.0 - x, *a, *b),
        (name, _) => return Err(format!("unknown distribution {name}")),
    };
    Ok(json!({ "value": value }))
}

fn adjusted(request: &Value) -> Answer {
    let name = word(request, "method")?;
    let method = Correction::from_name(name).ok_or_else(|| format!("unknown method {name}"))?;
    let adjusted = adjust(&numbers(request, "p")?, method).map_err(text)?;
    Ok(json!({ "p": adjusted }))
}

fn resampled_interval(request: &Value) -> Answer {
    let method = match word(request, "method")? {
        "percentile" => bootstrap::Method::Percentile,
        "basic" => bootstrap::Method::Basic,
        _ => bootstrap::Method::Bca,
    };
    let found = interval(
        number(request, "estimate")?,
        &numbers(request, "replicates")?,
        &numbers(request, "jackknife")?,
        method,
        number(request, "level")?,
    );
    Ok(json!({ "interval": found.map_err(text)?.map(ends) }))
}

fn pairs(request: &Value) -> Answer {
    let rows = request["scores"]
        .as_array()
        .map(Vec::len)
        .unwrap_or_default();
    let row = |at: usize| numbers(&json!({ "row": request["scores"][at] }), "row");
    let rows: Vec<Vec<f64>> = (0..rows).map(row).collect::<Result<_, _>>()?;
    let scores = ScoreMatrix::new(&rows).map_err(text)?;
    let tests = randomisation_of_pairs(&scores, resampling(request)?, alternative(request)?);
    let p: Vec<f64> = tests.map_err(text)?.iter().map(|pair| pair.p).collect();
    Ok(json!({ "p": p }))
}

fn t(request: &Value, a: &[f64], b: &[f64]) -> Answer {
    let test = paired_t(a, b, alternative(request)?, number(request, "level")?).map_err(text)?;
    Ok(json!({
        "statistic": test.statistic,
        "p": test.p,
        "df": test.degrees_of_freedom,
        "interval": ends(test.interval),
        "degenerate": test.degenerate.is_some(),
    }))
}

fn signed_rank(request: &Value, a: &[f64], b: &[f64]) -> Answer {
    let zeros = match word(request, "zeros")? {
        "wilcox" => ZeroRule::Wilcox,
        "pratt" => ZeroRule::Pratt,
        _ => ZeroRule::Zsplit,
    };
    let method = match word(request, "method")? {
        "exact" => wilcoxon::Method::Exact,
        "normal" => wilcoxon::Method::Normal { continuity: false },
        _ => wilcoxon::Method::Normal { continuity: true },
    };
    let test = wilcoxon::wilcoxon(a, b, zeros, method, alternative(request)?).map_err(text)?;
    Ok(json!({
        "statistic": test.statistic,
        "p": test.p,
        "z": test.z,
        "rank_biserial": test.rank_biserial(),
        "degenerate": test.degenerate.is_some(),
    }))
}

fn sign(request: &Value, a: &[f64], b: &[f64]) -> Answer {
    let test = sign_test(a, b, alternative(request)?, Tolerance::default()).map_err(text)?;
    let counts = test.counts;
    Ok(json!({ "p": test.p, "counts": [counts.wins, counts.ties, counts.losses] }))
}

fn fisher(request: &Value, a: &[f64], b: &[f64]) -> Answer {
    let method = match word(request, "method")? {
        "exact" => randomisation::Method::Exact,
        _ => randomisation::Method::MonteCarlo(resampling(request)?),
    };
    let test = randomisation(a, b, method, alternative(request)?).map_err(text)?;
    Ok(json!({ "p": test.p }))
}

fn shift(request: &Value, a: &[f64], b: &[f64]) -> Answer {
    let statistic = match word(request, "statistic")? {
        "mean" => Statistic::PlainMean,
        _ => Statistic::Studentised,
    };
    let test = bootstrap_test(a, b, statistic, alternative(request)?, resampling(request)?);
    Ok(json!({ "p": test.map_err(text)?.p }))
}

fn effects(request: &Value, a: &[f64], b: &[f64]) -> Answer {
    let d = Differences::of(a, b).map_err(text)?;
    let d_z = effect::d_z(&d, number(request, "level")?).map_err(text)?;
    Ok(json!({
        "d_z": d_z.value,
        "d_z_interval": d_z.interval.map(|interval: Interval| ends(interval)),
        "d_av": effect::cohen_d_av(a, b),
        "hedges_g": effect::hedges_g(a, b),
        "glass": effect::glass_delta(a, b),
        "cliff": effect::cliff_delta(a, b),
        "superiority": effect::superiority(a, b),
        "rank_biserial": effect::rank_biserial(a, b),
    }))
}

fn equivalence(request: &Value, a: &[f64], b: &[f64]) -> Answer {
    let bound = number(request, "bound")?;
    let test = tost(a, b, -bound, bound, 0.05).map_err(text)?;
    Ok(json!({ "p": test.p }))
}

fn bayes(request: &Value, a: &[f64], b: &[f64]) -> Answer {
    let (rope, prior) = (number(request, "rope")?, number(request, "prior")?);
    let posterior = bayesian_signed_rank(a, b, rope, prior, resampling(request)?).map_err(text)?;
    Ok(json!({
        "probabilities": [posterior.less, posterior.equivalent, posterior.greater],
        "shares": posterior.mean_shares,
        "draws": count(request, "replicates")?,
    }))
}
