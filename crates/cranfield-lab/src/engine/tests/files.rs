//! Files that describe engines: every mistake has a line.

use crate::engine::read_engine;

#[track_caller]
fn check_error(text: &str, expected: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("e.toml");
    std::fs::write(&path, text).expect("a file");
    let Err(error) = read_engine(&path) else {
        panic!("no error: {text}");
    };
    let error = error.to_string();
    let place = error.rsplit_once("e.toml").map_or("", |(_, place)| place);
    assert!(place.starts_with(expected), "{error}");
}

#[test]
fn mistakes_have_their_line() {
    check_error("", ": expected a table [command] or [http]");
    check_error("[command]\nrum = ['x']\n", ":2:1: unknown field `rum`");
    check_error("[command\n", ":1:");
    check_error("[command]\nserve = []\n", ":2:9: expected a program");
    check_error(
        "[command]\nrun = ['x', '{topics}']\n",
        ":2:7: no argument contains {run}",
    );
    check_error(
        "[command]\nserve = ['x']\ntimeout = '5'\n",
        ":3:11: found `5`",
    );
    check_error(
        "[command]\nserve = ['x']\ntimeout = '0s'\n",
        ":3:11: expected more than 0",
    );
    check_error(
        "[command]\nserve = ['x']\ntopics = 'trec'\n",
        ":3:10: `topics` has no effect",
    );
    check_error("[command]\n", ":1:1: expected either `run` or `serve`");
    let http = "[http]\nurl = 'http://h/?q={query}'\n";
    check_error(http, ":2:7: expected `ids`");
    check_error(
        &format!("{http}ids = 'id'\n"),
        ":3:7: found `id`, expected a path",
    );
    check_error(
        &format!("{http}ids = '/id'\ntries = 0\n"),
        ":4:9: expected 1 to 10",
    );
    check_error(
        &format!("{http}preset = 'lucene'\n"),
        ":3:10: unknown variant `lucene`",
    );
    check_error(
        "[http]\nurl = 'h/?q={query}'\nids = '/a'\n",
        ":2:7: found `h/?q={query}`",
    );
    check_error(
        "[http]\nurl = 'http://h'\nids = '/a'\n",
        ":2:7: neither the URL nor the body",
    );
    check_error(
        "[http]\nurl = 'http://h'\nids = '/a'\nbody = '{query}'\nmethod = 'GET'\n",
        ":5:10: GET has no body",
    );
    check_error(
        "[command]\nserve = ['x']\n[http]\nurl = 'http://h?q={query}'\nids = '/a'\n",
        ":3:1: expected either [command] or [http]",
    );
}
