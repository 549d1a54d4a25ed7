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
        pub fn ply11_piece_on(p: *const Position, square: c_uint) -> c_uint;
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

pub fn piece_on(p: &Position, square: u8) -> u32 {
    unsafe { c::ply11_piece_on(p, square.into()) }
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

#[cfg(feature = "archive")]
pub use archives::*;

/// Archives and their indexes. What the core gives stays in its memory; the types here keep what it needs, and give it back.
#[cfg(feature = "archive")]
mod archives {
    use super::*;
    use crate::ReadAt;
    use alloc::{alloc as heap, boxed::Box, rc::Rc};
    use core::{
        cell::{Cell, OnceCell},
        ffi::c_void,
        mem::MaybeUninit,
        ops::Deref,
        ptr, slice,
    };

    #[repr(C)]
    struct Source {
        user: *mut c_void,
        size: u64,
        read: unsafe extern "C" fn(*mut c_void, u64, *mut u8, usize) -> c_int,
    }

    #[repr(C)]
    struct Memory {
        user: *mut c_void,
        allocate: unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void,
        release: unsafe extern "C" fn(*mut c_void, *mut c_void),
        limit: usize,
    }

    /// `ply11_fault`.
    #[repr(C)]
    struct CFault {
        what: *const c_char,
        offset: u64,
        game: u64,
        block: u32,
        column: u32,
    }

    /// What is wrong: a status of the core, and what `ply11_fault` tells.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Fault {
        pub status: i32,
        pub what: &'static str,
        pub offset: u64,
        pub game: u64,
        pub block: u32,
        pub column: u32,
    }

    /// An error of the core, and that of the source, if it could not be read.
    pub type Failure<R> = (Fault, Option<<R as ReadAt>::Error>);

    /// `ply11_block`.
    #[repr(C)]
    struct CBlock {
        first: u64,
        number: u32,
        games: u32,
        plies: u32,
        offsets: *const u32,
        moves: *const u16,
        results: *const u16,
        flags: *const u8,
        clocks: *const i32,
        evals: *const i16,
        start_evals: *const i16,
    }

    #[repr(C)]
    struct CTag {
        name: *const u8,
        value: *const u8,
        name_size: usize,
        value_size: usize,
    }

    /// `ply11_counts`.
    #[repr(C)]
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Counts {
        /// The games.
        pub games: u64,
        /// White won.
        pub white: u64,
        /// Drawn; the rest have no result.
        pub draws: u64,
        /// Black won.
        pub black: u64,
        /// The sum of White's ratings, of `white_rated` games.
        pub white_ratings: u64,
        /// How many games have one.
        pub white_rated: u64,
        /// The sum of Black's ratings, of `black_rated` games.
        pub black_ratings: u64,
        /// How many games have one.
        pub black_rated: u64,
    }

    /// `ply11_branch`.
    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Branch {
        pub code: u16,
        pub counts: Counts,
    }

    #[repr(C)]
    struct CTree {
        all: Counts,
        count: u32,
        branches: *const Branch,
    }

    const UNSUPPORTED: c_int = 18;

    extern "C" {
        fn ply11_archive_open(archive: *mut *mut c_void, source: *const Source, memory: *const Memory, fault: *mut CFault) -> c_int;
        fn ply11_archive_close(archive: *mut c_void);
        fn ply11_archive_fault(archive: *const c_void) -> *const CFault;
        fn ply11_archive_games(archive: *const c_void) -> u64;
        fn ply11_archive_plies(archive: *const c_void) -> u64;
        fn ply11_archive_blocks(archive: *const c_void) -> u32;
        fn ply11_archive_unfinished(archive: *const c_void) -> u64;
        fn ply11_archive_find(archive: *mut c_void, game: u64, block: *mut u32) -> c_int;
        fn ply11_archive_verify(archive: *mut c_void) -> c_int;
        fn ply11_archive_use(archive: *mut c_void, model: *const c_void);
        fn ply11_model_open(model: *mut *mut c_void, file: *const u8, size: usize, memory: *const Memory) -> c_int;
        fn ply11_model_close(model: *mut c_void);
        fn ply11_block_open(archive: *mut c_void, number: u32, parts: c_uint, block: *mut *mut CBlock) -> c_int;
        fn ply11_block_close(block: *mut CBlock);
        fn ply11_block_start(block: *const CBlock, i: u32, p: *mut Position) -> c_int;
        fn ply11_block_tags(block: *const CBlock, i: u32) -> u32;
        fn ply11_block_tag(block: *const CBlock, i: u32, k: u32) -> CTag;
        fn ply11_index_open(index: *mut *mut c_void, archive: *mut c_void, source: *const Source) -> c_int;
        fn ply11_index_close(index: *mut c_void);
        fn ply11_index_tree(index: *mut c_void, p: *const Position, tree: *mut *const CTree) -> c_int;
    }

    const HEAD: usize = 16; // before each piece of memory, for its size

    unsafe extern "C" fn allocate(_: *mut c_void, size: usize) -> *mut c_void {
        let layout = size.checked_add(HEAD).and_then(|n| heap::Layout::from_size_align(n, HEAD).ok());
        let Some(layout) = layout else { return ptr::null_mut() };
        let p = heap::alloc(layout);
        if p.is_null() {
            return ptr::null_mut();
        }
        p.cast::<usize>().write(layout.size());
        p.add(HEAD).cast()
    }

    unsafe extern "C" fn release(_: *mut c_void, bytes: *mut c_void) {
        let p = bytes.cast::<u8>().sub(HEAD);
        heap::dealloc(p, heap::Layout::from_size_align_unchecked(p.cast::<usize>().read(), HEAD));
    }

    fn memory(limit: usize) -> Memory {
        Memory { user: ptr::null_mut(), allocate, release, limit }
    }

    /// A source, and the error of its last read.
    struct Kept<R: ReadAt> {
        source: R,
        failed: Cell<Option<R::Error>>,
    }

    /// Where a source stays. It is no Box: one that is moved says that nothing else points into it, and the core does.
    struct Place<R: ReadAt>(ptr::NonNull<Kept<R>>);

    impl<R: ReadAt> Deref for Place<R> {
        type Target = Kept<R>;
        fn deref(&self) -> &Kept<R> {
            unsafe { self.0.as_ref() }
        }
    }

    impl<R: ReadAt> Drop for Place<R> {
        fn drop(&mut self) {
            drop(unsafe { Box::from_raw(self.0.as_ptr()) })
        }
    }

    unsafe extern "C" fn read<R: ReadAt>(user: *mut c_void, offset: u64, bytes: *mut u8, size: usize) -> c_int {
        let kept = &*user.cast::<Kept<R>>();
        bytes.write_bytes(0, size);
        match kept.source.read_at(offset, slice::from_raw_parts_mut(bytes, size)) {
            Ok(()) => 1,
            Err(e) => {
                kept.failed.set(Some(e));
                0
            }
        }
    }

    /// keep puts a source where it stays, and makes what the core is told of it.
    fn keep<R: ReadAt>(source: R) -> Result<(Place<R>, Source), R::Error> {
        let size = source.size()?;
        let kept = ptr::NonNull::from(Box::leak(Box::new(Kept { source, failed: Cell::new(None) })));
        let told = Source { user: kept.as_ptr().cast(), size, read: read::<R> };
        Ok((Place(kept), told))
    }

    fn fault(status: c_int, f: &CFault) -> Fault {
        Fault { status, what: static_text(f.what).unwrap_or(""), offset: f.offset, game: f.game, block: f.block, column: f.column }
    }

    /// A source that does not tell its size is one that cannot be read.
    pub fn unread() -> Fault {
        Fault { status: 19, what: status_text(19), offset: 0, game: 0, block: 0, column: 0 }
    }

    struct Model(*mut c_void);

    impl Drop for Model {
        fn drop(&mut self) {
            unsafe { ply11_model_close(self.0) }
        }
    }

    struct Handle<R: ReadAt> {
        raw: *mut c_void,
        kept: Place<R>,
        model: OnceCell<Model>,
        busy: Cell<bool>, // a source that asks for its own archive must not come here again
    }

    impl<R: ReadAt> Handle<R> {
        /// must makes a call of the core. If it needs the model of dense moves, it gets it.
        fn must(&self, mut call: impl FnMut() -> c_int) -> Result<(), Failure<R>> {
            assert!(!self.busy.replace(true), "an archive is used by its own source");
            let done = self.try_twice(&mut call);
            self.busy.set(false);
            done
        }

        fn try_twice(&self, call: &mut impl FnMut() -> c_int) -> Result<(), Failure<R>> {
            let mut status = call();
            if status == UNSUPPORTED && self.model.get().is_none() {
                let file = include_bytes!("../csrc/model1.bin.zst");
                let mut model = ptr::null_mut();
                if unsafe { ply11_model_open(&mut model, file.as_ptr(), file.len(), &memory(0)) } == 0 {
                    unsafe { ply11_archive_use(self.raw, model) };
                    let _ = self.model.set(Model(model));
                    status = call();
                }
            }
            match status {
                0 => Ok(()),
                _ => Err((fault(status, unsafe { &*ply11_archive_fault(self.raw) }), self.kept.failed.take())),
            }
        }
    }

    impl<R: ReadAt> Drop for Handle<R> {
        fn drop(&mut self) {
            unsafe { ply11_archive_close(self.raw) }
        }
    }

    /// `ply11_archive`.
    pub struct Archive<R: ReadAt>(Rc<Handle<R>>);

    impl<R: ReadAt> Archive<R> {
        pub fn open(source: R, limit: usize) -> Result<Archive<R>, Failure<R>> {
            let (kept, mut told) = keep(source).map_err(|e| (unread(), Some(e)))?;
            let (mut raw, mut wrong) = (ptr::null_mut(), CFault { what: ptr::null(), offset: 0, game: 0, block: 0, column: 0 });
            for tries in 1.. {
                match unsafe { ply11_archive_open(&mut raw, &told, &memory(limit), &mut wrong) } {
                    0 => return Ok(Archive(Rc::new(Handle { raw, kept, model: OnceCell::new(), busy: Cell::new(false) }))),
                    status => match kept.source.size() {
                        Ok(size) if size != told.size || tries < 3 => told.size = size, // somebody may add games to it
                        _ => return Err((fault(status, &wrong), kept.failed.take())),
                    },
                }
            }
            unreachable!()
        }

        pub fn games(&self) -> u64 {
            unsafe { ply11_archive_games(self.0.raw) }
        }

        pub fn plies(&self) -> u64 {
            unsafe { ply11_archive_plies(self.0.raw) }
        }

        pub fn blocks(&self) -> u32 {
            unsafe { ply11_archive_blocks(self.0.raw) }
        }

        pub fn unfinished(&self) -> u64 {
            unsafe { ply11_archive_unfinished(self.0.raw) }
        }

        pub fn find(&self, game: u64) -> Result<u32, Failure<R>> {
            let mut block = 0;
            self.0.must(|| unsafe { ply11_archive_find(self.0.raw, game, &mut block) })?;
            Ok(block)
        }

        pub fn verify(&self) -> Result<(), Failure<R>> {
            self.0.must(|| unsafe { ply11_archive_verify(self.0.raw) })
        }

        /// block opens a block with all its parts.
        pub fn block(&self, number: u32) -> Result<Block<R>, Failure<R>> {
            let mut raw = ptr::null_mut();
            self.0.must(|| unsafe { ply11_block_open(self.0.raw, number, 3, &mut raw) })?;
            Ok(Block { raw, archive: self.0.clone() })
        }

        pub fn index<S: ReadAt>(&self, source: S) -> Result<Result<Index<R, S>, Failure<R>>, S::Error> {
            let (kept, told) = keep(source)?;
            let mut raw = ptr::null_mut();
            let done = self.0.must(|| unsafe { ply11_index_open(&mut raw, self.0.raw, &told) });
            if let Some(e) = kept.failed.take() {
                return Err(e);
            }
            Ok(done.map(|()| Index { raw, kept, archive: self.0.clone() }))
        }
    }

    /// `ply11_block`.
    pub struct Block<R: ReadAt> {
        raw: *mut CBlock,
        archive: Rc<Handle<R>>,
    }

    /// part is a slice of an array of the core, of n elements from the first on.
    unsafe fn part<'a, T>(p: *const T, first: usize, n: usize) -> &'a [T] {
        match n {
            0 => &[],
            _ => slice::from_raw_parts(p.add(first), n),
        }
    }

    impl<R: ReadAt> Block<R> {
        fn is(&self) -> &CBlock {
            unsafe { &*self.raw }
        }

        pub fn first(&self) -> u64 {
            self.is().first
        }

        pub fn games(&self) -> u32 {
            self.is().games
        }

        /// line is where the moves of game i are, and how many.
        fn line(&self, i: u32) -> (usize, usize) {
            let offsets = unsafe { part(self.is().offsets, 0, self.is().games as usize + 1) };
            let first = offsets[i as usize] as usize;
            (first, offsets[i as usize + 1] as usize - first)
        }

        pub fn moves(&self, i: u32) -> &[u16] {
            let (first, n) = self.line(i);
            unsafe { part(self.is().moves, first, n) }
        }

        pub fn clocks(&self, i: u32) -> &[i32] {
            let (first, n) = self.line(i);
            unsafe { part(self.is().clocks, first, n) }
        }

        pub fn evals(&self, i: u32) -> &[i16] {
            let (first, n) = self.line(i);
            unsafe { part(self.is().evals, first, n) }
        }

        /// facts are the result, the flags, and the evaluation of the start of game i.
        pub fn facts(&self, i: u32) -> (u16, u8, i16) {
            let (b, n, i) = (self.is(), self.is().games as usize, i as usize);
            unsafe { (part(b.results, 0, n)[i], part(b.flags, 0, n)[i], part(b.start_evals, 0, n)[i]) }
        }

        pub fn start(&self, i: u32) -> Result<Position, Failure<R>> {
            let mut p = start();
            self.archive.must(|| unsafe { ply11_block_start(self.raw, i, &mut p) })?;
            Ok(p)
        }

        pub fn tags(&self, i: u32) -> u32 {
            unsafe { ply11_block_tags(self.raw, i) }
        }

        pub fn tag(&self, i: u32, k: u32) -> (&[u8], &[u8]) {
            unsafe {
                let t = ply11_block_tag(self.raw, i, k);
                (part(t.name, 0, t.name_size), part(t.value, 0, t.value_size))
            }
        }
    }

    impl<R: ReadAt> Drop for Block<R> {
        fn drop(&mut self) {
            unsafe { ply11_block_close(self.raw) }
        }
    }

    /// `ply11_index`.
    pub struct Index<R: ReadAt, S: ReadAt> {
        raw: *mut c_void,
        kept: Place<S>,
        archive: Rc<Handle<R>>,
    }

    impl<R: ReadAt, S: ReadAt> Index<R, S> {
        /// tree gives what was played in a position to a function: all games, and the branches.
        pub fn tree<T>(&self, p: &Position, take: impl FnOnce(&Counts, &[Branch]) -> T) -> Result<Result<T, Failure<R>>, S::Error> {
            let mut tree = MaybeUninit::uninit();
            let done = self.archive.must(|| unsafe { ply11_index_tree(self.raw, p, tree.as_mut_ptr()) });
            if let Some(e) = self.kept.failed.take() {
                return Err(e);
            }
            Ok(done.map(|()| unsafe {
                let tree: &CTree = &*tree.assume_init();
                take(&tree.all, part(tree.branches, 0, tree.count as usize))
            }))
        }
    }

    impl<R: ReadAt, S: ReadAt> Drop for Index<R, S> {
        fn drop(&mut self) {
            unsafe { ply11_index_close(self.raw) }
        }
    }
}
