//! Messages that name settings without deciding how they are spelled.
//!
//! A library does not know whether its user types `--ties best`, passes `ties='best'` or sends JSON. Errors and notes therefore keep
//! the settings that they mention as parts of a [`Message`], and the interface that shows them chooses the [`SettingStyle`].

use std::fmt;

macro_rules! settings {
    ($($setting:ident = $name:literal,)*) => {
        /// A setting that messages mention.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the names say it")]
        pub enum Setting { $($setting,)* }

        impl Setting {
            /// The plain name, with hyphens between words.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$setting => $name,)* }
            }

            /// The setting with this plain name.
            pub fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$setting),)* _ => None }
            }
        }
    };
}

settings! {
    Alpha = "alpha", Among = "among", Baseline = "baseline", Changes = "changes", Collection = "collection",
    Correction = "correction", Depth = "depth", Difference = "difference", Effect = "effect", Fix = "fix", Folds = "folds",
    Identical = "identical", Interval = "interval", Known = "known",
    Margin = "margin", Merge = "merge", Missing = "missing", Negative = "negative", Norm = "norm", Power = "power", Profile = "profile",
    QrelsFormat = "qrels-format", Rate = "rate", Ratchet = "ratchet", Repetitions = "repetitions", Replicates = "replicates", Rope = "rope",
    RunFormat = "run-format", Sd = "sd", Sessions = "sessions", Show = "show", Sizes = "sizes", Tag = "tag", Test = "test",
    Ties = "ties", Topic = "topic", Topics = "topics", Train = "train", Undefined = "undefined", Unjudged = "unjudged", Vector = "vector",
    Weights = "weights", Width = "width",
}

impl Setting {
    /// The setting with a value.
    pub fn to(self, value: impl fmt::Display) -> Choice {
        Choice {
            setting: self,
            value: Some(value.to_string()),
        }
    }
}

/// A setting, with a value or without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The setting.
    pub setting: Setting,
    /// Its value.
    pub value: Option<String>,
}

/// The spelling of settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SettingStyle {
    /// `qrels-format=prefs`.
    #[default]
    Neutral,
    /// `--qrels-format prefs`.
    CommandLine,
    /// `qrels_format='prefs'`, or `depth=10` for a number.
    Python,
}

impl Choice {
    /// The setting and its value in this style.
    pub fn render(&self, style: SettingStyle) -> String {
        use SettingStyle::{CommandLine, Neutral, Python};
        let name = self.setting.name();
        let python_name = name.replace('-', "_");
        match (style, &self.value) {
            (Neutral, None) => name.into(),
            (Neutral, Some(value)) => format!("{name}={value}"),
            (CommandLine, None) => format!("--{name}"),
            (CommandLine, Some(value)) => format!("--{name} {value}"),
            (Python, None) => python_name,
            (Python, Some(value)) if value.parse::<f64>().is_ok() => {
                format!("{python_name}={value}")
            }
            (Python, Some(value)) => format!("{python_name}='{value}'"),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(SettingStyle::Neutral))
    }
}

/// Text that mentions settings.
///
/// ```
/// use cranfield_core::setting::{Message, Setting, SettingStyle};
/// let message = Message::from("choose ").then(Setting::Topics.to("run")).then(" or leave out ").then(Setting::Depth);
/// assert_eq!(message.to_string(), "choose topics=run or leave out depth");
/// assert_eq!(message.render(SettingStyle::CommandLine), "choose --topics run or leave out --depth");
/// assert_eq!(message.render(SettingStyle::Python), "choose topics='run' or leave out depth");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Choice(Choice),
}

impl Message {
    /// Appends text, a setting or another message.
    #[must_use]
    pub fn then(mut self, more: impl Into<Self>) -> Self {
        self.0.extend(more.into().0);
        self
    }

    /// The text with its settings in this style.
    pub fn render(&self, style: SettingStyle) -> String {
        let render = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Choice(choice) => choice.render(style),
        };
        self.0.iter().map(render).collect()
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(SettingStyle::Neutral))
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self(vec![Part::Text(text)])
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<fmt::Arguments<'_>> for Message {
    fn from(text: fmt::Arguments<'_>) -> Self {
        text.to_string().into()
    }
}

impl From<Choice> for Message {
    fn from(choice: Choice) -> Self {
        Self(vec![Part::Choice(choice)])
    }
}

impl From<Setting> for Message {
    fn from(setting: Setting) -> Self {
        let value = None;
        Choice { setting, value }.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_spell_names_of_several_words() {
        let choice = Setting::QrelsFormat.to("prefs");
        let spelled = [
            (SettingStyle::Neutral, "qrels-format=prefs"),
            (SettingStyle::CommandLine, "--qrels-format prefs"),
            (SettingStyle::Python, "qrels_format='prefs'"),
        ];
        for (style, expected) in spelled {
            assert_eq!(choice.render(style), expected);
        }
        let alone = Message::from(Setting::RunFormat);
        assert_eq!(alone.render(SettingStyle::Python), "run_format");
        let number = Setting::Depth.to(10);
        assert_eq!(number.render(SettingStyle::Python), "depth=10");
        assert_eq!(Setting::named("run-format"), Some(Setting::RunFormat));
        assert_eq!(Setting::named("run_format"), None);
    }
}
