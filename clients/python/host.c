/* SPDX-License-Identifier: Apache-2.0 */
/* What the core asks its user for, so that Python is not called from within it: bytes of an archive in memory, and memory. */
#include <stdlib.h>
#include <string.h>

#include "ply11.h"

ply11_status ply11_host_open(ply11_archive **archive, const uint8_t *bytes, uint64_t size, size_t limit, ply11_fault *fault);
ply11_status ply11_host_index(ply11_index **index, ply11_archive *archive, const uint8_t *bytes, uint64_t size);
ply11_status ply11_host_model(ply11_model **model, const uint8_t *file, size_t size);

static int read_bytes(void *user, uint64_t offset, uint8_t *bytes, size_t size) {
  memcpy(bytes, (const uint8_t *)user + offset, size);
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

static ply11_source in_memory(const uint8_t *bytes, uint64_t size) {
  ply11_source source;
  source.user = (void *)bytes;
  source.size = size;
  source.read = read_bytes;
  return source;
}

/* ply11_host_open opens an archive that is in memory, which must stay there; ply11_host_index likewise its index. */
ply11_status ply11_host_open(ply11_archive **archive, const uint8_t *bytes, uint64_t size, size_t limit, ply11_fault *fault) {
  ply11_source source = in_memory(bytes, size);
  ply11_memory memory = usual_memory;
  memory.limit = limit;
  return ply11_archive_open(archive, &source, &memory, fault);
}

ply11_status ply11_host_index(ply11_index **index, ply11_archive *archive, const uint8_t *bytes, uint64_t size) {
  ply11_source source = in_memory(bytes, size);
  return ply11_index_open(index, archive, &source);
}
