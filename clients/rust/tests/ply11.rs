// SPDX-License-Identifier: Apache-2.0

//! Of the rules, the tests of the core in C say more.

use ply11::{Board, Class, Code, Outcome, Vocabulary, MOVES};

fn perft(board: &Board, depth: u32) -> usize {
    if depth == 1 {
        return board.legal().len();
    }
    let mut n = 0;
    for code in board.legal() {
        let mut next = *board;
        assert!(next.make(code));
        n += perft(&next, depth - 1);
    }
    n
}

#[test]
fn moves_are_counted() {
    assert_eq!(perft(&Board::new(), 4), 197_281);
    let p = Board::from_fen("qnbnr1kr/ppp1b1pp/4p3/3p1p2/8/2NPP3/PPP1BPPP/QNB1R1KR w HEhe - 1 9").unwrap();
    assert!(p.chess960());
    assert_eq!(perft(&p, 3), 26_578);
}

#[test]
fn the_index() {
    for i in 0..MOVES {
        let c = Code::new(i).unwrap();
        assert_eq!(Code::of(c.from().unwrap(), c.to().unwrap(), c.promotion()), Some(c));
        assert_eq!(c.to_string().parse(), Ok(c));
        assert_eq!((c.mirror_ranks().mirror_ranks(), c.mirror_files().mirror_files()), (c, c));
    }
    assert_eq!((Code::new(2048), Code::of(0, 0, None), Code::of(99, 1, None)), (None, None, None));
    assert_eq!(Code::new(1969).unwrap().to_string(), "ResultDraw");
    assert_eq!((Code::NULL.to_string().as_str(), Code::new(2010).unwrap().class()), ("0000", Class::Reserved));
}

#[test]
fn a_game() {
    let mut b = Board::new();
    for m in "e4 e5 Bc4 Nc6 Qh5 g8f6".split(' ') {
        b.push(m).unwrap();
    }
    let mate = b.parse("Qxf7").unwrap();
    assert_eq!(b.san(mate).as_deref(), Some("Qxf7#"));
    assert_eq!(b.label(mate, Vocabulary::Index), Some(mate.get()));
    assert_eq!(b.mask().iter().map(|x| x.count_ones() as usize).sum::<usize>(), b.legal().len());
    assert_eq!(b.planes().iter().map(|x| x.count_ones()).sum::<u32>(), 32);
    assert_eq!(Board::from_fen(&b.to_string()), Ok(b));
    assert!(b.make(mate) && !b.make(mate));
    assert_eq!((b.outcome(), b.black(), b.piece(53), b.piece(39), b.piece(200)), (Outcome::Mate, true, Some('Q'), None, None));
}

#[test]
fn what_is_refused() {
    let e = Board::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1").unwrap_err();
    assert_eq!((e.at(), e.to_string().as_str()), (Some(44), "syntax error at byte 44"));
    for wrong in ["e5", "", "é", "Ke2", "e2e5"] {
        assert!(Board::new().push(wrong).is_err());
    }
}
