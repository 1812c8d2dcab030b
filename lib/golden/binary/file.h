/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BINARY_FILE_H
#define REGILD_GOLDEN_BINARY_FILE_H

#include "golden/binary/child.h"
#include "golden/binary/wire.h"
#include "golden/tensor.h"

/*
 * A binary golden as its child has told it, checked and not interpreted yet:
 *
 *	rg_binary_receive(&file, builder, reader, in)     fills it
 *	layouts, NetCDF's rules                           change it (items are added, renamed,
 *							  dropped, their values replaced)
 *	rg_binary_add(builder, &file)                     makes metrics of what is left
 *
 * All of it is in the golden's arena.
 */

typedef struct rg_binary_item {
	rg_wire_kind kind;
	rg_wire_values values;
	bool dropped; /* neither it nor its attributes become metrics */
	/* A variable's path ("/a/x"), or the attribute's name. UTF-8. */
	const char *path;
	/* Numbers: type, shape and bytes. Texts: the shape alone. */
	rg_tensor tensor;
	/* The bytes of the tensor, if they are its own and can be changed; NULL: they are the
	 * file's. */
	unsigned char *own;
	const char *const *texts;           /* tensor.count of them, UTF-8 */
	const char *const *dimension_names; /* as many as dimensions, "" for none; or NULL */
	unsigned unlimited;                 /* bit i: dimension i is a record dimension */
	const char *why; /* what a link is of; why it cannot be read, maybe in part: else NULL */
	/* Numbers by step, and not a tensor: one-dimensional, along a coordinate or records. The
	 * steps ascend; NULL: 0, 1, 2 ... */
	bool is_series;
	const int64_t *steps;
	const char *unit;
	struct rg_binary_item *attributes;
	size_t attribute_count, attribute_capacity;
} rg_binary_item;

typedef struct {
	rg_arena *arena;
	const rg_input *in;
	rg_binary_item *items; /* variables, groups, links; the root group is "" or "/" */
	size_t count, capacity;
	uint64_t bytes;  /* that the values take */
	uint64_t unsent; /* names and texts */
} rg_binary_file;

/* RG_E_NOTFOUND where the library is not installed, or not part of this program. */
RG_CHECKED rg_error *rg_binary_receive(rg_binary_file *out, rg_golden_builder *builder,
				       const rg_binary_reader *reader, const rg_input *in);
RG_CHECKED rg_error *rg_binary_add(rg_golden_builder *builder, const rg_binary_file *file);

/* The attribute or NULL. */
rg_binary_item *rg_binary_attribute(const rg_binary_item *item, const char *name);
/* The first text of the attribute; NULL where it has none. */
const char *rg_binary_attribute_text(const rg_binary_item *item, const char *name);
/* Adds one more item; pointers to items hold no longer. */
rg_binary_item *rg_binary_new(rg_binary_file *file, rg_wire_kind kind, const char *path);
/* Memory for values, all zero: in the arena, or in a file without a name where they are large (then
 * *forget gives back what was written). RG_E_LIMIT where the file has too many already. */
RG_CHECKED rg_error *rg_binary_memory(rg_binary_file *file, uint64_t size, unsigned char **out,
				      rg_forget_fn **forget);

#endif
