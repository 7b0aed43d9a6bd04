//! An allocator that asks the system for the pages of larger blocks at once, and its settings for servers.
//!
//! Linux provides memory page by page, with an interrupt at the first use of each. On virtual machines that costs about 2 µs, and a
//! small run needs 500 pages for its judgements. One call for all of them takes 0.4 ms, touching each takes 0.9 (measured).
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ops::RangeInclusive;

/// Sizes of blocks whose pages are requested. Smaller ones reuse memory, larger ones may never be filled.
const PREPARED: RangeInclusive<usize> = 128 << 10..=8 << 20;

/// The allocator of a short-lived program. A long-lived one, such as an interpreter, reuses its blocks and gains nothing.
#[derive(Debug)]
pub struct Prepared;

// Inlined into the functions that rustc makes for an allocator, each of which is called hundreds of thousands of times.
//
// SAFETY: every block comes from the system's allocator and goes back to it, with the layout it came with. `prepare` neither moves
// nor changes it.
unsafe impl GlobalAlloc for Prepared {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `alloc`.
        let block = unsafe { System.alloc(layout) };
        if PREPARED.contains(&layout.size()) && !block.is_null() {
            prepare(block, layout.size());
        }
        block
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }
}

/// Returns large blocks to the system as soon as they are free, and keeps few pools of small ones. A server that hashes a password or reads
/// a run on one thread after the other would otherwise keep the memory of each.
#[cfg(all(feature = "server", target_os = "linux", target_env = "gnu"))]
pub(crate) fn run_for_long() {
    const LARGE: libc::c_int = 1 << 20;
    const POOLS: libc::c_int = 4;
    // SAFETY: the calls set two numbers of the system's allocator, under its own lock.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_ARENA_MAX, POOLS);
    }
}

/// Returns large blocks to the system as soon as they are free.
#[cfg(all(feature = "server", not(all(target_os = "linux", target_env = "gnu"))))]
pub(crate) fn run_for_long() {}

/// Requests the pages of a block. Does nothing where the system does not support it.
#[cfg(target_os = "linux")]
fn prepare(block: *mut u8, size: usize) {
    const PAGE: usize = 4096;
    let start = block.map_addr(|address| address & !(PAGE - 1));
    let size = size + (block.addr() - start.addr());
    // SAFETY: from Linux 5.14 on, the call makes the pages present as a write would, and changes none of their bytes; the first one
    // may hold other blocks too, for which the same is true. Older systems, and those with larger pages, return an error.
    unsafe { libc::madvise(start.cast(), size, libc::MADV_POPULATE_WRITE) };
}

#[cfg(not(target_os = "linux"))]
fn prepare(_: *mut u8, _: usize) {}
