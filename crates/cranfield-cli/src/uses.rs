//! Options that would change nothing are refused, in the same words by all commands.

/// An option by its name, and whether the user gives it.
pub(crate) type Given = (&'static str, bool);

/// The first option that is given.
pub(crate) fn first_given(options: impl IntoIterator<Item = Given>) -> Option<&'static str> {
    let mut given = options.into_iter().filter(|(_, is_given)| *is_given);
    given.next().map(|(name, _)| name)
}

/// Refuses options that `what` takes no notice of; `why` says the reason, or what to do.
pub(crate) fn refuse(
    what: &str,
    options: impl IntoIterator<Item = Given>,
    why: &str,
) -> anyhow::Result<()> {
    if let Some(name) = first_given(options) {
        anyhow::bail!("{what} has no use for {name}; leave it out: {why}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_is_given_is_refused() {
        let options = [("--a", false), ("--b", true), ("--c", true)];
        assert_eq!(first_given(options), Some("--b"));
        let refused = refuse("this", options, "nothing is drawn").unwrap_err();
        let text = "this has no use for --b; leave it out: nothing is drawn";
        assert_eq!(refused.to_string(), text);
        assert!(refuse("this", [("--a", false)], "").is_ok());
    }
}
