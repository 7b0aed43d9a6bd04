#!/bin/sh
# Runs targets under libFuzzer with coverage, on stable Rust: fuzz/long.sh [RUNS [TARGET...]]
# SECONDS_EACH bounds the time of each target; 0, the default, is no bound.
# Needs a C++ compiler. Corpora stay in fuzz/corpus, inputs that fail go to fuzz/artifacts, results to fuzz/corpus/results.tsv.
set -eu
cd "$(dirname "$0")"
runs=${1:-5000000}
[ $# -gt 0 ] && shift
host=$(rustc -vV | sed -n 's/^host: //p')
target_dir=${CARGO_TARGET_DIR:-target}
# The passes of SanitizerCoverage are part of LLVM and need no nightly compiler; only the sanitizers themselves do.
coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
coverage="$coverage -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1"
RUSTFLAGS="$coverage" cargo build --release --features libfuzzer --target "$host" --bin libfuzzer
cargo run --quiet --release --bin cranfield-fuzz -- --seeds corpus/seeds
binaries="$target_dir/$host/release"

mkdir -p artifacts
[ $# -gt 0 ] || set -- $(cargo run --quiet --release --bin cranfield-fuzz -- --list | cut -d ' ' -f 1)
failed=0
for name; do
    mkdir -p "corpus/$name"
    started=$(date +%s)
    log="corpus/$name.log"
    status=ok
    CRANFIELD_FUZZ_TARGET=$name "$binaries/libfuzzer" "corpus/$name" "corpus/seeds/$name" -dict="corpus/seeds/$name.dict" \
        -max_len="$(cat "corpus/seeds/$name.max_len")" -runs="$runs" -max_total_time="${SECONDS_EACH:-0}" -timeout=20 -rss_limit_mb=2048 -artifact_prefix="artifacts/$name-" \
        -use_value_profile=0 -print_final_stats=1 >"$log" 2>&1 || { status=FAILED; failed=1; }
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    last=$(grep -a 'cov: ' "$log" | tail -n 1)
    pick() { printf '%s' "$last" | sed -n "s/.* $1: \([^ ]*\).*/\1/p"; }
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "${executions:-?}" "$(($(date +%s) - started))" "$(pick cov)" "$(pick ft)" "$(pick corp)" "$status" |
        tee -a corpus/results.tsv
done
exit $failed
