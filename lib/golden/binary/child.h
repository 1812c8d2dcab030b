/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BINARY_CHILD_H
#define REGILD_GOLDEN_BINARY_CHILD_H

#include "golden/binary/wire.h"

/*
 * The readers of binary goldens run in child processes: the same program, started again with the
 * words RG_CHILD_COMMAND and the reader's name. A child reads one golden after another that its
 * parent hands over as an open file, and writes what it finds (golden/binary/wire.h) to another. It
 * can open no file itself. It may hold so much memory and take so long; what ends it, ends the
 * reading of one golden.
 */
#define RG_CHILD_COMMAND "__read-binary"

typedef struct rg_binary_reader {
	const char *name; /* "hdf5" */
	/* Loads the library, before the sandbox is closed. RG_E_IO where it is not installed. NULL:
	 * this program was built without it. */
	rg_error *(*load)(void);
	/* Reads a file whose bytes stay mapped until it returns, and writes its items, all but
	 * RG_WIRE_END. An error is about the file as a whole. */
	rg_error *(*read)(rg_wire *wire, const void *data, size_t size);
	const char *package; /* Debian's, which has the library: for people */
	const char *format;  /* "HDF5" */
	unsigned seconds;    /* a golden may take so long; 0: as most */
} rg_binary_reader;

/* All of them; NULL ends the list. */
extern const rg_binary_reader *const rg_binary_readers[];
extern const rg_binary_reader rg_reader_hdf5, rg_reader_netcdf, rg_reader_fits;

/* The child's whole life: it serves the socket that it was given, and never returns. */
_Noreturn void rg_child_main(const rg_binary_reader *reader);

/* The program that is started again: main says so, once. Without one nothing can be read. */
void rg_child_program(const char *path);
/* Has a child of the reader write what is in the golden to the open, empty file. Children are kept
 * for further goldens. Safe for several threads. RG_E_PARSE where the child has ended (with the
 * signal) or was too slow. */
RG_CHECKED rg_error *rg_child_read(const rg_binary_reader *reader, const rg_input *in, int out);

#endif
