// SPDX-License-Identifier: Apache-2.0

//! Archives of games, their indexes, and tree files.
#![forbid(unsafe_code)]

use crate::{ffi, Board, Code};
use alloc::{borrow::Cow, boxed::Box, rc::Rc, string::String, vec::Vec};
use core::{cell::RefCell, fmt};

pub use ffi::Counts;

/// Where the bytes of a file are: a slice, a vector, a `File`, or what a program makes of it.
pub trait ReadAt {
    /// What may go wrong.
    type Error: core::error::Error + Send + Sync + 'static;
    /// How many bytes there are. It is asked again where an archive cannot be opened, as games may be added to it.
    fn size(&self) -> Result<u64, Self::Error>;
    /// Fills a buffer with the bytes from an offset on. No more is asked for than there is.
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<(), Self::Error>;
}

impl ReadAt for [u8] {
    type Error = core::convert::Infallible;
    fn size(&self) -> Result<u64, Self::Error> {
        Ok(self.len() as u64)
    }
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<(), Self::Error> {
        let first = offset as usize;
        bytes.copy_from_slice(&self[first..first + bytes.len()]);
        Ok(())
    }
}

impl ReadAt for Vec<u8> {
    type Error = core::convert::Infallible;
    fn size(&self) -> Result<u64, Self::Error> {
        self[..].size()
    }
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self[..].read_at(offset, bytes)
    }
}

impl<T: ReadAt + ?Sized> ReadAt for &T {
    type Error = T::Error;
    fn size(&self) -> Result<u64, Self::Error> {
        (**self).size()
    }
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<(), Self::Error> {
        (**self).read_at(offset, bytes)
    }
}

#[cfg(all(feature = "std", any(unix, windows)))]
impl ReadAt for std::fs::File {
    type Error = std::io::Error;
    fn size(&self) -> Result<u64, Self::Error> {
        Ok(self.metadata()?.len())
    }
    #[cfg(unix)]
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<(), Self::Error> {
        std::os::unix::fs::FileExt::read_exact_at(self, bytes, offset)
    }
    #[cfg(windows)]
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<(), Self::Error> {
        let mut done = 0;
        while done < bytes.len() {
            match std::os::windows::fs::FileExt::seek_read(self, &mut bytes[done..], offset + done as u64)? {
                0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
                n => done += n,
            }
        }
        Ok(())
    }
}

/// What is wrong with an archive, its index or a tree file, and where.
#[derive(Debug)]
pub struct ArchiveError {
    fault: ffi::Fault,
    read: Option<Box<dyn core::error::Error + Send + Sync>>,
}

/// some is a number that is not 0.
fn some<T: Default + PartialEq>(n: T) -> Option<T> {
    (n != T::default()).then_some(n)
}

impl ArchiveError {
    fn new<E: core::error::Error + Send + Sync + 'static>((fault, read): (ffi::Fault, Option<E>)) -> ArchiveError {
        ArchiveError { fault, read: read.map(|e| Box::new(e) as _) }
    }

    fn unread<E: core::error::Error + Send + Sync + 'static>(e: E) -> ArchiveError {
        ArchiveError::new((ffi::unread(), Some(e)))
    }

    /// The place in the file.
    pub fn offset(&self) -> Option<u64> {
        some(self.fault.offset)
    }
    /// The number of the game, from 1.
    pub fn game(&self) -> Option<u64> {
        some(self.fault.game)
    }
    /// The number of the block, from 1.
    pub fn block(&self) -> Option<u32> {
        some(self.fault.block)
    }
    /// The kind of the column.
    pub fn column(&self) -> Option<u32> {
        some(self.fault.column)
    }
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.fault.what)?;
        for (name, n) in [("game", self.game()), ("block", self.block().map(u64::from)), ("column", self.column().map(u64::from)), ("offset", self.offset())] {
            if let Some(n) = n {
                write!(f, ", {name} {n}")?;
            }
        }
        match &self.read {
            Some(e) => write!(f, ": {e}"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for ArchiveError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.read.as_deref().map(|e| e as _)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum GameResult {
    BlackWins,
    Draw,
    WhiteWins,
    Unknown,
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(["0-1", "1/2-1/2", "1-0", "*"][*self as usize])
    }
}

/// The games of an archive, a file `.p11`. All that is read is verified by its digest. It is for one thread; each thread may open its own.
pub struct Archive<R: ReadAt> {
    core: ffi::Archive<R>,
    last: RefCell<Option<Rc<ffi::Block<R>>>>,
}

impl<R: ReadAt> Archive<R> {
    /// Opens an archive, with one read. It and its open blocks take at most 64 MiB, and 2.4 MB more if moves are dense.
    pub fn open(source: R) -> Result<Archive<R>, ArchiveError> {
        Archive::with_limit(source, 0)
    }

    /// Opens an archive that takes at most so many bytes of memory with its open blocks; 0 is 64 MiB.
    pub fn with_limit(source: R, limit: usize) -> Result<Archive<R>, ArchiveError> {
        Ok(Archive { core: ffi::Archive::open(source, limit).map_err(ArchiveError::new)?, last: RefCell::new(None) })
    }

    /// How many games there are.
    pub fn len(&self) -> u64 {
        self.core.games()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many plies all main lines have.
    pub fn plies(&self) -> u64 {
        self.core.plies()
    }

    /// How many blocks there are. A block is what is read at a time, some hundred to some thousand games; the last one is kept.
    pub fn blocks(&self) -> u32 {
        self.core.blocks()
    }

    /// How many bytes are behind the archive, of games that are being added, or were not added to the end. They are not read.
    pub fn unfinished(&self) -> u64 {
        self.core.unfinished()
    }

    /// Reads all that a reader of games needs, and tells what is wrong. It does not make the text again.
    pub fn verify(&self) -> Result<(), ArchiveError> {
        self.core.verify().map_err(ArchiveError::new)
    }

    /// A game by its number, from 1. It keeps its block in memory.
    pub fn game(&self, number: u64) -> Result<Game<R>, ArchiveError> {
        let kept = self.last.borrow().clone().filter(|b| number >= b.first() && number - b.first() < b.games().into());
        let block = match kept {
            Some(b) => b,
            None => {
                let at = self.core.find(number).map_err(ArchiveError::new)?;
                self.last.replace(None);
                let b = Rc::new(self.core.block(at).map_err(ArchiveError::new)?);
                self.last.replace(Some(b.clone()));
                b
            }
        };
        let i = (number - block.first()) as u32;
        Ok(Game { block, i })
    }

    /// All games, one after the other. It ends after an error.
    pub fn games(&self) -> Games<'_, R> {
        Games { archive: self, next: 1 }
    }

    /// Opens the index of the archive, a file `.p11x`.
    pub fn index<S: ReadAt>(&self, source: S) -> Result<Index<R, S>, ArchiveError> {
        match self.core.index(source) {
            Ok(done) => Ok(Index { core: done.map_err(ArchiveError::new)? }),
            Err(e) => Err(ArchiveError::unread(e)),
        }
    }
}

/// The games of an archive.
pub struct Games<'a, R: ReadAt> {
    archive: &'a Archive<R>,
    next: u64,
}

impl<R: ReadAt> Iterator for Games<'_, R> {
    type Item = Result<Game<R>, ArchiveError>;
    fn next(&mut self) -> Option<Self::Item> {
        if self.next > self.archive.len() {
            return None;
        }
        let game = self.archive.game(self.next);
        self.next = if game.is_ok() { self.next + 1 } else { u64::MAX };
        Some(game)
    }
}

/// A game of an archive.
pub struct Game<R: ReadAt> {
    block: Rc<ffi::Block<R>>,
    i: u32,
}

impl<R: ReadAt> Game<R> {
    /// Its number, from 1.
    pub fn number(&self) -> u64 {
        self.block.first() + u64::from(self.i)
    }

    /// How it ended.
    pub fn result(&self) -> GameResult {
        match self.block.facts(self.i).0 {
            1968 => GameResult::BlackWins,
            1969 => GameResult::Draw,
            1970 => GameResult::WhiteWins,
            _ => GameResult::Unknown,
        }
    }

    /// Whether the text is a valid game. If it is not, the moves are as much of it as is valid.
    pub fn is_valid(&self) -> bool {
        self.block.facts(self.i).1 & 2 == 0
    }

    /// The position in which it begins. One that is impossible is refused.
    pub fn start(&self) -> Result<Board, ArchiveError> {
        self.block.start(self.i).map(Board).map_err(ArchiveError::new)
    }

    /// The numbers of the main line's moves; 1972 is the null move.
    pub fn codes(&self) -> &[u16] {
        self.block.moves(self.i)
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Code> + ExactSizeIterator + '_ {
        self.codes().iter().map(|&c| Code(c))
    }

    /// The moves of the main line, each with the position in which it was played.
    pub fn positions(&self) -> Result<impl Iterator<Item = (Board, Code)> + '_, ArchiveError> {
        let mut next = self.start()?;
        Ok(self.moves().map(move |m| {
            let before = next;
            ffi::make(&mut next.0, m.0);
            (before, m)
        }))
    }

    /// The time that is left after each move to the one who made it, in hundredths of a second; -1 if it is not told.
    pub fn clocks(&self) -> &[i32] {
        self.block.clocks(self.i)
    }

    /// The evaluation after each move, from White's side, in hundredths of a pawn; mate in k is 32000 - k, or -32000 + k for Black's; -32768 if there is none.
    pub fn evals(&self) -> &[i16] {
        self.block.evals(self.i)
    }

    /// The evaluation of the start position.
    pub fn start_eval(&self) -> i16 {
        self.block.facts(self.i).2
    }

    /// The tags, names and values, in their order. They are UTF-8 as a rule.
    pub fn tags(&self) -> impl ExactSizeIterator<Item = (&[u8], &[u8])> + '_ {
        (0..self.block.tags(self.i)).map(|k| self.block.tag(self.i, k))
    }

    /// The value of the first tag of a name.
    pub fn tag(&self, name: &str) -> Option<Cow<'_, str>> {
        self.tags().find(|t| t.0 == name.as_bytes()).map(|t| String::from_utf8_lossy(t.1))
    }
}

/// The index of an archive, which tells what was played in a position.
pub struct Index<R: ReadAt, S: ReadAt> {
    core: ffi::Index<R, S>,
}

/// What was played in a position. A game counts once in all, and once for each different move that it plays there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The games that reach it.
    pub all: Counts,
    /// The moves, the most frequent first.
    pub moves: Vec<(Code, Counts)>,
}

fn take(all: &Counts, list: &[ffi::Branch]) -> Tree {
    Tree { all: *all, moves: list.iter().map(|b| (Code(b.code), b.counts)).collect() }
}

/// The counts of a tree file, `.p11t`, which needs no archive.
pub struct TreeFile<R: ReadAt> {
    core: ffi::TreeFile<R>,
}

impl<R: ReadAt> TreeFile<R> {
    /// Opens a tree file.
    pub fn open(source: R) -> Result<TreeFile<R>, ArchiveError> {
        Ok(TreeFile { core: ffi::TreeFile::open(source).map_err(ArchiveError::new)? })
    }

    /// What was played in a position, which is compared without its counters.
    pub fn tree(&self, board: &Board) -> Result<Tree, ArchiveError> {
        self.core.tree(&board.0, take).map_err(ArchiveError::new)
    }
}

impl<R: ReadAt, S: ReadAt> Index<R, S> {
    /// What was played in a position, which is compared without its counters.
    pub fn tree(&self, board: &Board) -> Result<Tree, ArchiveError> {
        match self.core.tree(&board.0, take) {
            Ok(done) => done.map_err(ArchiveError::new),
            Err(e) => Err(ArchiveError::unread(e)),
        }
    }
}
