/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BINARY_WIRE_H
#define REGILD_GOLDEN_BINARY_WIRE_H

#include "golden/dtype.h"
#include "golden/golden.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The protocol between a child that reads a file of HDF5, NetCDF or FITS with the format's own
 * library (golden/binary/child.h) and regild, its parent (golden/binary/receive.h). The child
 *writes items, in any order but for one rule: attributes follow their object.
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
 * Values that lie in the file as they are (contiguous, not packed) are not sent: rg_wire_in_file.
 * Nothing here fails: a child whose parent has left ends.
 */

#ifdef __APPLE__ /* which has neither; SIGPIPE is ignored */
#define MSG_NOSIGNAL 0
#define SOCK_CLOEXEC 0
#endif

typedef enum {
	RG_WIRE_GROUP,      /* it has nothing in it, or attributes */
	RG_WIRE_VARIABLE,   /* a dataset, variable, image or column */
	RG_WIRE_ATTRIBUTE,  /* of the last group or variable; the root group is "" (path) */
	RG_WIRE_LINK,       /* a second name; its text says of what */
	RG_WIRE_UNREADABLE, /* a variable that cannot be read; its text says why, a sentence */
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
	RG_WIRE_IN_FILE = 4,  /* the values are at `offset` of the file */
	RG_WIRE_IS_CODED = 8, /* texts stand for enums, references or bytes: rules for words skip
				 them */
};

/* The fixed part of an item. Unused members are zero. */
typedef struct {
	uint32_t kind, values; /* rg_wire_kind, rg_wire_values */
	uint32_t dtype, flags;
	uint32_t dimensions; /* at most RG_METRIC_DIMENSIONS */
	uint32_t unlimited;  /* bit i: dimension i grows (a record dimension) */
	int64_t shape[RG_METRIC_DIMENSIONS];
	/* Filled in by the functions below. */
	uint64_t offset, size;
	uint32_t path_size, text_size;
} rg_wire_item;

/* Bytes of values: size 0 ends them early, and `at` bytes of text say why. */
typedef struct {
	uint64_t at, size;
} rg_wire_piece;

enum { RG_WIRE_PATH_MAX = 4096, RG_WIRE_TEXT_MAX = 65536, RG_WIRE_BUFFER = 1 << 16 };

typedef struct {
	int fd;
	rg_span file; /* its bytes, which are forgotten from time to time */
	uint64_t sent;
	size_t used;
	char buffer[RG_WIRE_BUFFER];
} rg_wire;

/* `names` are those of the item's dimensions in order, each with a NUL at its end, "" for one
 * without; names_size counts the NULs, and is 0 where none has one. */
void rg_wire_begin(rg_wire *wire, const rg_wire_item *item, const char *path, const char *names,
		   size_t names_size, uint64_t size);
void rg_wire_run(rg_wire *wire, uint64_t at, const void *bytes, size_t size);
void rg_wire_fail(rg_wire *wire, const char *why);
/* The values of the item are the `size` bytes at `offset` of the file. */
void rg_wire_in_file(rg_wire *wire, const rg_wire_item *item, const char *path, const char *names,
		     size_t names_size, uint64_t offset, uint64_t size);
/* The whole of an item at once: numbers, or texts. */
void rg_wire_put(rg_wire *wire, const rg_wire_item *item, const char *path, const void *bytes,
		 size_t size);
/* Items that are a path and a text. */
void rg_wire_say(rg_wire *wire, rg_wire_kind kind, const char *path, const char *text);
void rg_wire_flush(rg_wire *wire);

#endif
