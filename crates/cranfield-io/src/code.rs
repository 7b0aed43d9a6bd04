//! The stable codes of everything that can be wrong with an input or an output.
//!
//! A code never changes its meaning and is never used again. Its texts are what `doctor` and the reference print.

use std::fmt;
use std::str::FromStr;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file is refused: to go on would change a number silently.
    Error,
    /// The file is read, but a number may not mean what its author thinks.
    Warning,
    /// The file is read, and no number depends on it.
    Note,
}

impl Severity {
    /// The word that is printed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Whether a problem can be repaired without changing any number.
#[derive(Clone, Copy, PartialEq)]
enum Fix {
    Safe,
    No,
}

struct Info {
    id: &'static str,
    severity: Severity,
    fix: Fix,
    title: &'static str,
    cause: &'static str,
    cure: &'static str,
}

/// Declares [`Code`] with its table.
macro_rules! codes {
    ($($variant:ident = $id:literal, $severity:ident, $fix:ident, $title:literal, $cause:literal, $cure:literal;)+) => {
        /// What is wrong, under a code that is documented and stable.
        ///
        /// ```
        /// use cranfield_io::Code;
        ///
        /// assert_eq!(Code::DuplicateDocument.id(), "IR030");
        /// assert_eq!("IR030".parse(), Ok(Code::DuplicateDocument));
        /// assert!(Code::ByteOrderMark.fixable());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code { $(#[doc = $title] $variant,)+ }

        impl Code {
            /// All codes, in ascending order of their ids.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            fn info(self) -> Info {
                match self {
                    $(Self::$variant => Info {
                        id: $id,
                        severity: Severity::$severity,
                        fix: Fix::$fix,
                        title: $title,
                        cause: $cause,
                        cure: $cure,
                    },)+
                }
            }
        }
    };
}

codes! {
    CannotRead = "IR001", Error, No, "file cannot be read",
        "The file does not exist, is a folder where a file is needed, or may not be opened.",
        "Check the path and the permissions.";
    EmptyFile = "IR002", Error, No, "file is empty",
        "The file holds no line of data; often the program that should have written it failed.",
        "Make the file again, or leave it out.";
    UnknownFormat = "IR003", Error, No, "format not recognised",
        "Nothing at the start of the file tells which format it has.",
        "Name the format with an option; `cranfield convert --help` lists the names.";
    BadCompression = "IR004", Error, No, "compressed stream is damaged",
        "The file starts like a gzip, zstd, bzip2, xz or lz4 stream, but the stream is broken or ends early.",
        "Download or compress the file again; a size smaller than the original's means that it was cut.";
    ExpandsTooFar = "IR005", Error, No, "expands beyond the limit",
        "The decompressed data is larger than the limit, which protects the memory of the machine.",
        "Raise the limit with the environment variable CRANFIELD_MAX_EXPANDED (bytes, or with K, M, G, T), or decompress the file.";
    BinaryData = "IR006", Error, No, "binary data",
        "The file holds NUL bytes, which no text format has: it is binary, or UTF-16.",
        "Give the right file; convert UTF-16 text to UTF-8.";
    InvalidUtf8 = "IR007", Error, No, "text is not UTF-8",
        "The format is defined as UTF-8, and these bytes are not.",
        "Convert the file to UTF-8, for example from Latin-1.";
    CannotWrite = "IR008", Error, No, "output cannot be written",
        "The output's folder does not exist or may not be written, or the disk is full.",
        "Check the path, the permissions and the free space; nothing was left half-written.";
    NoMatch = "IR009", Error, No, "no file matches",
        "A path, a pattern or a folder given on the command line stands for no file.",
        "Check the spelling and the current folder.";
    ColumnCount = "IR010", Error, No, "wrong number of columns",
        "The line has more or fewer fields than the format; often an id that holds a blank, or a line that was cut.",
        "A TREC run has 6 columns (topic Q0 document rank score tag), TREC qrels have 4 (topic iteration document grade).";
    ScoreNotNumber = "IR011", Error, No, "score is not a number",
        "The score column holds something else; often two columns are swapped, or a header line was kept.",
        "Write scores as decimal numbers such as 12.5 or 1e-05.";
    ScoreNotFinite = "IR012", Error, No, "score is NaN or infinite",
        "NaN has no place in an order, and tools disagree on where it goes.",
        "Find where the system makes NaN or infinity; drop those documents or give them a finite score.";
    GradeNotNumber = "IR013", Error, No, "grade is not a number",
        "The grade column holds something other than a finite number.",
        "Write grades as numbers, such as 0, 1, 2 or 0.5.";
    RankNotNumber = "IR014", Error, No, "rank is not a number",
        "A column or field of ranks holds something other than a number; in TREC text, `--ties rank-column` asks for it.",
        "Write ranks as 1, 2, 3 and so on.";
    EmptyId = "IR015", Error, No, "empty id",
        "The id of a topic or of a document is empty.",
        "Give every topic and document an id; look for a missing value in the table that was exported.";
    JsonSyntax = "IR016", Error, No, "not valid JSON",
        "The text breaks the grammar of JSON at the place shown, or ends early.",
        "Write the file with a JSON library; Python's single quotes and trailing commas are not JSON.";
    JsonShape = "IR017", Error, No, "JSON of another shape",
        "The text is valid JSON, but not an object of topics, each an object from document id to number.",
        "Expected: {\"topic\": {\"document\": 1.5}}, or one object per line for JSON Lines.";
    MissingColumn = "IR018", Error, No, "column missing",
        "The header, the object or the table lacks a column that is needed.",
        "Name the columns topic, doc and score (or rel); query_id, qid, doc_id, docno, docid, relevance, grade are read too.";
    ColumnType = "IR019", Error, No, "column of the wrong type",
        "A Parquet column has a type that its role cannot have.",
        "Ids are strings or integers; scores and grades are floating-point or integer numbers.";
    BadParquet = "IR020", Error, No, "Parquet file is damaged",
        "The file starts like Parquet, but its tables cannot be decoded.",
        "Write or download the file again.";
    Unwritable = "IR021", Error, No, "format cannot hold the data",
        "An id holds bytes that the output format cannot represent, such as a blank in TREC text.",
        "Choose another output format (CSV, JSON, Parquet), or rename the ids.";
    DuplicateKey = "IR022", Error, No, "key twice in one JSON object",
        "A JSON object has the same key twice; most programs would silently keep the last value.",
        "Write each topic, and each field of a record, once.";
    BadProbability = "IR023", Error, No, "not a probability",
        "Prels give each document the probability with which it was drawn, and this is none; a document that could not be drawn stands for infinitely many.",
        "Write a number above 0 and at most 1, or NA for a document that is not part of the sample.";
    RepeatedTopic = "IR024", Error, No, "topic twice in one session",
        "A session shows the ranking of each of its topics once; the same line again is mostly a slip.",
        "Give each ranking of a session a topic id of its own.";
    BadMethod = "IR025", Error, No, "method of choice not known",
        "Prels say with a number how a document came into the sample: 1 for one that was drawn, 0 or 2 for one that another method chose.",
        "Write 0, 1 or 2; if the columns are in another order, put them as topic, document, grade, method, probability.";
    TooManyGrades = "IR026", Error, No, "too many different grades",
        "A table of two files has a row or a column for each grade, and the file has more than can be read there; often they are scores.",
        "Merge grades into classes with `--merge`, such as `--merge 1,2`.";
    DuplicateDocument = "IR030", Error, No, "document twice in one ranking",
        "The run names a document twice for the same topic, so one relevant document would count twice.",
        "Keep each document once per topic, usually with its best score.";
    ConflictingJudgement = "IR031", Error, No, "two grades for one document",
        "The qrels judge a document twice for the same topic, with different grades.",
        "Decide for one grade; when several assessors judged, aggregate their grades first.";
    DuplicateJudgement = "IR032", Warning, Safe, "document judged twice",
        "The qrels repeat a judgement with the same grade; the repetition is ignored.",
        "Remove the repeated lines.";
    RankContradictsScore = "IR033", Warning, Safe, "rank contradicts score",
        "A document with a better rank has a lower score; tools that order by score and tools that order by rank will disagree.",
        "Order by the one that is meant: `--ties rank-column` follows ranks.";
    RanksReversed = "IR034", Warning, No, "ranks reversed",
        "Ranks grow with scores: either the ranking is upside down, or the scores are distances.",
        "Write scores so that larger is better; negate distances.";
    RanksFromZero = "IR035", Warning, Safe, "ranks start at 0",
        "The first rank of a topic is 0; ranks are counted from 1.",
        "Add one to each rank; the scores decide the order anyway.";
    UnknownTopic = "IR036", Warning, No, "topic not in the qrels",
        "The run has a topic that was never judged; it is not evaluated.",
        "Check that the qrels belong to this run and that ids are spelled alike (7 and 007 differ).";
    MissingTopic = "IR037", Warning, No, "topic not in the run",
        "The run returned nothing for a judged topic, which scores 0.",
        "Check that the run is complete; `--topics both` leaves such topics out.";
    SaturatedTies = "IR038", Warning, No, "most scores are tied",
        "Many documents of a topic have one and the same score, so the tie rule makes the ranking.",
        "Write scores with more digits; 32-bit or rounded scores collapse.";
    MixedTags = "IR039", Warning, No, "several run tags in one file",
        "The last column names more than one run; perhaps files were joined.",
        "Keep one run per file.";
    GradeOutOfScale = "IR040", Warning, No, "grade outside the scale",
        "A grade is not one of the scale's; exponential gains make such a slip enormous.",
        "Correct the grade, or give the scale that is meant.";
    GradeScaleReversed = "IR041", Warning, No, "grade scale reversed",
        "Grades look as if 1 were the best, as in the original Cranfield collection; measures take larger as better.",
        "Turn the scale round before evaluating.";
    TooDeep = "IR042", Warning, No, "ranking deeper than the track's depth",
        "A topic has more documents than the track allows; recall-based measures are not comparable with others.",
        "Cut the ranking, or evaluate with `--depth`.";
    InterleavedTopics = "IR043", Note, Safe, "topics interleaved",
        "The lines of a topic do not stand together; they are read all the same.",
        "Sort the file by topic if another tool needs it.";
    UnusedRank = "IR044", Warning, No, "rank of a TREC run is not a number",
        "The rank column of TREC text holds something else. Scores decide the order, and the column is not looked at, but `--ties rank-column` refuses the file.",
        "Write ranks as 1, 2, 3 and so on.";
    Crlf = "IR050", Note, Safe, "lines end with CR LF",
        "The file was written on Windows; the carriage returns are ignored.",
        "Nothing to do; other tools may take the carriage return as part of the last column.";
    ByteOrderMark = "IR051", Note, Safe, "byte order mark",
        "The file starts with a UTF-8 byte order mark, which is skipped.",
        "Nothing to do; other tools may take it as part of the first topic's id.";
    MissingLastNewline = "IR052", Note, Safe, "last line has no newline",
        "The last line does not end with a newline; it is read all the same.",
        "Nothing to do, unless the file was cut.";
    CommentOrBlank = "IR053", Note, Safe, "comments or blank lines",
        "Blank lines and lines that start with `#` are skipped.",
        "Nothing to do; other tools may refuse them.";
    NotUtf8 = "IR054", Note, No, "bytes that are not UTF-8",
        "TREC text is read as bytes, so ids in another encoding still match if both files use the same one.",
        "Convert the file to UTF-8 if ids do not match, or before a conversion to JSON.";
    SecondColumn = "IR055", Note, No, "unusual second column",
        "The second column is neither Q0 nor 0. It is not used, but often tells that columns are in another order.",
        "Check the order of the columns: topic Q0 document rank score tag, or topic 0 document grade.";
    UnevenSeparators = "IR056", Note, Safe, "columns separated unevenly",
        "Columns are separated by tabs in some places and by blanks in others, by several blanks, or lines begin or end with blanks.",
        "Nothing to do; tools that split at one character see empty columns.";
    DuplicateRank = "IR060", Warning, Safe, "rank used twice",
        "Two documents of a topic have the same rank; tools that order by rank must break the tie somehow.",
        "Number the documents of each topic 1, 2, 3 and so on; the scores decide the order anyway.";
    RankGap = "IR061", Note, Safe, "ranks not consecutive",
        "The ranks of a topic are not 1, 2, 3 and so on: some are missing, or they are no whole numbers.",
        "Check whether documents were lost; the scores decide the order anyway.";
    TiesAgainstRanks = "IR062", Note, No, "rank column orders ties differently",
        "Documents with equal scores are ordered by descending document id, and the rank column orders them in another way; tools that order by rank will give other numbers.",
        "Write scores that differ wherever ranks do; `--ties rank-column` and `--ties input-order` show how much it matters.";
    SinglePrecisionTies = "IR063", Note, No, "scores differ only beyond 32 bits",
        "Version 9 of trec_eval, and so pytrec_eval, stores scores in 32 bits: there these scores are tied and the document id decides.",
        "Use `--profile trec_eval-9` to get the numbers of version 9, or spread the scores.";
    ShortRanking = "IR064", Note, No, "very few documents",
        "A topic has less than a tenth of the documents that the middle topic of the run has.",
        "Check the log of the system for this topic: a timeout, or a query that was cut or misread.";
    EmptyTopic = "IR065", Warning, No, "topic without documents",
        "The run names a topic but has no document for it, so it scores 0.",
        "Check the log of the system for this topic.";
    TopicIdsDiffer = "IR066", Warning, No, "topic ids spelled differently",
        "Topics of the run that were never judged would match judged topics if ids were written in the same way; or the run counts its topics 1, 2, 3 and the qrels have other ids.",
        "Write the ids of the qrels into the run.";
    FewJudgedDocuments = "IR067", Warning, No, "hardly any retrieved document is judged",
        "Documents of the run almost never match judged ones, so every measure is near 0; often ids of chunks or of another version of the collection.",
        "Write the ids of the qrels into the run; map chunks to their documents and keep each document once.";
    NegativeGrade = "IR070", Note, No, "negative grades",
        "Grades below 0 count as judged and not relevant here; trec_eval takes them as not judged.",
        "Nothing to do if that is meant; `--profile trec_eval` reads them as trec_eval does.";
    NoRelevant = "IR071", Warning, No, "no relevant document at all",
        "No grade is above 0, so every measure is 0 or undefined.",
        "Check that the grade is the last column, and that the right file was given.";
    TopicWithoutRelevant = "IR072", Warning, No, "topic without a relevant document",
        "No document of the topic has a grade above 0, so most measures are undefined for it and count as 0 in a mean.",
        "Leave the topic out of the qrels, or evaluate with `--undefined skip`.";
    FractionalGrade = "IR073", Note, No, "grades with a fraction",
        "Grades are read as real numbers here; trec_eval cuts them to whole numbers, so that 0.5 becomes 0.",
        "Nothing to do if that is meant; scale the grades to whole numbers for other tools.";
    BadIntents = "IR080", Error, No, "intents of a topic are wrong",
        "A file of intents has a probability that is no number from 0, an intent twice, a kind that is neither inf nor nav, or lacks an intent that was judged.",
        "Write one line per topic and intent: topic intent probability, and inf or nav if you like; the intent is the second column of the qrels.";
    BadScenario = "IR085", Error, No, "scenario not understood",
        "A file of scenarios is not TOML, has a key that scenarios do not have, or names a measure or a parameter that does not exist.",
        "A scenario is a table with the keys description, rank, parameters, measures and vectors.";
    BadLock = "IR090", Error, No, "lock file not understood",
        "A lock file of `gate` is not TOML, has another version or other keys, lacks a value, or is not what was written: often it was edited by hand or merged.",
        "Write it anew with `cranfield gate --write-lock`.";
    OtherThanLocked = "IR091", Error, No, "not what the lock file was made from",
        "Judgements, topics, measures, policies or versions are not those of the lock file, so that its values cannot be compared.",
        "Give the same files and options, or write the lock anew with `cranfield gate --write-lock` in a reviewed commit.";
    NothingToGate = "IR092", Error, No, "a run without values to compare",
        "No topic of a run is judged, all of its values are 0 or undefined, or a measure has a value on one side only: most likely the run failed, lacks topics, or belongs to other judgements.",
        "Look at the run with `cranfield doctor`, and make it again.";
    UnknownExcuse = "IR093", Error, No, "excused topic does not exist",
        "A topic is excused from the ratchet of `gate` that is not one of the topics, so that the excuse would excuse nothing.",
        "Check its spelling, or remove the excuse.";
    BadPlan = "IR095", Error, No, "plan not understood",
        "A plan of `compare` is not TOML, has a key that plans do not have, a value of the wrong type, or names a measure or a run that does not exist.",
        "Correct the line that is shown; the guide on comparing lists the keys.";
}

impl Code {
    /// The stable id, such as `IR010`.
    pub fn id(self) -> &'static str {
        self.info().id
    }

    /// A few words: what is wrong.
    pub fn title(self) -> &'static str {
        self.info().title
    }

    /// What it means and how it comes about.
    pub fn cause(self) -> &'static str {
        self.info().cause
    }

    /// What to do.
    pub fn cure(self) -> &'static str {
        self.info().cure
    }

    /// How bad it is.
    pub fn severity(self) -> Severity {
        self.info().severity
    }

    /// Whether it can be repaired without changing any number.
    pub fn fixable(self) -> bool {
        self.info().fix == Fix::Safe
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// The text is not one of the codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCode;

impl fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown code; expected one such as IR010")
    }
}

impl std::error::Error for UnknownCode {}

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Self, UnknownCode> {
        let mut all = Self::ALL.iter().copied();
        all.find(|code| code.id().eq_ignore_ascii_case(text))
            .ok_or(UnknownCode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_ascend_and_texts_are_complete() {
        assert!(Code::ALL.windows(2).all(|pair| pair[0].id() < pair[1].id()));
        for code in Code::ALL {
            assert_eq!(code.id().parse(), Ok(*code));
            assert!(!code.title().ends_with('.') && !code.title().is_empty());
            assert!(
                code.cause().ends_with('.') && code.cure().ends_with(['.', ')']),
                "{code}"
            );
            assert!(
                !(code.fixable() && code.severity() == Severity::Error),
                "{code}"
            );
        }
    }
}
