// Made from clients/c/ply11.h by go generate ./clients.

use super::{Branch, Counts, Position};
use core::ffi::{c_char, c_int, c_uint, c_void};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Event {
    pub kind: c_int,
    pub code: u16,
    pub nag: u8,
    pub more: u8,
    pub told: u8,
    pub depth: u32,
    pub ply: usize,
    pub text: *const c_char,
    pub size: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Level {
    pub at: Position,
    pub before: Position,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Reader {
    pub position: Position,
    pub before: Position,
    pub games: usize,
    pub word: usize,
    pub ply: usize,
    pub bytes: *const u8,
    pub words: *const u16,
    pub size: usize,
    pub next: usize,
    pub levels: *mut Level,
    pub text: *mut c_char,
    pub cap: usize,
    pub piece: usize,
    pub max_depth: u32,
    pub depth: u32,
    pub acc: u32,
    pub have: u32,
    pub utf8: u32,
    pub state: u8,
    pub full: u8,
    pub moved: u8,
    pub told: u8,
    pub failed: c_int,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Source {
    pub user: *mut c_void,
    pub size: u64,
    pub read: unsafe extern "C" fn(user: *mut c_void, offset: u64, bytes: *mut u8, size: usize) -> c_int,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Memory {
    pub user: *mut c_void,
    pub allocate: unsafe extern "C" fn(user: *mut c_void, size: usize) -> *mut c_void,
    pub release: unsafe extern "C" fn(user: *mut c_void, bytes: *mut c_void),
    pub limit: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Fault {
    pub what: *const c_char,
    pub offset: u64,
    pub game: u64,
    pub block: u32,
    pub column: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Block {
    pub first: u64,
    pub number: u32,
    pub games: u32,
    pub plies: u32,
    pub offsets: *const u32,
    pub moves: *const u16,
    pub results: *const u16,
    pub flags: *const u8,
    pub clocks: *const i32,
    pub evals: *const i16,
    pub start_evals: *const i16,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Tag {
    pub name: *const c_char,
    pub value: *const c_char,
    pub name_size: usize,
    pub value_size: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WindowGame {
    pub number: u64,
    pub begin: u32,
    pub results: [i8; 2],
    pub black: u8,
    pub usual: u8,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Window {
    pub games: u32,
    pub plies: u32,
    pub rows: u32,
    pub list: *mut WindowGame,
    pub moves: *mut u16,
    pub of: *mut u32,
    pub order: *mut u32,
    pub positions: *mut Position,
    pub repeated: *mut u8,
    pub evals: *mut i16,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Rows {
    pub vocabulary: c_int,
    pub turns: c_int,
    pub bytes: c_int,
    pub moves: *mut u16,
    pub results: *mut i8,
    pub games: *mut i64,
    pub plies: *mut i32,
    pub evals: *mut i16,
    pub positions: *mut Position,
    pub planes: *mut u8,
    pub labels: *mut i32,
    pub legal: *mut u8,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Tree {
    pub all: Counts,
    pub count: u32,
    pub branches: *const Branch,
}

extern "C" {
    pub fn ply11_word(code: c_uint) -> u16;
    pub fn ply11_code(from: c_uint, to: c_uint, promotion: c_uint) -> u16;
    pub fn ply11_mirror_ranks(code: c_uint) -> u16;
    pub fn ply11_mirror_files(code: c_uint) -> u16;
    pub fn ply11_code_class(code: c_uint) -> c_int;
    pub fn ply11_control_name(code: c_uint) -> *const c_char;
    pub fn ply11_piece_moves(piece: c_uint, code: c_uint) -> c_int;
    pub fn ply11_packed_size(n: usize) -> usize;
    pub fn ply11_pack(words: *const u16, n: usize, bytes: *mut u8);
    pub fn ply11_unpack(bytes: *const u8, size: usize, first: usize, words: *mut u16, n: usize) -> usize;
    pub fn ply11_status_text(status: c_int) -> *const c_char;
    pub fn ply11_start(p: *mut Position);
    pub fn ply11_from_fen(p: *mut Position, text: *const c_char, size: usize, at: *mut usize) -> c_int;
    pub fn ply11_to_fen(p: *const Position, out: *mut c_char) -> usize;
    pub fn ply11_piece_on(p: *const Position, square: c_uint) -> c_uint;
    pub fn ply11_legal(p: *const Position, codes: *mut u16, cap: usize) -> usize;
    pub fn ply11_count_legal(p: *const Position) -> usize;
    pub fn ply11_is_legal(p: *const Position, code: c_uint) -> c_int;
    pub fn ply11_legal_masks(p: *const Position, n: usize, masks: *mut u8);
    pub fn ply11_in_check(p: *const Position) -> c_int;
    pub fn ply11_outcome(p: *const Position) -> c_int;
    pub fn ply11_make(p: *mut Position, code: c_uint);
    pub fn ply11_replay(p: *mut Position, codes: *const u16, n: usize, line: *mut Position);
    pub fn ply11_verify(p: *mut Position, codes: *const u16, n: usize, line: *mut Position, made: *mut usize) -> c_int;
    pub fn ply11_to_san(p: *const Position, code: c_uint, out: *mut c_char) -> usize;
    pub fn ply11_from_san(p: *const Position, text: *const c_char, size: usize, code: *mut u16) -> c_int;
    pub fn ply11_to_uci(code: c_uint, out: *mut c_char) -> usize;
    pub fn ply11_from_uci(p: *const Position, text: *const c_char, size: usize, code: *mut u16) -> c_int;
    pub fn ply11_start_words(p: *const Position, words: *mut u16) -> usize;
    pub fn ply11_from_start_words(p: *mut Position, words: *const u16, n: usize, at: *mut usize) -> c_int;
    pub fn ply11_text_words(text: *const c_char, size: usize, words: *mut u16, cap: usize) -> usize;
    pub fn ply11_reader_bytes(r: *mut Reader, bytes: *const u8, size: usize, levels: *mut Level, max_depth: u32, text: *mut c_char, cap: usize);
    pub fn ply11_reader_words(r: *mut Reader, words: *const u16, n: usize, levels: *mut Level, max_depth: u32, text: *mut c_char, cap: usize);
    pub fn ply11_read(r: *mut Reader, e: *mut Event) -> c_int;
    pub fn ply11_skip(r: *mut Reader);
    pub fn ply11_vocabulary_name(v: c_int) -> *const c_char;
    pub fn ply11_vocabulary_size(v: c_int) -> usize;
    pub fn ply11_vocabulary_turns(v: c_int) -> c_int;
    pub fn ply11_label(v: c_int, piece: c_uint, code: c_uint) -> i32;
    pub fn ply11_unlabel(v: c_int, piece: c_uint, label: i32) -> u16;
    pub fn ply11_labels(v: c_int, p: *const Position, codes: *const u16, n: usize, labels: *mut i32);
    pub fn ply11_label_masks(v: c_int, p: *const Position, n: usize, masks: *mut u8);
    pub fn ply11_planes(p: *const Position, n: usize, turns: c_int, planes: *mut u8);
    pub fn ply11_states(p: *const Position, n: usize, turns: c_int, states: *mut u8);
    pub fn ply11_lc0_planes(line: *const Position, first: usize, last: usize, planes: *mut u8);
    pub fn ply11_spread(bits: *const u8, size: usize, bytes: *mut u8);
    pub fn ply11_archive_open(archive: *mut *mut c_void, source: *const Source, memory: *const Memory, fault: *mut Fault) -> c_int;
    pub fn ply11_archive_close(archive: *mut c_void);
    pub fn ply11_archive_fault(archive: *const c_void) -> *const Fault;
    pub fn ply11_archive_games(archive: *const c_void) -> u64;
    pub fn ply11_archive_plies(archive: *const c_void) -> u64;
    pub fn ply11_archive_blocks(archive: *const c_void) -> u32;
    pub fn ply11_archive_unfinished(archive: *const c_void) -> u64;
    pub fn ply11_archive_find(archive: *mut c_void, game: u64, block: *mut u32) -> c_int;
    pub fn ply11_model_open(model: *mut *mut c_void, file: *const u8, size: usize, memory: *const Memory) -> c_int;
    pub fn ply11_model_close(model: *mut c_void);
    pub fn ply11_archive_use(archive: *mut c_void, model: *const c_void);
    pub fn ply11_archive_verify(archive: *mut c_void) -> c_int;
    pub fn ply11_block_open(archive: *mut c_void, number: u32, parts: c_uint, block: *mut *mut Block) -> c_int;
    pub fn ply11_block_read(block: *mut Block, parts: c_uint) -> c_int;
    pub fn ply11_block_close(block: *mut Block);
    pub fn ply11_block_sizes(archive: *mut c_void, number: u32, games: *mut u32, plies: *mut u32) -> c_int;
    pub fn ply11_block_start(block: *const Block, i: u32, p: *mut Position) -> c_int;
    pub fn ply11_block_tags(block: *const Block, i: u32) -> u32;
    pub fn ply11_block_tag(block: *const Block, i: u32, k: u32) -> Tag;
    pub fn ply11_window_add(window: *mut Window, block: *const Block, verify: c_int, invalid: c_int) -> c_int;
    pub fn ply11_window_rows(window: *const Window, plies: *const u32, n: usize, rows: *const Rows, row: usize);
    pub fn ply11_index_open(index: *mut *mut c_void, archive: *mut c_void, source: *const Source) -> c_int;
    pub fn ply11_index_close(index: *mut c_void);
    pub fn ply11_tree_open(index: *mut *mut c_void, source: *const Source, memory: *const Memory, fault: *mut Fault) -> c_int;
    pub fn ply11_index_fault(index: *const c_void) -> *const Fault;
    pub fn ply11_index_tree(index: *mut c_void, p: *const Position, tree: *mut *const Tree) -> c_int;
}
