// SPDX-License-Identifier: Apache-2.0

//! A chess move is eleven bits: moves as numbers, the rules of chess, labels for networks, and archives of games.
//!
//! The work is done by the project's core in C. Without the feature `archive` the crate allocates nothing; without `std` it needs no standard library.
//!
//! ```
//! use ply11::{Board, Code, Vocabulary};
//!
//! let mut board = Board::new();
//! let e4 = board.push("e4")?;
//! assert_eq!(e4, "e2e4".parse::<Code>()?);
//! assert_eq!(e4.get(), 396);
//! assert_eq!(board.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
//! assert_eq!(board.legal().len(), 20);
//! let reply = board.parse("Nf6")?;
//! assert_eq!(board.label(reply, Vocabulary::Lc0), Some(159));
//! # Ok::<(), ply11::Error>(())
//! ```
#![no_std]
#![deny(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "archive")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "archive")]
mod archive;
mod board;
#[allow(unsafe_code)]
mod ffi;

#[cfg(feature = "archive")]
pub use archive::*;
pub use board::*;
