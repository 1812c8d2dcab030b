/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BINARY_CHILD_H
#define REGILD_GOLDEN_BINARY_CHILD_H

#include "base/error.h"
#include "golden/binary/wire.h"

/*
 * The readers of binary goldens run in a child process: the same program, started again with the
 * words RG_CHILD_COMMAND and the reader's name. It reads one file after another that its parent
 * hands over, as bytes in memory, and can open no file itself. It may hold so much memory and take
 * so long; what ends it, ends the reading of one golden.
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

/* The child's whole life: serves the socket, which is descriptor RG_CHILD_SOCKET, and never
 * returns. */
enum { RG_CHILD_SOCKET = 3, RG_CHILD_SECONDS = 120 };
_Noreturn void rg_child_main(const rg_binary_reader *reader);

#endif
