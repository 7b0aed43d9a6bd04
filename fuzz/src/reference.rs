//! Slow and obvious versions of what the product does fast.

/// C's white space.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The fields of a line between C's white space.
pub(crate) fn fields(line: &[u8]) -> Vec<&[u8]> {
    let fields = line.split(|byte| is_space(*byte));
    fields.filter(|field| !field.is_empty()).collect()
}

/// The lines of a text without their newlines; there is no line after the last newline.
pub(crate) fn lines(text: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines
}

/// The first byte of a line that is no white space.
pub(crate) fn first_visible(line: &[u8]) -> Option<u8> {
    line.iter().copied().find(|byte| !is_space(*byte))
}

/// A number as the standard library reads it.
pub(crate) fn number(token: &[u8]) -> Option<f64> {
    std::str::from_utf8(token).ok()?.parse().ok()
}

/// C's `strtod`, the value.
#[allow(unsafe_code, reason = "C's own functions are the reference")]
pub(crate) fn strtod(token: &[u8]) -> f64 {
    let text = c_string(token);
    // SAFETY: the text ends with a NUL byte, and no end pointer is asked for.
    unsafe { libc::strtod(text.as_ptr().cast(), std::ptr::null_mut()) }
}

/// C's `strtol` to the base of ten, the value.
#[allow(unsafe_code, reason = "C's own functions are the reference")]
pub(crate) fn strtol(token: &[u8]) -> i64 {
    let text = c_string(token);
    // SAFETY: the text ends with a NUL byte, and no end pointer is asked for.
    unsafe { libc::strtol(text.as_ptr().cast(), std::ptr::null_mut(), 10) }
}

fn c_string(token: &[u8]) -> Vec<u8> {
    [token, &[0]].concat()
}

/// Whether two numbers are the same, bit by bit; one NaN is as good as another.
pub(crate) fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Whether two numbers are the same but for rounding.
pub(crate) fn close(a: f64, b: f64) -> bool {
    same(a, b) || a == b || (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1.0)
}

/// A number from all bytes of an input, for choices that need not be found by a fuzzer.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}
