//! Grades and boards as files for other programs: names never become formulas or commands.

use super::{Story, run};

#[tokio::test]
async fn names_in_grades_and_tables_are_text() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    // The login is also the name of the person.
    for (at, (login, team)) in [
        ("-minus", "+1+1"),
        ("@at", "=HYPERLINK(\"http://x\")"),
        ("plain", "\\input{x}%$&_#"),
    ]
    .into_iter()
    .enumerate()
    {
        let team = story.team(&prof, login, team).await;
        story.submit(&team, &run(at + 2)).await;
    }
    story.settle().await;
    let grades = story.get(&prof, "/c/hw1/admin/grades").await;
    assert!(grades.headers.contains("text/csv"));
    let lines: Vec<&str> = grades.text.lines().skip(1).collect();
    assert!(lines[0].starts_with("'-minus,'-minus,'+1+1,"), "{lines:?}");
    assert!(
        lines[1].starts_with("'@at,'@at,\"'=HYPERLINK(\"\"http://x\"\")\","),
        "{lines:?}"
    );
    let table = async |format: &str| {
        let path = format!("/c/hw1/board?part=final&format={format}");
        story.get(&prof, &path).await.text
    };
    for format in ["csv", "tsv"] {
        let text = table(format).await;
        assert!(
            text.contains("'+1+1") && text.contains("'=HYPERLINK"),
            "{text}"
        );
    }
    let latex = table("latex").await;
    assert!(!latex.contains("\\input"), "{latex}");
    assert!(latex.contains("\\%\\$\\&\\_\\#"), "{latex}");
}
