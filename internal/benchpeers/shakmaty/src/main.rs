// SPDX-License-Identifier: Apache-2.0
//! Reads a file of PGN with pgn-reader, whose moves shakmaty verifies, and ROUNDS times more: peer FILE ROUNDS. It
//! prints the games, and the plies of main lines. It is run alone: nothing of the project is linked with it.
use std::{env, fs::File, io, ops::ControlFlow};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{fen::Fen, CastlingMode, Chess, Position};

struct Lines;

impl Visitor for Lines {
    type Tags = Option<Chess>; // the start, None while it cannot be used
    type Movetext = (Chess, usize);
    type Output = usize;

    fn begin_tags(&mut self) -> ControlFlow<usize, Self::Tags> {
        ControlFlow::Continue(Some(Chess::default()))
    }

    fn tag(&mut self, start: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<usize> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).ok();
            *start = fen.and_then(|f| f.into_position(CastlingMode::Chess960).ok());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Self::Tags) -> ControlFlow<usize, Self::Movetext> {
        match start {
            Some(position) => ControlFlow::Continue((position, 0)),
            None => ControlFlow::Break(0),
        }
    }

    fn san(&mut self, line: &mut Self::Movetext, san: SanPlus) -> ControlFlow<usize> {
        match san.san.to_move(&line.0) {
            Ok(m) => {
                line.0.play_unchecked(m);
                line.1 += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(line.1),
        }
    }

    fn end_game(&mut self, line: Self::Movetext) -> usize {
        line.1
    }
}

fn main() -> io::Result<()> {
    let args: Vec<String> = env::args().collect();
    let (mut games, mut plies) = (0, 0);
    for _ in 0..=args[2].parse().expect("a number of rounds") {
        (games, plies) = (0, 0);
        let mut reader = Reader::new(File::open(&args[1])?);
        while let Some(n) = reader.read_game(&mut Lines)? {
            games += 1;
            plies += n;
        }
    }
    println!("{games} games, {plies} plies");
    Ok(())
}
