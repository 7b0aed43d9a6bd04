//! Plans, and the evaluation options that they fix.

use std::fmt::Display;
use std::path::Path;

use cranfield::compare::ComparisonPlan;

use crate::inputs::InputArgs;

/// Reads a plan. Returns it with the evaluation options that it fixes.
pub(crate) fn read(path: &Path, inputs: &InputArgs) -> anyhow::Result<(ComparisonPlan, InputArgs)> {
    let plan = ComparisonPlan::read(path, &inputs.conventions())?;
    let mut inputs = inputs.clone();
    let fixed = &plan.policies;
    fix(&plan, "profile", &mut inputs.profile, fixed.profile)?;
    fix(&plan, "level", &mut inputs.level, fixed.level)?;
    let given = &mut inputs.policies;
    for (policy, value) in &fixed.policies {
        // The plan has valid values only.
        match *policy {
            "ties" => fix(&plan, policy, &mut given.ties, value.parse().ok()),
            "topics" => fix(&plan, policy, &mut given.topics, value.parse().ok()),
            "unjudged" => fix(&plan, policy, &mut given.unjudged, value.parse().ok()),
            "negative" => fix(&plan, policy, &mut given.negative, value.parse().ok()),
            "undefined" => fix(&plan, policy, &mut given.undefined, value.parse().ok()),
            "identical" => fix(&plan, policy, &mut given.identical, value.parse().ok()),
            _ => fix(&plan, policy, &mut given.depth, value.parse().ok()),
        }?;
    }
    Ok((plan, inputs))
}

/// Sets an option to the value of the plan. A different value on the command line is an error.
fn fix<T: Copy + Display + PartialEq>(
    plan: &ComparisonPlan,
    option: &str,
    given: &mut Option<T>,
    planned: Option<T>,
) -> anyhow::Result<()> {
    let Some(planned) = planned else {
        return Ok(());
    };
    if let Some(given) = given.filter(|given| *given != planned) {
        anyhow::bail!(
            "--{option} {given} contradicts the plan {}, which has {planned}; remove the option or change the plan",
            plan.path
        );
    }
    *given = Some(planned);
    Ok(())
}
