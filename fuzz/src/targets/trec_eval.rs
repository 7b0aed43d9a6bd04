//! The drop-in `trec_eval`: options, parameters of measures, z-scores.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::evaluation::pools;
use super::{Target, strings};

pub(super) const TARGETS: &[Target] = &[Target {
    name: "trec_eval",
    property: "any options and any file of z-scores give a known exit status, and the same bytes with one thread and with two",
    run: trec_eval,
    seeds: || {
        strings(&[
            "QR -q\n",
            "QR -m all_trec -l 2 -M 5\n",
            "QR -q -m P.1,5 -m ndcg_cut -m rbp.p=0.5,1=1 -n\n",
            "QR -c -J -N 10 --compat 9\n",
            "JR -R qrels_jg -m qrels_jg -q\n",
            "PR -R prefs -m all_prefs\n",
            "QR -R qrels_prefs -m prefs\n",
            "QR -q -Z ZS -m map -m P.5\n1 map 0.5 0.25\n2 map 0.1 0\n1 P_5 0 1\n",
            "QR -h\n",
            "QR -m iprec_at_recall.25,.5 -m utility.1,-1,0,0 -m relstring.3 -q\n",
        ])
    },
    dictionary: &[
        "-q",
        "-n",
        "-c",
        "-J",
        "-h",
        "-v",
        "-l ",
        "-N ",
        "-M ",
        "-D ",
        "-m ",
        "-R ",
        "-T trec_results",
        "-Z ZS",
        "--compat 9",
        "--level_for_rel=",
        "--",
        "QR",
        "JR",
        "PR",
        "qrels_jg",
        "prefs",
        "qrels_prefs",
        "all_trec",
        "official",
        "ndcg_cut.",
        "P.",
        "rbp.",
        "rbp_resid.",
        "p=",
        "utility.",
        "set_F.",
        "iprec_at_recall.",
        "11pt_avg.",
        "relstring.",
        "ndcg.1=3,2=9",
        "success",
        "unj.5",
        "1 map 0.5 0.25\n",
        " ",
        ",",
        "-1",
        "0",
        "1e400",
        "99999999999999999999",
    ],
    max_len: 160,
    smoke: 15_000,
}];

const QRELS: &str = "1 0 a 1\n1 0 b 0\n1 0 c 2\n1 0 d -1\n2 0 a 1\n2 0 e 0\n3 0 z 1\n";
const GROUPS: &str = "1 A a 1\n1 A b 0\n1 B a 0\n1 B c 2\n2 A a 1\n";
const PREFERENCES: &str = "1 A 0 a 3\n1 A 0 b 2\n1 A 1 b 2\n1 A 1 c 1\n2 0 0 a 1\n2 0 0 e 0\n";
const RUN: &str = "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 x 3 2 t\n1 Q0 c 4 1 t\n2 Q0 y 1 3 t\n2 Q0 a 2 3 t\n4 Q0 a 1 1 t\n";

/// The folder with the files, which stays for the next run.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("cranfield-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
        for (name, text) in [
            ("qrels", QRELS),
            ("groups", GROUPS),
            ("prefs", PREFERENCES),
            ("run", RUN),
        ] {
            std::fs::write(folder.join(name), text).expect("a temporary file can be written");
        }
        folder
    })
}

/// The first line holds options; `QR`, `JR` and `PR` are files, `ZS` for the rest of the input.
fn trec_eval(bytes: &[u8]) {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let end = bytes
        .iter()
        .position(|byte| *byte == b'\n')
        .unwrap_or(bytes.len());
    let (options, rest) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    let Ok(options) = std::str::from_utf8(options) else {
        return;
    };
    let file = |name: &str| folder().join(name).into_os_string();
    let mut zscores = None;
    let mut args: Vec<OsString> = Vec::new();
    for word in options
        .split(' ')
        .filter(|word| !word.contains('/') && *word != "-" && !word.contains('\0'))
    {
        match word {
            "QR" => args.extend([file("qrels"), file("run")]),
            "JR" => args.extend([file("groups"), file("run")]),
            "PR" => args.extend([file("prefs"), file("run")]),
            "ZS" => {
                let name = zscores.get_or_insert_with(|| {
                    file(&format!(
                        "zscores-{}",
                        CALLS.fetch_add(1, Ordering::Relaxed)
                    ))
                });
                std::fs::write(&*name, rest).expect("a temporary file can be written");
                args.push(name.clone());
            }
            _ => args.push(word.into()),
        }
    }
    let run = |pool: usize| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = pools()[pool].install(|| {
            cranfield_trec_eval::run(args.iter().cloned(), "trec_eval", &mut out, &mut err)
        });
        (code, out, err)
    };
    let one = run(0);
    assert_eq!(one, run(1), "threads");
    let (code, out, err) = one;
    assert!(
        [0, 1, 2, 3, 4, 6, 7, 134, 255].contains(&code),
        "exit status {code}"
    );
    assert!(out.is_empty() || out.ends_with(b"\n"));
    assert!(
        code == 0 || !err.is_empty(),
        "exit status {code} without a word"
    );
    if let Some(name) = zscores {
        let _ = std::fs::remove_file(name);
    }
}
