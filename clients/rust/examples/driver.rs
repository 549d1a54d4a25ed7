// SPDX-License-Identifier: Apache-2.0

//! Prints what the driver of the core in C prints of archives, whose names are on the standard input: all games, or, by "trees" or "counts", what their indexes or tree files tell.

use ply11::{Archive, ArchiveError, Board, Counts, Tree, TreeFile};
use std::{
    error::Error,
    fmt::{Display, Write},
    fs::File,
};

fn list<T: Display>(numbers: &[T]) -> String {
    numbers.iter().map(|n| format!("{n},")).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn text(c: &Counts) -> String {
    format!(" {} {} {} {} {}/{} {}/{}", c.games, c.white, c.draws, c.black, c.white_ratings, c.white_rated, c.black_ratings, c.black_rated)
}

fn games(name: &str) -> Result<String, Box<dyn Error>> {
    let a = Archive::open(File::open(name)?)?;
    a.verify()?;
    let mut out = format!("games {}, plies {}\n", a.len(), a.plies());
    for g in a.games() {
        let g = g?;
        let start = match g.start() {
            Ok(b) if b == Board::new() => "-".to_string(),
            Ok(b) => b.to_string(),
            Err(_) => "?".to_string(),
        };
        let tags: String = g.tags().map(|(k, v)| format!("{}={} ", hex(k), hex(v))).collect();
        let (number, result, valid) = (g.number(), 1968 + g.result() as u16, u8::from(g.is_valid()));
        writeln!(out, "{number}\t{result}\t{valid}\t{start}\t{}\t{}\t{}\t{}\t{tags}", list(g.codes()), list(g.clocks()), list(g.evals()), g.start_eval())?;
    }
    Ok(out)
}

fn trees(name: &str) -> Result<String, Box<dyn Error>> {
    let a = Archive::open(std::fs::read(name)?)?;
    let x = a.index(File::open(format!("{name}x"))?)?;
    played(&a, |b| x.tree(b))
}

fn counts(name: &str) -> Result<String, Box<dyn Error>> {
    let x = TreeFile::open(File::open(format!("{name}t"))?)?;
    played(&Archive::open(std::fs::read(name)?)?, |b| x.tree(b))
}

fn played(a: &Archive<Vec<u8>>, tree: impl Fn(&Board) -> Result<Tree, ArchiveError>) -> Result<String, Box<dyn Error>> {
    let mut out = format!("games {}\n", a.len());
    for g in a.games() {
        let g = g?;
        let mut boards: Vec<Board> = match g.positions() {
            Ok(line) => line.map(|p| p.0).collect(),
            Err(_) => Vec::new(),
        };
        let mut last = boards.last().copied().unwrap_or(g.start().unwrap_or_default());
        if let Some(m) = g.moves().last() {
            assert!(last.make(m));
        }
        boards.push(last);
        for (ply, b) in boards.iter().enumerate() {
            if ply % 7 < 2 {
                let t = tree(b)?;
                let moves: String = t.moves.iter().map(|(m, c)| format!(", {}:{}", m.get(), text(c))).collect();
                writeln!(out, "{}{moves}", text(&t.all))?;
            }
        }
    }
    Ok(out)
}

fn main() -> Result<(), Box<dyn Error>> {
    let read = match std::env::args().nth(1).as_deref() {
        Some("trees") => trees,
        Some("counts") => counts,
        _ => games,
    };
    for name in std::io::stdin().lines() {
        match read(&name?) {
            Ok(text) => print!("{text}"),
            Err(e) if e.is::<ArchiveError>() => println!("error {e}"),
            Err(e) => return Err(e),
        }
    }
    Ok(())
}
