/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BINARY_WIRE_H
#define REGILD_GOLDEN_BINARY_WIRE_H

#include "golden/dtype.h"
#include "golden/golden.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What a child that reads HDF5, NetCDF or FITS with the format's own library
 * (golden/binary/child.h) writes for regild, its parent (golden/binary/receive.c): a file of items,
 * in any order but for one rule: attributes follow their object.
 *
 *	rg_wire_item item = {.kind = RG_WIRE_VARIABLE, .dtype = RG_DTYPE_FLOAT64,
 *			     .dimensions = 1, .shape = {3}};
 *	rg_wire_put(wire, &item, "/a/x", values, sizeof(values));
 *
 * Values too large for one call come piece by piece, in any order:
 *
 *	rg_wire_begin(wire, &item, "/a/x", names, names_size, bytes_in_all);
 *	rg_wire_run(wire, 0, part, part_size); ...       all of them, or
 *	rg_wire_fail(wire, "why they cannot be read");
 *
 * or box by box (rg_wire_boxes). Values that lie in the golden as they are (contiguous, not packed)
 * are not written: rg_wire_in_file. No call fails: a child that cannot write says so and ends.
 */

typedef enum {
	RG_WIRE_GROUP,      /* it has nothing in it, or attributes */
	RG_WIRE_VARIABLE,   /* a dataset, variable, image or column */
	RG_WIRE_ATTRIBUTE,  /* of the last group or variable; the root group is "" (path) */
	RG_WIRE_LINK,       /* a second name; its text says of what */
	RG_WIRE_UNREADABLE, /* a variable that cannot be read; its text says why, a sentence */
	RG_WIRE_FAILED,     /* the values of the item before cannot be read; its text says why */
	RG_WIRE_NOTE,       /* a sentence about the file, its path is empty */
	RG_WIRE_WRONG,      /* another, about what is wrong with it */
	RG_WIRE_END,        /* of the file; a text says why it cannot be read at all */
	RG_WIRE_MISSING,    /* the library is; an end, too */
	RG_WIRE_KINDS,
} rg_wire_kind;

typedef enum {
	RG_WIRE_NUMBERS, /* `dtype`, row-major, in the order of bytes that `big_endian` says */
	RG_WIRE_TEXTS,   /* each with a NUL at its end; as many as the shape has elements */
	RG_WIRE_NOTHING, /* no value at all: HDF5's null space, an image without data */
} rg_wire_values;

enum {
	RG_WIRE_IS_COMPLEX = 1, /* the shape has no dimension for the parts; each has `dtype` */
	RG_WIRE_BIG_ENDIAN = 2,
	RG_WIRE_IN_FILE = 4, /* the values are in the golden itself */
};

/* The fixed part of an item. Its path, its text and its values follow. Unused members are zero. */
typedef struct {
	uint32_t kind, values; /* rg_wire_kind, rg_wire_values */
	uint32_t dtype, flags;
	uint32_t dimensions; /* at most RG_METRIC_DIMENSIONS */
	uint32_t unlimited;  /* bit i: dimension i grows (a record dimension) */
	int64_t shape[RG_METRIC_DIMENSIONS];
	/* Filled in by the functions below: the place of the values, here or in the golden. */
	uint64_t offset, size;
	uint32_t path_size, text_size;
} rg_wire_item;

enum { RG_WIRE_PATH_MAX = 4096, RG_WIRE_TEXT_MAX = 65536, RG_WIRE_BUFFER = 1 << 16 };
#define RG_WIRE_FILE_MAX ((uint64_t)1 << 32)

typedef struct {
	int fd, socket;
	rg_span file;  /* the golden's bytes, which are forgotten from time to time */
	uint64_t sent; /* bytes of values since then */
	/* Here the buffer goes, the next item, the values of the last one. */
	uint64_t at, end, values;
	size_t used;
	char buffer[RG_WIRE_BUFFER];
} rg_wire;

/* `names` are those of the item's dimensions in order, each with a NUL at its end, "" for one
 * without; names_size counts the NULs, and is 0 where none has one. */
void rg_wire_begin(rg_wire *wire, const rg_wire_item *item, const char *path, const char *names,
		   size_t names_size, uint64_t size);
void rg_wire_run(rg_wire *wire, uint64_t at, const void *bytes, size_t size);
void rg_wire_fail(rg_wire *wire, const char *why);
/* The values of the item are the `size` bytes at `offset` of the golden. */
void rg_wire_in_file(rg_wire *wire, const rg_wire_item *item, const char *path, const char *names,
		     size_t names_size, uint64_t offset, uint64_t size);

/* Reads the elements `start` … `start + count` of each dimension into `room`, row-major. Returns
 * why they cannot be read, or NULL. */
typedef const char *rg_wire_read_fn(void *context, const size_t *start, const size_t *count,
				    void *room);
typedef struct {
	size_t rank;         /* the first dimensions of the item, which the boxes have */
	size_t width;        /* bytes of an element of these */
	const size_t *chunk; /* boxes are whole chunks of this shape; NULL: of one element */
	const char *names;
	size_t names_size;
	rg_wire_read_fn *read;
	void *context;
} rg_wire_source;
/* A whole item whose values are read box by box, each of some MiB, or one chunk. */
void rg_wire_boxes(rg_wire *wire, const rg_wire_item *item, const char *path,
		   const rg_wire_source *source);

/* The whole of an item at once: numbers, or texts. */
void rg_wire_put(rg_wire *wire, const rg_wire_item *item, const char *path, const void *bytes,
		 size_t size);
/* Items that are a path and a text. */
void rg_wire_say(rg_wire *wire, rg_wire_kind kind, const char *path, const char *text);
/* Tells the parent that all is written (0), or the number of the error. */
void rg_wire_finish(rg_wire *wire, int failed);

#endif
