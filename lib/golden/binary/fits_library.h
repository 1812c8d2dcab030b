/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BINARY_FITS_LIBRARY_H
#define REGILD_GOLDEN_BINARY_FITS_LIBRARY_H

#include "golden/binary/child.h"

#include <fitsio.h>

/* CFITSIO, loaded in a child alone: cfitsio.ffmahd(...) is fits_movabs_hdu. */
/* clang-format off */
#define RG_FITS_FUNCTIONS(X) \
	X(fits_open_memfile) X(fits_close_file) X(fits_get_num_hdus) X(fits_movabs_hdu) \
	X(fits_get_hduaddrll) X(fits_get_img_paramll) X(fits_is_compressed_image) X(fits_read_img) \
	X(fits_set_bscale) X(fits_read_key) X(fits_get_hdrspace) X(fits_read_keyn) \
	X(fits_read_record) X(fits_get_keyclass) X(fits_get_keytype) X(fits_read_key_longstr) \
	X(fits_free_memory) X(fits_get_num_cols) X(fits_get_num_rowsll) X(fits_get_coltypell) \
	X(fits_get_bcolparmsll) X(fits_get_acolparms) X(fits_set_tscale) X(fits_read_tdimll) \
	X(fits_read_col) X(fits_read_col_bit) X(fits_read_descriptll) X(fits_read_tblbytes) \
	X(fits_get_colnum) X(fits_get_errstatus)
/* clang-format on */

typedef struct {
#define RG_MEMBER(name) __typeof__(name) *name;
	RG_FITS_FUNCTIONS(RG_MEMBER)
#undef RG_MEMBER
} rg_fits_functions;
extern rg_fits_functions cfitsio;
RG_CHECKED rg_error *rg_fits_load(void);

/* The HDU that is being read. */
typedef struct {
	fitsfile *file;
	rg_wire *wire;
	uint64_t size; /* of the file */
	int number;    /* from 1 on */
	char path[FLEN_VALUE + 16];
} rg_hdu;

/* A type of numbers: as it is stored, and as it is meant where an offset makes it the type of the
 * other sign. */
typedef struct {
	int code, type; /* BITPIX, or what fits_get_coltype says; how it is read */
	rg_dtype dtype;
	double offset;
	int other_type;
	rg_dtype other_dtype;
} rg_fits_type;
/* NULL: it is none. */
const rg_fits_type *rg_fits_type_of(int code, bool is_column);

enum { RG_FITS_PIECE = 1 << 20 };

/* "HDU 2, column X: TEXT" */
void rg_fits_say_unreadable(const rg_hdu *hdu, const char *path, const char *column, int status);
/* A number that belongs to the last variable (golden/binary/conventions.c). */
void rg_fits_send_number(const rg_hdu *hdu, const char *name, rg_dtype dtype, const void *value);
void rg_fits_send_text(const rg_hdu *hdu, const char *name, const char *text);
/* Scale, offset and the value that stands for none, of numbers as they are stored. `blank` may be
 * NULL. Returns whether they are meant as the type of the other sign. */
bool rg_fits_is_other(const rg_fits_type *type, double scale, double offset);
void rg_fits_send_meaning(const rg_hdu *hdu, const rg_fits_type *type, double scale, double offset,
			  const int64_t *blank);

/* Sends the columns of the HDU, a table. */
void rg_fits_send_columns(const rg_hdu *hdu, bool is_ascii);

#endif
