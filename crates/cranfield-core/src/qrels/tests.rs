use super::*;

#[test]
fn ids_differ_by_any_byte_and_by_their_length() {
    let id: Vec<u8> = (b'!'..).take(40).collect();
    for len in 0..id.len() {
        assert!(is_same(&id[..len], &id.clone()[..len]));
        assert!(!is_same(&id[..len], &id[..=len]));
        for at in 0..len {
            let mut other = id[..len].to_vec();
            other[at] = b'~';
            assert!(!is_same(&id[..len], &other), "{len} bytes, {at}");
        }
    }
}

#[test]
fn topics_that_begin_alike_are_in_byte_order() {
    let ids = [
        "topic-10",
        "topic-1",
        "topic-100",
        "topic-1\0",
        "topic-1000",
        "t",
    ];
    let qrels = Qrels::from_judgements(ids.map(|id| (id, "d", 1.0)));
    let found: Vec<_> = qrels.topics().map(|topic| topic.id().to_vec()).collect();
    let mut sorted = ids.map(|id| id.as_bytes().to_vec());
    sorted.sort();
    assert_eq!(found, sorted);
}

#[test]
fn topics_are_in_byte_order_and_found() {
    let qrels = Qrels::from_judgements([
        ("9", "a", 1.0),
        ("10", "b", 0.0),
        ("B", "c", 2.0),
        ("9", "d", -1.0),
    ]);
    let ids: Vec<_> = qrels.topics().map(|topic| topic.id().to_vec()).collect();
    assert_eq!(ids, [b"10".to_vec(), b"9".to_vec(), b"B".to_vec()]);
    let nine = qrels.get(b"9").unwrap();
    assert_eq!(nine.grade(b"a"), Some(1.0));
    assert_eq!(nine.grade(b"b"), None);
    assert_eq!(nine.base(NegativeGrades::Judged).grades().len(), 2);
    assert_eq!(nine.base(NegativeGrades::Pooled).grades().len(), 1);
    assert!(qrels.get(b"8").is_none());
}

#[test]
fn the_first_of_two_judgements_counts() {
    let qrels = Qrels::from_judgements([
        ("1", "a", 1.0),
        ("1", "b", 0.0),
        ("1", "a", 2.0),
        ("1", "c", 3.0),
    ]);
    let topic = qrels.get(b"1").unwrap();
    assert_eq!(topic.grade(b"a"), Some(1.0));
    assert_eq!(topic.grade(b"c"), Some(3.0));
    assert_eq!(topic.judgements().len(), 3);
    assert_eq!(topic.base(NegativeGrades::Judged).relevant(1.0), 2);
    let duplicates: Vec<_> = qrels.duplicates().collect();
    assert_eq!((duplicates.len(), duplicates[0].dropped), (1, 2.0));
}

#[test]
fn judgements_that_do_not_fit_are_kept() {
    let mut odd = Vec::new();
    let mut check = |start: usize, len: usize, grade: f64, is_odd: bool| {
        let judgement = Judgement { start, len, grade };
        let before = odd.len();
        let unpacked = Packed::new(judgement, &mut odd).unpack(&odd);
        assert_eq!(unpacked, judgement);
        assert_eq!(unpacked.grade.to_bits(), grade.to_bits());
        assert_eq!(odd.len() > before, is_odd, "{judgement:?}");
    };
    check(0, 0, 0.0, false);
    check((1 << 40) - 1, 4094, 2047.0, false);
    check(7, 9, -2048.0, false);
    check(1 << 40, 1, 1.0, true);
    check(0, 4095, 1.0, true);
    check(0, 1 << 33, 1.0, true);
    for grade in [0.5, -0.0, 2048.0, -2049.0, 1e300, -1e300] {
        check(1, 1, grade, true);
    }
}

#[test]
fn many_distinct_grades_are_counted() {
    let judgements = (0..500).map(|n| ("t", format!("d{n}"), f64::from(n % 100) / 8.0));
    let qrels = Qrels::from_judgements(judgements);
    let base = qrels.topic(0).base(NegativeGrades::Judged);
    assert_eq!(base.grades().len(), 100);
    assert!(base.grades().iter().all(|known| known.count == 5));
    assert_eq!(base.highest(), Some(99.0 / 8.0));
}
