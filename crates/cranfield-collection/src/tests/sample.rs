use super::read_bytes;

/// Documents as they occur on TREC's disks: several texts, one line, an id over several lines, lower case, unclosed, an id as
/// attribute, no text element, bare marks.
const NINE: &str = "<DOC>
<DOCNO> FT911-1 </DOCNO>
<HEADLINE>First &amp; foremost</HEADLINE>
<TEXT>
alpha beta &lt;gamma
</TEXT>
<TEXT>
second text
</TEXT>
</DOC>
<DOC><DOCNO>ONE-LINE</DOCNO><TEXT>delta epsilon</TEXT></DOC>
<DOC>
<DOCNO>
MULTI-LINE-3
</DOCNO>
<TEXT>zeta
<P>eta theta
</TEXT>
</DOC>
<doc>
<docno>lower-4</docno>
<text>iota kappa</text>
</doc>
<DOC>
<DOCNO>UNCLOSED-5</DOCNO>
<TEXT>
lambda mu
<DOC>
<DOCNO>AFTER-6</DOCNO>
<TEXT>
nu xi
</TEXT>
</DOC>
<DOC id=\"attr-7\" type=\"story\">
<TEXT>omicron pi</TEXT>
</DOC>
<DOC>
<DOCNO>NOTEXT-8</DOCNO>
rho sigma
</DOC>
<DOC>
<DOCNO>ONE-9</DOCNO><TEXT>
tau < upsilon & phi AT&T
</TEXT></DOC>
";

#[test]
fn all_nine_documents_are_read() {
    let (documents, report) = read_bytes("docs", NINE.as_bytes());
    let found: Vec<(&str, String)> = documents
        .iter()
        .map(|one| (one.id.as_str(), one.text()))
        .collect();
    let expected = [
        (
            "FT911-1",
            "First & foremost\nalpha beta <gamma\nsecond text",
        ),
        ("ONE-LINE", "delta epsilon"),
        ("MULTI-LINE-3", "zeta\neta theta"),
        ("lower-4", "iota kappa"),
        ("UNCLOSED-5", "lambda mu"),
        ("AFTER-6", "nu xi"),
        ("attr-7", "omicron pi"),
        ("NOTEXT-8", "rho sigma"),
        ("ONE-9", "tau < upsilon & phi AT&T"),
    ];
    assert_eq!(found, expected.map(|(id, text)| (id, text.to_owned())));
    let lines: Vec<u64> = documents.iter().map(|one| one.place.line).collect();
    assert_eq!(lines, [1, 11, 12, 20, 24, 28, 34, 37, 41]);
    assert_eq!((report.documents, report.problems().count()), (9, 0));
}
