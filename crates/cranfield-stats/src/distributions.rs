//! Distribution functions, with small relative error far out in the tails.
//!
//! The logarithm of the gamma function and the incomplete gamma function are those of `statrs`. Its error function has ten digits
//! only, so that of `libm` is used. Its incomplete beta function stops the continued fraction after 140 steps and computes the first
//! factor from differences of large logarithms, so that t and F with many degrees of freedom lose digits. `statrs` has no noncentral
//! distributions.

use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

use libm::erfc;
use statrs::function::gamma::{checked_gamma_lr, checked_gamma_ur, ln_gamma};

use crate::integrate::mean_over_parts;

/// P(Z <= z) of the standard normal distribution.
///
/// ```
/// use cranfield_stats::distributions::normal_cdf;
/// assert!((normal_cdf(1.96) - 0.975_002_104_851_780).abs() < 1e-14);
/// ```
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z * FRAC_1_SQRT_2)
}

/// P(Z >= z) of the standard normal distribution.
pub fn normal_sf(z: f64) -> f64 {
    normal_cdf(-z)
}

/// The z with P(Z <= z) = p; infinite for 0 and 1.
///
/// ```
/// use cranfield_stats::distributions::normal_quantile;
/// assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-12);
/// ```
pub fn normal_quantile(p: f64) -> f64 {
    if p > 0.5 {
        return -normal_quantile(1.0 - p);
    }
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    let start = -SQRT_2 * statrs::function::erf::erfc_inv(2.0 * p);
    // Two steps of Newton's method on the logarithm, which is nearly straight in the tail.
    (0..2).fold(start, |z, _| {
        let cdf = normal_cdf(z);
        let density = (-0.5 * z * z).exp() / (2.0 * PI).sqrt();
        let step = (cdf / p).ln() * cdf / density;
        if step.is_finite() { z - step } else { z }
    })
}

/// P(T >= t) of Student's t with `df` > 0 degrees of freedom.
///
/// ```
/// use cranfield_stats::distributions::t_sf;
/// // Cauchy: 1/4 beyond 1.
/// assert!((t_sf(1.0, 1.0) - 0.25).abs() < 1e-15);
/// ```
pub fn t_sf(t: f64, df: f64) -> f64 {
    if t < 0.0 {
        return 1.0 - t_sf(-t, df);
    }
    let square = t * t;
    if square.is_infinite() {
        return 0.0;
    }
    let total = df + square;
    0.5 * beta_cdf(df / total, square / total, 0.5 * df, 0.5)
}

/// P(T <= t) of Student's t.
pub fn t_cdf(t: f64, df: f64) -> f64 {
    t_sf(-t, df)
}

/// The t with P(T <= t) = p; infinite for 0 and 1.
///
/// ```
/// use cranfield_stats::distributions::t_quantile;
/// assert!((t_quantile(0.975, 19.0) - 2.093_024_054_408_263).abs() < 1e-12);
/// ```
pub fn t_quantile(p: f64, df: f64) -> f64 {
    if p > 0.5 {
        return -t_quantile(1.0 - p, df);
    }
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p == 0.5 {
        return 0.0;
    }
    -increasing_root(|t| 1.0 - t_sf(t, df) / p, 0.0, 1.0)
}

/// P(F >= f) of the F distribution with `df1` and `df2` degrees of freedom.
///
/// ```
/// use cranfield_stats::distributions::f_sf;
/// // With two and two degrees of freedom it is 1 / (1 + f).
/// assert!((f_sf(3.0, 2.0, 2.0) - 0.25).abs() < 1e-15);
/// ```
pub fn f_sf(f: f64, df1: f64, df2: f64) -> f64 {
    if f <= 0.0 {
        return 1.0;
    }
    let scaled = df1 * f;
    if scaled.is_infinite() {
        return 0.0;
    }
    let total = df2 + scaled;
    beta_cdf(df2 / total, scaled / total, 0.5 * df2, 0.5 * df1)
}

/// The f with P(F <= f) = p.
pub fn f_quantile(p: f64, df1: f64, df2: f64) -> f64 {
    if p <= 0.0 {
        return 0.0;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    increasing_root(|f| 1.0 - f_sf(f, df1, df2) / (1.0 - p), 0.0, 1.0)
}

/// P(X >= x) of the chi-squared distribution with `df` degrees of freedom.
///
/// ```
/// use cranfield_stats::distributions::chi_squared_sf;
/// // With two degrees of freedom it is exp(-x / 2).
/// assert!((chi_squared_sf(4.0, 2.0) - (-2.0_f64).exp()).abs() < 1e-15);
/// ```
pub fn chi_squared_sf(x: f64, df: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    // Both functions fail only for arguments that are not positive and finite.
    checked_gamma_ur(0.5 * df, 0.5 * x).unwrap_or(0.0)
}

/// P(X <= x) of the chi-squared distribution with `df` degrees of freedom.
pub fn chi_squared_cdf(x: f64, df: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    checked_gamma_lr(0.5 * df, 0.5 * x).unwrap_or(1.0)
}

/// P(X >= k) of the binomial distribution with n trials of probability one half: correctly rounded for up to 120 trials, so
/// that a test whose p is exactly alpha rejects.
///
/// ```
/// use cranfield_stats::distributions::fair_binomial_sf;
/// assert_eq!(fair_binomial_sf(0, 4), 1.0);
/// assert_eq!(fair_binomial_sf(3, 4), 5.0 / 16.0);
/// ```
pub fn fair_binomial_sf(k: u64, n: u64) -> f64 {
    if k == 0 {
        return 1.0;
    }
    if k > n {
        return 0.0;
    }
    if n <= 120 {
        return ways_to_have(k, n) as f64 * 0.5_f64.powi(n as i32);
    }
    beta_cdf(0.5, 0.5, k as f64, (n - k + 1) as f64)
}

/// How many of the 2^n outcomes of at most 120 trials have k or more successes.
fn ways_to_have(k: u64, n: u64) -> u128 {
    // From n successes downwards. No product is above 2^117 * 120, which 128 bits hold.
    let (mut ways, mut sum) = (1_u128, 1);
    for successes in (k..n).rev() {
        ways = ways * u128::from(successes + 1) / u128::from(n - successes);
        sum += ways;
    }
    sum
}

/// Regularised incomplete beta function: P(X <= x) of the beta distribution with positive a and b. `y` is 1 - x, which
/// the caller often knows without the cancellation of a subtraction.
///
/// ```
/// use cranfield_stats::distributions::beta_cdf;
/// assert!((beta_cdf(0.25, 0.75, 1.0, 1.0) - 0.25).abs() < 1e-15);
/// assert!((beta_cdf(0.5, 0.5, 2.0, 1.0) - 0.25).abs() < 1e-15);
/// ```
pub fn beta_cdf(x: f64, y: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    let direct = x <= (a + 1.0) / (a + b + 2.0);
    let (x, y, a, b) = if direct { (x, y, a, b) } else { (y, x, b, a) };
    let part = beta_kernel(x, y, a, b) / a * beta_fraction(x, a, b);
    let part = part.clamp(0.0, 1.0);
    if direct { part } else { 1.0 - part }
}

/// x^a y^b / B(a, b), by deviances (Loader 2000), so that large a and b cost no digits.
pub(crate) fn beta_kernel(x: f64, y: f64, a: f64, b: f64) -> f64 {
    let n = a + b;
    let exponent = stirling_error(n)
        - stirling_error(a)
        - stirling_error(b)
        - deviance(a, n * x)
        - deviance(b, n * y);
    (a / n * b / (2.0 * PI)).sqrt() * exponent.exp()
}

/// Continued fraction of the incomplete beta function by the method of Lentz, until it converges.
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    const STEPS: u32 = 200_000;
    let guard = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..=STEPS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / guard(1.0 + even * d);
        c = guard(1.0 + even / c);
        fraction *= c * d;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / guard(1.0 + odd * d);
        c = guard(1.0 + odd / c);
        fraction *= c * d;
        if (c * d - 1.0).abs() < 1e-16 {
            break;
        }
    }
    fraction
}

/// ln Gamma(z) - (z - 1/2) ln z + z - ln(2 pi) / 2, the error of Stirling's formula.
pub(crate) fn stirling_error(z: f64) -> f64 {
    if z < 15.0 {
        return ln_gamma(z) - (z - 0.5) * z.ln() + z - 0.5 * (2.0 * PI).ln();
    }
    let square = z * z;
    let terms = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
    ];
    let series = terms
        .iter()
        .rev()
        .fold(0.0, |sum, term| sum / square + term);
    series / z
}

/// x ln(x / m) + m - x, without the loss of digits when x is near m.
fn deviance(x: f64, m: f64) -> f64 {
    let relative = (x - m) / (x + m);
    if relative.abs() > 0.1 {
        return x * (x / m).ln() + m - x;
    }
    // ln(x/m) = 2 artanh(v); what remains of x ln(x/m) + m - x is (x - m) v + 2 x (v^3/3 + v^5/5 + ...).
    let square = relative * relative;
    let mut power = 2.0 * x * relative;
    let mut sum = (x - m) * relative;
    for k in 1..40 {
        power *= square;
        let next = sum + power / f64::from(2 * k + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// P(T <= t) of the noncentral t distribution with `df` >= 1 degrees of freedom and noncentrality `delta`.
///
/// T = (Z + delta) / S with S^2 = chi^2 / df, so P(T <= t) is the mean of Phi(t s - delta) over the density of S, which
/// is integrated numerically. The absolute error is below 1e-12.
///
/// ```
/// use cranfield_stats::distributions::{noncentral_t_cdf, t_cdf};
/// assert!((noncentral_t_cdf(1.5, 7.0, 0.0) - t_cdf(1.5, 7.0)).abs() < 1e-12);
/// // P(T <= 0) is P(Z <= -delta).
/// assert!((noncentral_t_cdf(0.0, 7.0, 1.0) - 0.158_655_253_931_457).abs() < 1e-12);
/// ```
pub fn noncentral_t_cdf(t: f64, df: f64, delta: f64) -> f64 {
    let step = step_of(t, delta);
    let places = step.as_ref().map_or(&[][..], |step| step);
    // The mean is taken of the function that falls with s, which has one top against the density.
    if t < 0.0 {
        return mean_over_parts(df, places, |s| normal_cdf(t * s - delta).ln()).min(1.0);
    }
    (1.0 - mean_over_parts(df, places, |s| normal_cdf(delta - t * s).ln())).max(0.0)
}

/// The interval where P(Z <= delta - t s) falls from nearly 1 to nearly 0, if it is short compared with the density of s.
fn step_of(t: f64, delta: f64) -> Option<[f64; 2]> {
    /// Up to this noncentrality the panels of the integral are narrow enough by themselves.
    const WIDE: f64 = 20.0;
    let centre = delta / t;
    let reach = 9.0 / t.abs();
    (delta.abs() > WIDE && centre > reach).then_some([centre - reach, centre + reach])
}

/// The noncentrality `delta` for which P(T <= t) = p, for 0 < p < 1.
///
/// P(T <= t) is about Phi((t (1 - 1 / 4 df) - delta) / sqrt(1 + t^2 / 2 df)), so that its normal quantile is nearly a straight
/// line of `delta`: the line gives a start, and secants of the quantile reach the end in a few steps. Where they do not, the
/// root is bracketed.
pub(crate) fn noncentrality(t: f64, df: f64, p: f64) -> f64 {
    let (goal, slope) = (normal_quantile(p), (1.0 + t * t / (2.0 * df)).sqrt());
    let excess = |delta: f64| goal - normal_quantile(noncentral_t_cdf(t, df, delta));
    let start = t * (1.0 - 0.25 / df) - goal * slope;
    secant_root(excess, start, slope).unwrap_or_else(|| {
        // P(T <= t) falls with delta; about t it is near one half.
        increasing_root(|delta| p - noncentral_t_cdf(t, df, delta), t, 1.0)
    })
}

/// The root of a nearly straight function near `start`, of which an argument that is larger by `per_unit` makes a value that is
/// larger by about 1. `None` where secants do not settle.
fn secant_root(function: impl Fn(f64) -> f64, start: f64, per_unit: f64) -> Option<f64> {
    /// A step is about the product of the two before it, so that the error behind one of this size is lost in rounding.
    const SETTLED: f64 = 1e-9;
    let (mut before, mut f_before) = (start, function(start));
    let mut step = -f_before * per_unit;
    for _ in 0..30 {
        let here = before + step;
        if !here.is_finite() {
            return None;
        }
        if step.abs() <= SETTLED * here.abs().max(1.0) {
            return Some(here);
        }
        let f_here = function(here);
        let next = -f_here * step / (f_here - f_before);
        (before, f_before) = (here, f_here);
        step = if f_here == 0.0 { 0.0 } else { next };
    }
    None
}

/// The root of an increasing function near `start`: brackets it with steps that double, then halves or interpolates
/// (the method of Illinois) until the bracket cannot shrink.
pub(crate) fn increasing_root(function: impl Fn(f64) -> f64, start: f64, step: f64) -> f64 {
    let at_start = function(start);
    if at_start.is_nan() {
        return at_start;
    }
    if at_start == 0.0 {
        return start;
    }
    let direction = if at_start < 0.0 { step } else { -step };
    let (mut near, mut f_near, mut reach) = (start, at_start, direction);
    let (mut far, mut f_far) = (start + reach, function(start + reach));
    while f_far * at_start > 0.0 && far.is_finite() {
        (near, f_near) = (far, f_far);
        reach *= 2.0;
        far = start + reach;
        f_far = function(far);
    }
    refine(&function, (near, f_near), (far, f_far))
}

fn refine(function: &impl Fn(f64) -> f64, left: (f64, f64), right: (f64, f64)) -> f64 {
    let ((mut x0, mut f0), (mut x1, mut f1)) = (left, right);
    for round in 0..200 {
        if f1 == 0.0 || (x1 - x0).abs() <= 2.0 * f64::EPSILON * x1.abs() {
            return x1;
        }
        let secant = x1 - f1 * (x1 - x0) / (f1 - f0);
        let inside = (secant - x0) * (secant - x1) < 0.0;
        let next = if inside && round % 3 != 2 {
            secant
        } else {
            x0 + 0.5 * (x1 - x0)
        };
        if next == x0 || next == x1 {
            return next;
        }
        let f_next = function(next);
        if f_next * f1 < 0.0 {
            (x0, f0) = (x1, f1);
        } else {
            f0 *= 0.5;
        }
        (x1, f1) = (next, f_next);
    }
    x1
}
