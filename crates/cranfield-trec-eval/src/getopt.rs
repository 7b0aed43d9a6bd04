//! Command-line options by the rules of GNU `getopt_long`, with its messages.

use std::env;

/// An option, by the letter of its short form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key(pub(super) u8);

/// The key of `--compat`, which has no short form.
pub(super) const COMPAT: Key = Key(0);

/// Short options, with a colon after those that take an argument.
const SHORT: &[u8] = b"hvqm:cl:nD:JN:M:R:T:Z:o";

struct Long {
    name: &'static str,
    argument: bool,
    key: Key,
}

const fn long(name: &'static str, argument: bool, key: u8) -> Long {
    Long {
        name,
        argument,
        key: Key(key),
    }
}

/// Long options in the order in which an ambiguous prefix lists them.
const LONG: [Long; 15] = [
    long("help", false, b'h'),
    long("version", false, b'v'),
    long("query_eval_wanted", false, b'q'),
    long("measure", true, b'm'),
    long("complete_rel_info_wanted", false, b'c'),
    long("level_for_rel", true, b'l'),
    long("nosummary", false, b'n'),
    long("Debug_level", true, b'D'),
    long("Judged_docs_only", false, b'J'),
    long("Number_docs_in_coll", true, b'N'),
    long("Max_retrieved_per_topic", true, b'M'),
    long("Rel_info_format", true, b'R'),
    long("Results_format", true, b'T'),
    long("Zscore", true, b'Z'),
    // Unlike -o, this takes an argument.
    long("Output_old_results_format", true, b'o'),
];

/// Not in the reference. Accepted only in full, so that no abbreviation of another option becomes ambiguous.
const OWN: Long = Long {
    name: "compat",
    argument: true,
    key: COMPAT,
};

/// An option and its argument.
pub(super) type Given = (Key, Vec<u8>);

/// Iterates over the options, and collects the other arguments.
#[derive(Clone, Debug)]
pub(super) struct Getopt<'a> {
    program: &'a str,
    args: &'a [Vec<u8>],
    /// Next argument.
    at: usize,
    /// Rest of a group of short options.
    bundle: &'a [u8],
    /// Whether the first operand ends the options.
    posix: bool,
    /// The arguments that are not options, complete after the last option.
    pub(super) operands: Vec<&'a [u8]>,
}

impl<'a> Getopt<'a> {
    pub(super) fn new(program: &'a str, args: &'a [Vec<u8>]) -> Self {
        let posix = env::var_os("POSIXLY_CORRECT").is_some();
        Self {
            program,
            args,
            at: 0,
            bundle: &[],
            posix,
            operands: Vec::new(),
        }
    }

    fn take(&mut self) -> Option<&'a [u8]> {
        let next = self.args.get(self.at)?;
        self.at += 1;
        Some(next)
    }

    fn take_rest(&mut self) {
        self.operands
            .extend(self.args[self.at..].iter().map(Vec::as_slice));
        self.at = self.args.len();
    }

    fn error(&self, parts: &[&[u8]]) -> Vec<u8> {
        [self.program.as_bytes(), b": ", &parts.concat(), b"\n"].concat()
    }

    fn short(&mut self) -> Result<Given, Vec<u8>> {
        let (letter, rest) = (self.bundle[0], &self.bundle[1..]);
        self.bundle = rest;
        let place = SHORT
            .iter()
            .position(|known| *known == letter && letter != b':');
        let Some(place) = place else {
            return Err(self.error(&[b"invalid option -- '", &[letter], b"'"]));
        };
        if SHORT.get(place + 1) != Some(&b':') {
            return Ok((Key(letter), Vec::new()));
        }
        self.bundle = &[];
        if !rest.is_empty() {
            return Ok((Key(letter), rest.to_vec()));
        }
        match self.take() {
            Some(argument) => Ok((Key(letter), argument.to_vec())),
            None => Err(self.error(&[b"option requires an argument -- '", &[letter], b"'"])),
        }
    }

    /// An option from the text after `--`.
    fn long(&mut self, text: &'a [u8]) -> Result<Given, Vec<u8>> {
        let equals = text.iter().position(|byte| *byte == b'=');
        let name = &text[..equals.unwrap_or(text.len())];
        let option = self.lookup(name, text)?;
        let attached = equals.map(|at| text[at + 1..].to_vec());
        let shown = option.name.as_bytes();
        match (option.argument, attached) {
            (false, Some(_)) => {
                Err(self.error(&[b"option '--", shown, b"' doesn't allow an argument"]))
            }
            (false, None) => Ok((option.key, Vec::new())),
            (true, Some(argument)) => Ok((option.key, argument)),
            (true, None) => match self.take() {
                Some(argument) => Ok((option.key, argument.to_vec())),
                None => Err(self.error(&[b"option '--", shown, b"' requires an argument"])),
            },
        }
    }

    /// The option of exactly this name, or the only one that begins with it.
    fn lookup(&self, name: &[u8], text: &[u8]) -> Result<&'static Long, Vec<u8>> {
        if let Some(exact) = LONG
            .iter()
            .chain([&OWN])
            .find(|option| option.name.as_bytes() == name)
        {
            return Ok(exact);
        }
        let possible: Vec<&Long> = LONG
            .iter()
            .filter(|option| option.name.as_bytes().starts_with(name))
            .collect();
        match possible.as_slice() {
            [] => Err(self.error(&[b"unrecognized option '--", text, b"'"])),
            [only] => Ok(only),
            many => {
                let names: Vec<String> = many
                    .iter()
                    .map(|option| format!(" '--{}'", option.name))
                    .collect();
                let names = names.concat();
                Err(self.error(&[
                    b"option '--",
                    text,
                    b"' is ambiguous; possibilities:",
                    names.as_bytes(),
                ]))
            }
        }
    }
}

impl Iterator for Getopt<'_> {
    /// An option, or getopt's message about an invalid one.
    type Item = Result<Given, Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.bundle.is_empty() {
            return Some(self.short());
        }
        while let Some(word) = self.take() {
            match word {
                b"--" => self.take_rest(),
                [b'-', b'-', text @ ..] => return Some(self.long(text)),
                [b'-', bundle @ ..] if !bundle.is_empty() => {
                    self.bundle = bundle;
                    return Some(self.short());
                }
                operand => {
                    self.operands.push(operand);
                    if self.posix {
                        self.take_rest();
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Options as `key=argument`, then operands; the first message ends it.
    fn parse(args: &str, posix: bool) -> String {
        let args: Vec<Vec<u8>> = args.split(' ').map(|arg| arg.as_bytes().to_vec()).collect();
        let mut getopt = Getopt {
            posix,
            ..Getopt::new("te", &args)
        };
        let mut shown = Vec::new();
        for next in getopt.by_ref() {
            match next {
                Ok((key, argument)) => {
                    shown.push(format!(
                        "{}={}",
                        char::from(key.0),
                        String::from_utf8_lossy(&argument)
                    ));
                }
                Err(message) => return String::from_utf8_lossy(&message).into_owned(),
            }
        }
        shown.extend(
            getopt
                .operands
                .iter()
                .map(|operand| String::from_utf8_lossy(operand).into_owned()),
        );
        shown.join(" ")
    }

    #[track_caller]
    fn check(args: &str, expected: &str) {
        assert_eq!(parse(args, false), expected, "{args}");
    }

    #[test]
    fn options_in_all_their_forms() {
        check("a -q b", "q= a b");
        check("-qnm map a", "q= n= m=map a");
        check("-qcM5 a", "q= c= M=5 a");
        check("-l2 -l 2 -l -2 -m -- a", "l=2 l=2 l=-2 m=-- a");
        check(
            "--meas map --quer --level=3 --level_for_rel= a",
            "m=map q= l=3 l= a",
        );
        check("-q a -- -n --x", "q= a -n --x");
        check("- a -- --", "- a --");
        check("-o x --Output y z", "o= o=y x z");
        check("-Max_retrieved 5", "M=ax_retrieved 5");
        check("--c --comp --compat 9", "c= c= \0=9");
        check("--n", "n=");
    }

    #[test]
    fn posix_stops_at_the_first_operand() {
        assert_eq!(parse("-q a -n -- b", true), "q= a -n -- b");
        assert_eq!(parse("-q -- a -n", true), "q= a -n");
    }

    #[test]
    fn messages() {
        check("-x", "te: invalid option -- 'x'\n");
        check("-q:", "te: invalid option -- ':'\n");
        check("-qm", "te: option requires an argument -- 'm'\n");
        check("--foo=1", "te: unrecognized option '--foo=1'\n");
        check("--compa 9", "te: unrecognized option '--compa'\n");
        check(
            "--R",
            "te: option '--R' is ambiguous; possibilities: '--Rel_info_format' '--Results_format'\n",
        );
        check(
            "--nosummary=1",
            "te: option '--nosummary' doesn't allow an argument\n",
        );
        check("--meas", "te: option '--measure' requires an argument\n");
        let all: Vec<String> = LONG
            .iter()
            .map(|option| format!(" '--{}'", option.name))
            .collect();
        let all = all.concat();
        check(
            "--=1",
            &format!("te: option '--=1' is ambiguous; possibilities:{all}\n"),
        );
    }
}
