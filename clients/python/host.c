/* SPDX-License-Identifier: Apache-2.0 */
/* What the core asks its user for, so that Python is not called from within it: bytes of an archive in memory, and memory. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <io.h>
#include <stdio.h> /* SEEK_SET */
#else
#include <unistd.h>
#endif

#include "host.h"

/* read_some reads bytes of a file at an offset, at most size. Several processes may read a file that was opened before a fork. */
static long read_some(int fd, uint64_t offset, uint8_t *bytes, size_t size) {
#ifdef _WIN32
  return _lseeki64(fd, (long long)offset, SEEK_SET) < 0 ? -1 : _read(fd, bytes, size < 1u << 30 ? (unsigned)size : 1u << 30);
#else
  return (long)pread(fd, bytes, size, (off_t)offset);
#endif
}

/* read_bytes fails where the file has become shorter. */
static int read_bytes(void *user, uint64_t offset, uint8_t *bytes, size_t size) {
  const host_source *from = (const host_source *)user;
  if (from->bytes != NULL) {
    memcpy(bytes, from->bytes + offset, size);
    return 1;
  }
  while (size > 0) {
    long n = from->fd < 0 ? -1 : read_some(from->fd, offset, bytes, size);
    if (n <= 0) return 0;
    bytes += n;
    offset += (uint64_t)n;
    size -= (size_t)n;
  }
  return 1;
}

static void *allocate(void *user, size_t size) {
  (void)user;
  return malloc(size);
}

static void release(void *user, void *bytes) {
  (void)user;
  free(bytes);
}

static const ply11_memory usual_memory = {NULL, allocate, release, 0};

ply11_status ply11_host_model(ply11_model **model, const uint8_t *file, size_t size) { return ply11_model_open(model, file, size, &usual_memory); }

static ply11_source source_of(host_source *from) {
  ply11_source source;
  source.user = from;
  source.size = from->size;
  source.read = read_bytes;
  return source;
}

/* ply11_host_open opens an archive that is in memory or in a file, and from must stay as it is; ply11_host_index likewise its index, and ply11_host_tree a tree file. */
ply11_status ply11_host_open(ply11_archive **archive, host_source *from, size_t limit, ply11_fault *fault) {
  ply11_source source = source_of(from);
  ply11_memory memory = usual_memory;
  memory.limit = limit;
  return ply11_archive_open(archive, &source, &memory, fault);
}

ply11_status ply11_host_index(ply11_index **index, ply11_archive *archive, host_source *from) {
  ply11_source source = source_of(from);
  return ply11_index_open(index, archive, &source);
}

ply11_status ply11_host_tree(ply11_index **index, host_source *from, size_t limit, ply11_fault *fault) {
  ply11_source source = source_of(from);
  ply11_memory memory = usual_memory;
  memory.limit = limit;
  return ply11_tree_open(index, &source, &memory, fault);
}

/* ply11_host_tag writes, if values is not NULL, the values of a tag in all games of a block behind each other, of several of one name the first, and into
   ends[i] and ends[i + 1] where that of game i begins and ends. It returns the size of all. */
size_t ply11_host_tag(const ply11_block *block, const char *name, size_t size, int32_t *ends, char *values) {
  size_t at = 0;
  uint32_t i, k;
  ends[0] = 0;
  for (i = 0; i < block->games; i++) {
    for (k = 0; k < ply11_block_tags(block, i); k++) {
      ply11_tag tag = ply11_block_tag(block, i, k);
      if (tag.name_size != size || memcmp(tag.name, name, size) != 0) continue;
      if (values != NULL && tag.value_size > 0) memcpy(values + at, tag.value, tag.value_size);
      at += tag.value_size;
      break;
    }
    ends[i + 1] = (int32_t)at;
  }
  return at;
}
