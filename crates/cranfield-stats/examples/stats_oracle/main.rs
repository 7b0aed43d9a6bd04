//! Answers requests of the programs in `tests/oracles`: one JSON object per line with the name of a `test` and its
//! arguments, answered by one JSON object per line. A request that fails is answered by an object with an `error`.

#![expect(clippy::print_stdout, reason = "answers go to standard output")]

mod pairs;
mod raters;
mod request;
mod systems;

use std::io::BufRead;

use serde_json::{Value, json};

fn main() -> std::io::Result<()> {
    for line in std::io::stdin().lock().lines() {
        println!(
            "{}",
            answer(&line?).unwrap_or_else(|error| json!({ "error": error }))
        );
    }
    Ok(())
}

fn answer(line: &str) -> Result<Value, String> {
    let request: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let answered = pairs::answer(&request)
        .or_else(|| systems::answer(&request))
        .or_else(|| raters::answer(&request));
    answered.unwrap_or_else(|| Err(format!("unknown test {}", request["test"])))
}
