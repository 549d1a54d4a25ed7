// SPDX-License-Identifier: Apache-2.0

//! Of an archive, and its index, that the test in Go makes and names: dense moves, in blocks of eight games. What is read is compared by clients/archive_test.go.
#![cfg(feature = "std")]

use ply11::{Archive, Board, GameResult, ReadAt, TreeFile};
use std::{cell::Cell, error::Error, fs::File, io};

fn path() -> String {
    std::env::var("PLY11_ARCHIVE").expect("PLY11_ARCHIVE names an archive: go test ./clients -run Rust")
}

fn bytes() -> Vec<u8> {
    std::fs::read(path()).unwrap()
}

#[test]
fn games() {
    let a = Archive::open(File::open(path()).unwrap()).unwrap();
    a.verify().unwrap();
    assert!(a.blocks() > 3 && !a.is_empty());
    let (mut plies, mut numbers) = (0, 0..a.len());
    for g in a.games() {
        let g = g.unwrap();
        assert_eq!(g.number(), numbers.next().unwrap() + 1);
        assert_eq!((g.moves().len(), g.clocks().len(), g.evals().len()), (g.codes().len(), g.codes().len(), g.codes().len()));
        assert!(g.positions().unwrap().all(|(board, m)| board.is_legal(m)));
        plies += g.codes().len() as u64;
    }
    assert_eq!((plies, numbers.next()), (a.plies(), None));
    // In any order, and games outlive the block that is kept.
    let (last, first) = (a.game(a.len()).unwrap(), a.game(1).unwrap());
    drop(a);
    assert_eq!((first.number(), first.result(), first.is_valid()), (1, GameResult::WhiteWins, true));
    assert_eq!(first.tag("White").as_deref(), first.tags().find(|t| t.0 == b"White").map(|t| std::str::from_utf8(t.1).unwrap()));
    assert!(last.number() > 30 && last.tag("Nobody").is_none() && last.start().unwrap() == Board::new());
    let (file, data) = (File::open(path()).unwrap(), bytes());
    assert_eq!(Archive::open(&data[..]).unwrap().game(2).unwrap().codes(), Archive::open(&file).unwrap().game(2).unwrap().codes());
}

#[test]
fn what_was_played() {
    let a = Archive::open(bytes()).unwrap();
    let x = a.index(File::open(path() + "x").unwrap()).unwrap();
    let tree = x.tree(&Board::new()).unwrap();
    let usual = a.games().filter(|g| g.as_ref().unwrap().start().unwrap() == Board::new()).count() as u64;
    assert_eq!((tree.all.games, tree.moves.iter().map(|m| m.1.games).sum::<u64>()), (usual, usual));
    assert_eq!(tree.moves[0].0.to_string(), "e2e4");
    assert!(tree.moves.windows(2).all(|w| w[0].1.games >= w[1].1.games));
}

#[test]
fn tree_file() {
    let a = Archive::open(bytes()).unwrap();
    let x = a.index(File::open(path() + "x").unwrap()).unwrap();
    let (file, data) = (File::open(path() + "t").unwrap(), std::fs::read(path() + "t").unwrap());
    let t = TreeFile::open(file).unwrap();
    for g in a.games() {
        for (board, _) in g.unwrap().positions().unwrap() {
            assert_eq!(t.tree(&board).unwrap(), x.tree(&board).unwrap());
        }
    }
    assert!((0..data.len()).all(|n| TreeFile::open(&data[..n]).is_err()) && TreeFile::open(bytes()).is_err());
    assert!(TreeFile::open(Fails(data.clone(), Cell::new(0))).err().unwrap().source().is_some());
    assert!(TreeFile::open(Fails(data, Cell::new(1))).unwrap().tree(&Board::new()).unwrap_err().source().is_some());
}

/// A source that counts what is asked for, and fails from the n-th time on.
struct Fails(Vec<u8>, Cell<u32>);

impl ReadAt for Fails {
    type Error = io::Error;
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        if self.1.get() == 0 {
            return Err(io::Error::other("no more"));
        }
        self.1.set(self.1.get() - 1);
        self.0[..].read_at(offset, bytes).unwrap();
        Ok(())
    }
}

#[test]
fn what_is_refused() {
    for wrong in [&b""[..], &[0; 60_000], &bytes()[1..]] {
        assert!(Archive::open(wrong).is_err());
    }
    let mut damaged = bytes();
    damaged[400] ^= 1;
    let a = Archive::open(damaged).unwrap();
    let e = a.verify().unwrap_err();
    assert_eq!(e.block(), Some(1));
    assert!(e.offset().is_some() && e.to_string().contains("block 1"), "{e}");
    assert!(a.games().any(|g| g.is_err()) && a.games().count() < a.len() as usize);
    let e = Archive::open(Fails(bytes(), Cell::new(0))).err().unwrap();
    assert!(e.source().unwrap().to_string() == "no more" && e.to_string().ends_with("no more"), "{e}");
    let a = Archive::open(Fails(bytes(), Cell::new(1))).unwrap();
    assert!(a.game(1).err().unwrap().source().is_some());
    assert!(a.game(0).is_err() && a.game(a.len() + 1).is_err());
    assert!(Archive::with_limit(bytes(), 10_000).is_err());
    assert!(a.index(bytes()).is_err());
    assert!(Archive::open(bytes()).unwrap().index(Fails(bytes(), Cell::new(0))).err().unwrap().source().is_some());
}
