//! Stable codes for all problems of inputs and outputs.
//!
//! A code never changes its meaning and is never reused. `doctor` and the reference print its title, cause and cure.

use std::fmt;
use std::str::FromStr;

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file is rejected, because reading it could silently change a number.
    Error,
    /// The file is read, but a number may not mean what its author thinks.
    Warning,
    /// The file is read, and no number depends on it.
    Note,
}

impl Severity {
    /// The name that is printed.
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
        /// A problem's stable, documented code.
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
    CannotRead = "IR001", Error, No, "cannot read the file",
        "The file does not exist, is a folder, may not be opened, or was truncated while it was read.",
        "Check the path and the permissions.";
    EmptyFile = "IR002", Error, No, "file is empty",
        "The file contains no data; often the program that should have written it failed.",
        "Create the file again, or leave it out.";
    UnknownFormat = "IR003", Error, No, "unknown format",
        "The format cannot be detected from the start of the file.",
        "Set the format explicitly.";
    BadCompression = "IR004", Error, No, "compressed stream is damaged",
        "The file starts like a gzip, zstd, bzip2, xz or lz4 stream, but the stream is invalid or incomplete.",
        "Download or compress the file again; if it is smaller than the original, the download is incomplete.";
    ExpandsTooFar = "IR005", Error, No, "input exceeds the memory limit",
        "A stream, a decompressed file or a Parquet table exceeds the limit, by default a quarter of the machine's memory.",
        "Decompress the file, or raise the limit with the environment variable CRANFIELD_MAX_EXPANDED (bytes, or with K, M, G, T).";
    BinaryData = "IR006", Error, No, "binary data",
        "The file contains NUL bytes, which no text format has: it is binary, or UTF-16.",
        "Check that it is the right file; convert UTF-16 to UTF-8.";
    InvalidUtf8 = "IR007", Error, No, "text is not UTF-8",
        "The format requires UTF-8, and these bytes are not valid UTF-8.",
        "Convert the file to UTF-8, for example from Latin-1.";
    CannotWrite = "IR008", Error, No, "cannot write the output",
        "The folder of the output does not exist or is not writable, or the disk is full.",
        "Check the path, the permissions and the free space; no partial output was left.";
    NoMatch = "IR009", Error, No, "no matching file",
        "An argument of the command line matches no file.",
        "Check the spelling and the current folder.";
    ColumnCount = "IR010", Error, No, "wrong number of columns",
        "The line has more or fewer fields than the format; often an id contains a space, or the line is incomplete.",
        "A TREC run has 6 columns (topic Q0 document rank score tag), TREC qrels have 4 (topic iteration document grade).";
    ScoreNotNumber = "IR011", Error, No, "score is not a number",
        "The score column contains something else; often two columns are swapped, or a header line was left in.",
        "Write scores as decimal numbers such as 12.5 or 1e-05.";
    ScoreNotFinite = "IR012", Error, No, "score is NaN or infinite",
        "NaN cannot be ordered, and tools disagree on where to rank it.",
        "Find where the system produces NaN or infinity; drop those documents or give them a finite score.";
    GradeNotNumber = "IR013", Error, No, "grade is not a number",
        "The grade column contains something other than a finite number.",
        "Write grades as numbers, such as 0, 1, 2 or 0.5.";
    RankNotNumber = "IR014", Error, No, "rank is not a number",
        "A rank column or field contains something other than a number; in TREC text, only the tie rule rank-column requires one.",
        "Write ranks as 1, 2, 3 and so on.";
    EmptyId = "IR015", Error, No, "empty id",
        "A topic or document id is empty.",
        "Give every topic and document an id; look for a missing value in the exported table.";
    JsonSyntax = "IR016", Error, No, "invalid JSON",
        "The text is not valid JSON at the place shown, or ends early.",
        "Write the file with a JSON library; Python's single quotes and trailing commas are not JSON.";
    JsonShape = "IR017", Error, No, "unexpected JSON structure",
        "The text is valid JSON, but not an object of topics that map document ids to numbers.",
        "Expected {\"topic\": {\"document\": 1.5}}, or one object per line for JSON Lines.";
    MissingColumn = "IR018", Error, No, "missing column",
        "The header, the object or the table lacks a required column.",
        "Name the columns topic, doc and score (or rel); query_id, qid, doc_id, docno, docid, relevance, grade also work.";
    ColumnType = "IR019", Error, No, "wrong column type",
        "A Parquet column has an unsuitable type.",
        "Ids must be strings or integers; scores and grades must be floating-point numbers or integers.";
    BadParquet = "IR020", Error, No, "Parquet file is damaged",
        "The file starts like Parquet, but its tables cannot be decoded.",
        "Write or download the file again.";
    Unwritable = "IR021", Error, No, "format cannot represent the data",
        "An id contains characters that the output format cannot represent, such as a space in TREC text.",
        "Choose another output format (CSV, JSON, Parquet), or rename the ids.";
    DuplicateKey = "IR022", Error, No, "duplicate key in a JSON object",
        "A JSON object has the same key twice; most programs would silently keep the last value.",
        "Write each topic, and each field of a record, once.";
    BadProbability = "IR023", Error, No, "invalid probability",
        "The last column of prels is the inclusion probability of a document, a number above 0 and at most 1.",
        "Write a number above 0 and at most 1, or NA for a document that is not part of the sample.";
    RepeatedTopic = "IR024", Error, No, "topic twice in a session",
        "A session has one ranking per topic, but the file lists the topic again.",
        "Give each ranking of a session its own topic id.";
    BadMethod = "IR025", Error, No, "unknown sampling method",
        "The method column of prels is 1 for a sampled document, and 0 or 2 for one that another method selected.",
        "Write 0, 1 or 2; the columns are topic, document, grade, method, probability.";
    TooManyGrades = "IR026", Error, No, "too many distinct grades",
        "A cross table has a row or a column for each grade, and the file has too many; often they are scores.",
        "Merge grades into classes.";
    DuplicateDocument = "IR030", Error, No, "duplicate document in a ranking",
        "The run lists a document twice for a topic, so one relevant document would count twice.",
        "Keep each document once per topic, usually with its best score.";
    ConflictingJudgement = "IR031", Error, No, "conflicting grades for a document",
        "The qrels judge a document twice for a topic, with different grades.",
        "Choose one grade; if several assessors judged, aggregate their grades first.";
    DuplicateJudgement = "IR032", Warning, Safe, "duplicate judgement",
        "The qrels repeat a judgement with the same grade; the repetition is ignored.",
        "Remove the repeated lines.";
    RankContradictsScore = "IR033", Warning, Safe, "rank contradicts score",
        "A document with a better rank has a lower score, so tools that sort by score and tools that sort by rank disagree.",
        "Sort by the intended one; the tie rule rank-column follows ranks.";
    RanksReversed = "IR034", Warning, No, "ranks reversed",
        "Scores increase with the rank: either the ranking is upside down, or the scores are distances.",
        "Write scores so that larger is better; negate distances.";
    RanksFromZero = "IR035", Warning, Safe, "ranks start at 0",
        "The first rank of a topic is 0; ranks start at 1.",
        "Add one to each rank; the order depends on the scores only.";
    UnknownTopic = "IR036", Warning, No, "topic not in the qrels",
        "The run has a topic without judgements; it is not evaluated.",
        "Check that the qrels belong to this run and that ids are written alike (7 and 007 differ).";
    MissingTopic = "IR037", Warning, No, "topic not in the run",
        "The run returned nothing for a judged topic, which scores 0.",
        "Check that the run is complete; the topic rule both leaves such topics out.";
    SaturatedTies = "IR038", Warning, No, "most scores are tied",
        "Many documents of a topic share one score, so the tie rule determines the ranking.",
        "Write scores with more digits; 32-bit or rounded scores collapse.";
    MixedTags = "IR039", Warning, No, "several run tags in one file",
        "The last column names more than one run; files may have been concatenated.",
        "Keep one run per file.";
    GradeOutOfScale = "IR040", Warning, No, "grade outside the scale",
        "A grade is not on the scale; exponential gains make such a mistake enormous.",
        "Correct the grade, or pass the right scale.";
    GradeScaleReversed = "IR041", Warning, No, "grade scale may be reversed",
        "Grades look as if 1 were the best, as in the original Cranfield collection; measures treat larger grades as better.",
        "Reverse the scale before evaluating.";
    TooDeep = "IR042", Warning, No, "ranking deeper than the track allows",
        "A topic has more documents than the track allows, so recall-based measures are not comparable with other runs.",
        "Truncate the ranking, or evaluate with a depth limit.";
    InterleavedTopics = "IR043", Note, Safe, "topics interleaved",
        "The lines of a topic are not contiguous; they are read anyway.",
        "Sort the file by topic if another tool needs it.";
    UnusedRank = "IR044", Warning, No, "rank of a TREC run is not a number",
        "The rank column of TREC text contains something else. It is ignored, because scores determine the order, but the tie rule rank-column needs it.",
        "Write ranks as 1, 2, 3 and so on.";
    Crlf = "IR050", Note, Safe, "lines end with CR LF",
        "The file has Windows line ends; the carriage returns are ignored.",
        "Nothing to do; other tools may treat the carriage return as part of the last column.";
    ByteOrderMark = "IR051", Note, Safe, "byte order mark",
        "The file starts with a UTF-8 byte order mark, which is skipped.",
        "Nothing to do; other tools may treat it as part of the first topic id.";
    MissingLastNewline = "IR052", Note, Safe, "no newline at the end",
        "The last line does not end with a newline; it is read anyway.",
        "Nothing to do, unless the file is incomplete.";
    CommentOrBlank = "IR053", Note, Safe, "comments or blank lines",
        "Blank lines and lines that start with `#` are skipped.",
        "Nothing to do; other tools may reject them.";
    NotUtf8 = "IR054", Note, No, "bytes that are not UTF-8",
        "TREC text is read as bytes, so ids in another encoding match if both files use the same one.",
        "Convert the file to UTF-8 if ids do not match, or before a conversion to JSON.";
    SecondColumn = "IR055", Note, No, "unusual second column",
        "The second column is neither Q0 nor 0. It is ignored, but often means that the columns are in another order.",
        "Check the order of the columns: topic Q0 document rank score tag, or topic 0 document grade.";
    UnevenSeparators = "IR056", Note, Safe, "inconsistent separators",
        "Columns are separated by tabs in some places and spaces in others, or by several spaces, or lines begin or end with spaces.",
        "Nothing to do; tools that split at a single character see empty columns.";
    DuplicateRank = "IR060", Warning, Safe, "duplicate rank",
        "Two documents of a topic have the same rank; tools that sort by rank must break the tie somehow.",
        "Number the documents of each topic 1, 2, 3 and so on; the order depends on the scores only.";
    RankGap = "IR061", Note, Safe, "ranks not consecutive",
        "The ranks of a topic are not 1, 2, 3 and so on: some are missing or not integers.",
        "Check whether documents were lost; the order depends on the scores only.";
    TiesAgainstRanks = "IR062", Note, No, "rank column orders ties differently",
        "Documents with equal scores are sorted by descending document id, and the rank column has another order; tools that sort by rank give other values.",
        "Write distinct scores wherever ranks differ; the tie rules rank-column and input-order show how much it matters.";
    SinglePrecisionTies = "IR063", Note, No, "scores differ only beyond 32 bits",
        "trec_eval 9, and therefore pytrec_eval, stores scores in 32 bits: there these scores are tied and the document id decides.",
        "Use the profile trec_eval-9 to reproduce its values, or spread the scores.";
    ShortRanking = "IR064", Note, No, "very few documents",
        "A topic has less than a tenth of the run's median number of documents.",
        "Check the system's log for this topic: a timeout, or a truncated or misparsed query.";
    EmptyTopic = "IR065", Warning, No, "topic without documents",
        "The run names a topic but has no document for it, so it scores 0.",
        "Check the system's log for this topic.";
    TopicIdsDiffer = "IR066", Warning, No, "topic ids written differently",
        "Topics of the run without judgements would match judged topics if ids were written the same way; or the run numbers its topics 1, 2, 3 and the qrels have other ids.",
        "Use the ids of the qrels in the run.";
    FewJudgedDocuments = "IR067", Warning, No, "hardly any retrieved document is judged",
        "Documents of the run almost never match judged ones, so every measure is near 0; often the ids are those of chunks or of another version of the collection.",
        "Use the ids of the qrels in the run; map chunks to their documents and keep each document once.";
    NegativeGrade = "IR070", Note, No, "negative grades",
        "Grades below 0 count as judged and not relevant here; trec_eval treats them as not judged.",
        "Nothing to do if that is intended; the profile trec_eval treats them as trec_eval does.";
    NoRelevant = "IR071", Warning, No, "no relevant documents at all",
        "No grade is above 0, so every measure is 0 or undefined.",
        "Check that the grade is the last column and that this is the right file.";
    TopicWithoutRelevant = "IR072", Warning, No, "topic without relevant documents",
        "No document of the topic has a grade above 0, so most measures are undefined for it and count as 0 in a mean.",
        "Remove the topic from the qrels, or skip undefined values.";
    FractionalGrade = "IR073", Note, No, "fractional grades",
        "Grades are real numbers here; trec_eval truncates them to integers, so 0.5 becomes 0.",
        "Nothing to do if that is intended; scale the grades to integers for other tools.";
    BadIntents = "IR080", Error, No, "invalid intents",
        "A file of intents has a probability that is not a number of at least 0, a repeated intent, a kind other than inf and nav, or lacks a judged intent.",
        "Write one line per topic and intent: topic intent probability, optionally followed by inf or nav; the intent is the second column of the qrels.";
    BadScenario = "IR085", Error, No, "invalid scenario",
        "A file of scenarios is not TOML, has an unknown key, or names an unknown measure or parameter.",
        "A scenario is a table with the keys description, rank, parameters, measures and vectors.";
    BadLock = "IR090", Error, No, "invalid lock file",
        "A lock file of `gate` is not TOML, has another version or unknown keys, lacks a value, or was edited or merged by hand.",
        "Write it again with `cranfield gate`.";
    OtherThanLocked = "IR091", Error, No, "inputs differ from the lock file",
        "Judgements, topics, measures, policies or versions differ from those of the lock file, so its values cannot be compared.",
        "Use the same files and options, or write a new lock file in a reviewed commit.";
    NothingToGate = "IR092", Error, No, "run without values to compare",
        "No topic of a run is judged, all of its values are 0 or undefined, or a measure has values on one side only: the run probably failed, lacks topics, or belongs to other judgements.",
        "Check the run with `cranfield doctor`, and create it again.";
    UnknownExcuse = "IR093", Error, No, "unknown exempt topic",
        "A topic exempt from the ratchet of `gate` does not exist, so the exemption has no effect.",
        "Check the spelling, or remove the topic from the list.";
    BadPlan = "IR095", Error, No, "invalid plan",
        "A plan of `compare` is not TOML, has an unknown key or a value of the wrong type, or names an unknown measure or run.",
        "Correct the line that is shown; the guide on comparing lists the keys.";
    BadCollection = "IR200", Error, No, "invalid collection",
        "A collection file is not TOML, has an unknown key or a value of the wrong type, or a folder has no files that look like a collection.",
        "Correct the line that is shown; the guide on collections lists the keys.";
    BadTopics = "IR201", Error, No, "invalid topics",
        "A file of topics has no topics, a topic without an id, or two topics with the same id.",
        "Check that it is the right file, and set its format if it was detected wrongly.";
    DocumentTooLarge = "IR202", Error, No, "document too large",
        "A document has more than 64 MB; often the end of a document is missing, or the format is another one.",
        "Check the format, and split the document.";
    UnexpectedCount = "IR203", Error, No, "unexpected number of documents or topics",
        "The collection has more or fewer documents, topics or judgements than its file says; often a download is incomplete.",
        "Compare the files with the original ones, or correct the number.";
    UnlistedGrade = "IR204", Error, No, "grade without a meaning",
        "The collection file maps grades, and a judgement has one that is not listed.",
        "Add the grade to the list.";
    DuplicateDocumentId = "IR210", Warning, No, "documents with the same id",
        "Several documents have the same id; only the first is used.",
        "Remove the others, or give them ids of their own.";
    DocumentWithoutId = "IR211", Warning, No, "documents without an id",
        "Documents have no id, so that no run or judgement can name them; they are left out.",
        "Check the format, and name the field with the id.";
    MalformedDocument = "IR212", Warning, No, "malformed documents",
        "Records cannot be parsed, such as a line that is not JSON or has too few columns; they are left out.",
        "Correct the lines, or set the format.";
    JudgedButAbsent = "IR213", Warning, No, "judged documents are not in the collection",
        "Judgements name documents that the collection does not have, so that no run can return them; measures of recall are too low.",
        "Check that documents and judgements are of the same version, and that their ids are written in the same way.";
    TopicWithoutQrels = "IR214", Warning, No, "topics without judgements",
        "No document is judged for these topics, so they do not count.",
        "Nothing to do if a part of the topics was judged; otherwise check the ids.";
    QrelsWithoutTopic = "IR215", Warning, No, "judgements without a topic",
        "Documents are judged for topics that the file of topics does not have.",
        "Check that topics and judgements belong together, and the rule for ids.";
    GradesReversed = "IR216", Warning, Safe, "grades seem to be reversed",
        "Documents with smaller grades rank higher, so the smallest grade is probably the best one.",
        "Map the grades in the collection file, for example grades = { \"1\" = 4, \"2\" = 3 }.";
    ReplacedCharacters = "IR217", Warning, No, "characters that cannot be decoded",
        "Text is neither UTF-8 nor in the declared encoding; the characters were replaced.",
        "Set the encoding of the documents.";
    SpacedDocumentId = "IR218", Warning, No, "document ids with white space",
        "An id contains white space or a control character. TREC runs and judgements separate their columns by white space, so they cannot name the document.",
        "Rename the documents, in the judgements too; the field with the id may be another one.";
    TopicIdRule = "IR220", Note, Safe, "topic ids matched by a rule",
        "The ids of topics are not those of the judgements, and one rule matches them: without leading zeros, without a prefix, or by their order.",
        "Write the rule to the collection file, so that it is not guessed again.";
    EmptyDocument = "IR221", Note, No, "empty documents",
        "Documents have no text in the fields that are indexed.",
        "Nothing to do if the originals are empty; otherwise name the fields with text.";
    UpperCaseOnly = "IR222", Note, No, "text in upper case only",
        "Topics or documents have no lower-case letters.",
        "Nothing to do if the analyser folds case; other programs may not.";
    WronglyEncoded = "IR223", Note, No, "text that was encoded twice",
        "Text looks like UTF-8 that was read as windows-1252, such as `Ã©` for `é`. It is left as it is, as other programs do.",
        "Nothing to do if results must be comparable with others.";
    SkippedFile = "IR224", Note, No, "skipped files",
        "Read-me files, descriptions of the format, the folder `cr`, runs, indexes and other outputs, and binary files are not documents.",
        "Nothing to do; name the files if they are documents.";
    AssumedLayout = "IR225", Note, Safe, "collection without a collection file",
        "What the files of a folder are was inferred from their names and their content.",
        "Check the list, and write a collection file if it is wrong or should not be inferred again.";
    GradesNotChecked = "IR226", Note, No, "order of grades not checked",
        "Whether the smallest grade is the best one is decided by a ranking of the documents, which is made for small collections only.",
        "Nothing to do if a larger grade is better.";
    TopicIsDocument = "IR227", Note, No, "topics that are documents",
        "Topics are documents of the collection and have their ids, so that each one is the best answer to itself, and counts in its own ranking.",
        "Leave such documents out by the rule for identical ids: identical = \"drop\" under [evaluate] in an experiment file, or the option of the same name.";
    IncompleteCollection = "IR228", Note, No, "collection without topics or judgements",
        "The collection has no topics, no judgements or neither, so that nothing can be evaluated on it.",
        "Name their files in the collection file; nothing to do if the collection is only indexed or searched.";
    BadIndex = "IR230", Error, No, "not an index",
        "A folder is not an index, or is incomplete, damaged or written by another version; or an index cannot be written.",
        "Build it with `cranfield index`.";
    BadVectors = "IR231", Error, No, "invalid vector file",
        "The file is not a complete NumPy array of two dimensions with floating-point numbers in C order, or a folder has no file of vectors.",
        "Write it with numpy.save as float32, one vector per row, or use Parquet or JSON Lines.";
    VectorLength = "IR232", Error, No, "wrong number of dimensions",
        "A vector has another length than the others, or topics and documents have vectors of different lengths; often two models were mixed.",
        "Encode documents and topics with one model.";
    VectorNotFinite = "IR233", Error, No, "vector with NaN or infinite values",
        "A component is NaN, infinite, or too large for 32-bit arithmetic, so the vector has no score.",
        "Find the text that the model could not encode; leave it out, or encode it again.";
    VectorIds = "IR234", Error, No, "ids do not match the vectors",
        "The ids of the rows are missing, are not as many as the vectors, or are repeated.",
        "Write one id per line, in the order of the rows, into a file next to the vectors: `documents.ids` for `documents.npy`, or `ids.txt`.";
    BadEngine = "IR240", Error, No, "invalid description of an engine",
        "A file that describes an engine is not TOML, has an unknown key or a value of the wrong type, or describes no engine or two.",
        "Correct the line that is shown; the guide on engines lists the keys.";
    FailedTopics = "IR241", Error, No, "engine failed to answer topics",
        "The engine timed out, crashed, rejected a query, or gave an incomplete or unreadable answer for some topics.",
        "Correct the engine or its description, or keep going without these topics.";
    BadFolds = "IR250", Error, No, "invalid groups or folds",
        "A line of a file of groups or folds has other than two fields, or a topic is assigned twice.",
        "Write one line per topic: the topic and the name of its group or fold.";
    BadExperiment = "IR251", Error, No, "invalid experiment",
        "An experiment file is not TOML, has an unknown key or a value of the wrong type, or names an unknown index, run or step.",
        "Correct the line that is shown; the guide on experiments lists the keys.";
    BadScale = "IR259", Error, No, "invalid scale or settings of judging",
        "A scale of grades, or the file judging.toml of a folder of judgements, is not TOML, or has an unknown key or a wrong value.",
        "Correct the line that is shown; a scale has a line per grade, such as 0 = \"not relevant\".";
    BrokenAudit = "IR260", Error, No, "audit file was changed",
        "A line of an assessor's audit file is not an event, or does not follow from the line before it.",
        "Restore the file from a copy; audit files are appended to and never edited.";
}

impl Code {
    /// The stable id, such as `IR010`.
    pub fn id(self) -> &'static str {
        self.info().id
    }

    /// A short title.
    pub fn title(self) -> &'static str {
        self.info().title
    }

    /// The meaning and usual cause.
    pub fn cause(self) -> &'static str {
        self.info().cause
    }

    /// The recommended action.
    pub fn cure(self) -> &'static str {
        self.info().cure
    }

    /// The severity.
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

/// The error for text that is not a code.
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
    fn ids_ascend_and_descriptions_are_complete() {
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
