/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_SIBLING_READER_H
#define REGILD_GOLDEN_SIBLING_READER_H

#include "base/buf.h"
#include "golden/golden.h"

/* Reads files beside a golden that say what it holds, as the program of a raw tensor does. */

/* Reads the file of a path into an emptied buffer; RG_E_NOTFOUND or ENOENT where there is none. */
typedef rg_error *rg_read_path_fn(void *context, const char *path, rg_buf *out);

typedef struct {
	const char *path; /* of the golden at hand */
	rg_read_path_fn *read;
	void *context;
	rg_buf bytes;
} rg_sibling_reader;

/* For rg_input.sibling; its context is the rg_sibling_reader. */
RG_CHECKED rg_error *rg_sibling_read(void *beside, const char *name, rg_bytes *out);

/* Reads a golden out of bytes, which it borrows, with what is beside `path`. */
RG_CHECKED rg_error *rg_golden_read_with_siblings(rg_golden **out, const char *name,
						  const char *path, const rg_buf *bytes,
						  rg_read_path_fn *read, void *context,
						  const rg_golden_options *options);

#endif
