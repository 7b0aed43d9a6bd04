//! Tests on whole tracks.

mod tracks;
