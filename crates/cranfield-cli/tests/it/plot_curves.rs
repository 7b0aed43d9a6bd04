//! Curves of `cranfield plot`, by rank and by recall.

use crate::plot::{check, fails, folder, near, plot, rows};

#[test]
fn curves_of_gain_have_ideals_and_bands() {
    // CG of good is 3, 3 and 0, 3; the standard error at rank 1 is 3 / 2.
    check(
        "cg",
        &["good.run"],
        &["--cutoff", "2"],
        "run,rank,CG,low,high\nideal,1,3,,\nideal,2,5.5,,\n\"good, best order\",1,3,,\n\"good, best order\",2,5.5,,\n\
         good,1,1.5,0,3\ngood,2,3,3,3\n",
    );
    check(
        "cg",
        &["poor.run"],
        &["--cutoff", "2", "--ideal", "retrieved", "--band", "none"],
        "run,rank,CG\n\"poor, best order\",1,0.5\n\"poor, best order\",2,0.5\npoor,1,0.5\npoor,2,0.5\n",
    );
}

#[test]
fn bands_are_of_the_kind_and_the_level_asked_for() {
    // Gains 3 and 0: the standard error is 3 / 2, and a quarter each of the resampled means is 0 and 3.
    let band = |arguments: &[&str], expected: &str| {
        let curve = ["--cutoff", "1", "--ideal", "none"];
        let arguments: Vec<&str> = curve.iter().chain(arguments).copied().collect();
        let expected = format!("run,rank,CG,low,high\ngood,1,1.5,{expected}\n");
        check("cg", &["good.run"], &arguments, &expected);
    };
    band(&["--band", "se"], "0,3");
    band(&["--band", "bootstrap"], "0,3");
}

#[test]
fn normalised_curves_have_normalised_best_orders() {
    // Of good, the best order has 3/3, 6/6 and 3/3, 5/5; good itself 3/3, 3/6 and 0/3, 3/5.
    check(
        "ncg",
        &["good.run"],
        &["--cutoff", "2", "--band", "none"],
        "run,rank,nCG\nideal,1,1\nideal,2,1\n\"good, best order\",1,1\n\"good, best order\",2,1\ngood,1,0.5\ngood,2,0.55\n",
    );
    // Normalised means: 1.5/3 and 3/5.5.
    check(
        "ncg",
        &["good.run"],
        &["-m", "nCG(average='means')@2", "--ideal", "none"],
        &format!("run,rank,nCG\ngood,1,0.5\ngood,2,{}\n", 3.0 / 5.5),
    );
}

#[test]
fn precision_by_recall_is_that_of_vectors() {
    // Relevant at level 3: topic 1 at ranks 1 and 3 of 2, topic 2 at rank 2 of 1.
    let third = f64::midpoint(2.0 / 3.0, 0.5);
    check(
        "pr",
        &["good.run"],
        &["--levels", "0,0.5,1", "--level", "3", "--band", "none"],
        &format!("run,recall,precision\ngood,0,0.75\ngood,0.5,0.75\ngood,1,{third}\n"),
    );
}

/// Topic 1 has relevant documents at ranks 1 and 3 of good, and 3 in all (a, x, y).
#[test]
fn a_topic_has_precision_and_recall_at_each_rank() {
    let third = 1.0 / 3.0;
    let curve = format!(
        "run,rank,recall,precision\ngood,1,{third},1\ngood,2,{third},0.5\ngood,3,{},{}\n",
        2.0 * third,
        2.0 * third
    );
    for option in ["-t", "--topic"] {
        check("pr", &["good.run"], &[option, "1"], &curve);
    }
    // Means over topics: topic 2 has relevant documents at ranks 2 and 3, all that there are.
    let precision = [0.5, 0.5, 2.0 * third];
    let recall = [
        third / 2.0,
        f64::midpoint(third, 0.5),
        f64::midpoint(2.0 * third, 1.0),
    ];
    let found = rows("pr", &["good.run"], &["--raw"], "run,rank,recall,precision");
    assert_eq!(found.len(), 3);
    for (row, (precision, recall)) in found.iter().zip(precision.into_iter().zip(recall)) {
        near(&row[2], recall, 1e-12);
        near(&row[3], precision, 1e-12);
    }
    // Levels ask for interpolation, of one topic too.
    check(
        "pr",
        &["good.run"],
        &["--topic", "2", "--levels", "0,1"],
        &format!(
            "run,recall,precision\ngood,0,{0}\ngood,1,{0}\n",
            2.0 * third
        ),
    );
}

#[test]
fn curves_of_a_topic_have_its_gains() {
    check(
        "cg",
        &["good.run"],
        &["--topic", "2", "--cutoff", "2"],
        "run,rank,CG\nideal,1,3\nideal,2,5\n\"good, best order\",1,3\n\"good, best order\",2,5\ngood,1,0\ngood,2,3\n",
    );
    check(
        "ncg",
        &["good.run"],
        &["--topic", "1", "--cutoff", "2", "--ideal", "retrieved"],
        "run,rank,nCG\n\"good, best order\",1,1\n\"good, best order\",2,1\ngood,1,1\ngood,2,0.5\n",
    );
    check(
        "unjudged",
        &["holes.run"],
        &["--topic", "1", "--cutoff", "2"],
        "run,rank,unjudged\nholes,1,1\nholes,2,0.5\n",
    );
    let arguments = ["--topic", "2", "--cutoff", "2", "-o", "-", "-f", "svg"];
    let (_, notes) = plot(folder().path(), "cg", &["holes.run"], &arguments).unwrap();
    let says = "caption: CG@k for k up to 2; topic 2. No documents for this topic in holes.";
    assert!(notes.contains(says), "{notes}");
    fails("cg", "good.run", "--topic 9 -o a.svg", "no topic `9`");
    fails(
        "box",
        "good.run",
        "--topic 1 -o a.svg",
        "box compares topics",
    );
}

#[test]
fn unjudged_documents_are_those_of_rankings_that_there_are() {
    check(
        "unjudged",
        &["holes.run"],
        &["--cutoff", "3", "--band", "none"],
        "run,rank,unjudged\nholes,1,1\nholes,2,0.5\nholes,3,0.5\n",
    );
}
