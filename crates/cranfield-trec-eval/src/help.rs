//! Help, usage and version.

use cranfield_measures::spec;
use cranfield_measures::trec_names::{GROUPS, TREC_MEASURES};

use super::judgements::Format;
use super::options::{Compat, Options, RESULTS_FORMAT};

/// Printed after an invalid option or number of files.
pub(super) const USAGE_TEXT: &[u8] = b"Usage: trec_eval [options] rel_info_file results_file
  -m measure[.parameters]  measure or group (official, set, all_trec, all_prefs, prefs, qrels_jg); may be repeated
  -q  values of each topic   -n  no summary   -c  include topics missing from the run   -J  judged documents only
  -l level   -M documents   -N collection_size   -D level[.topic]   -R rel_info_format   -T results_format   -Z zscores_file
  -h  help, with -m also on measures   -v  version   --compat 9  as version 9
";

/// The line of `-v`. It is the reference's, since scripts look for it.
pub(super) fn version(compat: Compat) -> &'static str {
    match compat {
        Compat::Nine => "trec_eval version 9.0.7\n",
        Compat::Ten => "trec_eval version 10.0-rc3\n",
    }
}

const RULE: &str = "\n-----------------------\n";

const GENERAL: &str = "trec_eval [options] rel_info_file results_file

Evaluates the documents that a system retrieved (results_file) against relevance judgements (rel_info_file) and prints
measures of retrieval quality. This is Cranfield's trec_eval: options, output, exit status and messages are those of trec_eval 10.0.

Options:
 -h, --help                        print this help and exit; with -m, also describe those measures
 -v, --version                     print the version on standard error and exit
 -q, --query_eval_wanted           print the values of each topic as well as the summary
 -m, --measure M[.parameters]      add a measure or a group of measures; without any, the group `official`
 -c, --complete_rel_info_wanted    average over all topics of rel_info_file; a topic missing from the run has no results
 -l, --level_for_rel N             lowest relevance level that counts as relevant (1)
 -n, --nosummary                   do not print the summary
 -D, --Debug_level N[.topic]       evaluate only this topic; the level has no effect
 -J, --Judged_docs_only            remove unjudged documents from the ranking
 -N, --Number_docs_in_coll N       documents in the collection, for `utility` (0)
 -M, --Max_retrieved_per_topic N   keep only the first N documents of each topic
 -R, --Rel_info_format F           qrels (default), qrels_jg, prefs or qrels_prefs
 -T, --Results_format F            trec_results
 -Z, --Zscore FILE                 print z-scores, from a file of lines `topic measure mean standard_deviation`
 -o, --Output_old_results_format   no effect; the long form takes an argument and ignores it
     --compat 9|10                 behave as trec_eval 9: 32-bit scores, no error for topics missing from the run, old rounding
                                   of recall points, no comments, no measures dcg, ideal_dcg, rbp, rbp_resid and unj

Parameters of a measure follow its name and a point: P.5,10  iprec_at_recall..1,.5  utility.2,-1,0,0  ndcg.1=3,2=9  rbp.p=0.8
Files may be compressed with gzip, zstd, bzip2, xz or lz4. A results_file that begins with `-` is standard input.

Output: one line per value with the measure's name, the topic (or `all` for the summary) and the value, separated by tabs.
Exit status: 0 success, 1 invalid option or measure, 2 invalid file or parameters, 4 a topic cannot be evaluated, 7 no topic
evaluated, 134 contradictory preferences, 255 invalid file of z-scores.
";

const RESULTS: &str = "Results format trec_results
Lines `topic Q0 document rank score run_id`, separated by spaces; fields after the sixth are ignored. Documents are ordered by score,
those of equal scores by document id in descending order (ascending for preferences). The rank is not used. The run's id is that of
the last line. Empty lines, and lines whose first character is `#`, are skipped.
";

fn describe(format: Format) -> &'static str {
    match format {
        Format::Qrels => {
            "Relevance format qrels
Lines `topic iteration document judgement`, separated by spaces. The judgement is an integer; a negative one means that the document
was pooled, but not judged. The iteration is not used. Lines that begin with `#` are skipped; empty lines are an error.
"
        }
        Format::QrelsJg => {
            "Relevance format qrels_jg
Lines `topic group document judgement`, as in qrels. Each group (an assessor, or one reading of the topic) has its own judgements;
measures are computed for each group and averaged over groups.
"
        }
        Format::Prefs => {
            "Relevance format prefs
Lines `topic group subgroup document level`, separated by spaces. Within a subgroup, a document is preferred to all those of a lower
level, which is a real number; within a group, preferences are transitive. Lines that begin with `#` are skipped.
"
        }
        Format::QrelsPrefs => {
            "Relevance format qrels_prefs
Lines `topic group document level`, as in prefs with one subgroup for each group.
"
        }
    }
}

/// Appends the help for these options.
pub(super) fn write(out: &mut Vec<u8>, options: &Options) {
    let mut add = |text: &str| out.extend_from_slice(text.as_bytes());
    add(GENERAL);
    add(RULE);
    if options.results_format == RESULTS_FORMAT {
        add(RESULTS);
        add(RULE);
    }
    if let Ok(format) = Format::find(&options.rel_format) {
        add(describe(format));
        add(RULE);
    }
    add("Individual measure documentation for requested measures\n");
    let mut is_asked = false;
    for row in options.request.rows() {
        is_asked = true;
        add(&format!("{}\n", row.name));
        let info = spec::find(row.family);
        add(&info.map_or_else(String::new, |info| info.page.to_owned()));
    }
    if !is_asked {
        add("No measure was requested; add -m with one of these names to see its documentation.\n");
        add(&names());
    }
}

/// All names on one line.
fn names() -> String {
    let groups = GROUPS.iter().map(|(name, _)| *name);
    let names: Vec<&str> = TREC_MEASURES
        .iter()
        .map(|row| row.name)
        .chain(groups)
        .collect();
    names.join(" ") + "\n"
}
