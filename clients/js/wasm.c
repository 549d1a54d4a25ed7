/* SPDX-License-Identifier: Apache-2.0 */
/* The core as WebAssembly: with it are memory, bytes that JavaScript reads, and games as links. The source is included, because links use the coder of dense moves. */
#include "../c/ply11.c"

/* ---- Memory: a list of free pieces in their order; the next piece that is large enough is cut. package.json bounds it to a page less than 4 GiB, so that no
 * address wraps ---- */

typedef struct piece {
  size_t size; /* with this, a multiple of 16 */
  struct piece *next;
} piece;

extern uint8_t __heap_base;
static piece *unused;
static uint8_t *heap_end;

void release(void *bytes) {
  piece **at = &unused, *p = (piece *)((uint8_t *)bytes - 16), *before = NULL;
  for (; *at != NULL && *at < p; at = &(*at)->next) before = *at;
  p->next = *at;
  *at = p;
  if (p->next != NULL && (uint8_t *)p + p->size == (uint8_t *)p->next) {
    p->size += p->next->size;
    p->next = p->next->next;
  }
  if (before != NULL && (uint8_t *)before + before->size == (uint8_t *)p) {
    before->size += p->size;
    before->next = p->next;
  }
}

void *allocate(size_t size) {
  piece **at, *p;
  size_t more;
  if (size > (size_t)1 << 31) return NULL;
  size = (size + 31) & ~(size_t)15;
  for (at = &unused; *at != NULL && (*at)->size < size; at = &(*at)->next) {}
  if (*at == NULL) {
    if (heap_end == NULL) heap_end = (uint8_t *)(((size_t)&__heap_base + 15) & ~(size_t)15);
    more = (size_t)__builtin_wasm_memory_size(0) * 65536 - (size_t)heap_end; /* what is left of the last page; the heap begins in one */
    if (more < size) {
      size_t pages = (size - more + 65535) / 65536;
      if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return NULL;
      more += pages * 65536;
    }
    p = (piece *)heap_end;
    p->size = more;
    heap_end += more;
    release((uint8_t *)p + 16);
    return allocate(size - 16);
  }
  p = *at;
  if (p->size - size >= 64) {
    piece *rest = (piece *)((uint8_t *)p + size);
    rest->size = p->size - size;
    rest->next = p->next;
    p->size = size;
    *at = rest;
  } else {
    *at = p->next;
  }
  return (uint8_t *)p + 16;
}

static void *take_memory(void *user, size_t size) {
  (void)user;
  return allocate(size);
}

static void give_memory(void *user, void *bytes) {
  (void)user;
  release(bytes);
}

static const ply11_memory memory_of_all = {NULL, take_memory, give_memory, 0};

/* ---- Archives and indexes: JavaScript knows a source by its number ---- */

__attribute__((import_module("js"), import_name("read"))) int read_source(int source, double offset, uint8_t *bytes, size_t size);

static int read_by_number(void *user, uint64_t offset, uint8_t *bytes, size_t size) { return read_source((int)(size_t)user, (double)offset, bytes, size); }

static ply11_source source_of(int number, double size) {
  ply11_source s;
  s.user = (void *)(size_t)number;
  s.size = (uint64_t)size;
  s.read = read_by_number;
  return s;
}

ply11_status archive_open(ply11_archive **archive, int source, double size, size_t limit, ply11_fault *fault) {
  ply11_source s = source_of(source, size);
  ply11_memory m = memory_of_all;
  m.limit = limit;
  return ply11_archive_open(archive, &s, &m, fault);
}

ply11_status index_open(ply11_index **index, ply11_archive *archive, int source, double size) {
  ply11_source s = source_of(source, size);
  return ply11_index_open(index, archive, &s);
}

ply11_status tree_open(ply11_index **index, int source, double size, size_t limit, ply11_fault *fault) {
  ply11_source s = source_of(source, size);
  ply11_memory m = memory_of_all;
  m.limit = limit;
  return ply11_tree_open(index, &s, &m, fault);
}

ply11_status model_open(ply11_model **model, const uint8_t *file, size_t size) { return ply11_model_open(model, file, size, &memory_of_all); }

/* ---- Games as links: the dense moves of one game ---- */

/* code_link writes n moves from a position on to bytes, or reads them. size is that of the bytes, or gets how many they are. */
ply11_status code_link(const ply11_model *model, const ply11_position *start, uint16_t *moves, uint32_t n, int writes, uint8_t *bytes, size_t *size) {
  static ply11_archive a; /* all is zero but what takes memory */
  static block b;
  ply11_position p = *start;
  ply11_status status = PLY11_ERROR_MEMORY;
  decoder *d;
  a.memory = memory_of_all;
  a.model = model;
  b.archive = &a;
  if (popcount((p.plane[0] | p.plane[1] | p.plane[2]) & p.plane[3]) > 16 || popcount((p.plane[0] | p.plane[1] | p.plane[2]) & ~p.plane[3]) > 16) return PLY11_ERROR_UNSUPPORTED;
  d = begin_games(&b, bytes, *size);
  if (d != NULL) {
    if (writes) d->in.out = bytes;
    status = code_game(d, &p, moves, n) != NULL ? PLY11_ERROR_ILLEGAL : PLY11_OK;
    if (status == PLY11_OK && writes) {
      size_t used, i;
      uint64_t last = range_end(&d->in, &used);
      for (i = 0; i < used; i++, last <<= 8)
        if (d->in.at - 8 + i < *size) bytes[d->in.at - 8 + i] = (uint8_t)(last >> 56);
      if (d->in.at - 8 + used > *size) status = PLY11_ERROR_MEMORY;
      *size = d->in.at - 8 + used;
    } else if (status == PLY11_OK && !range_ended(&d->in)) {
      status = PLY11_ERROR_CORRUPT;
    }
  }
  release_all(&a, &b.chunks);
  return status;
}
