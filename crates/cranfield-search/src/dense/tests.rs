//! Search against exhaustive search in double precision, and files of all formats.

use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};

use half::f16;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

fn ids(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{prefix}{at}")).collect()
}

fn vectors(prefix: &str, dims: usize, values: Vec<f32>) -> Vectors {
    Vectors::new(prefix, ids(prefix, values.len() / dims), values).unwrap()
}

/// Numbers from a multiplicative generator, between -1 and 1.
fn noise(seed: u64, count: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let next = move |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f32) / 8_388_608.0 - 1.0
    };
    (0..count).map(next).collect()
}

/// Scores every document with a plain loop in double precision, and sorts all of them.
fn exhaustive(documents: &[f32], topic: &[f32], cosine: bool, depth: usize) -> Vec<(String, f64)> {
    let length = |v: &[f32]| {
        v.iter()
            .fold(0.0, |sum, &x| sum + f64::from(x) * f64::from(x))
            .sqrt()
    };
    let score = |v: &[f32]| {
        let pairs = v.iter().zip(topic);
        let dot = pairs.fold(0.0, |sum, (&a, &b)| sum + f64::from(a) * f64::from(b));
        let norms = length(v) * length(topic);
        match (cosine, norms > 0.0) {
            (false, _) => dot,
            (true, true) => dot / norms,
            (true, false) => 0.0,
        }
    };
    let rows = documents.chunks(topic.len()).enumerate();
    let mut all: Vec<_> = rows.map(|(at, v)| (format!("d{at}"), score(v))).collect();
    let order = |a: &(String, f64), b: &(String, f64)| match b.1.partial_cmp(&a.1) {
        Some(Ordering::Equal) | None => b.0.cmp(&a.0),
        Some(order) => order,
    };
    all.sort_by(order);
    all.truncate(depth);
    all
}

fn check(documents: &[f32], topics: &[f32], dims: usize, similarity: Similarity, depth: usize) {
    let index = DenseIndex::new(vectors("d", dims, documents.to_vec()), similarity);
    let queries = vectors("q", dims, topics.to_vec());
    for threads in [1, 2, 8] {
        let answers = index.search(&queries, depth, threads).unwrap();
        assert_eq!(answers.len(), topics.len() / dims);
        for (answer, topic) in answers.iter().zip(topics.chunks(dims)) {
            let cosine = similarity == Similarity::Cosine;
            let expected = exhaustive(documents, topic, cosine, depth);
            let found: Vec<_> = answer
                .iter()
                .map(|hit| (index.id(hit.row).to_owned(), hit.score))
                .collect();
            assert_eq!(found, expected, "{similarity} {depth} {threads}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Few distinct components give many equal scores; order must still be that of exhaustive search.
    #[test]
    fn search_equals_exhaustive_search_with_ties(
        dims in 1usize..6,
        numbers in prop::collection::vec(prop::sample::select(vec![-1.0f32, 0.0, 0.5, 1.0, 3e-5, 1e6]), 6..300),
        depth in 0usize..60,
        cosine: bool,
    ) {
        let whole = numbers.len() / dims * dims;
        let similarity = if cosine { Similarity::Cosine } else { Similarity::Dot };
        check(&numbers[..whole], &numbers[..dims.max(whole / 3 / dims * dims)], dims, similarity, depth);
    }
}

#[test]
fn search_equals_exhaustive_search_over_several_blocks() {
    let dims = 48;
    let (documents, topics) = (noise(1, 5000 * dims), noise(2, 7 * dims));
    for similarity in [Similarity::Dot, Similarity::Cosine] {
        for depth in [1, 10, 1000, 6000] {
            check(&documents, &topics, dims, similarity, depth);
        }
    }
}

#[test]
fn copies_and_nearly_equal_documents_are_ordered_by_exact_score() {
    let dims = 16;
    let base = noise(3, dims);
    let documents: Vec<f32> = (0..6000)
        .flat_map(|row| {
            // Copies, and documents that differ by less than single-precision sums can tell.
            let change = f32::EPSILON * (row % 7) as f32;
            base.iter().map(move |x| x * (1.0 + change))
        })
        .collect();
    check(&documents, &base, dims, Similarity::Dot, 20);
    check(&documents, &base, dims, Similarity::Cosine, 20);
}

#[test]
fn one_long_vector_does_not_hide_others() {
    let dims = 8;
    let mut documents = noise(4, 4000 * dims);
    documents[800..808].fill(1e30);
    documents[1600..1608].fill(-1e30);
    check(&documents, &noise(5, 3 * dims), dims, Similarity::Dot, 50);
}

#[test]
fn more_topics_than_one_batch_are_answered_in_order() {
    let dims = 3;
    check(
        &noise(6, 40 * dims),
        &noise(7, 600 * dims),
        dims,
        Similarity::Cosine,
        5,
    );
}

/// An array as `numpy.save` writes it, with a header of the given version.
fn npy(version: u8, descr: &str, shape: &str, numbers: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let prefix = if version == 1 { 10 } else { 12 };
    while (prefix + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = [&b"\x93NUMPY"[..], &[version, 0]].concat();
    let length = header.len() as u32;
    bytes.extend(&length.to_le_bytes()[..prefix - 8]);
    bytes.extend(header.as_bytes());
    bytes.extend(numbers);
    bytes
}

fn singles(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn write(folder: &TempDir, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// The numbers of a file, as they are searched.
fn contents(path: &Path) -> (Vec<String>, Vec<f32>) {
    let vectors = Vectors::open(path).unwrap();
    let mut scratch = Vec::new();
    let values = vectors.block(0..vectors.len(), &mut scratch).to_vec();
    (vectors.ids().to_vec(), values)
}

fn message(path: &Path) -> String {
    let error = Vectors::open(path).unwrap_err().to_string();
    let folder = path.parent().unwrap().to_string_lossy().into_owned();
    error.replace(&format!("{folder}{}", std::path::MAIN_SEPARATOR), "")
}

const NUMBERS: [f32; 6] = [1.0, -0.5, 2.0, 0.25, 0.0, 1024.0];

#[test]
fn arrays_of_all_precisions_and_versions_are_read() {
    let folder = TempDir::new().unwrap();
    write(&folder, "ids.txt", "a\r\nb\r\nc");
    let halves: Vec<u8> = NUMBERS
        .iter()
        .flat_map(|&x| f16::from_f32(x).to_le_bytes())
        .collect();
    let doubles: Vec<u8> = NUMBERS
        .iter()
        .flat_map(|&x| f64::from(x).to_le_bytes())
        .collect();
    for (version, descr, numbers) in [
        (1, "<f4", singles(&NUMBERS)),
        (2, "<f2", halves),
        (3, "<f8", doubles),
    ] {
        let path = write(&folder, "x.npy", npy(version, descr, "(3, 2)", &numbers));
        let expected: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        assert_eq!(contents(&path), (expected, NUMBERS.to_vec()), "{descr}");
    }
}

#[test]
fn ids_named_after_the_array_come_first() {
    let folder = TempDir::new().unwrap();
    let path = write(
        &folder,
        "topics.npy",
        npy(1, "<f4", "(3, 2)", &singles(&NUMBERS)),
    );
    write(&folder, "ids.txt", "a\n");
    write(&folder, "topics.ids", "x\ny\nz\n");
    assert_eq!(contents(&path).0, ["x", "y", "z"]);
}

#[test]
fn json_lines_are_read() {
    let folder = TempDir::new().unwrap();
    let path = write(
        &folder,
        "x.jsonl",
        "{\"id\": \"a\", \"vector\": [1, -0.5]}\n\n{\"embedding\": [2e0, 0.25], \"_id\": 7, \"text\": \"t\"}\n",
    );
    assert_eq!(
        contents(&path),
        (vec!["a".into(), "7".into()], NUMBERS[..4].to_vec())
    );
}

#[test]
fn a_folder_has_documents_and_topics() {
    let folder = TempDir::new().unwrap();
    let line = "{\"id\": \"a\", \"vector\": [1]}\n";
    let documents = write(&folder, "documents.jsonl", line);
    let error = VectorFolder::find(folder.path()).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "no vectors; expected `topics.npy`, `topics.parquet` or `topics.jsonl` [IR231]"
        ),
        "{error}"
    );
    let topics = write(&folder, "topics.jsonl", line);
    let found = VectorFolder::find(folder.path()).unwrap();
    assert_eq!(found, VectorFolder { documents, topics });
    assert_eq!(
        DenseIndex::open(folder.path(), Similarity::Dot)
            .unwrap()
            .documents()
            .len(),
        1
    );
    write(&folder, "documents.npy", "");
    assert!(
        VectorFolder::find(folder.path())
            .unwrap_err()
            .to_string()
            .contains("found both")
    );
}

#[test]
fn broken_arrays_are_errors_with_their_cause() {
    let folder = TempDir::new().unwrap();
    write(&folder, "ids.txt", "a\nb\nc\n");
    let whole = npy(1, "<f4", "(3, 2)", &singles(&NUMBERS));
    let path = write(&folder, "x.npy", &whole[..whole.len() - 1]);
    assert_eq!(
        message(&path),
        "x.npy: found 23 bytes after the header, an array of 3 x 2 has 24 [IR231]"
    );
    for end in [7, 9, 40] {
        let path = write(&folder, "x.npy", &whole[..end]);
        assert_eq!(
            message(&path),
            "x.npy: the header of the array is incomplete [IR231]"
        );
    }
    let huge = npy(1, "<f4", "(9223372036854775807, 9223372036854775807)", b"");
    assert!(message(&write(&folder, "x.npy", huge)).contains("too many"));
    let nan = npy(
        1,
        "<f4",
        "(3, 2)",
        &singles(&[1.0, 2.0, 3.0, f32::NAN, 5.0, 6.0]),
    );
    assert_eq!(
        message(&write(&folder, "x.npy", nan)),
        "x.npy: vector 2 (`b`): component 2 is not a finite number [IR233]"
    );
    let long = npy(
        1,
        "<f4",
        "(3, 2)",
        &singles(&[1.0, 2.0, f32::MAX, f32::MAX, 5.0, 6.0]),
    );
    assert_eq!(
        message(&write(&folder, "x.npy", long)),
        "x.npy: vector 2 (`b`): is too long for 32-bit arithmetic [IR233]"
    );
}

#[test]
fn wrong_ids_are_errors_with_their_place() {
    let folder = TempDir::new().unwrap();
    let path = write(
        &folder,
        "x.npy",
        npy(1, "<f4", "(3, 2)", &singles(&NUMBERS)),
    );
    assert!(message(&path).starts_with("x.npy: no file with the ids of the vectors; expected "));
    for (text, expected) in [
        (
            &b"a\nb\n"[..],
            "x.ids: found 2 ids for the 3 vectors of `x.npy` [IR234]",
        ),
        (b"a\n\nc\n", "x.ids:2:1: empty id [IR015]"),
        (b"a\nb\n\xff\n", "x.ids:3:1: not UTF-8 [IR007]"),
        (
            b"a\nb\na\n",
            "x.npy: vectors 1 and 3 have the same id `a` [IR234]",
        ),
    ] {
        write(&folder, "x.ids", text);
        assert_eq!(message(&path), expected);
    }
}

#[test]
fn broken_json_lines_are_errors_with_their_place() {
    let folder = TempDir::new().unwrap();
    for (line, expected) in [
        (
            "{\"id\": \"b\", \"vector\": [1, 2]}",
            "x.jsonl:2:1: the vector has 2 dimensions, the first 1 [IR232]",
        ),
        (
            "{\"id\": \"b\", \"vector\": [NaN]}",
            "x.jsonl:2:24: expected value [IR016]",
        ),
        (
            "{\"id\": \"b\"}",
            "x.jsonl:2:11: missing field `vector` [IR017]",
        ),
        (
            "{\"id\": \"\", \"vector\": [1]}",
            "x.jsonl:2:1: empty id [IR015]",
        ),
    ] {
        let path = write(
            &folder,
            "x.jsonl",
            format!("{{\"id\": \"a\", \"vector\": [1]}}\n{line}\n"),
        );
        assert_eq!(message(&path), expected);
    }
    // Which of the two it is depends on how the JSON library was built.
    let large = message(&write(
        &folder,
        "x.jsonl",
        "{\"id\": \"b\", \"vector\": [1e300]}\n",
    ));
    assert!(
        large.contains("not a finite number") || large.contains("number out of range"),
        "{large}"
    );
    assert_eq!(
        message(&write(&folder, "x.jsonl", "\n")),
        "x.jsonl: found no vectors [IR002]"
    );
}

#[test]
fn topics_and_documents_must_have_the_same_length() {
    let index = DenseIndex::new(vectors("d", 2, vec![1.0; 4]), Similarity::Dot);
    let error = index
        .search(&vectors("q", 3, vec![1.0; 3]), 1, 1)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "q: vectors have 3 dimensions, those of `d` have 2 [IR232]"
    );
}

#[test]
fn names_of_similarities_parse_back() {
    for similarity in [Similarity::Dot, Similarity::Cosine] {
        assert_eq!(similarity.to_string().parse(), Ok(similarity));
    }
    assert_eq!("l2".parse::<Similarity>(), Err(UnknownSimilarity));
}
