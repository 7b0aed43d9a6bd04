use cranfield_io::Source;
use proptest::prelude::*;

use super::*;

fn read(name: &str, text: &str) -> Topics {
    Topics::read(&Source::from_bytes(name, text.into()).unwrap(), None).unwrap()
}

#[track_caller]
fn check(text: &str, expected: &[(&str, &[(&str, &str)])]) {
    let topics = read("topics", text);
    assert_eq!(topics.len(), expected.len(), "{topics:?}");
    for (topic, (id, fields)) in topics.iter().zip(expected) {
        let found: Vec<(&str, &str)> = topic
            .fields
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        assert_eq!((topic.id.as_str(), found.as_slice()), (*id, *fields));
    }
}

/// TREC-1: words that repeat the names of fields, more fields than usual, titles over two lines.
#[test]
fn open_tags_with_labels() {
    let text = "<top>\n<head> Tipster Topic Description\n<num> Number: 051\n<dom> Domain: International Economics\n\
                <title> Topic: Airbus Subsidies and\n   their Opponents\n\n<desc> Description:\nDocument will discuss\n\
                government assistance.\n\n<smry> Summary:\nA summary.\n<narr> Narrative:\nA relevant document & more.\n\
                <con> Concept(s):\n1. Airbus Industrie\n<fac> Factor(s):\n<nat> Nationality: U.S.\n</fac>\n<def> Definition(s):\n</top>\n\
                <top>\n<num> Number:  052\n<title> Topic:  South African Sanctions\n</top>\n";
    check(
        text,
        &[
            (
                "051",
                &[
                    ("head", "Tipster Topic Description"),
                    ("dom", "International Economics"),
                    ("title", "Airbus Subsidies and their Opponents"),
                    (
                        "description",
                        "Document will discuss government assistance.",
                    ),
                    ("smry", "A summary."),
                    ("narrative", "A relevant document & more."),
                    ("con", "1. Airbus Industrie"),
                    ("nat", "Nationality: U.S."),
                ],
            ),
            ("052", &[("title", "South African Sanctions")]),
        ],
    );
}

/// Robust 2004: the title on the next line. Core 2018: closing tags, labels alone on their line.
#[test]
fn titles_and_labels_on_lines_of_their_own() {
    let text = "<top>\n\n<num> Number: 301 \n<title> \nInternational Organized Crime \n\n<desc> Description: \nIdentify.\n</top>\n\
                <top>\n<num> Number: 321 </num>\n<title>\nWomen in Parliaments\n</title>\n<desc> Description\nPertinent.\n</desc>\n\
                <narr> Narrative\nRelevant.\n</narr>\n</top>\n<top><num>5</num><title>Descriptions matter</title><desc>Description of it</desc></top>";
    check(
        text,
        &[
            (
                "301",
                &[
                    ("title", "International Organized Crime"),
                    ("description", "Identify."),
                ],
            ),
            (
                "321",
                &[
                    ("title", "Women in Parliaments"),
                    ("description", "Pertinent."),
                    ("narrative", "Relevant."),
                ],
            ),
            (
                "5",
                &[
                    ("title", "Descriptions matter"),
                    ("description", "Description of it"),
                ],
            ),
        ],
    );
}

/// FIRE: attributes, a list around the topics, and a topic that is not closed.
#[test]
fn topics_that_are_not_closed() {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<topics>\n<top lang='hi'>\n<num>176</num>\n<title>वाई एस आर</title>\n\
                <top lang='hi'>\n<num>177</num>\n<title>AT&T < IBM</title>\n</top>\n</topics>\n";
    check(
        text,
        &[
            ("176", &[("title", "वाई एस आर")]),
            ("177", &[("title", "AT&T < IBM")]),
        ],
    );
}

/// The web tracks, with a document type in front; COVID with carriage returns.
#[test]
fn numbers_as_attributes() {
    let web = "<?xml version=\"1.0\"?>\n<!DOCTYPE webtrack2009 [\n<!ELEMENT topic (query)>\n]>\n<webtrack2009>\n\
               <topic number=\"1\" type=\"faceted\">\n<query>obama family tree</query>\n<description>\nFind.\n</description>\n\
               <subtopic number=\"1\" type=\"nav\">\nFirst.\n</subtopic>\n<subtopic number=\"2\" type=\"inf\">Second.</subtopic>\n</topic>\n</webtrack2009>";
    check(
        web,
        &[(
            "1",
            &[
                ("title", "obama family tree"),
                ("description", "Find."),
                ("subtopic", "First."),
                ("subtopic", "Second."),
                ("type", "faceted"),
            ],
        )],
    );
    let covid = "<topics task=\"COVIDSearch\" batch=\"1\">\r\n<topic number=\"1\">\r\n<query>coronavirus origin</query>\r\n\
                 <question>what is the origin</question>\r\n<narrative>seeking</narrative>\r\n</topic>\r\n</topics>\r\n";
    check(
        covid,
        &[(
            "1",
            &[
                ("title", "coronavirus origin"),
                ("question", "what is the origin"),
                ("narrative", "seeking"),
            ],
        )],
    );
}

/// Clinical decision support, precision medicine, clinical trials, NTCIR's web task, topics as documents.
#[test]
fn other_elements() {
    let cds = "<topics task=\"2014\"><topic number=\"1\" type=\"diagnosis\"><note>78 M</note><description>A woman</description>\
               <summary>58-year-old</summary></topic></topics>";
    check(
        cds,
        &[(
            "1",
            &[
                ("note", "78 M"),
                ("description", "A woman"),
                ("summary", "58-year-old"),
                ("type", "diagnosis"),
            ],
        )],
    );
    let pm = "<topics><topic number=\"1\">\n<disease>Liposarcoma</disease>\n<gene>CDK4</gene>\n<demographic>38</demographic><other>GERD</other></topic></topics>";
    check(
        pm,
        &[(
            "1",
            &[
                ("disease", "Liposarcoma"),
                ("gene", "CDK4"),
                ("demographic", "38"),
                ("other", "GERD"),
            ],
        )],
    );
    let ct = "<topics task=\"2021\">\n<topic number=\"1\">\nPatient is a 45-year-old man\n</topic>\n<topic number=\"2\">48 M</topic></topics>";
    check(
        ct,
        &[
            ("1", &[("title", "Patient is a 45-year-old man")]),
            ("2", &[("title", "48 M")]),
        ],
    );
    let www = "<queries>\n<query>\n<qid>0001</qid>\n<content>Halloween picture</content>\n<description>About</description></query>\n</queries>";
    check(
        www,
        &[(
            "0001",
            &[("title", "Halloween picture"), ("description", "About")],
        )],
    );
    let clef = "<top>\n<num> C041 </num>\n<EN-title> Pesticides in Baby Food </EN-title>\n<EN-desc> Find reports </EN-desc>\n</top>";
    check(
        clef,
        &[(
            "C041",
            &[
                ("title", "Pesticides in Baby Food"),
                ("description", "Find reports"),
            ],
        )],
    );
    let identified = "<topics><topic lang=\"en\"><identifier>10.2452/451-AH</identifier><title>Roman Military</title></topic></topics>";
    check(
        identified,
        &[("10.2452/451-AH", &[("title", "Roman Military")])],
    );
    let microblog = "<top>\n<num> Number: MB111 </num>\n<query> water shortages </query>\n<querytime> Fri Mar 29 </querytime>\n</top>";
    check(
        microblog,
        &[(
            "MB111",
            &[("title", "water shortages"), ("querytime", "Fri Mar 29")],
        )],
    );
    let cacm = "<DOC>\n<DOCNO> 1 </DOCNO>\nWhat articles exist\n</DOC>\n<DOC>\n<DOCNO> 2 </DOCNO>\nI am interested\n</DOC>";
    check(
        cacm,
        &[
            ("1", &[("title", "What articles exist")]),
            ("2", &[("title", "I am interested")]),
        ],
    );
}

#[test]
fn lines() {
    check(
        "1:horse racing: jockey\n2:lake\n",
        &[
            ("1", &[("title", "horse racing: jockey")]),
            ("2", &[("title", "lake")]),
        ],
    );
    check(
        "20001:1:comparability of pay\n20002:4:lake\n",
        &[
            (
                "20001",
                &[("title", "comparability of pay"), ("priority", "1")],
            ),
            ("20002", &[("title", "lake"), ("priority", "4")]),
        ],
    );
    check(
        "1048585\twhat is paula\r\n2\tx\r\n",
        &[
            ("1048585", &[("title", "what is paula")]),
            ("2", &[("title", "x")]),
        ],
    );
    check(
        "qid\tquery\tlang\n7\tx y\ten\n",
        &[("7", &[("title", "x y"), ("lang", "en")])],
    );
    let csv = read("topics.csv", "query_id,query\n1,\"a, b \"\"c\"\"\"\n");
    assert_eq!((csv[0].id.as_str(), csv[0].title()), ("1", "a, b \"c\""));
    // Million Query is in Latin-1.
    let latin = Source::from_bytes("mq", b"1:caf\xe9\n2:b\n".to_vec()).unwrap();
    assert_eq!(Topics::read(&latin, None).unwrap()[0].title(), "caf\u{e9}");
}

#[test]
fn records() {
    check(
        "{\"_id\": \"PLAIN-2\", \"text\": \"Do  Statins?\", \"metadata\": {}}\n{\"_id\": 3, \"text\": \"x\"}\n",
        &[
            ("PLAIN-2", &[("title", "Do Statins?")]),
            ("3", &[("title", "x")]),
        ],
    );
    check(
        "{\"qid\": \"1\", \"title\": \"a\", \"desc\": \"b\"}",
        &[("1", &[("title", "a"), ("description", "b")])],
    );
    check(
        "[{\"qid\": 1, \"query\": \"a\"}, {\"qid\": 2, \"query\": \"b\"}]",
        &[("1", &[("title", "a")]), ("2", &[("title", "b")])],
    );
    check(
        "{\"q1\": \"a\", \"q2\": \"b\"}",
        &[("q1", &[("title", "a")]), ("q2", &[("title", "b")])],
    );
    check(
        ".I 001\n.W\nwhat similarity laws\nmust be obeyed .\n.I 002\n.W\n.Ts is text\n",
        &[
            ("001", &[("title", "what similarity laws must be obeyed .")]),
            ("002", &[("title", ".Ts is text")]),
        ],
    );
}

#[test]
fn problems_have_their_line() {
    let error = |text: &str| {
        Topics::read(&Source::from_bytes("t", text.into()).unwrap(), None)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error("1\ta\n2\tb\n1\tc\n"),
        "t:3:1: topic `1` occurs twice; first on line 1 [IR201]"
    );
    assert_eq!(
        error("<top>\n<title>x</title>\n</top>"),
        "t:1:1: topic without an id [IR201]"
    );
    assert!(error("{\"qid\": 1}\n{\"qid\": \n").starts_with("t:2:1: invalid JSON"));
    assert_eq!(
        error("{\"qid\": 1, \"title\": \"a\"}\n{\"title\": \"b\"}\n"),
        "t:2:1: topic without an id [IR201]"
    );
    assert!(error("just text").contains("unknown format of topics"));
    assert_eq!(
        error("<topics>\n</topics>"),
        "t: contains no topics [IR201]"
    );
}

proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(bytes in crate::tests::markup_bytes(), at in 0..TopicFormat::ALL.len()) {
        let source = Source::from_bytes("t", bytes);
        if let Ok(source) = source {
            let _ = Topics::read(&source, None);
            let _ = Topics::read(&source, Some(TopicFormat::ALL[at]));
        }
    }
}
