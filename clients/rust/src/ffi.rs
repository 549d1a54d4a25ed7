// SPDX-License-Identifier: Apache-2.0

//! The core in C, behind functions that are safe. It is the only module with unsafe code: each call gives pointers to objects that live
//! as long as it, with their true sizes. What the functions do is told in clients/c/ply11.h.

use core::ffi::{c_char, CStr};

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

#[allow(dead_code)]
#[path = "c.rs"]
mod c;

/// calls makes safe functions of some of the core.
macro_rules! calls {
    ($($name:ident($($a:ident: $t:ty),*) $(-> $r:ty)? = $c:ident;)*) => {$(
        pub fn $name($($a: $t),*) $(-> $r)? {
            unsafe { c::$c($($a as _),*) }
        }
    )*};
}

calls! {
    word(code: u16) -> u16 = ply11_word;
    code(from: u8, to: u8, promotion: u8) -> u16 = ply11_code;
    mirror_ranks(code: u16) -> u16 = ply11_mirror_ranks;
    mirror_files(code: u16) -> u16 = ply11_mirror_files;
    code_class(code: u16) -> i32 = ply11_code_class;
    piece_on(p: &Position, square: u8) -> u32 = ply11_piece_on;
    outcome(p: &Position) -> i32 = ply11_outcome;
    make(p: &mut Position, code: u16) = ply11_make;
}

/// static_text reads a text that the core has for ever.
fn static_text(p: *const c_char) -> Option<&'static str> {
    if p.is_null() {
        return None;
    }
    unsafe { CStr::from_ptr(p) }.to_str().ok()
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

pub fn to_san(p: &Position, code: u16, out: &mut [u8; 12]) -> usize {
    unsafe { c::ply11_to_san(p, code.into(), out.as_mut_ptr().cast()) }
}

pub fn to_uci(code: u16, out: &mut [u8; 8]) -> usize {
    unsafe { c::ply11_to_uci(code.into(), out.as_mut_ptr().cast()) }
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

pub fn from_san(p: &Position, text: &str) -> Result<u16, i32> {
    let mut code = 0;
    match unsafe { c::ply11_from_san(p, text.as_ptr().cast(), text.len(), &mut code) } {
        0 => Ok(code),
        status => Err(status),
    }
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
    use super::{
        c::{Memory, Source},
        *,
    };
    use crate::ReadAt;
    use alloc::{alloc as heap, boxed::Box, rc::Rc};
    use core::{
        cell::{Cell, OnceCell},
        ffi::{c_int, c_void},
        mem::MaybeUninit,
        ops::Deref,
        ptr, slice,
    };

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

    const UNSUPPORTED: c_int = 18;

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

    fn fault(status: c_int, f: &c::Fault) -> Fault {
        Fault { status, what: static_text(f.what).unwrap_or(""), offset: f.offset, game: f.game, block: f.block, column: f.column }
    }

    /// A source that does not tell its size is one that cannot be read.
    pub fn unread() -> Fault {
        Fault { status: 19, what: status_text(19), offset: 0, game: 0, block: 0, column: 0 }
    }

    struct Model(*mut c_void);

    impl Drop for Model {
        fn drop(&mut self) {
            unsafe { c::ply11_model_close(self.0) }
        }
    }

    /// What an archive is for the core, and what a tree file is.
    struct Kind {
        open: unsafe extern "C" fn(*mut *mut c_void, *const Source, *const Memory, *mut c::Fault) -> c_int,
        fault: unsafe extern "C" fn(*const c_void) -> *const c::Fault,
        close: unsafe extern "C" fn(*mut c_void),
        dense: bool, // it may have dense moves
    }

    static ARCHIVE: Kind = Kind { open: c::ply11_archive_open, fault: c::ply11_archive_fault, close: c::ply11_archive_close, dense: true };
    static TREE: Kind = Kind { open: c::ply11_tree_open, fault: c::ply11_index_fault, close: c::ply11_index_close, dense: false };

    struct Handle<R: ReadAt> {
        kind: &'static Kind,
        raw: *mut c_void,
        kept: Place<R>,
        model: OnceCell<Model>,
        busy: Cell<bool>, // a source that asks for its own archive must not come here again
    }

    impl<R: ReadAt> Handle<R> {
        fn open(kind: &'static Kind, source: R, limit: usize) -> Result<Handle<R>, Failure<R>> {
            let (kept, mut told) = keep(source).map_err(|e| (unread(), Some(e)))?;
            let (mut raw, mut wrong) = (ptr::null_mut(), c::Fault { what: ptr::null(), offset: 0, game: 0, block: 0, column: 0 });
            for tries in 1.. {
                match unsafe { (kind.open)(&mut raw, &told, &memory(limit), &mut wrong) } {
                    0 => return Ok(Handle { kind, raw, kept, model: OnceCell::new(), busy: Cell::new(false) }),
                    status => match kept.source.size() {
                        Ok(size) if size != told.size || tries < 3 => told.size = size, // somebody may add games to it
                        _ => return Err((fault(status, &wrong), kept.failed.take())),
                    },
                }
            }
            unreachable!()
        }

        /// tree gives what an index has of a position to a function: all games, and the branches.
        fn tree<T>(&self, index: *mut c_void, p: &Position, take: impl FnOnce(&Counts, &[Branch]) -> T) -> Result<T, Failure<R>> {
            let mut tree = MaybeUninit::uninit();
            self.must(|| unsafe { c::ply11_index_tree(index, p, tree.as_mut_ptr()) })?;
            let tree: &c::Tree = unsafe { &*tree.assume_init() };
            Ok(take(&tree.all, unsafe { part(tree.branches, 0, tree.count as usize) }))
        }

        /// must makes a call of the core. If it needs the model of dense moves, it gets it.
        fn must(&self, mut call: impl FnMut() -> c_int) -> Result<(), Failure<R>> {
            assert!(!self.busy.replace(true), "an archive is used by its own source");
            let done = self.try_twice(&mut call);
            self.busy.set(false);
            done
        }

        fn try_twice(&self, call: &mut impl FnMut() -> c_int) -> Result<(), Failure<R>> {
            let mut status = call();
            if status == UNSUPPORTED && self.kind.dense && self.model.get().is_none() {
                let file = include_bytes!("../csrc/model1.bin.zst");
                let mut model = ptr::null_mut();
                if unsafe { c::ply11_model_open(&mut model, file.as_ptr(), file.len(), &memory(0)) } == 0 {
                    unsafe { c::ply11_archive_use(self.raw, model) };
                    let _ = self.model.set(Model(model));
                    status = call();
                }
            }
            match status {
                0 => Ok(()),
                _ => Err((fault(status, unsafe { &*(self.kind.fault)(self.raw) }), self.kept.failed.take())),
            }
        }
    }

    impl<R: ReadAt> Drop for Handle<R> {
        fn drop(&mut self) {
            unsafe { (self.kind.close)(self.raw) }
        }
    }

    /// `ply11_archive`.
    pub struct Archive<R: ReadAt>(Rc<Handle<R>>);

    impl<R: ReadAt> Archive<R> {
        pub fn open(source: R, limit: usize) -> Result<Archive<R>, Failure<R>> {
            Ok(Archive(Rc::new(Handle::open(&ARCHIVE, source, limit)?)))
        }

        pub fn games(&self) -> u64 {
            unsafe { c::ply11_archive_games(self.0.raw) }
        }

        pub fn plies(&self) -> u64 {
            unsafe { c::ply11_archive_plies(self.0.raw) }
        }

        pub fn blocks(&self) -> u32 {
            unsafe { c::ply11_archive_blocks(self.0.raw) }
        }

        pub fn unfinished(&self) -> u64 {
            unsafe { c::ply11_archive_unfinished(self.0.raw) }
        }

        pub fn find(&self, game: u64) -> Result<u32, Failure<R>> {
            let mut block = 0;
            self.0.must(|| unsafe { c::ply11_archive_find(self.0.raw, game, &mut block) })?;
            Ok(block)
        }

        pub fn verify(&self) -> Result<(), Failure<R>> {
            self.0.must(|| unsafe { c::ply11_archive_verify(self.0.raw) })
        }

        /// block opens a block with all its parts.
        pub fn block(&self, number: u32) -> Result<Block<R>, Failure<R>> {
            let mut raw = ptr::null_mut();
            self.0.must(|| unsafe { c::ply11_block_open(self.0.raw, number, 3, &mut raw) })?;
            Ok(Block { raw, archive: self.0.clone() })
        }

        pub fn index<S: ReadAt>(&self, source: S) -> Result<Result<Index<R, S>, Failure<R>>, S::Error> {
            let (kept, told) = keep(source)?;
            let mut raw = ptr::null_mut();
            let done = self.0.must(|| unsafe { c::ply11_index_open(&mut raw, self.0.raw, &told) });
            if let Some(e) = kept.failed.take() {
                return Err(e);
            }
            Ok(done.map(|()| Index { raw, kept, archive: self.0.clone() }))
        }
    }

    /// `ply11_block`.
    pub struct Block<R: ReadAt> {
        raw: *mut c::Block,
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
        fn is(&self) -> &c::Block {
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
            self.archive.must(|| unsafe { c::ply11_block_start(self.raw, i, &mut p) })?;
            Ok(p)
        }

        pub fn tags(&self, i: u32) -> u32 {
            unsafe { c::ply11_block_tags(self.raw, i) }
        }

        pub fn tag(&self, i: u32, k: u32) -> (&[u8], &[u8]) {
            unsafe {
                let t = c::ply11_block_tag(self.raw, i, k);
                (part(t.name.cast(), 0, t.name_size), part(t.value.cast(), 0, t.value_size))
            }
        }
    }

    impl<R: ReadAt> Drop for Block<R> {
        fn drop(&mut self) {
            unsafe { c::ply11_block_close(self.raw) }
        }
    }

    /// A `ply11_index` without an archive.
    pub struct TreeFile<R: ReadAt>(Handle<R>);

    impl<R: ReadAt> TreeFile<R> {
        pub fn open(source: R) -> Result<TreeFile<R>, Failure<R>> {
            Ok(TreeFile(Handle::open(&TREE, source, 0)?))
        }

        pub fn tree<T>(&self, p: &Position, take: impl FnOnce(&Counts, &[Branch]) -> T) -> Result<T, Failure<R>> {
            self.0.tree(self.0.raw, p, take)
        }
    }

    /// `ply11_index`.
    pub struct Index<R: ReadAt, S: ReadAt> {
        raw: *mut c_void,
        kept: Place<S>,
        archive: Rc<Handle<R>>,
    }

    impl<R: ReadAt, S: ReadAt> Index<R, S> {
        pub fn tree<T>(&self, p: &Position, take: impl FnOnce(&Counts, &[Branch]) -> T) -> Result<Result<T, Failure<R>>, S::Error> {
            let done = self.archive.tree(self.raw, p, take);
            self.kept.failed.take().map_or(Ok(done), Err)
        }
    }

    impl<R: ReadAt, S: ReadAt> Drop for Index<R, S> {
        fn drop(&mut self) {
            unsafe { c::ply11_index_close(self.raw) }
        }
    }
}
