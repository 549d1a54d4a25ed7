/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLY11_HOST_H
#define PLY11_HOST_H

#include "ply11.h"

/* Where an archive or an index is: in memory, or, if bytes is NULL, in the open file fd. A file that is closed has -1. */
typedef struct host_source {
  const uint8_t *bytes;
  uint64_t size;
  int fd;
} host_source;

ply11_status ply11_host_open(ply11_archive **archive, host_source *from, size_t limit, ply11_fault *fault);
ply11_status ply11_host_index(ply11_index **index, ply11_archive *archive, host_source *from);
ply11_status ply11_host_tree(ply11_index **index, host_source *from, size_t limit, ply11_fault *fault);
ply11_status ply11_host_model(ply11_model **model, const uint8_t *file, size_t size);
size_t ply11_host_tag(const ply11_block *block, const char *name, size_t size, int32_t *ends, char *values);

#endif
