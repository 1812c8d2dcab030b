/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "base/number.h"
#include "golden/binary/fits_library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The columns of FITS's tables. Their rows are records. */

enum { TEXTS_MAX = 1 << 26 };

typedef struct {
	const rg_hdu *hdu;
	int number, code; /* from 1 on; what fits_get_coltype says */
	LONGLONG rows, repeat, width;
	char name[FLEN_VALUE], unit[FLEN_VALUE], path[2 * FLEN_VALUE + 16];
	double scale, offset;
	bool has_blank;
	int64_t blank;
	rg_wire_item item;
	uint64_t each; /* elements of a row */
} column;

static void fail(const column *c, int status)
{
	rg_fits_say_unreadable(c->hdu, c->path, c->name, status);
}

/* TDIM (3,2) is 2 × 3; of texts the first is their length. */
static int read_shape(column *c)
{
	LONGLONG axes[RG_METRIC_DIMENSIONS] = {0};
	int count = 0, status = 0;

	cfitsio.fits_read_tdimll(c->hdu->file, c->number, RG_METRIC_DIMENSIONS - 1, &count, axes,
				 &status);
	if (c->code == TSTRING && c->width && count == 1 && axes[0] == c->repeat) {
		axes[0] = c->width;
		axes[1] = c->repeat / c->width;
		count = axes[1] == 1 ? 1 : 2;
	}
	if (count == 1 && axes[0] == 1 && c->code != TSTRING)
		count = 0;
	if (!status && count >= RG_METRIC_DIMENSIONS)
		status = BAD_TDIM;
	for (int i = count; i-- > (c->code == TSTRING) && !status;) {
		c->item.shape[c->item.dimensions++] = axes[i];
		if (axes[i] < 0 || __builtin_mul_overflow(c->each, (uint64_t)axes[i], &c->each))
			status = BAD_TDIM;
	}
	/* A row lies in the file; a bit is the smallest element. */
	if (!status && c->each > 8 * c->hdu->size)
		status = END_OF_FILE;
	return status;
}

/* Reads rows of numbers into `room`, as many as it holds; returns how many. */
static LONGLONG read_rows(const column *c, int type, LONGLONG row, LONGLONG most, void *room,
			  int *status)
{
	const LONGLONG n = c->rows - row < most ? c->rows - row : most;
	const LONGLONG count = n * (LONGLONG)c->each;
	char undefined = 2;
	int any;

	if (type != TBIT)
		cfitsio.fits_read_col(c->hdu->file, type, c->number, row + 1, 1, count,
				      type == TLOGICAL ? &undefined : NULL, room, &any, status);
	for (LONGLONG i = 0; type == TBIT && i < n && !*status; i++)
		cfitsio.fits_read_col_bit(c->hdu->file, c->number, row + 1 + i, 1,
					  (LONGLONG)c->each, (char *)room + (uint64_t)i * c->each,
					  status);
	return n;
}

static void send_rows(const column *c, int type)
{
	const size_t width = rg_dtype_size((rg_dtype)c->item.dtype) *
			     (c->item.flags & RG_WIRE_IS_COMPLEX ? 2 : 1);
	const uint64_t row = c->each * width, size = row * (uint64_t)c->rows;
	const LONGLONG most = row && row < RG_FITS_PIECE ? (LONGLONG)(RG_FITS_PIECE / row) : 1;
	char why[FLEN_STATUS];
	int status = 0;

	RG_AUTO_FREE char *room = rg_malloc((size_t)((uint64_t)most * row) + 1);
	rg_wire_begin(c->hdu->wire, &c->item, c->path, "", 0, size);
	for (LONGLONG at = 0, n; size && at < c->rows && !status; at += n) {
		n = read_rows(c, type, at, most, room, &status);
		if (!status)
			rg_wire_run(c->hdu->wire, (uint64_t)at * row, room, (uint64_t)n * row);
	}
	if (!status)
		return;
	cfitsio.fits_get_errstatus(status, why);
	rg_wire_fail(c->hdu->wire, why);
}

static void send_numbers(column *c)
{
	const rg_fits_type *type = rg_fits_type_of(c->code, true);
	const bool complex = c->code == TCOMPLEX || c->code == TDBLCOMPLEX;
	int status = 0;

	if (complex) {
		c->item.flags = RG_WIRE_IS_COMPLEX;
		c->item.dtype = c->code == TCOMPLEX ? RG_DTYPE_FLOAT32 : RG_DTYPE_FLOAT64;
		send_rows(c, c->code);
	} else if (c->code == TLOGICAL || c->code == TBIT) {
		c->item.dtype = c->code == TBIT ? RG_DTYPE_BOOL : RG_DTYPE_UINT8;
		send_rows(c, c->code);
		if (c->code == TLOGICAL)
			rg_fits_send_number(c->hdu, "BLANK", RG_DTYPE_UINT8, &(uint8_t){2});
	} else if (!type) {
		fail(c, BAD_TFORM);
	} else {
		const bool other = rg_fits_is_other(type, c->scale, c->offset);
		if (!other)
			cfitsio.fits_set_tscale(c->hdu->file, c->number, 1, 0, &status);
		c->item.dtype = other ? type->other_dtype : type->dtype;
		send_rows(c, other ? type->other_type : type->type);
		rg_fits_send_meaning(c->hdu, type, c->scale, c->offset,
				     c->has_blank ? &c->blank : NULL);
	}
}

/* Ends a text of `length` bytes, of which blanks at the end do not count, and adds it to `to`. */
static char *put_text(char *to, const char *text, size_t length)
{
	length = strnlen(text, length);
	while (length && text[length - 1] == ' ')
		length--;
	memcpy(to, text, length);
	to[length] = '\0';
	return to + length + 1;
}

/* Reads the bytes of the column in each row, from byte `offset` of the row on. */
static char *read_bytes(const column *c, LONGLONG offset, LONGLONG width, int *status)
{
	if (width < 0 || (width && c->rows > TEXTS_MAX / width))
		*status = MEMORY_ALLOCATION;
	char *bytes = *status ? NULL : rg_calloc((size_t)(c->rows * width) + 1, 1);
	for (LONGLONG i = 0; i < c->rows && !*status; i++)
		cfitsio.fits_read_tblbytes(c->hdu->file, i + 1, offset, width,
					   (unsigned char *)bytes + i * width, status);
	return bytes;
}

/* `count` texts of up to `width` bytes, each `stride` after the one before. */
static void send_texts(column *c, const char *bytes, uint64_t count, size_t width, size_t stride)
{
	RG_AUTO_FREE char *texts = rg_malloc((size_t)count * (width + 1) + 1);
	char *end = texts;
	for (uint64_t i = 0; i < count; i++)
		end = put_text(end, bytes + i * stride, width);
	c->item.values = RG_WIRE_TEXTS;
	rg_wire_put(c->hdu->wire, &c->item, c->path, texts, (size_t)(end - texts));
}

static void read_texts(column *c)
{
	const uint64_t count = (uint64_t)c->rows * c->each;
	const size_t stride = (size_t)c->width + 1;
	int any, status = 0;

	if (c->width < 0 || count > TEXTS_MAX / sizeof(char *) || count * stride > TEXTS_MAX) {
		fail(c, MEMORY_ALLOCATION);
		return;
	}
	RG_AUTO_FREE char *bytes = rg_calloc((size_t)count + 1, stride);
	RG_AUTO_FREE char **texts = rg_calloc((size_t)count + 1, sizeof(*texts));
	for (uint64_t i = 0; i < count; i++)
		texts[i] = bytes + i * stride;
	if (count && cfitsio.fits_read_col(c->hdu->file, TSTRING, c->number, 1, 1, (LONGLONG)count,
					   NULL, texts, &any, &status))
		fail(c, status);
	else
		send_texts(c, bytes, count, (size_t)c->width, stride);
}

/* A number of an ASCII table; false where there is none. */
static bool parse_cell(const char *cell, bool is_whole, uint64_t *out)
{
	char text[FLEN_VALUE];
	double real;
	int64_t whole;

	snprintf(text, sizeof(text), "%s", cell + strspn(cell, " +"));
	for (char *at = text; *at; at++)
		if (*at == 'D' || *at == 'd')
			*at = 'E';
	if (is_whole && rg_int64_parse(text, strlen(text), &whole)) {
		*out = (uint64_t)whole;
		return true;
	}
	if (is_whole || !rg_double_parse(text, strlen(text), &real))
		return false;
	memcpy(out, &real, sizeof(real));
	return true;
}

/* ASCII tables are read by regild's own parser, as CFITSIO's is off by some last digits. */
static void send_ascii(column *c)
{
	char none[FLEN_VALUE] = "", form[FLEN_VALUE] = "";
	const double nan = NAN;
	const int64_t least = INT64_MIN;
	long start = 0;
	int status = 0;

	cfitsio.fits_get_acolparms(c->hdu->file, c->number, NULL, &start, NULL, form, &c->scale,
				   &c->offset, none, NULL, &status);
	const bool is_whole = *form == 'I';
	const size_t width = (size_t)c->width;
	RG_AUTO_FREE char *bytes = read_bytes(c, start, c->width, &status);
	if (status) {
		fail(c, status);
		return;
	}
	if (c->code == TSTRING) {
		send_texts(c, bytes, (uint64_t)c->rows, width, width);
		return;
	}
	RG_AUTO_FREE uint64_t *values = rg_calloc((size_t)c->rows + 1, sizeof(*values));
	for (LONGLONG i = 0; i < c->rows; i++) {
		char cell[FLEN_VALUE];
		put_text(cell, bytes + (size_t)i * width,
			 width < sizeof(cell) ? width : sizeof(cell) - 1);
		const char *text = cell + strspn(cell, " ");
		memcpy(&values[i], is_whole ? (const void *)&least : (const void *)&nan,
		       sizeof(*values));
		if (*text && strcmp(text, none) != 0 && !parse_cell(text, is_whole, &values[i])) {
			fail(c, BAD_C2D);
			return;
		}
	}
	c->item.dtype = is_whole ? RG_DTYPE_INT64 : RG_DTYPE_FLOAT64;
	rg_wire_put(c->hdu->wire, &c->item, c->path, values, (size_t)c->rows * sizeof(*values));
	if (is_whole)
		rg_fits_send_number(c->hdu, "BLANK", RG_DTYPE_INT64, &least);
	else
		rg_fits_send_number(c->hdu, "BLANK", RG_DTYPE_FLOAT64, &nan);
}

/* Lists of any length: all numbers one after another, and the lengths. */
static void send_lists(column *c)
{
	char path[sizeof(c->path) + 16];
	int status = 0;
	uint64_t total = 0;

	column all = *c;
	all.code = -c->code;
	const rg_fits_type *type = rg_fits_type_of(all.code, true);
	if (!type) {
		rg_wire_say(c->hdu->wire, RG_WIRE_UNREADABLE, c->path,
			    "lists of anything but numbers cannot be read");
		return;
	}
	RG_AUTO_FREE int64_t *lengths = rg_calloc((size_t)c->rows + 1, sizeof(*lengths));
	for (LONGLONG i = 0, length; i < c->rows && !status; i++) {
		cfitsio.fits_read_descriptll(c->hdu->file, c->number, i + 1, &length, NULL,
					     &status);
		if (!status && (length < 0 || (uint64_t)length > c->hdu->size))
			status = END_OF_FILE;
		total += (uint64_t)(lengths[i] = length);
		if (!status && total * rg_dtype_size(type->dtype) > TEXTS_MAX)
			status = MEMORY_ALLOCATION;
	}
	const bool other = rg_fits_is_other(type, c->scale, c->offset);
	const size_t width = rg_dtype_size(type->dtype);
	RG_AUTO_FREE char *values = status ? NULL : rg_malloc((size_t)total * width + 1);
	if (!other)
		cfitsio.fits_set_tscale(c->hdu->file, c->number, 1, 0, &status);
	uint64_t at = 0;
	for (LONGLONG i = 0; i < c->rows && !status; at += (uint64_t)lengths[i++])
		if (lengths[i])
			cfitsio.fits_read_col(c->hdu->file, other ? type->other_type : type->type,
					      c->number, i + 1, 1, lengths[i], NULL,
					      values + at * width, NULL, &status);
	if (status) {
		fail(c, status);
		return;
	}
	all.item.dtype = other ? type->other_dtype : type->dtype;
	all.item.unlimited = 0;
	all.item.shape[0] = (int64_t)total;
	rg_wire_put(c->hdu->wire, &all.item, c->path, values, (size_t)total * width);
	rg_fits_send_meaning(c->hdu, type, c->scale, c->offset, c->has_blank ? &c->blank : NULL);
	c->item.dtype = RG_DTYPE_INT64;
	snprintf(path, sizeof(path), "%s(lengths)", c->path);
	rg_wire_put(c->hdu->wire, &c->item, path, lengths, (size_t)c->rows * sizeof(*lengths));
}

static void send_column(column *c, bool is_ascii)
{
	char key[FLEN_KEYWORD];
	LONGLONG none = 0;
	int status = 0;

	*c->name = *c->unit = '\0';
	c->scale = 1;
	c->offset = 0;
	if (!is_ascii)
		cfitsio.fits_get_bcolparmsll(c->hdu->file, c->number, c->name, c->unit, NULL, NULL,
					     &c->scale, &c->offset, NULL, NULL, &status);
	else
		cfitsio.fits_get_acolparms(c->hdu->file, c->number, c->name, NULL, c->unit, NULL,
					   NULL, NULL, NULL, NULL, &status);
	cfitsio.fits_get_coltypell(c->hdu->file, c->number, &c->code, &c->repeat, &c->width,
				   &status);
	int failed = status;
	snprintf(key, sizeof(key), "TNULL%d", c->number);
	c->has_blank = !is_ascii &&
		       !cfitsio.fits_read_key(c->hdu->file, TLONGLONG, key, &none, NULL, &failed);
	c->blank = none;
	if (!*c->name)
		snprintf(c->name, sizeof(c->name), "COL%d", c->number);
	snprintf(c->path, sizeof(c->path), "%s/%s", c->hdu->path, c->name);
	const bool is_list = !status && c->code < 0;
	c->item = (rg_wire_item){.kind = RG_WIRE_VARIABLE, .dimensions = 1, .unlimited = 1};
	c->item.shape[0] = c->rows;
	c->each = 1;
	if ((uint64_t)c->rows > c->hdu->size) /* a row has a byte */
		status = END_OF_FILE;
	if (!status && !is_list && !is_ascii)
		status = read_shape(c);
	if (status)
		fail(c, status);
	else if (is_ascii)
		send_ascii(c);
	else if (is_list)
		send_lists(c);
	else if (c->code == TSTRING)
		read_texts(c);
	else
		send_numbers(c);
	if (!status && *c->unit)
		rg_fits_send_text(c->hdu, "TUNIT", c->unit);
}

void rg_fits_send_columns(const rg_hdu *hdu, bool is_ascii)
{
	column c = {.hdu = hdu};
	int count = 0, status = 0;
	cfitsio.fits_get_num_cols(hdu->file, &count, &status);
	cfitsio.fits_get_num_rowsll(hdu->file, &c.rows, &status);
	for (c.number = 1; c.number <= count && !status; c.number++)
		send_column(&c, is_ascii);
	if (status)
		rg_fits_say_unreadable(hdu, hdu->path, NULL, status);
}
