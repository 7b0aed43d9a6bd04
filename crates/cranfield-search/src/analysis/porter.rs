//! Two rules that Porter's program, and so Lucene's stemmer, has in step 2 in addition to those of his paper: `bli` becomes `ble`, and
//! `logi` becomes `log`, after a stem with at least one vowel followed by a consonant.

/// Rewrites a word so that the stemmer of the paper gives the stem of the program.
pub(super) fn apply_later_rules(word: &mut String) {
    // Earlier steps turn these endings into `bli` and `logi`.
    const RULES: [(&str, &str); 4] = [
        ("bly", "ble"),
        ("blies", "ble"),
        ("logy", "log"),
        ("logies", "log"),
    ];
    for (ending, replacement) in RULES {
        let Some(stem) = word.strip_suffix(ending) else {
            continue;
        };
        if has_measure(stem) {
            let stem = stem.len();
            word.truncate(stem);
            word.push_str(replacement);
        }
        return;
    }
}

/// Whether a vowel is followed by a consonant, which is a measure above 0.
fn has_measure(stem: &str) -> bool {
    let mut was_vowel = false;
    let mut previous_is_consonant = false;
    for byte in stem.bytes() {
        let is_vowel = match byte {
            b'a' | b'e' | b'i' | b'o' | b'u' => true,
            b'y' => previous_is_consonant,
            _ => false,
        };
        if was_vowel && !is_vowel {
            return true;
        }
        was_vowel = is_vowel;
        previous_is_consonant = !is_vowel;
    }
    false
}
