//! The result of `agree`: two assessors or more, and their effect on runs.

use cranfield::agreement::{
    Agreement, AgreementPlan, Assessor, CrossTable, Figure, Line, Merging, Panel, PanelError,
    PanelPlan,
};
use cranfield::assessors::{Effects, EffectsOutput};
use cranfield::core::setting::{Message, Setting};
use cranfield::render::{Content, Records, Render};
use cranfield::stats::bootstrap::Estimate;
use cranfield::{ComparedQrels, InputFile};
use serde_json::Value;

use super::agreement::{AgreementStyle, AgreementTables, View};
use super::notes::plural;
use super::panel::PanelTables;

/// How assessors are compared, and how the result is shown.
#[derive(Clone, Debug)]
pub struct AgreedSettings {
    /// How grades of the first of two assessors, or of all, are merged into classes.
    pub first: Merging,
    /// How grades of the second are merged.
    pub second: Merging,
    /// Lowest relevant grade.
    pub level: f64,
    /// The only topic.
    pub topic: Option<String>,
    /// Number of disputed documents and topics to show.
    pub disputed: usize,
    /// How the result is shown.
    pub style: AgreementStyle,
}

impl AgreedSettings {
    /// Compares any number of assessors.
    pub(crate) fn panel(&self, assessors: &[Assessor]) -> anyhow::Result<Panel> {
        let plan = PanelPlan {
            merging: self.first.clone(),
            level: self.level,
            topic: self.topic.clone(),
            disputed: self.disputed,
            intervals: self.style.intervals,
        };
        Panel::of(assessors, &plan).map_err(|error| match error {
            PanelError::Input(error) => error.into(),
            PanelError::Stats(error) => error.into(),
            other @ PanelError::NoTopic(_) => anyhow::Error::new(other),
        })
    }
}

/// The agreement of two or more assessors.
#[derive(Debug)]
pub enum Agreed {
    /// Two assessors.
    Two(Box<TwoAssessors>),
    /// Three or more.
    Many(Box<PanelTables>),
}

/// The agreement of two assessors.
#[derive(Debug)]
pub struct TwoAssessors {
    compared: ComparedQrels,
    topic: Option<String>,
    estimates: Vec<Estimate>,
    coefficients: Vec<Estimate>,
    style: AgreementStyle,
}

impl Agreed {
    /// Compares assessors.
    ///
    /// # Errors
    /// If the topic is unknown, there are too many grades, or a setting is out of range.
    pub fn of(assessors: &[Assessor], settings: AgreedSettings) -> anyhow::Result<Self> {
        let [one, other] = assessors else {
            let panel = settings.panel(assessors)?;
            let tables = PanelTables::new(panel, assessors, settings.style);
            return Ok(Self::Many(Box::new(tables)));
        };
        let plan = AgreementPlan {
            first: settings.first,
            second: settings.second,
            level: settings.level,
        };
        let compared = ComparedQrels::of(one, other, &plan)?;
        let view = View::of(&compared, settings.topic.as_deref())?;
        let estimates = view.table.estimates(settings.style.intervals)?;
        let coefficients = view.table.coefficients(settings.style.intervals)?;
        Ok(Self::Two(Box::new(TwoAssessors {
            compared,
            topic: settings.topic,
            estimates,
            coefficients,
            style: settings.style,
        })))
    }

    /// Notes on what was compared.
    pub fn notes(&self) -> Vec<Message> {
        match self {
            Self::Two(two) => two.with(|tables| notes_of_two(tables.compared, tables.view)),
            Self::Many(tables) => notes_of_panel(tables.panel(), tables.files()),
        }
    }

    fn with<T>(&self, read: impl FnOnce(&dyn Render) -> T) -> T {
        match self {
            Self::Two(two) => two.with(|tables| read(tables)),
            Self::Many(tables) => read(&**tables),
        }
    }
}

impl TwoAssessors {
    fn with<T>(&self, read: impl FnOnce(&AgreementTables<'_>) -> T) -> T {
        // The topic was found before.
        let view = View::of(&self.compared, self.topic.as_deref());
        let view = view.unwrap_or(View {
            topic: None,
            table: &self.compared.agreement.all,
        });
        read(&AgreementTables {
            compared: &self.compared,
            view: &view,
            estimates: &self.estimates,
            coefficients: &self.coefficients,
            style: &self.style,
        })
    }
}

/// The agreement of assessors and, if there are runs, their effect on them.
#[derive(Debug)]
pub struct AgreedWithEffects {
    /// The agreement.
    pub agreed: Agreed,
    /// The effect on runs.
    pub effects: Option<Effects>,
    /// Decimals of tables.
    pub digits: usize,
}

impl AgreedWithEffects {
    /// Notes on what was compared.
    pub fn notes(&self) -> Vec<Message> {
        let effects = self.effects.iter().flat_map(Effects::notes);
        self.agreed.notes().into_iter().chain(effects).collect()
    }

    fn with<T>(&self, read: impl FnOnce(&dyn Render) -> T) -> T {
        self.agreed.with(|agreement| match &self.effects {
            None => read(agreement),
            Some(effects) => read(&EffectsOutput {
                agreement,
                effects,
                digits: self.digits,
            }),
        })
    }
}

impl Render for AgreedWithEffects {
    fn content(&self) -> Content {
        self.with(|result| result.content())
    }

    fn records(&self) -> Records<'_> {
        self.with(|result| result.records().collected())
    }

    fn json(&self) -> Value {
        self.with(|result| result.json())
    }
}

/// Notes on three or more assessors.
fn notes_of_panel(panel: &Panel, files: &[InputFile]) -> Vec<Message> {
    let counted = panel.counted;
    let topics = plural(counted.topics, "topic");
    let documents = plural(counted.documents, "judged document");
    let note = format!(
        "{} assessors, {topics}, {documents}: {} judged by two or more, {} by all; relevant from grade {}",
        panel.names.len(),
        counted.shared,
        counted.complete,
        panel.plan.level
    );
    let files = files.iter().flat_map(|file| &file.notes);
    let files = files.map(|note| note.to_string().into());
    std::iter::once(note.into()).chain(files).collect()
}

/// Notes on two assessors.
fn notes_of_two(compared: &ComparedQrels, view: &View<'_>) -> Vec<Message> {
    let agreement = &compared.agreement;
    let mut notes: Vec<Message> = vec![counted(agreement, view).into()];
    let files = compared.files.iter();
    notes.extend(files.flat_map(|file| file.notes.iter().map(|note| note.to_string().into())));
    let only = [agreement.only_first, agreement.only_second];
    notes.extend(only_in(compared, only, "topic", "not compared"));
    let only = [
        view.table.count(Line::Unjudged, Line::Total),
        view.table.count(Line::Total, Line::Unjudged),
    ];
    let only = only.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    notes.extend(only_in(compared, only, "document", "not in the figures"));
    notes.extend(scale(compared, view.table));
    if view.topic.is_none() {
        notes.extend(undefined(agreement));
    }
    notes
}

fn counted(agreement: &Agreement, view: &View<'_>) -> String {
    let documents = view.table.count(Line::Total, Line::Total);
    let documents = plural(usize::try_from(documents).unwrap_or(usize::MAX), "document");
    let topics = match view.topic {
        Some(topic) => format!("topic {topic}"),
        None => format!("{} compared", plural(agreement.topics.len(), "topic")),
    };
    let level = agreement.plan.level;
    format!("{topics}, {documents} judged in both; relevant from grade {level}")
}

/// Notes on topics or documents that only one of the files has.
fn only_in(compared: &ComparedQrels, counts: [usize; 2], unit: &str, fate: &str) -> Vec<Message> {
    let counts = counts.into_iter().zip(&compared.names);
    let counts = counts.filter(|(count, _)| *count > 0);
    counts
        .map(|(count, name)| format!("{} only in {name}, {fate}", plural(count, unit)).into())
        .collect()
}

/// A note on grades that only one of the files has.
fn scale(compared: &ComparedQrels, table: &CrossTable) -> Option<Message> {
    if !table.has_one_scale() {
        let note = "agreement and kappa need the same classes in both files; use ";
        return Some(Message::from(note).then(Setting::Merge));
    }
    let (rows, columns) = (table.rows(), table.columns());
    let sides = [(rows, columns, 1), (columns, rows, 0)];
    let alone: Vec<String> = sides
        .into_iter()
        .filter_map(|(own, other, side)| {
            let alone = own.iter().filter(|class| !other.contains(class));
            let alone: Vec<String> = alone.take(5).map(ToString::to_string).collect();
            let name = &compared.names[side];
            (!alone.is_empty()).then(|| format!("{} only in {name}", alone.join(", ")))
        })
        .collect();
    let alone = (!alone.is_empty()).then(|| alone.join("; "))?;
    let note =
        format!("grades {alone}; agreement and kappa treat them as different from all others (");
    let note = Message::from(note).then(Setting::Merge.to(1));
    Some(note.then(" makes two classes)"))
}

/// A note on topics that the means leave out.
fn undefined(agreement: &Agreement) -> Option<Message> {
    let undefined: Vec<String> = Figure::ALL
        .iter()
        .map(|figure| (figure, agreement.undefined(*figure)))
        .filter(|(figure, count)| *count > 0 && agreement.mean(**figure).is_some())
        .map(|(figure, count)| format!("{figure} for {}", plural(count, "topic")))
        .collect();
    (!undefined.is_empty()).then(|| {
        format!(
            "undefined, and so left out of the mean: {}",
            undefined.join(", ")
        )
        .into()
    })
}
