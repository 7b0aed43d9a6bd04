//! Integrals of smooth functions, and means over the spread of an estimated standard deviation.
//!
//! The studentised range, Dunnett's distribution and the noncentral t have one form in common: a function of a normal sample,
//! averaged over `S`, the root of a chi-square variable divided by its degrees of freedom. [`mean_over_spread`] takes that mean.

use std::f64::consts::PI;

use crate::distributions::stirling_error;

/// Positive nodes and weights of the Gauss-Legendre rule with 16 nodes on [-1, 1].
const NODES: [(f64, f64); 8] = [
    (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
    (0.281_603_550_779_258_9, 0.182_603_415_044_923_6),
    (0.458_016_777_657_227_4, 0.169_156_519_395_002_54),
    (0.617_876_244_402_643_8, 0.149_595_988_816_576_73),
    (0.755_404_408_355_003, 0.124_628_971_255_533_87),
    (0.865_631_202_387_831_7, 0.095_158_511_682_492_78),
    (0.944_575_023_073_232_6, 0.062_253_523_938_647_89),
    (0.989_400_934_991_649_9, 0.027_152_459_411_754_095),
];

/// The integral of `f` from `low` to `high` in panels of 16 nodes each; polynomials up to degree 31 are exact.
pub(crate) fn integrate(low: f64, high: f64, panels: u32, f: impl Fn(f64) -> f64) -> f64 {
    let half = (high - low) / f64::from(2 * panels);
    let mut sum = 0.0;
    for panel in 0..panels {
        let centre = low + half * f64::from(2 * panel + 1);
        for (node, weight) in NODES {
            sum += weight * (f(centre - half * node) + f(centre + half * node));
        }
    }
    half * sum
}

/// Minimum number of panels of the integral over the spread, and their maximum width. With few degrees of freedom the limits are far
/// apart, and the integrand may fall within a small part of the range.
const LEAST_PANELS: f64 = 24.0;
const WIDEST_PANEL: f64 = 0.25;
/// Drop of the logarithm of the integrand from its maximum to the limits: exp(-40) is 4e-18.
const FALL: f64 = 40.0;
/// A spread below exp(-700) underflows.
const LOWEST: f64 = -700.0;

/// The mean of `g(S)`, `S = sqrt(chi2(df) / df)`, from the logarithm of `g`, which must be positive and unimodal.
///
/// With `u = ln S` the density is `sqrt(df / pi) exp(-e(df / 2)) exp(df (u - (exp(2u) - 1) / 2))`, where `e` is the error of
/// Stirling's formula. For infinite `df` the spread is 1.
pub(crate) fn mean_over_spread(df: f64, ln_g: impl Fn(f64) -> f64) -> f64 {
    mean_over_parts(df, &[], ln_g)
}

/// [`mean_over_spread`] of a function with edges or steep parts: the integral is split at these ascending values of `S`.
pub(crate) fn mean_over_parts(df: f64, places: &[f64], ln_g: impl Fn(f64) -> f64) -> f64 {
    if df.is_infinite() {
        return ln_g(1.0).exp();
    }
    let ln_integrand = |u: f64| df * (u - (2.0 * u).exp_m1() / 2.0) + ln_g(u.exp());
    let Some(top) = top_of(&ln_integrand) else {
        return 0.0;
    };
    let floor = ln_integrand(top) - FALL;
    let step = 1.0 / (2.0 * df + 1.0).sqrt();
    let low = limit(top, -step, floor, &ln_integrand);
    let high = limit(top, step, floor, &ln_integrand);
    let ends = places.iter().map(|place| place.ln().clamp(low, high));
    let (mut sum, mut start) = (0.0, low);
    for end in ends.chain([high]) {
        let panels = ((end - start) / WIDEST_PANEL).max(LEAST_PANELS).ceil() as u32;
        sum += integrate(start, end, panels, |u| ln_integrand(u).exp());
        start = end;
    }
    (df / PI).sqrt() * (-stirling_error(df / 2.0)).exp() * sum
}

/// The maximum of a unimodal function, left of 2, found by unit steps and then by golden-section search.
fn top_of(f: &impl Fn(f64) -> f64) -> Option<f64> {
    let mut right = 1.0;
    while f(right - 1.0) >= f(right) {
        right -= 1.0;
        if right < LOWEST {
            return None;
        }
    }
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (right - 1.0, right + 1.0);
    for _ in 0..40 {
        let inner = (high - ratio * (high - low), low + ratio * (high - low));
        if f(inner.0) < f(inner.1) {
            low = inner.0;
        } else {
            high = inner.1;
        }
    }
    Some(f64::midpoint(low, high))
}

/// The point in the direction of `step` where `f` has fallen to `floor`, or a little beyond.
fn limit(top: f64, step: f64, floor: f64, f: &impl Fn(f64) -> f64) -> f64 {
    let mut far = step;
    while f(top + far) > floor && (top + far).abs() < -LOWEST {
        far *= 2.0;
    }
    let mut near = 0.0;
    for _ in 0..8 {
        let middle = f64::midpoint(near, far);
        if f(top + middle) > floor {
            near = middle;
        } else {
            far = middle;
        }
    }
    top + far
}

const DEGREE: usize = 16;
const PANEL: f64 = 0.5;

/// The logarithm of a smooth tail function as polynomials of degree 15 on panels of width one half.
///
/// The table of a tail that is an integral itself is computed once, and is as accurate as the integral.
#[derive(Clone, Debug)]
pub(crate) struct LogTail {
    low: f64,
    panels: Vec<[f64; DEGREE]>,
}

impl LogTail {
    /// A table of the logarithm of `tail` from `low` to `high`.
    pub(crate) fn new(low: f64, high: f64, tail: impl Fn(f64) -> f64) -> Self {
        let count = ((high - low) / PANEL).ceil() as usize;
        let panels = (0..count)
            .map(|at| chebyshev(low + PANEL * at as f64, |w| tail(w).ln()))
            .collect();
        Self { low, panels }
    }

    /// The logarithm at `w`; left of the table that of its beginning, right of it minus infinity.
    pub(crate) fn at(&self, w: f64) -> f64 {
        let position = ((w - self.low) / PANEL).max(0.0);
        let Some(panel) = self.panels.get(position as usize) else {
            return f64::NEG_INFINITY;
        };
        let x = 2.0 * position.fract() - 1.0;
        let (mut b1, mut b2) = (0.0, 0.0);
        for &coefficient in panel[1..].iter().rev() {
            (b1, b2) = (2.0 * x * b1 - b2 + coefficient, b1);
        }
        x * b1 - b2 + panel[0] / 2.0
    }
}

/// Coefficients of the Chebyshev polynomials that agree with `f` at the 16 nodes of the panel that begins at `low`.
fn chebyshev(low: f64, f: impl Fn(f64) -> f64) -> [f64; DEGREE] {
    let angle = |node: usize| PI * (node as f64 + 0.5) / DEGREE as f64;
    let values: [f64; DEGREE] =
        std::array::from_fn(|node| f(low + PANEL / 2.0 * (1.0 + angle(node).cos())));
    std::array::from_fn(|order| {
        let terms = values.iter().enumerate();
        let sum: f64 = terms
            .map(|(node, value)| value * (order as f64 * angle(node)).cos())
            .sum();
        2.0 / DEGREE as f64 * sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_degree_31_are_exact() {
        let integral = integrate(-1.0, 2.0, 1, |x| x.powi(31) - 3.0 * x.powi(30));
        let exact = (2f64.powi(32) - 1.0) / 32.0 - 3.0 * (2f64.powi(31) + 1.0) / 31.0;
        assert!((integral / exact - 1.0).abs() < 1e-13, "{integral} {exact}");
    }

    /// E[S^2] is 1 for any degrees of freedom, and E[exp(-b S^2)] is (1 + 2b/df)^(-df/2).
    #[test]
    fn means_over_the_spread() {
        for df in [1.0, 2.0, 5.0, 38.0, 6272.0, 1e8] {
            let mean = mean_over_spread(df, |s| 2.0 * s.ln());
            assert!((mean - 1.0).abs() < 1e-11, "df {df}: {mean}");
            for b in [0.5, 20.0] {
                let mean = mean_over_spread(df, |s| -b * s * s);
                let exact = (-df / 2.0 * (2.0 * b / df).ln_1p()).exp();
                assert!(
                    (mean / exact - 1.0).abs() < 1e-11,
                    "df {df}: {mean} {exact}"
                );
            }
        }
        assert_eq!(mean_over_spread(f64::INFINITY, |s| -s), (-1f64).exp());
        assert_eq!(mean_over_spread(3.0, |_| f64::NEG_INFINITY), 0.0);
    }

    #[test]
    fn a_table_is_as_exact_as_its_function() {
        let table = LogTail::new(-2.0, 10.0, |w: f64| (1.0 + w.exp()).recip());
        for at in 0..1200 {
            let w = -2.0 + 0.01 * f64::from(at);
            let exact = -w.exp().ln_1p();
            assert!((table.at(w) - exact).abs() < 1e-13, "{w}");
        }
        assert_eq!(table.at(10.5), f64::NEG_INFINITY);
        assert!((table.at(-9.0) - table.at(-2.0)).abs() < 1e-15);
    }
}
