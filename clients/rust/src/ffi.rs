// SPDX-License-Identifier: Apache-2.0

//! The core in C, behind functions that are safe. It is the only module with unsafe code: each call gives pointers to objects that live
//! as long as it, with their true sizes. What the functions do is told in clients/c/ply11.h.

use core::ffi::{c_char, c_int, c_uint, CStr};

/// `ply11_position`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub plane: [u64; 4],
    pub castling: u64,
    pub clock: u32,
    pub number: u32,
    pub black: u8,
    pub en_passant: u8,
    pub chess960: u8,
    pub zero: [u8; 5],
}

const _: () = assert!(core::mem::size_of::<Position>() == 56);

mod c {
    use super::*;
    extern "C" {
        pub fn ply11_word(code: c_uint) -> u16;
        pub fn ply11_code(from: c_uint, to: c_uint, promotion: c_uint) -> u16;
        pub fn ply11_mirror_ranks(code: c_uint) -> u16;
        pub fn ply11_mirror_files(code: c_uint) -> u16;
        pub fn ply11_code_class(code: c_uint) -> c_int;
        pub fn ply11_control_name(code: c_uint) -> *const c_char;
        pub fn ply11_status_text(status: c_int) -> *const c_char;
        pub fn ply11_start(p: *mut Position);
        pub fn ply11_from_fen(p: *mut Position, text: *const c_char, size: usize, at: *mut usize) -> c_int;
        pub fn ply11_to_fen(p: *const Position, out: *mut c_char) -> usize;
        pub fn ply11_man_on(p: *const Position, square: c_uint) -> c_uint;
        pub fn ply11_legal(p: *const Position, codes: *mut u16, cap: usize) -> usize;
        pub fn ply11_is_legal(p: *const Position, code: c_uint) -> c_int;
        pub fn ply11_legal_masks(p: *const Position, n: usize, masks: *mut u8);
        pub fn ply11_outcome(p: *const Position) -> c_int;
        pub fn ply11_make(p: *mut Position, code: c_uint);
        pub fn ply11_to_san(p: *const Position, code: c_uint, out: *mut c_char) -> usize;
        pub fn ply11_from_san(p: *const Position, text: *const c_char, size: usize, code: *mut u16) -> c_int;
        pub fn ply11_to_uci(code: c_uint, out: *mut c_char) -> usize;
        pub fn ply11_from_uci(p: *const Position, text: *const c_char, size: usize, code: *mut u16) -> c_int;
        pub fn ply11_labels(v: c_int, p: *const Position, codes: *const u16, n: usize, labels: *mut i32);
        pub fn ply11_planes(p: *const Position, n: usize, turns: c_int, planes: *mut u8);
    }
}

/// static_text reads a text that the core has for ever.
fn static_text(p: *const c_char) -> Option<&'static str> {
    if p.is_null() {
        return None;
    }
    unsafe { CStr::from_ptr(p) }.to_str().ok()
}

pub fn word(code: u16) -> u16 {
    unsafe { c::ply11_word(code.into()) }
}

pub fn code(from: u8, to: u8, promotion: u8) -> u16 {
    unsafe { c::ply11_code(from.into(), to.into(), promotion.into()) }
}

pub fn mirror_ranks(code: u16) -> u16 {
    unsafe { c::ply11_mirror_ranks(code.into()) }
}

pub fn mirror_files(code: u16) -> u16 {
    unsafe { c::ply11_mirror_files(code.into()) }
}

pub fn code_class(code: u16) -> i32 {
    unsafe { c::ply11_code_class(code.into()) }
}

pub fn control_name(code: u16) -> Option<&'static str> {
    static_text(unsafe { c::ply11_control_name(code.into()) })
}

pub fn status_text(status: i32) -> &'static str {
    static_text(unsafe { c::ply11_status_text(status) }).unwrap_or("")
}

pub fn start() -> Position {
    let mut p = Position { plane: [0; 4], castling: 0, clock: 0, number: 0, black: 0, en_passant: 0, chess960: 0, zero: [0; 5] };
    unsafe { c::ply11_start(&mut p) };
    p
}

pub fn from_fen(text: &str) -> Result<Position, (i32, usize)> {
    let (mut p, mut at) = (start(), 0);
    match unsafe { c::ply11_from_fen(&mut p, text.as_ptr().cast(), text.len(), &mut at) } {
        0 => Ok(p),
        status => Err((status, at)),
    }
}

pub fn to_fen(p: &Position, out: &mut [u8; 128]) -> usize {
    unsafe { c::ply11_to_fen(p, out.as_mut_ptr().cast()) }
}

pub fn man_on(p: &Position, square: u8) -> u32 {
    unsafe { c::ply11_man_on(p, square.into()) }
}

pub fn legal(p: &Position, codes: &mut [u16]) -> usize {
    unsafe { c::ply11_legal(p, codes.as_mut_ptr(), codes.len()) }
}

pub fn is_legal(p: &Position, code: u16) -> bool {
    unsafe { c::ply11_is_legal(p, code.into()) != 0 }
}

pub fn legal_mask(p: &Position, mask: &mut [u8; 246]) {
    unsafe { c::ply11_legal_masks(p, 1, mask.as_mut_ptr()) }
}

pub fn outcome(p: &Position) -> i32 {
    unsafe { c::ply11_outcome(p) }
}

pub fn make(p: &mut Position, code: u16) {
    unsafe { c::ply11_make(p, code.into()) }
}

pub fn to_san(p: &Position, code: u16, out: &mut [u8; 12]) -> usize {
    unsafe { c::ply11_to_san(p, code.into(), out.as_mut_ptr().cast()) }
}

pub fn from_san(p: &Position, text: &str) -> Result<u16, i32> {
    let mut code = 0;
    match unsafe { c::ply11_from_san(p, text.as_ptr().cast(), text.len(), &mut code) } {
        0 => Ok(code),
        status => Err(status),
    }
}

pub fn to_uci(code: u16, out: &mut [u8; 8]) -> usize {
    unsafe { c::ply11_to_uci(code.into(), out.as_mut_ptr().cast()) }
}

pub fn from_uci(p: Option<&Position>, text: &str) -> Result<u16, i32> {
    let mut code = 0;
    let p = p.map_or(core::ptr::null(), |p| p as *const Position);
    match unsafe { c::ply11_from_uci(p, text.as_ptr().cast(), text.len(), &mut code) } {
        0 => Ok(code),
        status => Err(status),
    }
}

pub fn label(v: i32, p: &Position, code: u16) -> i32 {
    let mut label = -1;
    unsafe { c::ply11_labels(v, p, &code, 1, &mut label) };
    label
}

pub fn planes(p: &Position, turns: bool, out: &mut [u8; 96]) {
    unsafe { c::ply11_planes(p, 1, turns.into(), out.as_mut_ptr()) }
}
