//! The terms of every analyser.

use proptest::prelude::*;

use crate::Analyzer;

#[track_caller]
fn check(analyzer: &str, text: &str, expected: &str) {
    let terms = Analyzer::named(analyzer).unwrap().terms(text);
    assert_eq!(terms.join(" "), expected, "{analyzer}");
}

#[test]
fn english() {
    check("english", "", "");
    check(
        "english",
        "The Flows of HEAT: flowing, flowed.",
        "flow heat flow flow",
    );
    check("english", "heat's x-15 3.5", "heat s x 15 3 5");
    check("english", "it is not a as of by was", "");
    // Words of one or two letters have no stem of their own.
    check("english", "s is us As", "s us");
    check("english", "Größe CAFÉ ΣΟΦΟΣ", "größe café σοφοσ");
    // Porter's paper; Lucene's program has rules for `bly` and `logy` in addition.
    check(
        "english",
        "possibly technology generalization relational",
        "possibli technologi gener relat",
    );
}

#[test]
fn lucene() {
    check(
        "lucene",
        "the Wing's flow; the wings\u{2019}S flows",
        "wing flow wing flow",
    );
    check(
        "lucene",
        "U.S.A. 3.5 can't a_b x-15",
        "u.s.a 3.5 can't a_b x 15",
    );
    check("lucene", "possibly technology", "possibl technolog");
    let long = "a".repeat(300);
    let pieces = format!("{} {}", &long[..255], &long[255..]);
    check("lucene", &long, &pieces);
}

#[test]
fn terrier() {
    check("terrier", "The Flows of HEAT", "flow heat");
    let (most, more) = (
        "b".repeat(3) + &"cd".repeat(8) + "e",
        "x".to_owned() + &"cd".repeat(10),
    );
    assert_eq!((most.len(), more.len()), (20, 21));
    check("terrier", &format!("{most} {more}"), &most);
    check("terrier", "1234 12345 a1b2c3d4 a1b2c3d4e5", "1234 a1b2c3d4");
    check("terrier", "zzz zzzz 000 0000", "zzz 000");
    check("terrier", "Größe", "gr");
}

#[test]
fn plain() {
    check("simple", "The Flows, of x-15", "the flows of x 15");
    check(
        "whitespace",
        "The Flows,\tof\u{a0}x-15",
        "The Flows, of x-15",
    );
    check("en_stem", "the flowing flows", "the flow flow");
    let (short, long) = ("b".repeat(39), "b".repeat(40));
    check("en_stem", &format!("{short} {long}"), &short);
}

#[test]
fn cjk() {
    check("cjk", "東京都 Hello東京 字", "東京 京都 hello 東京 字");
    check("cjk", "한국어 かな", "한국 국어 かな");
}

#[test]
fn ngrams() {
    check("ngram", "abcd é", "ab abc bc bcd cd");
    check("ngram(1)", "Añ b", "a ñ b");
    check("ngram(3, 3)", "abcd ab", "abc bcd");
    for wrong in [
        "ngram(0)",
        "ngram(3,2)",
        "ngram(2,11)",
        "ngram()",
        "ngram(a)",
        "ngram(2",
    ] {
        assert!(Analyzer::named(wrong).is_err(), "{wrong}");
    }
}

/// Words with their stems; the first word is a stop word where there are any.
#[test]
fn languages() {
    check("danish", "og indvendingerne", "indvending");
    check("dutch", "de huizen", "huis");
    check("finnish", "ja taloissa", "talo");
    check("french", "les chevaux", "cheval");
    check("german", "der Häuser", "haus");
    check("italian", "il abbandonata", "abbandon");
    check("norwegian", "og havnedistriktene", "havnedistrikt");
    check("portuguese", "os quilométricas", "quilométr");
    check("russian", "и книги", "книг");
    check("spanish", "las chicharrones", "chicharron");
    check("swedish", "och jaktkarlarne", "jaktkarl");
}

#[test]
fn unknown_names() {
    let error = Analyzer::named("klingon").unwrap_err().to_string();
    assert!(error.contains("english, lucene"), "{error}");
}

proptest! {
    #[test]
    fn no_text_fails(text in any::<String>()) {
        for (name, _) in Analyzer::list() {
            let terms = Analyzer::named(name).unwrap().terms(&text);
            prop_assert!(terms.iter().all(|term| !term.is_empty()), "{name}");
        }
    }

    /// Endings that stemmers look for, in any combination.
    #[test]
    fn no_word_fails(text in "[a-zA-Z'’ßäéñıİşйиыьةاِك가한の0-9 ]{0,30}(s|ing|bly|logi|ation|'s|ies|eed|ı|ет)?") {
        for (name, _) in Analyzer::list() {
            let terms = Analyzer::named(name).unwrap().terms(&text);
            prop_assert!(terms.iter().all(|term| !term.is_empty()), "{name}");
        }
    }
}
