/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_FLATBUFFER_H
#define REGILD_GOLDEN_FLATBUFFER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads flatbuffers (flatbuffers.dev/internals) without a schema compiler: tables, vectors and
 * strings by field number, as the few schemas that we read need them. Every access is checked
 * against the file's bounds, nothing is assumed to be aligned, and nothing is copied.
 *
 * A file cannot make a reader run in circles: child offsets are unsigned and counted from where
 * they are, so children are strictly after their parents (an offset of zero is refused). What a
 * file can do is point at one child from many places, so the number of tables followed is limited.
 *
 * Every error is RG_E_PARSE with the byte offset, or RG_E_LIMIT.
 */

#define RG_FLAT_TABLES_MAX ((size_t)1 << 18)
#define RG_FLAT_TEXT_MAX   ((size_t)1024) /* bytes; many tables may share one that is copied */

typedef struct {
	const unsigned char *data;
	size_t size;
	size_t tables, tables_max; /* followed so far; RG_FLAT_TABLES_MAX unless it is set */
} rg_flat;

typedef struct {
	rg_flat *file;
	size_t at;          /* of the table */
	size_t vtable;      /* offset */
	size_t vtable_size; /* bytes */
} rg_flat_table;

/* A vector's elements; a missing one is empty. */
typedef struct {
	rg_flat *file;
	size_t at; /* of the first element */
	size_t count;
} rg_flat_vector;

/* The root table of a file whose bytes 4 to 7 must be `identifier`. `file` must outlive what is
 * read from it. */
RG_CHECKED rg_error *rg_flat_open(rg_flat *file, const void *data, size_t size,
				  const char identifier[static 4], rg_flat_table *root);

/* Finds a field of `size` bytes that is inline: *at is 0 if the field is missing. */
RG_CHECKED rg_error *rg_flat_field(const rg_flat_table *table, unsigned field, size_t size,
				   size_t *at);

/* Scalars; a missing field is 0, as in all schemas that we read. */
RG_CHECKED rg_error *rg_flat_u8(const rg_flat_table *table, unsigned field, uint8_t *out);
RG_CHECKED rg_error *rg_flat_u32(const rg_flat_table *table, unsigned field, uint32_t *out);
RG_CHECKED rg_error *rg_flat_u64(const rg_flat_table *table, unsigned field, uint64_t *out);

/* A table that must be there. `what` names it in the message of a missing one. */
RG_CHECKED rg_error *rg_flat_child(const rg_flat_table *table, unsigned field, const char *what,
				   rg_flat_table *out);

/* A vector of scalars, structs or offsets of `element_size` bytes. */
RG_CHECKED rg_error *rg_flat_vector_of(const rg_flat_table *table, unsigned field,
				       size_t element_size, rg_flat_vector *out);
/* Element `index` (below count) of a vector of 4-byte integers or of tables. */
int32_t rg_flat_vector_i32(const rg_flat_vector *vector, size_t index);
RG_CHECKED rg_error *rg_flat_vector_table(const rg_flat_vector *vector, size_t index,
					  rg_flat_table *out);

/* A string: its bytes without the NUL after them; "" where it is missing. RG_E_PARSE for one with
 * a NUL inside, RG_E_LIMIT beyond RG_FLAT_TEXT_MAX. */
RG_CHECKED rg_error *rg_flat_string(const rg_flat_table *table, unsigned field, const char **out,
				    size_t *length);

#endif
