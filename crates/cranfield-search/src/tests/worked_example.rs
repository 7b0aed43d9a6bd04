//! The worked example: five documents, three queries, every model.

use std::path::Path;
use std::sync::Arc;

use cranfield_collection::Document;

use crate::{Analyzer, Error, Feedback, Index, IndexOptions, Model, Scorer, build};

const DOCUMENTS: [(&str, &str); 5] = [
    ("d1", "wing flow wing heat"),
    ("d2", "flow heat transfer flow flow"),
    ("d3", "wing theory"),
    ("d4", "heat transfer theory theory plate boundary"),
    ("d5", "plate plate boundary layer flow"),
];

const QUERIES: [&str; 3] = ["wing flow", "heat heat plate", "flow theory layer zebra"];

fn documents() -> impl Iterator<Item = Result<Document, Error>> {
    DOCUMENTS.into_iter().map(|(id, text)| {
        let fields = vec![("text".to_owned(), text.to_owned())];
        Ok(Document {
            id: id.into(),
            fields,
            ..Document::default()
        })
    })
}

fn index(folder: &Path) -> Arc<Index> {
    let analyzer = Analyzer::named("whitespace").expect("known");
    let path = folder.join("index");
    build(&path, documents(), &IndexOptions::new(analyzer)).expect("built");
    Arc::new(Index::open(path).expect("opened"))
}

/// Scores of d1 to d5 for the three queries; a minus sign for documents without a term of the query.
fn scores(index: &Arc<Index>, model: &str) -> Vec<String> {
    let model: Model = model.parse().expect("a model");
    let scorer = Scorer::new(Arc::clone(index), &model).expect("bound");
    let mut all = Vec::new();
    for query in QUERIES {
        let hits = scorer.search(&scorer.query(query), 10).expect("searched");
        for doc in 0..5 {
            let hit = hits.iter().find(|hit| hit.doc == doc);
            all.push(hit.map_or("-".into(), |hit| format!("{:.6}", hit.score)));
        }
    }
    all
}

/// Computed independently from the formulas; BM25, QL and JM of Lucene and `InL2` agree with Lucene 9.9.1, the other BM25s with `bm25s`
/// and `rank_bm25`.
const EXPECTED: &str = "
BM25(k1=0.9, b=0.4)                               .899317 .409459 .513882 - .276537     .577309 .553075 - .961866 .593721     .288654 .409459 .513882 .577694 .987789
BM25(k1=1.2, b=0.75)                              .815987 .374067 .512242 - .232053     .508924 .464107 - .772952 .526958     .254462 .374067 .512242 .496400 .828892
BM25(k1=0.9, b=0.4, idf='atire')                  1.734140 .737310 1.021904 - .497960   1.039558 .995919 - 1.813025 1.180671  .519779 .737310 1.021904 1.148799 2.066861
BM25(k1=1.2, b=0.75, idf='terrier')               .180798 -.741156 .624858 - -.459778   -.504177 -.459778 - -.198854 .340310  -.504177 -.741156 .624858 .605532 1.041439
BM25+(k1=1.2, b=0.75)                             4.061909 1.751454 2.512783 - 1.349670 2.826137 2.699340 - 4.648027 2.553409 1.413068 1.751454 2.512783 2.469046 4.838517
BM25L(k1=1.2, b=0.75)                             1.997818 .863978 1.244714 - .640018   1.345358 1.280037 - 2.222905 1.268390 .672679 .863978 1.244714 1.219539 2.286140
TF_IDF(k1=1.2, b=0.75)                            2.192736 1.178454 1.268994 - .731057  .801652 .731057 - 1.100973 .652725    .801652 1.178454 1.268994 1.229747 2.066536
VSM('lnc.ltc')                                    .891084 .403805 .617614 - .201035     .311151 .271243 - .539459 .508338     .120529 .220502 .337254 .308170 .455648
VSM(weights='lnc.ltc', log=10)                    .844752 .351724 .617614 - .224782     .305539 .287112 - .585357 .486170     .138369 .192062 .337254 .260076 .509469
Pivoted(s=0.2)                                    2.414171 1.174918 1.233136 - .674745  1.411966 1.349490 - 2.316438 1.632604 .705983 1.174918 1.233136 1.563426 2.418936
QL(mu=10)                                         -2.879468 -3.443398 -3.288631 - -3.920322  -5.886615 -6.093593 - -5.737162 -6.290818  -7.209851 -6.939905 -6.561995 -7.072220 -6.253679
QL(mu=10, form='lucene')                          .428996 .360003 .271934 - 0           .235566 .097580 - 0 .360003           0 .360003 .271934 .295464 .360003
QL(mu=1000, form='lucene')                        .007442 .006447 .003736 - 0           .003483 .001492 - 0 .006447           0 .006447 .003736 .005452 .006447
QL(lambda=0.1)                                    -2.164082 -4.869975 -4.552844 - -5.890909  -7.160644 -7.578562 - -5.430326 -9.574503  -11.084070 -10.263603 -9.946472 -10.337338 -7.580768
QL(lambda=0.1, form='lucene')                     5.555560 3.077312 3.291196 - 2.066863 5.269166 4.858435 - 6.793092 3.077312 2.264364 3.077312 3.291196 2.904165 5.144175
DPH                                               .776065 .226355 .337527 - .313715     1.120893 1.099088 - 1.545560 .547482  .353175 .226355 .337527 .609227 1.370447
PL2(c=1)                                          1.805725 .941430 .983429 - .661644    1.536012 1.421785 - 2.006851 1.032868 .665724 .941430 .983429 .951695 1.825975
InL2(c=1)                                         1.262916 .569256 .791414 - .370639    .804045 .741279 - 1.246924 .815382    .402022 .569256 .791414 .774829 1.323920
BM25(k1=1.2, b=0.75, idf='robertson')             .125320 -.513730 .433119 - -.318694   -.698938 -.637388 - -.292900 .445561  -.349469 -.513730 .433119 .419723 .721870
BM25(k1=1.2, b=0.75, idf='robertson-zero')        .474789 0 .433119 - 0                 0 0 - .292900 .445561                 0 0 .433119 .419723 1.040564
BM25(k1=1.2, b=0.75, idf='robertson-mean')        .543209 .100580 .433119 - .062395     .136841 .124790 - .407591 .445561     .068420 .100580 .433119 .419723 1.102959";

#[test]
fn scores_of_the_worked_example() {
    let folder = tempfile::tempdir().expect("a folder");
    let index = index(folder.path());
    for line in EXPECTED.lines().filter(|line| !line.is_empty()) {
        let (model, expected) = line.split_at(50);
        let found = scores(&index, model.trim());
        let expected: Vec<&str> = expected.split_whitespace().collect();
        assert_eq!(found.len(), expected.len(), "{model}");
        for (found, expected) in found.iter().zip(expected) {
            let agree = match (found.parse::<f64>(), expected.parse::<f64>()) {
                (Ok(found), Ok(expected)) => (found - expected).abs() < 1.5e-6,
                _ => found == expected,
            };
            assert!(agree, "{model}: {found} is not {expected}");
        }
    }
}

/// Terms of a query with their weights.
type Weights = Vec<(String, String)>;

/// Numbers of documents with their scores.
type Ranking = Vec<(u32, String)>;

fn expanded(index: &Arc<Index>, feedback: &str, query: &str) -> (Weights, Ranking) {
    let scorer = Scorer::new(Arc::clone(index), &Model::default()).expect("bound");
    let feedback: Feedback = feedback.parse().expect("a method");
    let query = scorer.query(query);
    let hits = scorer.search(&query, feedback.depth()).expect("searched");
    let query = feedback.expand(index, &query, &hits).expect("expanded");
    let hits = scorer.search(&query, 10).expect("searched");
    let mut terms: Vec<(String, f64)> = query;
    terms.sort_by(|a, b| b.1.total_cmp(&a.1));
    let terms = terms
        .into_iter()
        .map(|(term, weight)| (term, format!("{weight:.6}")))
        .collect();
    (
        terms,
        hits.into_iter()
            .map(|hit| (hit.doc + 1, format!("{:.6}", hit.score)))
            .collect(),
    )
}

fn pairs<T: std::str::FromStr + std::fmt::Debug>(text: &str) -> Vec<(T, String)>
where
    T::Err: std::fmt::Debug,
{
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .chunks(2)
        .map(|pair| (pair[0].parse().expect("a value"), pair[1].to_owned()))
        .collect()
}

#[test]
fn feedback_over_two_documents() {
    let folder = tempfile::tempdir().expect("a folder");
    let index = index(folder.path());
    let rm3 = "RM3(docs=2, terms=3, max_df=1)";
    let (terms, hits) = expanded(&index, rm3, "wing flow");
    assert_eq!(terms, pairs("wing 0.547298 flow 0.344596 theory 0.108107"));
    assert_eq!(
        hits,
        pairs("1 0.433684 3 0.336801 2 0.141098 5 0.095294 4 0.062452")
    );
    let (terms, _) = expanded(&index, rm3, "heat heat plate");
    assert_eq!(
        terms,
        pairs("heat 0.333333 plate 0.293890 theory 0.206110 boundary 0.166667")
    );
    let (terms, hits) = expanded(&index, "Rocchio(docs=2, terms=3, max_df=1)", "wing flow");
    assert_eq!(terms, pairs("wing 1.368166 flow 0.884237 theory 0.306799"));
    assert_eq!(
        hits,
        pairs("1 1.090727 3 0.860735 2 0.362059 5 0.244525 4 0.177236")
    );
    let bo1 = "Bo1(docs=2, terms=3)";
    assert_eq!(
        expanded(&index, bo1, "wing flow").0,
        pairs("wing 2.000000 flow 1.406241")
    );
    assert_eq!(
        expanded(&index, bo1, "heat heat plate").0,
        pairs("plate 1.500000 heat 1.425154 boundary 0.832822")
    );
}
