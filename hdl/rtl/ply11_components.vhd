-- SPDX-License-Identifier: Apache-2.0
-- Made from the heads of hdl/rtl/*.v by: go run ./cmd/genrom vectors
-- ply11_components - a component for each module, for designs in VHDL. The modules stay in Verilog.
--
-- What VHDL does not take as a name stands as an extended identifier: its reserved words, and a port whose name is a
-- parameter's but for the case. \open\ is the port open.

library ieee;
use ieee.std_logic_1164.all;

package ply11_components is

  -- ply11_board: a chess board: it applies one move index a clock and shows the position after it.
  component ply11_board is
    generic (
      USER_WIDTH : integer := 1;  -- Bits of the tag that travels with an operation, 1 or more.
      STOP : integer := 0  -- 1: after a move that is refused nothing is applied until the next NEW.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: an operation is offered
      s_ready : out std_logic;  -- 1: the operation is taken in this clock if s_valid is 1
      s_op : in std_logic_vector(1 downto 0);  -- 0 MOVE, 1 NEW, 2 PASS, 3 as PASS
      s_index : in std_logic_vector(10 downto 0);  -- of MOVE: the index of a move, or 1972, the null move
      s_user : in std_logic_vector(USER_WIDTH-1 downto 0);  -- tag: comes out with the beat of this operation
      load_valid : in std_logic;  -- 1: a word of a position is offered
      load_ready : out std_logic;  -- 1: the word is taken in this clock if load_valid is 1
      load_addr : in std_logic_vector(3 downto 0);  -- 0..7 rank 1..8, 8 the state
      load_data : in std_logic_vector(31 downto 0);  -- rank: the piece on file f at 4*f +: 4; state: {ply, ep, rights, side}
      next_valid : out std_logic;  -- 1: an operation stands in the stage before the outputs
      next_op : out std_logic_vector(1 downto 0);  -- its s_op
      hush : in std_logic;  -- 1: that operation gives no beat
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_op : out std_logic_vector(1 downto 0);  -- s_op of the operation
      m_user : out std_logic_vector(USER_WIDTH-1 downto 0);  -- its s_user
      m_error : out std_logic_vector(2 downto 0);  -- 0, or why the move is refused, 1..7
      m_from : out std_logic_vector(5 downto 0);  -- of a move: square, 0 a1 .. 63 h8
      m_to : out std_logic_vector(5 downto 0);  -- of a move: square, 0 a1 .. 63 h8
      m_promotion : out std_logic_vector(2 downto 0);  -- of a move: 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
      m_piece : out std_logic_vector(3 downto 0);  -- of an applied move: the piece as it stood on m_from
      m_captured : out std_logic_vector(3 downto 0);  -- of an applied move: what it took, or 0
      board : out std_logic_vector(255 downto 0);  -- piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
      side : out std_logic;  -- side to move: 0 White, 1 Black
      rights : out std_logic_vector(3 downto 0);  -- castling rights {q, k, Q, K}
      ep : out std_logic_vector(3 downto 0);  -- en passant: 0 none, 1..8 the file of the pawn that stepped twice
      ply : out std_logic_vector(15 downto 0)  -- plies played, modulo 65,536
    );
  end component ply11_board;

  -- ply11_brenner: reads games in Brenner's byte code and gives operations for ply11_board.
  component ply11_brenner is
    generic (
      LAYOUT : integer := 0;  -- 0 main, 1 alt, 2 alt-swapped, 3 alt-fixed.
      GAMES : integer := 9  -- Bits of the number of a game, 1 to 9 (see ply11_pieces).
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: a byte is offered
      s_ready : out std_logic;  -- 1: the byte is taken in this clock if s_valid is 1
      s_data : in std_logic_vector(7 downto 0);  -- the byte
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_kind : out std_logic_vector(1 downto 0);  -- 0 PLY, 1 NEW, 2 END, 3 ERROR
      m_code : out std_logic_vector(3 downto 0);  -- of END the result, 0 0-1, 1 1/2-1/2, 2 1-0, 3 *; of ERROR the code
      m_index : out std_logic_vector(10 downto 0);  -- of PLY: the index of the move
      m_offset : out std_logic_vector(31 downto 0);  -- number of the byte, from 0, in the stream
      in_game : out std_logic;  -- 1: from the first byte of a game to its end
      text_valid : out std_logic;  -- 1: a byte of a text, in the clock in which it is taken
      text_data : out std_logic_vector(7 downto 0);  -- the byte
      text_last : out std_logic;  -- 1: the text ends here
      quiet : out std_logic;  -- 1: no game has begun and no operation is under way
      load_clear : in std_logic;  -- 1: a start position begins
      load_ready : out std_logic;  -- 1: load_valid may be 1
      load_valid : in std_logic;  -- 1: a square of it
      load_square : in std_logic_vector(5 downto 0);  -- square, 0 a1 .. 63 h8
      load_piece : in std_logic_vector(3 downto 0);  -- who stands there, 0 nobody
      load_state : in std_logic;  -- 1: the rest of it; this is its last clock
      load_side : in std_logic;  -- with load_state: side to move, 1 Black
      load_ep : in std_logic_vector(3 downto 0);  -- with load_state: 0, or the en passant file, 1..8
      load_bad : in std_logic  -- with load_state: 1 if the position is malformed
    );
  end component ply11_brenner;

  -- ply11_cbf: reads games in ChessBase's move bytes of 1993 (CBF) and gives operations for ply11_board.
  component ply11_cbf is
    generic (
      DEPTH : integer := 0  -- Variations inside each other that are followed, 0..31.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      numbering : in std_logic;  -- of moves, at a game's first byte: 0 of the document, 1 of CBASCII
      s_valid : in std_logic;  -- 1: a byte is offered
      s_ready : out std_logic;  -- 1: the byte is taken in this clock if s_valid is 1
      s_data : in std_logic_vector(7 downto 0);  -- the byte
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_kind : out std_logic_vector(1 downto 0);  -- 0 PLY, 1 NEW, 2 END, 3 ERROR
      m_code : out std_logic_vector(3 downto 0);  -- of END the result, 0 0-1, 1 1/2-1/2, 2 1-0, 3 another; of ERROR the code
      m_index : out std_logic_vector(10 downto 0);  -- of PLY: the index of the move
      m_offset : out std_logic_vector(31 downto 0);  -- number of the byte, from 0, in the stream
      in_game : out std_logic;  -- 1: from the first byte of a game to its end
      idle : in std_logic;  -- 1: no operation is on its way, and the position stays
      board : in std_logic_vector(255 downto 0);  -- piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
      side : in std_logic;  -- side to move: 0 White, 1 Black
      \open\ : out std_logic;  -- 1: asks for the position before the last ply; until done
      close : out std_logic;  -- 1: asks for the position kept last; until done
      done : in std_logic;  -- 1: it is on the board
      quiet : out std_logic;  -- 1: no game has begun and no operation is under way
      load_state : in std_logic;  -- 1: the last clock of a start position
      load_ep : in std_logic_vector(3 downto 0);  -- with load_state: 0, or the en passant file, 1..8
      load_bad : in std_logic  -- with load_state: 1 if the position is malformed
    );
  end component ply11_cbf;

  -- ply11_chessbase: a numbered move of ChessBase 1993 (CBF) to its index: the n-th that its generator makes in a position.
  component ply11_chessbase is
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: a number is offered
      s_ready : out std_logic;  -- 1: the number is taken in this clock if s_valid is 1
      s_number : in std_logic_vector(6 downto 0);  -- the number of the move, from 1
      cbascii : in std_logic;  -- numbering: 0 of the document, 1 of CBASCII; stays as board does
      board : in std_logic_vector(255 downto 0);  -- piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
      side : in std_logic;  -- side to move: 0 White, 1 Black
      ep : in std_logic_vector(3 downto 0);  -- 0 none, 1..8 the file of the last long step of a pawn, see above
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_none : out std_logic;  -- 1: no move has the number
      m_index : out std_logic_vector(10 downto 0);  -- without m_none: the index of the move
      m_ep : out std_logic_vector(3 downto 0)  -- without m_none: ep after the move
    );
  end component ply11_chessbase;

  -- ply11_decode:  For a control code is_move is 0, and the other outputs have no meaning. Latency: combinational. Throughput: one a clock behind registers.
  component ply11_decode is
    port (
      index : in std_logic_vector(10 downto 0);  -- 0..1967 a move; others have no move
      from : out std_logic_vector(5 downto 0);  -- square, 0 a1 .. 63 h8
      \to\ : out std_logic_vector(5 downto 0);  -- square, 0 a1 .. 63 h8
      promotion : out std_logic_vector(2 downto 0);  -- 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
      is_move : out std_logic  -- 1: index is below 1968
    );
  end component ply11_decode;

  -- ply11_decode_pipe:  It computes what ply11_decode does, with the same names. It is cut so that each register has at most two LUTs before it. The digit behind a name is the number of the stage that gives it. One thing differs: in axis NW the file is not mirrored before and after the addition. Its step is negated beforehand, so no mirror stands in the way of the carries. For a control code m_is_move is 0, and the other outputs have no meaning. Latency: 4 clocks. Throughput: one a clock.
  component ply11_decode_pipe is
    generic (
      HANDSHAKE : integer := 1  -- 1: valid/ready on both sides; the whole pipeline stops while the output is not taken. 0: always ready, no back-pressure: m_ready is ignored and valid only travels along.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: a beat is offered
      s_ready : out std_logic;  -- 1: the beat is taken in this clock if s_valid is 1
      s_index : in std_logic_vector(10 downto 0);  -- 0..1967 a move; others have no move
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_from : out std_logic_vector(5 downto 0);  -- square, 0 a1 .. 63 h8
      m_to : out std_logic_vector(5 downto 0);  -- square, 0 a1 .. 63 h8
      m_promotion : out std_logic_vector(2 downto 0);  -- 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
      m_is_move : out std_logic  -- 1: s_index was below 1968
    );
  end component ply11_decode_pipe;

  -- ply11_encode:  Latency: combinational. Throughput: one a clock behind registers.
  component ply11_encode is
    port (
      from : in std_logic_vector(5 downto 0);  -- square, 0 a1 .. 63 h8
      \to\ : in std_logic_vector(5 downto 0);  -- square, 0 a1 .. 63 h8
      promotion : in std_logic_vector(2 downto 0);  -- 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
      index : out std_logic_vector(10 downto 0);  -- 0..1967, if is_move is 1
      is_move : out std_logic  -- 1: some piece moves so
    );
  end component ply11_encode;

  -- ply11_encode_pipe:  It computes what ply11_encode does, with the same names. It is cut so that each register has at most two LUTs before it. The digit behind a name is the number of the stage that gives it. Where m_is_move is 0, m_index has no meaning. Latency: 7 clocks. Throughput: one a clock.
  component ply11_encode_pipe is
    generic (
      HANDSHAKE : integer := 1  -- 1: valid/ready on both sides; the whole pipeline stops while the output is not taken. 0: always ready, no back-pressure: m_ready is ignored and valid only travels along.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: a beat is offered
      s_ready : out std_logic;  -- 1: the beat is taken in this clock if s_valid is 1
      s_from : in std_logic_vector(5 downto 0);  -- square, 0 a1 .. 63 h8
      s_to : in std_logic_vector(5 downto 0);  -- square, 0 a1 .. 63 h8
      s_promotion : in std_logic_vector(2 downto 0);  -- 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_index : out std_logic_vector(10 downto 0);  -- 0..1967, if m_is_move is 1
      m_is_move : out std_logic  -- 1: some piece moves so
    );
  end component ply11_encode_pipe;

  -- ply11_gearbox: regroups a stream of IN-bit words into OUT-bit words, low bits first.
  component ply11_gearbox is
    generic (
      \IN\ : integer := 8;  -- Width of an input word in bits, 3..64; not equal to OUT.
      \OUT\ : integer := 11  -- Width of an output word in bits, 3..64.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: a word is offered
      s_ready : out std_logic;  -- 1: the word is taken in this clock if s_valid is 1
      s_data : in std_logic_vector(\IN\-1 downto 0);  -- the word; its low bits come first
      s_last : in std_logic;  -- 1: pad with ones to a whole output word after this word
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_data : out std_logic_vector(\OUT\-1 downto 0);  -- the word; its low bits come first
      m_last : out std_logic  -- 1: the padding, if any, is in this word
    );
  end component ply11_gearbox;

  -- ply11_jose: reads games in jose's byte code (GameText) and gives operations for ply11_board.
  component ply11_jose is
    generic (
      DIALECT : integer := 0;  -- 0 document, 1 program.
      DEPTH : integer := 0  -- Variations inside each other that are followed, 0..31.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: a byte is offered
      s_ready : out std_logic;  -- 1: the byte is taken in this clock if s_valid is 1
      s_data : in std_logic_vector(7 downto 0);  -- the byte
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_kind : out std_logic_vector(1 downto 0);  -- 0 PLY, 1 NEW, 2 END, 3 ERROR
      m_code : out std_logic_vector(3 downto 0);  -- of END the result, 0 0-1, 1 1/2-1/2, 2 1-0, 3 *; of ERROR the code
      m_index : out std_logic_vector(10 downto 0);  -- of PLY: the index of the move
      m_offset : out std_logic_vector(31 downto 0);  -- number of the byte, from 0, in the stream
      in_game : out std_logic;  -- 1: from the first byte of a game to its end
      text_valid : out std_logic;  -- 1: a byte of a text, in the clock in which it is taken
      text_data : out std_logic_vector(7 downto 0);  -- the byte
      text_last : out std_logic;  -- 1: the text ends here
      text_kind : out std_logic_vector(2 downto 0);  -- 0 a comment, 1..4 the record e1..e4
      \open\ : out std_logic;  -- 1: asks for the position before the last ply; until done
      close : out std_logic;  -- 1: asks for the position kept last; until done
      done : in std_logic;  -- 1: it is on the board
      quiet : out std_logic;  -- 1: no game has begun and no operation is under way
      load_clear : in std_logic;  -- 1: a start position begins
      load_valid : in std_logic;  -- 1: a square of it
      load_square : in std_logic_vector(5 downto 0);  -- square, 0 a1 .. 63 h8
      load_piece : in std_logic_vector(3 downto 0);  -- who stands there, 0 nobody
      load_state : in std_logic;  -- 1: the rest of it; this is its last clock
      load_side : in std_logic;  -- with load_state: side to move, 1 Black
      load_ep : in std_logic_vector(3 downto 0);  -- with load_state: 0, or the en passant file, 1..8
      load_bad : in std_logic  -- with load_state: 1 if the position is malformed
    );
  end component ply11_jose;

  -- ply11_legal: judges each move that passes ply11_board by all the rules: legal or not, and why.
  component ply11_legal is
    generic (
      USER_WIDTH : integer := 1  -- Bits of the tag that travels with an operation, 1 or more.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high: that of the board
      s_valid : in std_logic;  -- 1: the board offers a beat; it stays until s_ready is 1
      s_ready : out std_logic;  -- 1: the beat is taken in this clock if s_valid is 1
      s_op : in std_logic_vector(1 downto 0);  -- m_op of the board
      s_user : in std_logic_vector(USER_WIDTH-1 downto 0);  -- m_user of the board
      s_error : in std_logic_vector(2 downto 0);  -- m_error of the board, 0..7
      s_from : in std_logic_vector(5 downto 0);  -- m_from of the board, square 0..63
      s_to : in std_logic_vector(5 downto 0);  -- m_to of the board, square 0..63
      s_promotion : in std_logic_vector(2 downto 0);  -- m_promotion of the board
      s_piece : in std_logic_vector(3 downto 0);  -- m_piece of the board
      s_captured : in std_logic_vector(3 downto 0);  -- m_captured of the board
      board_next : in std_logic;  -- next_valid of the board
      board_load_ready : in std_logic;  -- load_ready of the board
      load_ready : out std_logic;  -- 1: the board takes a load; its load_valid is to be 1 only then
      board : in std_logic_vector(255 downto 0);  -- board of the board: the piece on square s at 4*s +: 4
      side : in std_logic;  -- side to move: 0 White, 1 Black
      rights : in std_logic_vector(3 downto 0);  -- castling rights {q, k, Q, K}
      ep : in std_logic_vector(3 downto 0);  -- en passant: 0 none, 1..8 the file of the pawn that stepped twice
      ply : in std_logic_vector(15 downto 0);  -- plies of the position
      next_valid : out std_logic;  -- 1: an operation is in the stage before the outputs
      next_op : out std_logic_vector(1 downto 0);  -- with next_valid: which
      hush : in std_logic;  -- 1: it gives no beat
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_op : out std_logic_vector(1 downto 0);  -- the operation
      m_user : out std_logic_vector(USER_WIDTH-1 downto 0);  -- its tag
      m_error : out std_logic_vector(2 downto 0);  -- 0 none, 1..6 the board's, 7 not legal, or after a move that was refused
      m_reason : out std_logic_vector(3 downto 0);  -- why it is not legal, 1..8; else 0
      m_from : out std_logic_vector(5 downto 0);  -- square 0..63; 0 if it is no move
      m_to : out std_logic_vector(5 downto 0);  -- square 0..63; 0 if it is no move
      m_promotion : out std_logic_vector(2 downto 0);  -- 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
      m_piece : out std_logic_vector(3 downto 0);  -- the piece who moved; 0 if none did
      m_captured : out std_logic_vector(3 downto 0);  -- the piece captured; 0 if none was
      m_board : out std_logic_vector(255 downto 0);  -- the position after the last beat: the piece on square s at 4*s +: 4
      m_side : out std_logic;  -- side to move: 0 White, 1 Black
      m_rights : out std_logic_vector(3 downto 0);  -- castling rights {q, k, Q, K}
      m_ep : out std_logic_vector(3 downto 0);  -- en passant: 0 none, 1..8 the file of the pawn that stepped twice
      m_ply : out std_logic_vector(15 downto 0)  -- plies that were applied, modulo 65,536
    );
  end component ply11_legal;

  -- ply11_mask: a set of moves as a mask of 1,968 bits over the index, in 31 words of 64, from a stream of indices.
  component ply11_mask is
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: a beat of ply11_moves is offered; it stays until s_ready is 1
      s_ready : out std_logic;  -- 1: the beat is taken in this clock if s_valid is 1
      s_index : in std_logic_vector(10 downto 0);  -- the index of a move, 0..1967; without meaning with s_last
      s_last : in std_logic;  -- 1: the end of the stream
      s_count : in std_logic_vector(8 downto 0);  -- with s_last: the number of moves, 0..218
      s_check : in std_logic;  -- with s_last: 1 if the side to move is in check
      s_mate : in std_logic;  -- with s_last: 1 if it is mate
      s_stalemate : in std_logic;  -- with s_last: 1 if it is stalemate
      m_valid : out std_logic;  -- 1: a word is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the word is taken in this clock if m_valid is 1
      m_data : out std_logic_vector(63 downto 0);  -- bit b: the stream had the index 64*m_word + b
      m_word : out std_logic_vector(4 downto 0);  -- the number of the word, 0..30
      m_last : out std_logic;  -- 1: the last word, number 30
      m_count : out std_logic_vector(8 downto 0);  -- s_count of the stream
      m_check : out std_logic;  -- s_check of the stream
      m_mate : out std_logic;  -- s_mate of the stream
      m_stalemate : out std_logic  -- s_stalemate of the stream
    );
  end component ply11_mask;

  -- ply11_match: searches a stream of games for a pattern: of the beats of a player, it passes on those whose position has it.
  component ply11_match is
    generic (
      USER_WIDTH : integer := 1  -- Bits of the tag that travels with a beat, 1 or more.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      set_valid : in std_logic;  -- 1: a word of the pattern is written in this clock
      set_addr : in std_logic_vector(4 downto 0);  -- 0..15 squares, 16 the range of plies, 17 ON and the side to move
      set_data : in std_logic_vector(31 downto 0);  -- the word
      clear : in std_logic;  -- 1: hits becomes 0, and the next beat begins game 1
      s_valid : in std_logic;  -- 1: a beat is offered
      s_ready : out std_logic;  -- 1: the beat is taken in this clock if s_valid is 1
      s_kind : in std_logic_vector(1 downto 0);  -- 0 PLY, 2 END, 3 ERROR
      s_last : in std_logic;  -- 1: the game ends with this beat
      s_main : in std_logic;  -- 1: a PLY is compared
      board : in std_logic_vector(255 downto 0);  -- with the beat: piece on square s at 4*s +: 4, as in ply11_board
      side : in std_logic;  -- with the beat: side to move, 1 Black
      ply : in std_logic_vector(15 downto 0);  -- with the beat: plies played
      s_user : in std_logic_vector(USER_WIDTH-1 downto 0);  -- tag: comes out with the beat
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_kind : out std_logic_vector(1 downto 0);  -- its s_kind
      m_last : out std_logic;  -- its s_last
      m_game : out std_logic_vector(31 downto 0);  -- the number of its game, from 1
      m_ply : out std_logic_vector(15 downto 0);  -- its ply
      m_user : out std_logic_vector(USER_WIDTH-1 downto 0);  -- its s_user
      hit : out std_logic;  -- 1: the beat that is offered matches, in the first clock in which it is offered
      hits : out std_logic_vector(31 downto 0)  -- beats that matched, up to the clock before
    );
  end component ply11_match;

  -- ply11_moves: the legal moves of a position, as a stream of indices.
  component ply11_moves is
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: a position is offered; it stays until s_ready is 1
      s_ready : out std_logic;  -- 1: the position was read; s_valid ends with this clock
      board : in std_logic_vector(255 downto 0);  -- piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
      side : in std_logic;  -- side to move: 0 White, 1 Black
      rights : in std_logic_vector(3 downto 0);  -- castling rights {q, k, Q, K}
      ep : in std_logic_vector(3 downto 0);  -- en passant: 0 none, 1..8 the file of the pawn that stepped twice
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_index : out std_logic_vector(10 downto 0);  -- the index of a legal move, or 2047 with m_last
      m_last : out std_logic;  -- 1: the end of the position
      m_count : out std_logic_vector(8 downto 0);  -- legal moves before this beat, 0..218
      m_check : out std_logic;  -- 1: the side to move is in check
      m_mate : out std_logic;  -- with m_last: 1 if it is mate
      m_stalemate : out std_logic  -- with m_last: 1 if it is stalemate
    );
  end component ply11_moves;

  -- ply11_moves_emit: the part of ply11_moves behind its FIFO: it makes an index of each square of an entry, but for those that do not end a check.
  component ply11_moves_emit is
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: an entry is offered
      s_ready : out std_logic;  -- 1: the entry is taken in this clock if s_valid is 1
      s_entry : in std_logic_vector(47 downto 0);  -- the entry
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_index : out std_logic_vector(10 downto 0);  -- the index of a legal move, or 2047 with m_last
      m_last : out std_logic;  -- 1: the end of the position
      m_count : out std_logic_vector(8 downto 0);  -- legal moves before this beat, 0..218
      m_check : out std_logic;  -- 1: the side to move is in check
      m_mate : out std_logic;  -- with m_last: 1 if it is mate
      m_stalemate : out std_logic  -- with m_last: 1 if it is stalemate
    );
  end component ply11_moves_emit;

  -- ply11_moves_find: the part of ply11_moves before its FIFO: it reads a position and finds, piece by piece, the squares where he may go.
  component ply11_moves_find is
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      clear : in std_logic;  -- 1 with rst and in the clock after it: what was asked before is lost
      s_valid : in std_logic;  -- 1: a position is offered; it stays until s_ready is 1
      s_ready : out std_logic;  -- 1: the position was read; s_valid ends with this clock
      board : in std_logic_vector(255 downto 0);  -- piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
      side : in std_logic;  -- side to move: 0 White, 1 Black
      rights : in std_logic_vector(3 downto 0);  -- castling rights {q, k, Q, K}
      ep : in std_logic_vector(3 downto 0);  -- en passant: 0 none, 1..8 the file of the pawn that stepped twice
      room : in std_logic;  -- 1: there is room for the entries of a position
      m_valid : out std_logic;  -- 1: an entry is offered, in this clock alone
      m_entry : out std_logic_vector(47 downto 0)  -- the entry
    );
  end component ply11_moves_find;

  -- ply11_pack: packs eleven-bit words into bytes, low bits first (docs/WORDS.md, words in bytes).
  component ply11_pack is
    generic (
      WIDTH : integer := 8  -- Bits of an output word: 8, 32 or 64.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: a word is offered
      s_ready : out std_logic;  -- 1: the word is taken in this clock if s_valid is 1
      s_data : in std_logic_vector(10 downto 0);  -- a word of eleven bits
      s_last : in std_logic;  -- 1: pad with ones to a whole output after this word
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_data : out std_logic_vector(WIDTH-1 downto 0);  -- bytes of the packed words; the first is in the low bits
      m_last : out std_logic  -- 1: the padding, if any, is in this one
    );
  end component ply11_pack;

  -- ply11_perft: counts the positions that legal moves reach, ply by ply, to a depth of up to DEPTH.
  component ply11_perft is
    generic (
      DEPTH : integer := 10  -- Plies that can be counted, 2..10. Each but one takes 219 words of a stack and 16 of the memory of positions.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: an order is offered; it stays until s_ready is 1
      s_ready : out std_logic;  -- 1: the order is taken in this clock if s_valid is 1
      s_depth : in std_logic_vector(3 downto 0);  -- plies to count, 0..DEPTH; more are as DEPTH
      load_valid : in std_logic;  -- 1: a word of the root is offered
      load_ready : out std_logic;  -- 1: the word is taken in this clock if load_valid is 1
      load_addr : in std_logic_vector(3 downto 0);  -- 0..7 rank 1..8, 8 the state, as load_addr of ply11_board
      load_data : in std_logic_vector(31 downto 0);  -- as load_data of ply11_board
      m_valid : out std_logic;  -- 1: a count is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the count is taken in this clock if m_valid is 1
      m_depth : out std_logic_vector(3 downto 0);  -- plies, 0..DEPTH
      m_count : out std_logic_vector(63 downto 0);  -- legal move sequences of that length, modulo 2^64
      m_last : out std_logic;  -- 1: the deepest
      job_valid : out std_logic;  -- 1: the next job is offered; it stays until job_ready is 1
      job_ready : in std_logic;  -- 1: the walk goes on
      job_skip : in std_logic  -- with job_ready: 1: the job is left out
    );
  end component ply11_perft;

  -- ply11_perft_bytes: ply11_perft for a line of bytes: it takes orders and gives counts.
  component ply11_perft_bytes is
    generic (
      DEPTH : integer := 10  -- Plies that can be counted, 2..10, as in ply11_perft.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: a byte is offered
      s_ready : out std_logic;  -- 1: the byte is taken in this clock if s_valid is 1
      s_data : in std_logic_vector(7 downto 0);  -- a byte of an order
      m_valid : out std_logic;  -- 1: a byte is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the byte is taken in this clock if m_valid is 1
      m_data : out std_logic_vector(7 downto 0)  -- a byte of an answer
    );
  end component ply11_perft_bytes;

  -- ply11_perft_many: several ply11_perft that share the work of one order.
  component ply11_perft_many is
    generic (
      CORES : integer := 4;  -- Cores, 2..32.
      DEPTH : integer := 10  -- Plies that can be counted, 2..10, as in ply11_perft.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: an order is offered; it stays until s_ready is 1
      s_ready : out std_logic;  -- 1: the order is taken in this clock if s_valid is 1
      s_depth : in std_logic_vector(3 downto 0);  -- plies to count, 0..DEPTH; more are as DEPTH
      load_valid : in std_logic;  -- 1: a word of the root is offered
      load_ready : out std_logic;  -- 1: the word is taken in this clock if load_valid is 1
      load_addr : in std_logic_vector(3 downto 0);  -- as in ply11_perft
      load_data : in std_logic_vector(31 downto 0);  -- as in ply11_perft
      m_valid : out std_logic;  -- 1: a count is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the count is taken in this clock if m_valid is 1
      m_depth : out std_logic_vector(3 downto 0);  -- plies, 0..DEPTH
      m_count : out std_logic_vector(63 downto 0);  -- legal move sequences of that length, modulo 2^64
      m_last : out std_logic  -- 1: the deepest
    );
  end component ply11_perft_many;

  -- ply11_peripheral: the player as a peripheral of a SoC: ply11_player_axis with ply11_regs; with PERFT, ply11_perft, too, and with MATCH, ply11_match.
  component ply11_peripheral is
    generic (
      MODES : integer := 3;  -- Bit 0: words, bit 1: Brenner, bit 2: jose, bit 3: ChessBase.
      WIDTH : integer := 8;  -- Bits of s_axis_tdata: 8, or 32 or 64 with words alone.
      LAYOUT : integer := 0;  -- Brenner's layout: 0 main, 1 alt, 2 alt-swapped, 3 alt-fixed.
      DIALECT : integer := 0;  -- jose's dialect: 0 document, 1 program.
      DEPTH : integer := 0;  -- Variations of words, jose and ChessBase, inside each other, that are played, 0..31.
      PERFT : integer := 0;  -- Plies that perft can count, 2..10, or 0: there is no perft.
      MATCH : integer := 0  -- 1: m_axis can be searched for a pattern.
    );
    port (
      aclk : in std_logic;  -- the clock; all ports belong to its rising edge
      aresetn : in std_logic;  -- synchronous reset, active low
      s_axil_awaddr : in std_logic_vector(7 downto 0);  -- byte address of a write
      s_axil_awvalid : in std_logic;  -- 1: the address is offered
      s_axil_awready : out std_logic;  -- 1: it is taken if s_axil_awvalid is 1
      s_axil_wdata : in std_logic_vector(31 downto 0);  -- value of a write
      s_axil_wstrb : in std_logic_vector(3 downto 0);  -- bit i: byte i is written
      s_axil_wvalid : in std_logic;  -- 1: the value is offered
      s_axil_wready : out std_logic;  -- 1: it is taken if s_axil_wvalid is 1
      s_axil_bresp : out std_logic_vector(1 downto 0);  -- 0 OKAY, 2 SLVERR
      s_axil_bvalid : out std_logic;  -- 1: a response to a write; it stays until s_axil_bready is 1
      s_axil_bready : in std_logic;  -- 1: it is taken
      s_axil_araddr : in std_logic_vector(7 downto 0);  -- byte address of a read
      s_axil_arvalid : in std_logic;  -- 1: the address is offered
      s_axil_arready : out std_logic;  -- 1: it is taken if s_axil_arvalid is 1
      s_axil_rdata : out std_logic_vector(31 downto 0);  -- value of the register
      s_axil_rresp : out std_logic_vector(1 downto 0);  -- 0 OKAY, 2 SLVERR
      s_axil_rvalid : out std_logic;  -- 1: a response to a read; it stays until s_axil_rready is 1
      s_axil_rready : in std_logic;  -- 1: it is taken
      irq : out std_logic;  -- 1: an event of INTERRUPT that ENABLE has
      s_axis_tvalid : in std_logic;  -- 1: a beat of bytes is offered
      s_axis_tready : out std_logic;  -- 1: the beat is taken in this clock if s_axis_tvalid is 1
      s_axis_tdata : in std_logic_vector(WIDTH-1 downto 0);  -- bytes; the first is in the low bits
      s_axis_tkeep : in std_logic_vector(WIDTH/8-1 downto 0);  -- bit i: byte i is there
      s_axis_tlast : in std_logic;  -- 1: the packet, a stream of games, ends
      m_axis_tvalid : out std_logic;  -- 1: a record is offered; it stays, unchanged, until m_axis_tready is 1
      m_axis_tready : in std_logic;  -- 1: the record is taken in this clock if m_axis_tvalid is 1
      m_axis_tdata : out std_logic_vector(127 downto 0);  -- the record; byte 0 is in the low bits
      m_axis_tlast : out std_logic;  -- 1: the packet, a game, ends
      m_axis_tuser : out std_logic_vector(31 downto 0);  -- with MATCH the number of the game, from 1; else 0
      m_axis_text_tvalid : out std_logic;  -- 1: a byte of a text is offered; it stays until m_axis_text_tready is 1
      m_axis_text_tready : in std_logic;  -- 1: the byte is taken in this clock if m_axis_text_tvalid is 1
      m_axis_text_tdata : out std_logic_vector(7 downto 0);  -- the byte
      m_axis_text_tlast : out std_logic;  -- 1: the text ends
      m_axis_text_tuser : out std_logic_vector(34 downto 0)  -- {text_kind of ply11_player, number of the byte in the packet}
    );
  end component ply11_peripheral;

  -- ply11_pieces: the pieces of both sides by number: where each piece stands, and whether he is alive.
  component ply11_pieces is
    generic (
      GAMES : integer := 9  -- Bits of the number of a game, 1 to 9.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      en : in std_logic;  -- 1: a step
      restart : in std_logic;  -- with en: the usual initial position
      busy : out std_logic;  -- 1: the memories are cleared, and nothing may be read
      read_side : in std_logic;  -- step p: side of the piece who is named, 1 Black
      read_slot : in std_logic_vector(4 downto 0);  -- step p: his slot, 0..31
      square : out std_logic_vector(5 downto 0);  -- step q: where he stands, square, 0 a1 .. 63 h8
      move_valid : in std_logic;  -- step q: 1 if a piece of his side moves
      move_castle : in std_logic;  -- step q: the move is castling
      move_slot : in std_logic_vector(4 downto 0);  -- step q: the mover's slot
      move_to : in std_logic_vector(5 downto 0);  -- step q: to this square
      move_anew : in std_logic;  -- step q: the mover is new, by promotion
      pass_valid : in std_logic;  -- step q: 1 if he may take en passant
      pass_square : in std_logic_vector(5 downto 0);  -- step q: from this square
      pass_file : in std_logic_vector(2 downto 0);  -- step q: the pawn on this file
      alive : out std_logic;  -- step r: 1 if the piece who was named was alive
      load_clear : in std_logic;  -- 1: a set-up position begins
      load_valid : in std_logic;  -- 1: a piece of it
      load_square : in std_logic_vector(5 downto 0);  -- square, 0 a1 .. 63 h8
      load_piece : in std_logic_vector(3 downto 0);  -- the piece, 0 nobody
      load_full : out std_logic  -- 1: there is no number left for load_piece
    );
  end component ply11_pieces;

  -- ply11_player: plays a stream of games: it takes bytes, and gives plies, results, errors and the position.
  component ply11_player is
    generic (
      MODES : integer := 3;  -- Bit 0: words, bit 1: Brenner, bit 2: jose, bit 3: ChessBase.
      WIDTH : integer := 8;  -- Bits of the input: 8, or 32 or 64 with words alone; byte 0 is in the low bits.
      LAYOUT : integer := 0;  -- Brenner's layout: 0 main, 1 alt, 2 alt-swapped, 3 alt-fixed.
      DIALECT : integer := 0;  -- jose's dialect: 0 document, 1 program.
      DEPTH : integer := 0;  -- Variations inside each other that are played, 0..31.
      LEGAL : integer := 0;  -- 1: moves are judged by all the rules (ply11_referee).
      MATE : integer := 0  -- 1: beats tell check, mate and stalemate, by ply11_moves; with LEGAL 1 alone.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      mode : in std_logic_vector(1 downto 0);  -- 0 words, 1 Brenner, 2 jose, 3 ChessBase; it changes only while rst is 1
      numbering : in std_logic;  -- of ChessBase's moves, at a game's first byte: 0 document, 1 CBASCII
      s_valid : in std_logic;  -- 1: an input is offered
      s_ready : out std_logic;  -- 1: the input is taken in this clock if s_valid is 1
      s_data : in std_logic_vector(WIDTH-1 downto 0);  -- bytes; the first is in the low bits
      load_valid : in std_logic;  -- 1: a word of a start position is offered
      load_ready : out std_logic;  -- 1: the word is taken in this clock if load_valid is 1
      load_addr : in std_logic_vector(3 downto 0);  -- in the order 7, 6 .. 0, 8: 0..7 rank 1..8, 8 the state
      load_data : in std_logic_vector(31 downto 0);  -- as load_data of ply11_board
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_kind : out std_logic_vector(1 downto 0);  -- 0 PLY, 2 END, 3 ERROR
      m_index : out std_logic_vector(10 downto 0);  -- of PLY the index; of ERROR the word, where there is one
      m_from : out std_logic_vector(5 downto 0);  -- of PLY: square, 0 a1 .. 63 h8
      m_to : out std_logic_vector(5 downto 0);  -- of PLY: square, 0 a1 .. 63 h8
      m_promotion : out std_logic_vector(2 downto 0);  -- of PLY: 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
      m_piece : out std_logic_vector(3 downto 0);  -- of PLY: the piece as it stood on m_from
      m_captured : out std_logic_vector(3 downto 0);  -- of PLY: what it took, or 0
      m_result : out std_logic_vector(1 downto 0);  -- of END: 0 0-1, 1 1/2-1/2, 2 1-0, 3 *
      m_error : out std_logic_vector(3 downto 0);  -- of ERROR: the code
      m_reason : out std_logic_vector(3 downto 0);  -- of ERROR 7 with LEGAL 1: why the move is not legal, 1..8; else 0
      m_offset : out std_logic_vector(31 downto 0);  -- number of the byte, from 0 since rst, in which the move begins
      m_depth : out std_logic_vector(4 downto 0);  -- variations that the ply is inside, 0 the main line
      m_check : out std_logic;  -- with MATE 1: the side to move is in check; else 0
      m_mate : out std_logic;  -- with MATE 1: it is mate; else 0
      m_stalemate : out std_logic;  -- with MATE 1: it is stalemate; else 0
      board : out std_logic_vector(255 downto 0);  -- piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
      side : out std_logic;  -- side to move: 0 White, 1 Black
      rights : out std_logic_vector(3 downto 0);  -- castling rights {q, k, Q, K}
      ep : out std_logic_vector(3 downto 0);  -- en passant: 0 none, 1..8 the file of the pawn that stepped twice
      ply : out std_logic_vector(15 downto 0);  -- plies played, modulo 65,536
      text_valid : out std_logic;  -- 1: a byte of a text, in the clock in which it is taken
      text_data : out std_logic_vector(7 downto 0);  -- the byte
      text_last : out std_logic;  -- 1: the text ends here
      text_kind : out std_logic_vector(2 downto 0);  -- 0 a comment, 1..4 a record of jose
      in_game : out std_logic  -- 1: from the first byte of a game to its end
    );
  end component ply11_player;

  -- ply11_player_axis: ply11_player with AXI4-Stream: it takes packets of bytes, and gives plies, results, errors, texts and the position.
  component ply11_player_axis is
    generic (
      MODES : integer := 3;  -- Bit 0: words, bit 1: Brenner, bit 2: jose, bit 3: ChessBase.
      WIDTH : integer := 8;  -- Bits of s_axis_tdata: 8, or 32 or 64 with words alone.
      LAYOUT : integer := 0;  -- Brenner's layout: 0 main, 1 alt, 2 alt-swapped, 3 alt-fixed.
      DIALECT : integer := 0;  -- jose's dialect: 0 document, 1 program.
      DEPTH : integer := 0  -- Variations of words, jose and ChessBase, inside each other, that are played, 0..31.
    );
    port (
      aclk : in std_logic;  -- the clock; all ports belong to its rising edge
      aresetn : in std_logic;  -- synchronous reset, active low
      reset : in std_logic;  -- 1: the player is in reset, and the rest of a packet is dropped
      restart : in std_logic;  -- 1: the next beat begins a packet
      mode : in std_logic_vector(1 downto 0);  -- mode of the next packet: 0 words, 1 Brenner, 2 jose, 3 ChessBase
      numbering : in std_logic;  -- of ChessBase's moves in the next packet: 0 document, 1 CBASCII
      s_axis_tvalid : in std_logic;  -- 1: a beat of bytes is offered
      s_axis_tready : out std_logic;  -- 1: the beat is taken in this clock if s_axis_tvalid is 1
      s_axis_tdata : in std_logic_vector(WIDTH-1 downto 0);  -- bytes; the first is in the low bits
      s_axis_tkeep : in std_logic_vector(WIDTH/8-1 downto 0);  -- bit i: byte i is there
      s_axis_tlast : in std_logic;  -- 1: the packet, a stream of games, ends
      load_valid : in std_logic;  -- 1: a word of a start position is offered
      load_ready : out std_logic;  -- 1: the word is taken in this clock if load_valid is 1
      load_addr : in std_logic_vector(3 downto 0);  -- in the order 7, 6 .. 0, 8: 0..7 rank 1..8, 8 the state
      load_data : in std_logic_vector(31 downto 0);  -- as load_data of ply11_board
      m_axis_tvalid : out std_logic;  -- 1: a record is offered; it stays, unchanged, until m_axis_tready is 1
      m_axis_tready : in std_logic;  -- 1: the record is taken in this clock if m_axis_tvalid is 1
      m_axis_tdata : out std_logic_vector(127 downto 0);  -- the record; byte 0 is in the low bits
      m_axis_tlast : out std_logic;  -- 1: the packet, a game, ends
      m_axis_text_tvalid : out std_logic;  -- 1: a byte of a text is offered; it stays until m_axis_text_tready is 1
      m_axis_text_tready : in std_logic;  -- 1: the byte is taken in this clock if m_axis_text_tvalid is 1
      m_axis_text_tdata : out std_logic_vector(7 downto 0);  -- the byte
      m_axis_text_tlast : out std_logic;  -- 1: the text ends
      m_axis_text_tuser : out std_logic_vector(34 downto 0);  -- {text_kind of ply11_player, number of the byte in the packet}
      board : out std_logic_vector(255 downto 0);  -- piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
      side : out std_logic;  -- side to move: 0 White, 1 Black
      rights : out std_logic_vector(3 downto 0);  -- castling rights {q, k, Q, K}
      ep : out std_logic_vector(3 downto 0);  -- en passant: 0 none, 1..8 the file of the pawn that stepped twice
      ply : out std_logic_vector(15 downto 0);  -- plies played, modulo 65,536
      in_game : out std_logic  -- 1: from the first byte of a game to its end
    );
  end component ply11_player_axis;

  -- ply11_referee: a board that knows all rules: ply11_board with ply11_legal behind it. It has the ports of ply11_board, and m_reason.
  component ply11_referee is
    generic (
      USER_WIDTH : integer := 1  -- Bits of the tag that travels with an operation, 1 or more.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: an operation is offered
      s_ready : out std_logic;  -- 1: the operation is taken in this clock if s_valid is 1
      s_op : in std_logic_vector(1 downto 0);  -- 0 MOVE, 1 NEW, 2 PASS, 3 as PASS
      s_index : in std_logic_vector(10 downto 0);  -- of MOVE: the index of a move, or 1972, the null move
      s_user : in std_logic_vector(USER_WIDTH-1 downto 0);  -- tag: comes out with the beat of this operation
      load_valid : in std_logic;  -- 1: a word of a position is offered
      load_ready : out std_logic;  -- 1: the word is taken in this clock if load_valid is 1
      load_addr : in std_logic_vector(3 downto 0);  -- 0..7 rank 1..8, 8 the state
      load_data : in std_logic_vector(31 downto 0);  -- rank: the piece on file f at 4*f +: 4; state: {ply, ep, rights, side}
      settled : out std_logic;  -- 1: the outputs show what was loaded last
      next_valid : out std_logic;  -- 1: an operation is in the stage before the outputs
      next_op : out std_logic_vector(1 downto 0);  -- with next_valid: which
      hush : in std_logic;  -- 1: it gives no beat
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_op : out std_logic_vector(1 downto 0);  -- s_op of the operation
      m_user : out std_logic_vector(USER_WIDTH-1 downto 0);  -- its s_user
      m_error : out std_logic_vector(2 downto 0);  -- 0 none, 1..6 as ply11_board, 7 not legal, or after a move that was refused
      m_reason : out std_logic_vector(3 downto 0);  -- why it is not legal, 1..8; else 0
      m_from : out std_logic_vector(5 downto 0);  -- of a move: square, 0 a1 .. 63 h8
      m_to : out std_logic_vector(5 downto 0);  -- of a move: square, 0 a1 .. 63 h8
      m_promotion : out std_logic_vector(2 downto 0);  -- of a move: 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
      m_piece : out std_logic_vector(3 downto 0);  -- of an applied move: the piece as it stood on m_from
      m_captured : out std_logic_vector(3 downto 0);  -- of an applied move: what it took, or 0
      board : out std_logic_vector(255 downto 0);  -- piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
      side : out std_logic;  -- side to move: 0 White, 1 Black
      rights : out std_logic_vector(3 downto 0);  -- castling rights {q, k, Q, K}
      ep : out std_logic_vector(3 downto 0);  -- en passant: 0 none, 1..8 the file of the pawn that stepped twice
      ply : out std_logic_vector(15 downto 0)  -- plies that were applied, modulo 65,536
    );
  end component ply11_referee;

  -- ply11_regs: AXI4-Lite registers beside ply11_player_axis, ply11_perft and ply11_match: control, counters, errors, the position.
  component ply11_regs is
    generic (
      MODES : integer := 3;  -- What STATUS tells of the player.
      WIDTH : integer := 8;
      LAYOUT : integer := 0;
      DIALECT : integer := 0;
      DEPTH : integer := 0;
      PERFT : integer := 0;  -- DEPTH of ply11_perft, 2..10, or 0: there is none, and none of its registers.
      MATCH : integer := 0  -- 1: there is ply11_match.
    );
    port (
      aclk : in std_logic;  -- the clock; all ports belong to its rising edge
      aresetn : in std_logic;  -- synchronous reset, active low
      s_axil_awaddr : in std_logic_vector(7 downto 0);  -- byte address of a write
      s_axil_awvalid : in std_logic;  -- 1: the address is offered
      s_axil_awready : out std_logic;  -- 1: it is taken if s_axil_awvalid is 1
      s_axil_wdata : in std_logic_vector(31 downto 0);  -- value of a write
      s_axil_wstrb : in std_logic_vector(3 downto 0);  -- bit i: byte i is written
      s_axil_wvalid : in std_logic;  -- 1: the value is offered
      s_axil_wready : out std_logic;  -- 1: it is taken if s_axil_wvalid is 1
      s_axil_bresp : out std_logic_vector(1 downto 0);  -- 0 OKAY, 2 SLVERR
      s_axil_bvalid : out std_logic;  -- 1: a response to a write; it stays until s_axil_bready is 1
      s_axil_bready : in std_logic;  -- 1: it is taken
      s_axil_araddr : in std_logic_vector(7 downto 0);  -- byte address of a read
      s_axil_arvalid : in std_logic;  -- 1: the address is offered
      s_axil_arready : out std_logic;  -- 1: it is taken if s_axil_arvalid is 1
      s_axil_rdata : out std_logic_vector(31 downto 0);  -- value of the register
      s_axil_rresp : out std_logic_vector(1 downto 0);  -- 0 OKAY, 2 SLVERR
      s_axil_rvalid : out std_logic;  -- 1: a response to a read; it stays until s_axil_rready is 1
      s_axil_rready : in std_logic;  -- 1: it is taken
      irq : out std_logic;  -- 1: an event of INTERRUPT that ENABLE has
      player_reset : out std_logic;  -- to reset of ply11_player_axis
      player_restart : out std_logic;  -- to restart of ply11_player_axis
      mode : out std_logic_vector(1 downto 0);  -- mode of the next packet: 0 words, 1 Brenner, 2 jose, 3 ChessBase
      numbering : out std_logic;  -- of ChessBase's moves in the next packet: 0 document, 1 CBASCII
      load_valid : out std_logic;  -- 1: a word of START is offered
      load_ready : in std_logic;  -- 1: the word is taken in this clock if load_valid is 1
      load_addr : out std_logic_vector(3 downto 0);  -- 0..7 rank 1..8, 8 the state
      load_data : out std_logic_vector(31 downto 0);  -- as load_data of ply11_board
      beat_tvalid : in std_logic;  -- m_axis_tvalid
      beat_tready : in std_logic;  -- m_axis_tready
      beat_tdata : in std_logic_vector(127 downto 0);  -- m_axis_tdata
      board : in std_logic_vector(255 downto 0);  -- piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
      in_game : in std_logic;  -- 1: from the first byte of a game to its end
      perft_reset : out std_logic;  -- to its rst
      perft_valid : out std_logic;  -- 1: an order is offered
      perft_depth : out std_logic_vector(3 downto 0);  -- plies to count
      perft_load_valid : out std_logic;  -- 1: a word of START is offered to it
      count_ready : out std_logic;  -- 1: its count was read
      perft_ready : in std_logic;  -- 1: it takes an order
      perft_load_ready : in std_logic;  -- 1: it takes the word
      count_valid : in std_logic;  -- 1: a count is offered
      count_depth : in std_logic_vector(3 downto 0);  -- of how many plies
      count : in std_logic_vector(63 downto 0);  -- the count
      count_last : in std_logic;  -- 1: the deepest
      set_valid : out std_logic;  -- 1: a word of the pattern is written
      set_addr : out std_logic_vector(4 downto 0);  -- to its set_addr
      set_data : out std_logic_vector(31 downto 0);  -- to its set_data
      match_clear : out std_logic;  -- to its clear
      hit : in std_logic;  -- its hit
      hits : in std_logic_vector(31 downto 0)  -- its hits
    );
  end component ply11_regs;

  -- ply11_rom:  promotion is 0 none, 4 knight, 5 bishop, 6 rook, 7 queen; control codes (1968..2047) hold 0. Latency: 1 clock. Throughput: one a clock; word holds while en is low. No reset and no initial value: either would keep the output register out of the block RAM.
  component ply11_rom is
    generic (
      INIT_FILE : string := ""  -- Image for $readmemh, 2,048 words of 16 bits. Empty: the built-in table, so that a file that was not found cannot go unnoticed as a ROM of zeros.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      en : in std_logic;  -- 1: word is read at the end of this clock; 0: it stays
      index : in std_logic_vector(10 downto 0);  -- 0..2047
      word : out std_logic_vector(15 downto 0)  -- {is_move, promotion[2:0], to[5:0], from[5:0]}, a clock later
    );
  end component ply11_rom;

  -- ply11_rom_case:  Control codes hold 0. Latency: combinational. Throughput: one a clock behind a register.
  component ply11_rom_case is
    port (
      index : in std_logic_vector(10 downto 0);
      word : out std_logic_vector(15 downto 0)
    );
  end component ply11_rom_case;

  -- ply11_skid: cuts all paths of a stream: no path leads from its inputs to its outputs, forward or backward.
  component ply11_skid is
    generic (
      WIDTH : integer := 8  -- Bits of a word.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: a word is offered
      s_ready : out std_logic;  -- 1: the word is taken in this clock if s_valid is 1
      s_data : in std_logic_vector(WIDTH-1 downto 0);  -- the word
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_data : out std_logic_vector(WIDTH-1 downto 0)  -- the word
    );
  end component ply11_skid;

  -- ply11_stack: variations for ply11_board: keeps positions in a small memory and puts them back.
  component ply11_stack is
    generic (
      DEPTH : integer := 8  -- Positions that can be kept, 1..31.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      \open\ : in std_logic;  -- 1: keep the position, load the one before its last ply; until done
      close : in std_logic;  -- 1: load the position kept last; until done
      done : out std_logic;  -- 1 for a clock: it is on the board
      \depth\ : out std_logic_vector(4 downto 0);  -- positions kept, 0..DEPTH
      idle : in std_logic;  -- 1: no operation is in the board's pipeline, and no beat waits
      step : in std_logic;  -- 1: the board's outputs may change at the end of this clock
      ply_valid : in std_logic;  -- 1: the beat that leaves in this clock is a ply that was applied
      end_valid : in std_logic;  -- 1: it is the end of a game
      from : in std_logic_vector(5 downto 0);  -- m_from of the board
      \to\ : in std_logic_vector(5 downto 0);  -- m_to of the board
      piece : in std_logic_vector(3 downto 0);  -- m_piece of the board
      captured : in std_logic_vector(3 downto 0);  -- m_captured of the board
      board : in std_logic_vector(255 downto 0);  -- piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
      side : in std_logic;  -- side to move: 0 White, 1 Black
      rights : in std_logic_vector(3 downto 0);  -- castling rights {q, k, Q, K}
      ep : in std_logic_vector(3 downto 0);  -- en passant: 0 none, 1..8 the file of the pawn that stepped twice
      ply : in std_logic_vector(15 downto 0);  -- plies played, modulo 65,536
      load_valid : out std_logic;  -- 1: a word for the board's load port
      load_addr : out std_logic_vector(3 downto 0);  -- 0..7 rank 1..8, 8 the state
      load_data : out std_logic_vector(31 downto 0)  -- as load_data of ply11_board
    );
  end component ply11_stack;

  -- ply11_star: finds the squares that a piece reaches along the four lines through its square, the centre.
  component ply11_star is
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      enemy : in std_logic_vector(63 downto 0);  -- bit 8*row + file: an enemy's piece
      straight : in std_logic_vector(63 downto 0);  -- the same: one's own piece, or an enemy's rook or queen
      oblique : in std_logic_vector(63 downto 0);  -- the same: one's own piece, or an enemy's bishop or queen
      king_row : in std_logic_vector(2 downto 0);  -- row of the king that king tells of
      king_file : in std_logic_vector(2 downto 0);  -- his file
      row : in std_logic_vector(2 downto 0);  -- row of the centre
      \file\ : in std_logic_vector(2 downto 0);  -- file of the centre
      forward : in std_logic;  -- 1: rays with rising file, on axis 2 row
      backward : in std_logic;  -- 1: rays with falling file, on axis 2 row
      leap : in std_logic_vector(1 downto 0);  -- a knight's lines: 0 none, 1 row above, 2 row below
      two : in std_logic;  -- 1: rays begin two squares away
      pawn : in std_logic;  -- 1: the rays are those of a pawn
      reach : out std_logic_vector(31 downto 0);  -- bit 8*axis + square: reached; 3 clocks later
      touch : out std_logic_vector(31 downto 0);  -- bit 8*axis + square: first of a ray; with reach
      slider : out std_logic_vector(3 downto 0);  -- bit axis: a ray ends at an enemy who slides along it; with reach
      king : out std_logic_vector(3 downto 0)  -- bit axis: a ray ends at the king; with reach
    );
  end component ply11_star;

  -- ply11_top: the player behind a serial line: the top of a board. hdl/syn/boards.tsv has the boards.
  component ply11_top is
    generic (
      MODES : integer := 7;  -- Modes of the player: bit 0 "w", bit 1 "b", bit 2 "j".
      PERFT : integer := 0;  -- 1: perft. An HX8K has room for it beside words (MODES 1).
      CLOCKS : integer := 104;  -- Clocks of a bit: the clock's frequency over the baud rate, as 12 MHz / 115,200.
      LIMIT : integer := 495;  -- Bytes in the buffer above which cts_n asks the sender to stop, 0..511.
      LEDS : integer := 8;  -- LEDs of the board, 1..8.
      LOW : integer := 0  -- 1: an LED is on while its pin is 0.
    );
    port (
      clk : in std_logic;  -- the board's clock
      rx : in std_logic;  -- serial line in, idle 1
      tx : out std_logic;  -- serial line out, idle 1
      cts_n : out std_logic;  -- 0: the sender may send
      led : out std_logic_vector(LEDS-1 downto 0)  -- see above
    );
  end component ply11_top;

  -- ply11_uart: asynchronous serial, eight data bits, no parity, one stop bit.
  component ply11_uart is
    generic (
      CLOCKS : integer := 104  -- Clocks of a bit, 4..65535: the clock's frequency over the baud rate.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      rx : in std_logic;  -- serial line in, idle 1; any clock
      tx : out std_logic;  -- serial line out, idle 1
      m_valid : out std_logic;  -- 1 for one clock: a byte was received
      m_data : out std_logic_vector(7 downto 0);  -- the byte, with m_valid
      broken : out std_logic;  -- 1 for one clock: the stop bit was 0
      s_valid : in std_logic;  -- 1: a byte is offered
      s_ready : out std_logic;  -- 1: the byte is taken in this clock if s_valid is 1
      s_data : in std_logic_vector(7 downto 0)  -- the byte
    );
  end component ply11_uart;

  -- ply11_unpack: unpacks bytes into eleven-bit words, low bits first (docs/WORDS.md, words in bytes).
  component ply11_unpack is
    generic (
      WIDTH : integer := 8  -- Bits of an input word: 8, 32 or 64.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      skip_idle : in std_logic;  -- 1: words 2047 are left out
      s_valid : in std_logic;  -- 1: an input is offered
      s_ready : out std_logic;  -- 1: the input is taken in this clock if s_valid is 1
      s_data : in std_logic_vector(WIDTH-1 downto 0);  -- bytes of the packed words; the first is in the low bits
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_data : out std_logic_vector(10 downto 0)  -- a word of eleven bits
    );
  end component ply11_unpack;

  -- ply11_words: reads the word stream of docs/WORDS.md and gives operations for ply11_board.
  component ply11_words is
    generic (
      DEPTH : integer := 0  -- Variations inside each other that are played, 0..31.
    );
    port (
      clk : in std_logic;  -- the clock; all ports belong to its rising edge
      rst : in std_logic;  -- synchronous reset, active high
      s_valid : in std_logic;  -- 1: a word is offered
      s_ready : out std_logic;  -- 1: the word is taken in this clock if s_valid is 1
      s_data : in std_logic_vector(10 downto 0);  -- the word: a move or a control code
      m_valid : out std_logic;  -- 1: a beat is offered; it stays, unchanged, until m_ready is 1
      m_ready : in std_logic;  -- 1: the beat is taken in this clock if m_valid is 1
      m_kind : out std_logic_vector(1 downto 0);  -- 0 PLY, 1 NEW, 2 END, 3 ERROR
      m_code : out std_logic_vector(3 downto 0);  -- of END the result, 0 0-1, 1 1/2-1/2, 2 1-0, 3 *; of ERROR the code
      m_index : out std_logic_vector(10 downto 0);  -- of PLY: the index of the move, or 1972
      m_offset : out std_logic_vector(31 downto 0);  -- number of the byte, from 0, in the stream
      in_game : out std_logic;  -- 1: from the first word of a game to its result
      \open\ : out std_logic;  -- 1: asks for the position before the last ply; until done
      close : out std_logic;  -- 1: asks for the position kept last; until done
      done : in std_logic;  -- 1: it is on the board
      load_valid : out std_logic;  -- 1: a word of a start position is offered
      load_ready : in std_logic;  -- 1: the board takes it in this clock
      load_addr : out std_logic_vector(3 downto 0);  -- 0..7 rank 1..8, 8 the state
      load_data : out std_logic_vector(31 downto 0)  -- as load_data of ply11_board
    );
  end component ply11_words;

end package ply11_components;
