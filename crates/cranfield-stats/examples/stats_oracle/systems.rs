//! Tests of several systems, correlations, designs and standardised scores.

use cranfield_stats::anova::{FTest, VarianceShare, one_way, sphericity, two_way};
use cranfield_stats::dunnett::{self, ManyToOne};
use cranfield_stats::pairs::PairTest;
use cranfield_stats::rank_correlation::{
    Coefficient, interval, kendall, pearson, spearman, tau_ap,
};
use cranfield_stats::standardise::{Divisor, Method, empirical, factors, standardise};
use cranfield_stats::studentised_range::StudentisedRange;
use cranfield_stats::{ScoreMatrix, friedman, power, randomised_tukey, tukey};
use serde_json::{Value, json};

use crate::request::{Answer, alternative, count, ends, number, numbers, resampling, text, word};

/// The answer, if the test is one of these.
pub(crate) fn answer(request: &Value) -> Option<Answer> {
    let test: fn(&Value) -> Answer = match request["test"].as_str()? {
        "anova" => anova,
        "tukey" => all_pairs,
        "studentised_range" => studentised_range,
        "randomised_tukey" => randomised,
        "friedman" => ranks,
        "dunnett" => control,
        "many_to_one" => many_to_one,
        "correlation" => correlation,
        "standardise" => standardised,
        "power" => designs,
        _ => return None,
    };
    Some(test(request))
}

fn matrix(request: &Value, name: &str) -> Result<ScoreMatrix, String> {
    let rows = request[name]
        .as_array()
        .ok_or_else(|| format!("no matrix {name}"))?;
    let row = |row: &Value| numbers(&json!({ "row": row }), "row");
    let rows: Vec<Vec<f64>> = rows.iter().map(row).collect::<Result<_, _>>()?;
    ScoreMatrix::new(&rows).map_err(text)
}

/// Degrees of freedom; `null` is infinite.
fn degrees(request: &Value) -> f64 {
    request["df"].as_f64().unwrap_or(f64::INFINITY)
}

fn f_test(test: &FTest) -> Value {
    json!({ "statistic": test.statistic, "p": test.p, "df": [test.df1, test.df2] })
}

fn shares(share: &VarianceShare) -> Value {
    json!([share.eta2, share.partial_eta2, share.partial_omega2])
}

fn anova(request: &Value) -> Answer {
    let scores = matrix(request, "scores")?;
    let one = one_way(&scores).map_err(text)?;
    let two = two_way(&scores).map_err(text)?;
    let corrected = sphericity(&scores).map_err(text)?;
    Ok(json!({
        "one_way": f_test(&one.test),
        "one_way_shares": shares(&one.share),
        "systems": f_test(&two.system_test),
        "system_shares": shares(&two.system_share),
        "topics": f_test(&two.topic_test),
        "residual": two.residual.mean_square,
        "sphericity": corrected.map(|found| json!([
            found.greenhouse_geisser,
            found.huynh_feldt,
            found.p_greenhouse_geisser,
            found.p_huynh_feldt,
        ])),
    }))
}

fn pairs(tests: &[PairTest]) -> Value {
    let statistics: Vec<Option<f64>> = tests.iter().map(|test| test.statistic).collect();
    let p: Vec<f64> = tests.iter().map(|test| test.p).collect();
    json!({ "statistics": statistics, "p": p })
}

fn is_paired(request: &Value) -> bool {
    request["paired"].as_bool().unwrap_or(true)
}

fn all_pairs(request: &Value) -> Answer {
    let scores = matrix(request, "scores")?;
    let test = if is_paired(request) {
        tukey::paired
    } else {
        tukey::unpaired
    };
    let all = test(&scores, number(request, "level")?).map_err(text)?;
    let mut answer = pairs(&all.pairs);
    answer["intervals"] = all
        .pairs
        .iter()
        .map(|pair| ends(all.interval(pair)))
        .collect();
    answer["degenerate"] = json!(all.degenerate.is_some());
    Ok(answer)
}

fn studentised_range(request: &Value) -> Answer {
    let groups = count(request, "groups")? as usize;
    let range = StudentisedRange::new(groups, degrees(request)).map_err(text)?;
    let sf: Vec<f64> = numbers(request, "q")?
        .iter()
        .map(|&q| range.sf(q))
        .collect();
    let alphas = numbers(request, "alpha")?;
    let critical: Vec<f64> = alphas.iter().map(|&alpha| range.critical(alpha)).collect();
    Ok(json!({ "sf": sf, "critical": critical }))
}

fn many_to_one(request: &Value) -> Answer {
    let treatments = count(request, "treatments")? as usize;
    let many = ManyToOne::new(treatments, degrees(request), alternative(request)?);
    let many = many.map_err(text)?;
    let sf: Vec<f64> = numbers(request, "c")?.iter().map(|&c| many.sf(c)).collect();
    Ok(json!({ "sf": sf }))
}

fn randomised(request: &Value) -> Answer {
    let scores = matrix(request, "scores")?;
    let all = randomised_tukey::compare(&scores, resampling(request)?).map_err(text)?;
    Ok(pairs(&all.pairs))
}

fn ranks(request: &Value) -> Answer {
    let scores = matrix(request, "scores")?;
    let test = friedman::test(&scores).map_err(text)?;
    // It may take seconds, so it is given on request.
    let wanted = request["exact"].as_bool() == Some(true);
    let exact = wanted.then(|| friedman::exact_p(&scores));
    Ok(json!({
        "chi_square": test.chi_square,
        "p": test.p,
        "w": test.kendall_w,
        "f": f_test(&test.iman_davenport),
        "exact": exact.transpose().map_err(text)?.flatten(),
        "nemenyi": pairs(&friedman::nemenyi(&scores).map_err(text)?),
        "conover": pairs(&friedman::conover(&scores).map_err(text)?),
        "siegel": pairs(&friedman::siegel(&scores).map_err(text)?),
        "dunn": pairs(&friedman::dunn(&scores).map_err(text)?),
    }))
}

fn control(request: &Value) -> Answer {
    let scores = matrix(request, "scores")?;
    let test = if is_paired(request) {
        dunnett::paired
    } else {
        dunnett::unpaired
    };
    let control = count(request, "control")? as usize;
    let all = test(
        &scores,
        control,
        alternative(request)?,
        number(request, "level")?,
    );
    let all = all.map_err(text)?;
    let statistics: Vec<Option<f64>> = all.tests.iter().map(|test| test.statistic).collect();
    let p: Vec<f64> = all.tests.iter().map(|test| test.p).collect();
    let intervals: Vec<Value> = all.tests.iter().map(|test| ends(test.interval)).collect();
    Ok(json!({ "statistics": statistics, "p": p, "intervals": intervals, "df": all.df }))
}

fn correlation(request: &Value) -> Answer {
    let (x, y) = (numbers(request, "x")?, numbers(request, "y")?);
    let tau = kendall(&x, &y).map_err(text)?;
    let ap = tau_ap(&x, &y).map_err(text)?;
    let rho = spearman(&x, &y).map_err(text)?;
    let r = pearson(&x, &y).map_err(text)?;
    let ends_of = |kind, value: Option<f64>| {
        let found = value.map(|value| interval(kind, value, x.len(), 0.95));
        found
            .transpose()
            .map_err(text)
            .map(|found| found.flatten().map(ends))
    };
    Ok(json!({
        "tau": [tau.tau_a, tau.tau_b, tau.tau_c],
        "tau_p": tau.p,
        "tau_ap": [ap.tau_ap, ap.tau_ap_a, ap.tau_ap_b],
        "rho": [rho.coefficient, rho.p],
        "r": [r.coefficient, r.p],
        "r_interval": ends_of(Coefficient::Pearson, r.coefficient)?,
    }))
}

fn standardised(request: &Value) -> Answer {
    let (scores, reference) = (matrix(request, "scores")?, matrix(request, "reference")?);
    let divisor = match count(request, "ddof")? {
        0 => Divisor::Population,
        _ => Divisor::Sample,
    };
    let topics = factors(&reference, divisor).map_err(text)?;
    let found = match word(request, "method")? {
        "z" => standardise(&scores, &topics, Method::Z),
        "cdf" => standardise(&scores, &topics, Method::NormalCdf),
        "linear" => standardise(&scores, &topics, Method::STD_AB),
        _ => empirical(&scores, &reference),
    };
    let found = found.map_err(text)?;
    Ok(json!({ "scores": found.rows().collect::<Vec<_>>() }))
}

fn designs(request: &Value) -> Answer {
    let value = |name| number(request, name);
    let (effect, n, alpha) = (value("effect")?, value("n")?, value("alpha")?);
    let (target, variance) = (value("power")?, value("variance")?);
    let side = alternative(request)?;
    let systems = count(request, "systems")? as usize;
    let difference = effect.abs() * variance.sqrt();
    Ok(json!({
        "power": power::t_power(effect, n, alpha, side).map_err(text)?,
        "topics": power::t_topics(effect, target, alpha, side).map_err(text)?.exact,
        "effect": power::minimum_detectable_effect(n as usize, target, alpha, side).map_err(text)?,
        "anova_power": power::anova_power(difference, variance, systems, n as usize, alpha).map_err(text)?,
        "anova_topics": power::anova_topics(difference, variance, systems, target, alpha).map_err(text)?,
        "interval_topics": power::interval_topics(difference, variance, 1.0 - alpha).map_err(text)?,
    }))
}
