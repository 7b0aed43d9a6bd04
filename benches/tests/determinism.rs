//! The small data set has the same bytes as ever: figures of different days are about the same data.

use std::path::Path;

use cranfield_benches::shape::SHAPES;
use cranfield_benches::write::write_set;

#[test]
fn the_small_set_has_its_bytes() {
    let mut checksums = Vec::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("small");
    write_set(&SHAPES[0], 1, &folder, |written| {
        checksums.push((written.lines, written.checksum));
    })
    .expect("the folder for temporary files can be written");
    let expected = [
        (100_000, 0xf24c_4b87_18a6_afda),
        (50_000, 0xfa7b_c7db_487d_b0cf),
    ];
    assert_eq!(checksums, expected);
}
