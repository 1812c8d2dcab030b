/* SPDX-License-Identifier: Apache-2.0 */
#include "base/number.h"
#include "golden/binary/fits_library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * FITS by CFITSIO, in a child: an image is a variable, a table a group of columns, cards are
 * attributes. Whole numbers are read as they are stored; what they stand for is the parent's to say
 * (golden/binary/rules.h).
 */

/* --- cards --- */

/* 'a text''s quotes' */
static void unquote(char *text)
{
	size_t length = strlen(text), to = 0;
	for (size_t i = 1; i + 1 < length; i++) {
		i += text[i] == '\'' && i + 2 < length;
		text[to++] = text[i];
	}
	while (to && text[to - 1] == ' ')
		to--;
	text[to] = '\0';
}

static void send_card_text(const rg_hdu *hdu, const char *name, char *value)
{
	char *whole = NULL;
	int status = 0;
	unquote(value);
	const size_t length = strlen(value);
	if (length && value[length - 1] == '&' &&
	    !cfitsio.fits_read_key_longstr(hdu->file, name, &whole, NULL, &status))
		rg_fits_send_text(hdu, name, whole);
	else
		rg_fits_send_text(hdu, name, value);
	if (whole)
		cfitsio.fits_free_memory(whole, &status);
}

/* Numbers of any size; what is none stays a text. */
static void send_card_number(const rg_hdu *hdu, const char *name, char *value)
{
	int64_t whole;
	double number;
	const size_t length = strlen(value);
	value += *value == '+';
	if (rg_int64_parse(value, strlen(value), &whole)) {
		rg_fits_send_number(hdu, name, RG_DTYPE_INT64, &whole);
		return;
	}
	for (size_t i = 0; i < length; i++)
		if (value[i] == 'D')
			value[i] = 'E';
	if (rg_double_parse(value, strlen(value), &number))
		rg_fits_send_number(hdu, name, RG_DTYPE_FLOAT64, &number);
	else
		rg_fits_send_text(hdu, name, value);
}

static void send_card(const rg_hdu *hdu, const char *name, char *value)
{
	char type = 'U';
	int status = 0;
	cfitsio.fits_get_keytype(value, &type, &status);
	if (!*value || status)
		rg_fits_send_text(hdu, name, "undefined");
	else if (type == 'C')
		send_card_text(hdu, name, value);
	else if (type == 'L')
		rg_fits_send_number(hdu, name, RG_DTYPE_BOOL, &(uint8_t){*value == 'T'});
	else
		send_card_number(hdu, name, value);
}

/* They become attributes of the last object. Cards of columns go with these. */
static void send_cards(const rg_hdu *hdu, bool is_table)
{
	enum { CARDS_MAX = 8192 };
	static const char *const left_out[] = {"DATE",   "ZHECKSUM", "ZDATASUM", "EXTNAME",
					       "EXTVER", "LONGSTRN", "END",      ""};
	char name[FLEN_KEYWORD], value[FLEN_VALUE], card[FLEN_CARD];
	int count = 0, status = 0;

	cfitsio.fits_get_hdrspace(hdu->file, &count, NULL, &status);
	for (int k = 1; k <= count && k <= CARDS_MAX; k++) {
		bool skip = false;
		status = 0;
		if (cfitsio.fits_read_keyn(hdu->file, k, name, value, NULL, &status) ||
		    cfitsio.fits_read_record(hdu->file, k, card, &status))
			continue;
		const int class = cfitsio.fits_get_keyclass(card);
		for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
			skip |= !strcmp(name, left_out[i]);
		skip |= class <= TYP_NULL_KEY || class == TYP_CKSUM_KEY || class == TYP_COMM_KEY ||
			class == TYP_CONT_KEY;
		skip |= is_table && *name == 'T' &&
			(class == TYP_DIM_KEY || class == TYP_RANG_KEY || class == TYP_UNIT_KEY ||
			 class == TYP_DISP_KEY);
		if (!skip)
			send_card(hdu, name, value);
	}
}

/* --- images --- */

static double key_of(const rg_hdu *hdu, const char *name, double otherwise)
{
	double value = otherwise;
	int status = 0;
	cfitsio.fits_read_key(hdu->file, TDOUBLE, name, &value, NULL, &status);
	return status ? otherwise : value;
}

/* The quantum of each tile, where the compression lost something. */
static void send_quanta(const rg_hdu *hdu, const rg_wire_item *image)
{
	rg_wire_item item = {.kind = RG_WIRE_ATTRIBUTE, .dtype = RG_DTYPE_FLOAT64, .dimensions = 1};
	int64_t tile[RG_METRIC_DIMENSIONS];
	char key[FLEN_KEYWORD], method[FLEN_VALUE] = "NO_DITHER", note[5 * FLEN_VALUE];
	LONGLONG rows = 0;
	int column = 0, status = 0;

	cfitsio.fits_get_colnum(hdu->file, CASEINSEN, "ZSCALE", &column, &status);
	cfitsio.fits_get_num_rowsll(hdu->file, &rows, &status);
	if (status || rows < 1 || (uint64_t)rows > hdu->size)
		return;
	RG_AUTO_FREE double *scales = rg_calloc((size_t)rows, sizeof(*scales));
	if (cfitsio.fits_read_col(hdu->file, TDOUBLE, column, 1, 1, rows, NULL, scales, NULL,
				  &status))
		return;
	item.shape[0] = rows;
	rg_wire_put(hdu->wire, &item, "ZSCALE", scales, (size_t)rows * sizeof(*scales));
	for (uint32_t i = 0; i < image->dimensions; i++) {
		const uint32_t axis = image->dimensions - i;
		snprintf(key, sizeof(key), "ZTILE%u", axis);
		tile[i] = (int64_t)key_of(hdu, key, axis == 1 ? (double)image->shape[i] : 1);
	}
	item.dtype = RG_DTYPE_INT64;
	item.shape[0] = image->dimensions;
	rg_wire_put(hdu->wire, &item, "ZTILE", tile, image->dimensions * sizeof(*tile));
	cfitsio.fits_read_key(hdu->file, TSTRING, "ZQUANTIZ", method, NULL, &status);
	snprintf(note, sizeof(note),
		 "%s: lossy compression (%s): pixels within its quantum are equal", hdu->path,
		 method);
	rg_wire_say(hdu->wire, RG_WIRE_NOTE, "", note);
}

/* Streams an image that does not lie in the file as it is meant. */
static void send_pixels(const rg_hdu *hdu, const rg_wire_item *item, int type, uint64_t count,
			bool lossy)
{
	const size_t width = rg_dtype_size((rg_dtype)item->dtype), most = RG_FITS_PIECE / width;
	RG_AUTO_FREE char *room = rg_malloc(RG_FITS_PIECE);
	char why[FLEN_STATUS];
	float none = NAN;
	double wide = NAN;
	int any, status = 0;

	rg_wire_begin(hdu->wire, item, hdu->path, "", 0, count * width);
	for (uint64_t at = 0; at < count && !status;) {
		const uint64_t n = count - at < most ? count - at : most;
		/* Pixels without a value are NaN in lossy images. Elsewhere a value for them would
		 * change those that are next to 0. */
		void *blank = !lossy ? NULL : type == TFLOAT ? (void *)&none : (void *)&wide;
		cfitsio.fits_read_img(hdu->file, type, (LONGLONG)at + 1, (LONGLONG)n, blank, room,
				      &any, &status);
		if (!status)
			rg_wire_run(hdu->wire, at * width, room, n * width);
		at += n;
	}
	if (!status)
		return;
	cfitsio.fits_get_errstatus(status, why);
	rg_wire_fail(hdu->wire, why);
}

static bool is_lossy(const rg_hdu *hdu, const rg_fits_type *type)
{
	int column, status = 0;
	return rg_dtype_is_float(type->dtype) &&
	       !cfitsio.fits_get_colnum(hdu->file, CASEINSEN, "ZSCALE", &column, &status);
}

static void send_values(const rg_hdu *hdu, rg_wire_item *item, const rg_fits_type *type,
			uint64_t count)
{
	const double scale = key_of(hdu, "BSCALE", 1), offset = key_of(hdu, "BZERO", 0);
	const bool other = rg_fits_is_other(type, scale, offset);
	const uint64_t size = count * rg_dtype_size(type->dtype);
	LONGLONG start = 0, blank = 0;
	int status = 0, none = 0;
	const bool packed = cfitsio.fits_is_compressed_image(hdu->file, &status);
	const bool lossy = packed && is_lossy(hdu, type);

	cfitsio.fits_get_hduaddrll(hdu->file, NULL, &start, NULL, &status);
	cfitsio.fits_read_key(hdu->file, TLONGLONG, "BLANK", &blank, NULL, &none);
	item->dtype = other ? type->other_dtype : type->dtype;
	if (!packed && ((uint64_t)start > hdu->size || size > hdu->size - (uint64_t)start))
		status = END_OF_FILE;
	if (status) {
		rg_fits_say_unreadable(hdu, hdu->path, NULL, status);
		return;
	}
	if (!packed && !other) {
		item->flags |= RG_WIRE_BIG_ENDIAN;
		rg_wire_in_file(hdu->wire, item, hdu->path, "", 0, (uint64_t)start, size);
	} else {
		if (!other)
			cfitsio.fits_set_bscale(hdu->file, 1, 0, &status);
		send_pixels(hdu, item, other ? type->other_type : type->type, count, lossy);
	}
	const int64_t stored = blank;
	rg_fits_send_meaning(hdu, type, scale, offset, none ? NULL : &stored);
	if (lossy)
		send_quanta(hdu, item);
}

static void send_image(const rg_hdu *hdu)
{
	rg_wire_item item = {.kind = RG_WIRE_VARIABLE};
	LONGLONG axes[RG_METRIC_DIMENSIONS] = {0};
	uint64_t count = 1;
	int bitpix = 0, dimensions = 0, status = 0;

	cfitsio.fits_get_img_paramll(hdu->file, RG_METRIC_DIMENSIONS, &bitpix, &dimensions, axes,
				     &status);
	const rg_fits_type *type = rg_fits_type_of(bitpix, false);
	if (!status && (!type || dimensions > RG_METRIC_DIMENSIONS))
		status = BAD_DIMEN;
	item.dimensions = (uint32_t)dimensions;
	for (int i = 0; i < dimensions && !status; i++) {
		item.shape[i] = axes[dimensions - 1 - i];
		if (__builtin_mul_overflow(count, (uint64_t)item.shape[i], &count) ||
		    count > UINT64_MAX / sizeof(double) / 2)
			status = BAD_NAXES;
	}
	if (status)
		rg_fits_say_unreadable(hdu, hdu->path, NULL, status);
	else if (!dimensions)
		rg_wire_say(hdu->wire, RG_WIRE_GROUP, hdu->path, "");
	else
		send_values(hdu, &item, type, count);
	send_cards(hdu, false);
}

/* --- the file --- */

/* The first one is called so in no file, but by everybody. */
static void name_hdu(rg_hdu *hdu, char (*used)[sizeof(hdu->path)], int used_count)
{
	char name[FLEN_VALUE] = "";
	int version = 1, status = 0;
	cfitsio.fits_read_key(hdu->file, TSTRING, "EXTNAME", name, NULL, &status);
	status = 0;
	if (cfitsio.fits_read_key(hdu->file, TINT, "EXTVER", &version, NULL, &status))
		version = 1;
	if (!*name)
		snprintf(hdu->path, sizeof(hdu->path), hdu->number == 1 ? "PRIMARY" : "HDU %d",
			 hdu->number - 1);
	else if (version == 1)
		snprintf(hdu->path, sizeof(hdu->path), "%s", name);
	else
		snprintf(hdu->path, sizeof(hdu->path), "%s,%d", name, version);
	for (int i = 0; i < used_count; i++)
		if (!strcmp(used[i], hdu->path)) {
			snprintf(hdu->path, sizeof(hdu->path), "%s,HDU %d", name, hdu->number - 1);
			break;
		}
	memcpy(used[used_count], hdu->path, sizeof(hdu->path));
}

static rg_error *read_hdus(rg_hdu *hdu, int count)
{
	enum { HDUS_MAX = 4096 };
	if (count > HDUS_MAX)
		return rg_error_new(RG_E_LIMIT, "it has %d HDUs, more than %d", count, HDUS_MAX);
	RG_AUTO_FREE char(*used)[sizeof(hdu->path)] = rg_calloc((size_t)count + 1, sizeof(*used));
	for (hdu->number = 1; hdu->number <= count; hdu->number++) {
		int kind = 0, status = 0;
		/* CFITSIO 4.2 takes this over from a compressed image without loss to the next one
		 * with it, whose pixels are then all the same. */
		hdu->file->Fptr->quantize_level = 0;
		cfitsio.fits_movabs_hdu(hdu->file, hdu->number, &kind, &status);
		name_hdu(hdu, used, hdu->number - 1);
		if (status) {
			rg_fits_say_unreadable(hdu, hdu->path, NULL, status);
		} else if (kind == IMAGE_HDU) {
			send_image(hdu);
		} else {
			rg_wire_say(hdu->wire, RG_WIRE_GROUP, hdu->path, "");
			send_cards(hdu, true);
			rg_fits_send_columns(hdu, kind == ASCII_TBL);
		}
	}
	return NULL;
}

/* Bytes after the last HDU are one that is cut off, unless they are empty. */
static void look_at_end(const rg_hdu *hdu, const char *bytes)
{
	LONGLONG end = 0;
	int status = 0;
	cfitsio.fits_get_hduaddrll(hdu->file, NULL, NULL, &end, &status);
	size_t at = status || end < 0 ? 0 : (size_t)end;
	while (at < hdu->size && (!bytes[at] || bytes[at] == ' '))
		at++;
	if (at != hdu->size)
		rg_wire_say(hdu->wire, RG_WIRE_WRONG, "", "the file is cut off");
}

static rg_error *read_file(rg_wire *wire, const void *data, size_t size)
{
	rg_hdu hdu = {.wire = wire, .size = size};
	void *bytes = (void *)(uintptr_t)data;
	char why[FLEN_STATUS];
	int count = 0, status = 0;

	if (!cfitsio.fits_open_memfile(&hdu.file, "golden", READONLY, &bytes, &size, 0, NULL,
				       &status))
		cfitsio.fits_get_num_hdus(hdu.file, &count, &status);
	if (status) {
		cfitsio.fits_get_errstatus(status, why);
		return rg_error_new(RG_E_PARSE, "CFITSIO cannot open it: %s", why);
	}
	rg_error *err = read_hdus(&hdu, count);
	look_at_end(&hdu, data);
	status = 0;
	cfitsio.fits_close_file(hdu.file, &status);
	rg_wire_say(wire, RG_WIRE_NOTE, "",
		    "the cards DATE, CHECKSUM, DATASUM, HISTORY and COMMENT are left out");
	return err;
}

const rg_binary_reader rg_reader_fits = {.name = "fits",
					 .format = "FITS",
					 .package = "libcfitsio10",
					 .load = rg_fits_load,
					 .read = read_file};
