//! Inverted indexes, ranking functions, relevance feedback and exact vector search.

pub mod dense;
