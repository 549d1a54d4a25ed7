// SPDX-License-Identifier: Apache-2.0

//! Moves as numbers, and positions.
#![forbid(unsafe_code)]

use crate::ffi;
use core::{fmt, ops::Deref, str::FromStr};

/// How many codes are moves: 0 to 1967.
pub const MOVES: u16 = 1968;

/// A code of eleven bits: a move, or one of the codes that are no moves (results, variations, texts).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub(crate) u16);

/// The class of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Class {
    Rook,
    Bishop,
    Knight,
    Promotion,
    Control,
    Reserved,
}

/// What a pawn becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Promotion {
    Queen = 2,
    Knight = 3,
    Bishop = 4,
    Rook = 5,
}

impl Code {
    /// The null move.
    pub const NULL: Code = Code(1972);

    /// The code with a number, if it has eleven bits.
    pub fn new(number: u16) -> Option<Code> {
        (number < 2048).then_some(Code(number))
    }

    /// The code of a move between squares (a1 is 0, h8 is 63), if any piece moves so.
    pub fn of(from: u8, to: u8, promotion: Option<Promotion>) -> Option<Code> {
        Code::new(ffi::code(from, to, promotion.map_or(0, |p| p as u8)))
    }

    /// The number.
    pub fn get(self) -> u16 {
        self.0
    }

    /// Whether it is a move, and not the null move or another code.
    pub fn is_move(self) -> bool {
        self.0 < MOVES
    }

    /// The square that the piece leaves; None for what is no move.
    pub fn from(self) -> Option<u8> {
        self.is_move().then(|| (ffi::word(self.0) & 63) as u8)
    }

    /// The square to which it goes; None for what is no move.
    pub fn to(self) -> Option<u8> {
        self.is_move().then(|| (ffi::word(self.0) >> 6 & 63) as u8)
    }

    /// What a pawn becomes.
    pub fn promotion(self) -> Option<Promotion> {
        match ffi::word(self.0) >> 12 & 7 {
            4 => Some(Promotion::Knight),
            5 => Some(Promotion::Bishop),
            6 => Some(Promotion::Rook),
            7 => Some(Promotion::Queen),
            _ => None,
        }
    }

    /// The same move with the ranks mirrored. What is no move stays.
    pub fn mirror_ranks(self) -> Code {
        Code(ffi::mirror_ranks(self.0))
    }

    /// The same move with the files mirrored. What is no move stays.
    pub fn mirror_files(self) -> Code {
        Code(ffi::mirror_files(self.0))
    }

    /// Its class.
    pub fn class(self) -> Class {
        match ffi::code_class(self.0) {
            0 => Class::Rook,
            1 => Class::Bishop,
            2 => Class::Knight,
            3 => Class::Promotion,
            4 => Class::Control,
            _ => Class::Reserved,
        }
    }

    /// The name of a code that is no move, as docs/WORDS.md has it; None for moves and reserved codes.
    pub fn control_name(self) -> Option<&'static str> {
        ffi::control_name(self.0)
    }
}

/// As UCI; the null move is 0000, and another code its name, or its number.
impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = [0; 8];
        let n = ffi::to_uci(self.0, &mut out);
        match (n, self.control_name()) {
            (0, Some(name)) => f.pad(name),
            (0, None) => fmt::Display::fmt(&self.0, f),
            _ => f.pad(text(&out[..n])),
        }
    }
}

/// From UCI, legal or not.
impl FromStr for Code {
    type Err = Error;
    fn from_str(s: &str) -> Result<Code, Error> {
        ffi::from_uci(None, s).map(Code).map_err(|status| Error { status, at: None })
    }
}

/// Input that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    status: i32,
    at: Option<usize>,
}

impl Error {
    /// The byte at which a FEN is wrong.
    pub fn at(&self) -> Option<usize> {
        self.at
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ffi::status_text(self.status))?;
        match self.at {
            Some(at) => write!(f, " at byte {at}"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for Error {}

/// text is what the core wrote, which is ASCII.
fn text(bytes: &[u8]) -> &str {
    core::str::from_utf8(bytes).unwrap_or("")
}

/// A move in SAN.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct San {
    bytes: [u8; 12],
    size: usize,
}

impl Deref for San {
    type Target = str;
    fn deref(&self) -> &str {
        text(&self.bytes[..self.size])
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// The legal moves of a position, one after the other.
#[derive(Clone)]
pub struct Moves {
    codes: [u16; 512],
    next: usize,
    size: usize,
}

impl Iterator for Moves {
    type Item = Code;
    fn next(&mut self) -> Option<Code> {
        (self.next < self.size).then(|| {
            self.next += 1;
            Code(self.codes[self.next - 1])
        })
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.size - self.next, Some(self.size - self.next))
    }
}

impl ExactSizeIterator for Moves {}

/// How a position stands by the moves there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Outcome {
    Playing,
    Check,
    Stalemate,
    Mate,
}

/// The order in which a network labels moves: docs/train.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Vocabulary {
    Index,
    Lc0,
    AlphaZero,
    Zeta36,
    SearchlessChess,
}

/// A position, and the moves that are legal in it. Displayed, it is its FEN.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board(pub(crate) ffi::Position);

impl Default for Board {
    fn default() -> Board {
        Board::new()
    }
}

impl Board {
    /// The usual start.
    pub fn new() -> Board {
        Board(ffi::start())
    }

    /// The position of a FEN of six fields; X-FEN and Shredder-FEN, too.
    pub fn from_fen(fen: &str) -> Result<Board, Error> {
        ffi::from_fen(fen).map(Board).map_err(|(status, at)| Error { status, at: Some(at) })
    }

    /// Whether Black is to move.
    pub fn black(&self) -> bool {
        self.0.black != 0
    }

    /// Whether castling is king takes rook.
    pub fn chess960(&self) -> bool {
        self.0.chess960 != 0
    }

    /// The piece on a square as its letter in FEN; None if it is empty, or no square.
    pub fn piece(&self, square: u8) -> Option<char> {
        let piece = if square < 64 { ffi::piece_on(&self.0, square) } else { 0 };
        ".KQNBRP..kqnbrp.".chars().nth(piece as usize).filter(|&c| c != '.')
    }

    /// How the position stands.
    pub fn outcome(&self) -> Outcome {
        match ffi::outcome(&self.0) {
            0 => Outcome::Playing,
            1 => Outcome::Check,
            2 => Outcome::Stalemate,
            _ => Outcome::Mate,
        }
    }

    /// The legal moves.
    pub fn legal(&self) -> Moves {
        let mut m = Moves { codes: [0; 512], next: 0, size: 0 };
        m.size = ffi::legal(&self.0, &mut m.codes).min(512);
        m
    }

    /// Whether a move is legal. The null move is, if the side to move is not in check.
    pub fn is_legal(&self, code: Code) -> bool {
        ffi::is_legal(&self.0, code.0)
    }

    /// The legal moves as bits: bit c % 8 of byte c / 8 is the move of code c.
    pub fn mask(&self) -> [u8; 246] {
        let mut mask = [0; 246];
        ffi::legal_mask(&self.0, &mut mask);
        mask
    }

    /// The legal move that a text in UCI or SAN names.
    pub fn parse(&self, text: &str) -> Result<Code, Error> {
        ffi::from_uci(Some(&self.0), text).or_else(|_| ffi::from_san(&self.0, text)).map(Code).map_err(|status| Error { status, at: None })
    }

    /// Makes the legal move that a text in UCI or SAN names.
    pub fn push(&mut self, text: &str) -> Result<Code, Error> {
        let code = self.parse(text)?;
        ffi::make(&mut self.0, code.0);
        Ok(code)
    }

    /// Makes a move, and tells whether it was legal; one that is not is not made.
    #[must_use]
    pub fn make(&mut self, code: Code) -> bool {
        let legal = self.is_legal(code);
        if legal {
            ffi::make(&mut self.0, code.0);
        }
        legal
    }

    /// A legal move in SAN; None for another.
    pub fn san(&self, code: Code) -> Option<San> {
        let mut s = San { bytes: [0; 12], size: 0 };
        s.size = ffi::to_san(&self.0, code.0, &mut s.bytes);
        (s.size > 0).then_some(s)
    }

    /// The label of a move in a vocabulary, if it has one.
    pub fn label(&self, code: Code, vocabulary: Vocabulary) -> Option<u16> {
        u16::try_from(ffi::label(vocabulary as i32, &self.0, code.0)).ok()
    }

    /// The board as twelve planes of bits, P N B R Q K of the side to move and of the other: a byte a rank, mirrored for Black, bit 0 the a-file.
    pub fn planes(&self) -> [u8; 96] {
        let mut out = [0; 96];
        ffi::planes(&self.0, true, &mut out);
        out
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = [0; 128];
        let n = ffi::to_fen(&self.0, &mut out);
        f.pad(text(&out[..n]))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}
