/* SPDX-License-Identifier: Apache-2.0 */
#include "base/library.h"
#include "base/memory.h"
#include "base/number.h"
#include "golden/binary/child.h"

#include <fitsio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * FITS by CFITSIO, in a child: an image is a variable, a table a group of columns, whose rows are
 * records, and cards are attributes. Whole numbers are read as they are stored; what they stand for
 * is the parent's to say (golden/binary/rules.h).
 */

/* cfitsio.ffmahd(...) is fits_movabs_hdu: names are macros for shorter ones. */
/* clang-format off */
#define FUNCTIONS(X) \
	X(fits_open_memfile) X(fits_close_file) X(fits_get_num_hdus) X(fits_movabs_hdu) \
	X(fits_get_hduaddrll) X(fits_get_img_paramll) X(fits_is_compressed_image) X(fits_read_img) \
	X(fits_set_bscale) X(fits_read_key) X(fits_get_hdrspace) X(fits_read_keyn) \
	X(fits_read_record) X(fits_get_keyclass) X(fits_get_keytype) X(fits_read_key_longstr) \
	X(fits_free_memory) X(fits_get_num_cols) X(fits_get_num_rowsll) X(fits_get_coltypell) \
	X(fits_set_atblnull) X(fits_set_tscale) X(fits_read_tdimll) X(fits_read_col) \
	X(fits_read_descriptll) X(fits_get_colnum) X(fits_get_errstatus)
/* clang-format on */

static struct {
#define MEMBER(name) __typeof__(name) *(name);
	FUNCTIONS(MEMBER)
} cfitsio;

static rg_error *load(void)
{
#define TEXT(name) #name
#define NAME(name) TEXT(name),
	static const char *const names[] = {FUNCTIONS(NAME)};
	static rg_library library = {.path = REGILD_LIBRARY,
				     .package = "libcfitsio10",
				     .names = names,
				     .count = sizeof(names) / sizeof(*names),
				     .functions = &cfitsio};
	return rg_library_load(&library);
}

enum { PIECE = 1 << 20, TEXTS_MAX = 1 << 26 };

/* The HDU that is being read. */
typedef struct {
	fitsfile *file;
	rg_wire *wire;
	uint64_t size; /* of the file */
	int number;    /* from 1 on */
	bool left_out; /* cards of it or an earlier one that people may look for */
	char path[FLEN_VALUE + 16];
} hdu;

/* A type by BITPIX (0: no image has it) and by what fits_get_coltypell says; what CFITSIO is asked
 * for. The next one is the type of the other sign, if an offset makes numbers that. */
typedef struct {
	int image, column, read;
	rg_dtype dtype;
	double offset;
} value_type;

static const value_type *type_of(int code, bool is_column)
{
	static const value_type types[] = {
		{BYTE_IMG, TBYTE, TBYTE, RG_DTYPE_UINT8, -128},
		{SBYTE_IMG, TSBYTE, TSBYTE, RG_DTYPE_INT8, 0},
		{SHORT_IMG, TSHORT, TSHORT, RG_DTYPE_INT16, 0x1p15},
		{USHORT_IMG, TUSHORT, TUSHORT, RG_DTYPE_UINT16, 0},
		{LONG_IMG, TLONG, TINT, RG_DTYPE_INT32, 0x1p31},
		{ULONG_IMG, TULONG, TUINT, RG_DTYPE_UINT32, 0},
		{LONGLONG_IMG, TLONGLONG, TLONGLONG, RG_DTYPE_INT64, 0x1p63},
		{ULONGLONG_IMG, TULONGLONG, TULONGLONG, RG_DTYPE_UINT64, 0},
		{FLOAT_IMG, TFLOAT, TFLOAT, RG_DTYPE_FLOAT32, 0},
		{DOUBLE_IMG, TDOUBLE, TDOUBLE, RG_DTYPE_FLOAT64, 0},
		{0, TCOMPLEX, TCOMPLEX, RG_DTYPE_FLOAT32, 0},
		{0, TDBLCOMPLEX, TDBLCOMPLEX, RG_DTYPE_FLOAT64, 0},
		{0, TLOGICAL, TLOGICAL, RG_DTYPE_UINT8, 0},
		{0, TBIT, TBIT, RG_DTYPE_BOOL, 0},
	};
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (code == (is_column ? types[i].column : types[i].image) && code)
			return &types[i];
	return NULL;
}

/* The image or a column of the HDU. */
typedef struct {
	const hdu *hdu;
	int column; /* from 1 on; 0: the image */
	const char *name, *path;
	LONGLONG rows;
	uint64_t each;  /* elements of a row; an image is a row */
	uint64_t count; /* of all rows */
	const value_type *type;
	double scale, offset; /* that the library does not apply */
	double shift;         /* that it does, to the type of the other sign */
	rg_wire_item item;
} array;

/* The key, of the column if there is one: "BLANK", "TNULL2". */
static bool read_key(const hdu *h, const char *name, int column, int type, void *out)
{
	char key[FLEN_KEYWORD + 16];
	int status = 0;
	snprintf(key, sizeof(key), column ? "%s%d" : "%s", name, column);
	return !cfitsio.fits_read_key(h->file, type, key, out, NULL, &status);
}

static double number_of_key(const hdu *h, const char *name, int column, double otherwise)
{
	double value;
	return read_key(h, name, column, TDOUBLE, &value) ? value : otherwise;
}

static void send_number(const hdu *h, const char *name, rg_dtype dtype, const void *value)
{
	const rg_wire_item item = {.kind = RG_WIRE_ATTRIBUTE, .dtype = dtype};
	rg_wire_put(h->wire, &item, name, value, rg_dtype_size(dtype));
}

static void send_text(const hdu *h, const char *name, const char *text)
{
	const rg_wire_item item = {.kind = RG_WIRE_ATTRIBUTE, .values = RG_WIRE_TEXTS};
	rg_wire_put(h->wire, &item, name, text, strlen(text) + 1);
}

/* "HDU 2, column X: TEXT" */
static void fail(const hdu *h, const array *a, int status)
{
	const bool named = a && a->column;
	char text[FLEN_STATUS + 1] = "", why[FLEN_STATUS + FLEN_VALUE + 32];
	cfitsio.fits_get_errstatus(status, text);
	snprintf(why, sizeof(why), "HDU %d%s%s: %s", h->number - 1, named ? ", column " : "",
		 named ? a->name : "", text);
	rg_wire_say(h->wire, RG_WIRE_UNREADABLE, a ? a->path : h->path, why);
}

/* --- cards --- */

static bool parse_whole(const char *text, int64_t *out)
{
	text += *text == '+';
	return rg_int64_parse(text, strlen(text), out);
}

/* "1.5D+3", too. */
static bool parse_real(char *text, double *out)
{
	text += *text == '+';
	for (char *at = text; *at; at++)
		if (*at == 'D' || *at == 'd')
			*at = 'E';
	return rg_double_parse(text, strlen(text), out);
}

/* Numbers of any size; what is none stays a text. */
static void send_card(const hdu *h, int k, const char *name, char *value)
{
	char type = 'U', card[FLEN_CARD], *text = NULL;
	int64_t whole;
	double real;
	int status = 0;

	cfitsio.fits_get_keytype(value, &type, &status);
	if (!*value || status) {
		send_text(h, name, "undefined");
	} else if (type == 'C') {
		/* A name is looked for from the next card on. */
		cfitsio.fits_read_record(h->file, k - 1, card, &status);
		cfitsio.fits_read_key_longstr(h->file, name, &text, NULL, &status);
		send_text(h, name, text && !status ? text : value);
		if (text)
			cfitsio.fits_free_memory(text, &status);
	} else if (type == 'L') {
		send_number(h, name, RG_DTYPE_BOOL, &(uint8_t){*value == 'T'});
	} else if (parse_whole(value, &whole)) {
		send_number(h, name, RG_DTYPE_INT64, &whole);
	} else if (parse_real(value, &real)) {
		send_number(h, name, RG_DTYPE_FLOAT64, &real);
	} else {
		send_text(h, name, value + (*value == '+'));
	}
}

/* They become attributes of the last object. Cards of columns go with these. */
static void send_cards(hdu *h, bool is_table)
{
	enum { CARDS_MAX = 8192 };
	static const char *const left_out[] = {"DATE",   "ZHECKSUM", "ZDATASUM", "EXTNAME",
					       "EXTVER", "LONGSTRN", "END",      ""};
	char name[FLEN_KEYWORD], value[FLEN_VALUE], card[FLEN_CARD];
	int count = 0, status = 0;

	cfitsio.fits_get_hdrspace(h->file, &count, NULL, &status);
	for (int k = 1; k <= count && k <= CARDS_MAX; k++) {
		bool skip = false;
		status = 0;
		if (cfitsio.fits_read_keyn(h->file, k, name, value, NULL, &status) ||
		    cfitsio.fits_read_record(h->file, k, card, &status))
			continue;
		const int class = cfitsio.fits_get_keyclass(card);
		for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
			skip |= !strcmp(name, left_out[i]);
		skip |= class <= TYP_NULL_KEY || class == TYP_CKSUM_KEY || class == TYP_COMM_KEY ||
			class == TYP_CONT_KEY;
		h->left_out |= class == TYP_CKSUM_KEY || (class == TYP_COMM_KEY && *name) ||
			       !strcmp(name, "DATE");
		skip |= is_table && *name == 'T' &&
			(class == TYP_DIM_KEY || class == TYP_RANG_KEY || class == TYP_UNIT_KEY ||
			 class == TYP_DISP_KEY);
		if (!skip)
			send_card(h, k, name, value);
	}
}

/* --- numbers --- */

/* Decides how the numbers are read: as they are stored, or as the type of the other sign. */
static void set_type(array *a, const value_type *type)
{
	const bool is_column = a->column;
	int status = 0;

	a->type = type;
	a->scale = number_of_key(a->hdu, is_column ? "TSCAL" : "BSCALE", a->column, 1);
	a->offset = number_of_key(a->hdu, is_column ? "TZERO" : "BZERO", a->column, 0);
	if (type->offset != 0 && a->scale == 1 && a->offset == type->offset) {
		a->type = type + 1;
		a->shift = a->offset;
		a->offset = 0;
	} else if (type->read == TCOMPLEX || type->read == TDBLCOMPLEX) {
		a->item.flags = RG_WIRE_IS_COMPLEX;
	} else if (is_column) {
		cfitsio.fits_set_tscale(a->hdu->file, a->column, 1, 0, &status);
	} else {
		cfitsio.fits_set_bscale(a->hdu->file, 1, 0, &status);
	}
	a->item.dtype = a->type->dtype;
}

/* Scale, offset, and the value that stands for none. */
static void send_meaning(const array *a)
{
	const rg_dtype dtype = a->type->dtype;
	LONGLONG blank;

	if (a->type->read == TLOGICAL)
		send_number(a->hdu, "BLANK", dtype, &(uint8_t){2});
	if (!a->type->image)
		return;
	if (a->scale != 1 || a->offset != 0) {
		send_number(a->hdu, "BSCALE", RG_DTYPE_FLOAT64, &a->scale);
		send_number(a->hdu, "BZERO", RG_DTYPE_FLOAT64, &a->offset);
	}
	if (rg_dtype_is_float(dtype) ||
	    !read_key(a->hdu, a->column ? "TNULL" : "BLANK", a->column, TLONGLONG, &blank))
		return;
	const uint64_t shift = a->shift < 0 ? -(uint64_t)-a->shift : (uint64_t)a->shift;
	send_number(a->hdu, "BLANK", dtype == RG_DTYPE_UINT64 ? dtype : RG_DTYPE_INT64,
		    &(uint64_t){(uint64_t)blank + shift});
}

/* Reads `n` elements from `first` of the row on. */
static int read_elements(const array *a, LONGLONG row, LONGLONG first, LONGLONG n, void *none,
			 void *out)
{
	int any, status = 0;
	if (a->column)
		cfitsio.fits_read_col(a->hdu->file, a->type->read, a->column, row + 1, first + 1, n,
				      none, out, &any, &status);
	else
		cfitsio.fits_read_img(a->hdu->file, a->type->read, first + 1, n, none, out, &any,
				      &status);
	return status;
}

/* Streams the numbers; those of lists have `lengths`, one for each row. */
static void send_numbers(const array *a, const int64_t *lengths, void *none)
{
	const size_t width = rg_dtype_size((rg_dtype)a->item.dtype) *
			     (a->item.flags & RG_WIRE_IS_COMPLEX ? 2 : 1);
	const LONGLONG most = a->type->read == TBIT ? (LONGLONG)a->each : (LONGLONG)(PIECE / width);
	uint64_t sent = 0;
	int status = 0;

	RG_AUTO_FREE char *room = rg_malloc((size_t)most * width + 1);
	rg_wire_begin(a->hdu->wire, &a->item, a->path, "", 0, a->count * width);
	for (LONGLONG row = 0, n; sent < a->count && !status; row++) {
		const LONGLONG length = lengths ? lengths[row] : (LONGLONG)a->count;
		for (LONGLONG at = 0; at < length && !status; at += n, sent += (uint64_t)n) {
			const LONGLONG each = (LONGLONG)a->each;
			n = length - at < most ? length - at : most;
			status = read_elements(a, lengths ? row : at / each,
					       lengths ? at : at % each, n, none, room);
			if (!status)
				rg_wire_run(a->hdu->wire, sent * width, room, (size_t)n * width);
		}
	}
	if (status) {
		char why[FLEN_STATUS];
		cfitsio.fits_get_errstatus(status, why);
		rg_wire_fail(a->hdu->wire, why);
	}
}

/* --- images --- */

/* The quantum of each tile, where the compression lost something. */
static void send_quanta(const array *a)
{
	const uint32_t dimensions = a->item.dimensions;
	rg_wire_item item = {.kind = RG_WIRE_ATTRIBUTE, .dtype = RG_DTYPE_FLOAT64, .dimensions = 1};
	int64_t tile[RG_METRIC_DIMENSIONS];
	char method[FLEN_VALUE] = "NO_DITHER", note[5 * FLEN_VALUE];
	array scales = {.hdu = a->hdu, .each = 1, .type = type_of(TDOUBLE, true)};
	int status = 0;

	cfitsio.fits_get_colnum(a->hdu->file, CASEINSEN, "ZSCALE", &scales.column, &status);
	cfitsio.fits_get_num_rowsll(a->hdu->file, &scales.rows, &status);
	if (status || scales.rows < 1 || (uint64_t)scales.rows > a->hdu->size)
		return;
	RG_AUTO_FREE double *quanta = rg_calloc((size_t)scales.rows, sizeof(*quanta));
	if (read_elements(&scales, 0, 0, scales.rows, NULL, quanta))
		return;
	item.shape[0] = scales.rows;
	rg_wire_put(a->hdu->wire, &item, "ZSCALE", quanta, (size_t)scales.rows * sizeof(*quanta));
	for (uint32_t i = 0; i < dimensions; i++)
		tile[i] =
			(int64_t)number_of_key(a->hdu, "ZTILE", (int)(dimensions - i),
					       i + 1 == dimensions ? (double)a->item.shape[i] : 1);
	item.dtype = RG_DTYPE_INT64;
	item.shape[0] = dimensions;
	rg_wire_put(a->hdu->wire, &item, "ZTILE", tile, dimensions * sizeof(*tile));
	read_key(a->hdu, "ZQUANTIZ", 0, TSTRING, method);
	snprintf(note, sizeof(note),
		 "%s: lossy compression (%s): pixels within its quantum are equal", a->path,
		 method);
	rg_wire_say(a->hdu->wire, RG_WIRE_NOTE, "", note);
}

static void send_pixels(array *a, const value_type *type)
{
	LONGLONG start = 0;
	int column, status = 0;
	const bool packed = cfitsio.fits_is_compressed_image(a->hdu->file, &status);
	const bool lossy =
		packed && rg_dtype_is_float(type->dtype) &&
		!cfitsio.fits_get_colnum(a->hdu->file, CASEINSEN, "ZSCALE", &column, &(int){0});
	const uint64_t size = a->count * rg_dtype_size(type->dtype);

	cfitsio.fits_get_hduaddrll(a->hdu->file, NULL, &start, NULL, &status);
	if (!packed && ((uint64_t)start > a->hdu->size || size > a->hdu->size - (uint64_t)start))
		status = END_OF_FILE;
	if (status) {
		fail(a->hdu, a, status);
		return;
	}
	set_type(a, type);
	if (!packed && a->type == type) {
		a->item.flags |= RG_WIRE_BIG_ENDIAN;
		rg_wire_in_file(a->hdu->wire, &a->item, a->path, "", 0, (uint64_t)start, size);
	} else {
		/* Pixels without a value are NaN in lossy images. Elsewhere a value for them would
		 * change those that are next to 0. */
		void *const none = type->read == TFLOAT ? (void *)&(float){NAN}
							: (void *)&(double){NAN};
		send_numbers(a, NULL, lossy ? none : NULL);
	}
	send_meaning(a);
	if (lossy)
		send_quanta(a);
}

static void send_image(hdu *h)
{
	array a = {.hdu = h, .path = h->path, .count = 1, .item = {.kind = RG_WIRE_VARIABLE}};
	LONGLONG axes[RG_METRIC_DIMENSIONS] = {0};
	int bitpix = 0, dimensions = 0, status = 0;

	cfitsio.fits_get_img_paramll(h->file, RG_METRIC_DIMENSIONS, &bitpix, &dimensions, axes,
				     &status);
	const value_type *type = type_of(bitpix, false);
	if (!status && (!type || dimensions > RG_METRIC_DIMENSIONS))
		status = BAD_DIMEN;
	a.item.dimensions = (uint32_t)dimensions;
	for (int i = 0; i < dimensions && !status; i++) {
		a.item.shape[i] = axes[dimensions - 1 - i];
		if (__builtin_mul_overflow(a.count, (uint64_t)a.item.shape[i], &a.count) ||
		    a.count > UINT64_MAX / sizeof(double) / 2)
			status = BAD_NAXES;
	}
	a.each = a.count;
	if (status)
		fail(h, NULL, status);
	else if (!dimensions)
		rg_wire_say(h->wire, RG_WIRE_GROUP, h->path, "");
	else
		send_pixels(&a, type);
	send_cards(h, false);
}

/* --- tables --- */

/* TDIM (3,2) is 2 × 3; of texts the first is their length. */
static int read_shape(array *a, bool is_text, LONGLONG repeat, LONGLONG width)
{
	LONGLONG axes[RG_METRIC_DIMENSIONS] = {0};
	int count = 0, status = 0;

	cfitsio.fits_read_tdimll(a->hdu->file, a->column, RG_METRIC_DIMENSIONS - 1, &count, axes,
				 &status);
	if (is_text && width && count == 1 && axes[0] == repeat) {
		axes[0] = width;
		axes[1] = repeat / width;
		count = axes[1] == 1 ? 1 : 2;
	}
	if (count == 1 && axes[0] == 1 && !is_text)
		count = 0;
	if (!status && count >= RG_METRIC_DIMENSIONS)
		status = BAD_TDIM;
	for (int i = count; i-- > is_text && !status;) {
		a->item.shape[a->item.dimensions++] = axes[i];
		if (axes[i] < 0 || __builtin_mul_overflow(a->each, (uint64_t)axes[i], &a->each))
			status = BAD_TDIM;
	}
	/* A row lies in the file; a bit is the smallest element. */
	if (!status && a->each > 8 * a->hdu->size)
		status = END_OF_FILE;
	a->count = (uint64_t)a->rows * a->each;
	return status;
}

/* Reads all texts, each into its `width` + 1 bytes, without blanks at the end. */
static char *read_texts(const array *a, LONGLONG width, int *status)
{
	const size_t stride = (size_t)width + 1;
	int any;

	if (width < 0 || width > TEXTS_MAX || a->count > TEXTS_MAX / sizeof(char *) ||
	    a->count * stride > TEXTS_MAX) {
		*status = MEMORY_ALLOCATION;
		return NULL;
	}
	char *bytes = rg_calloc((size_t)a->count + 1, stride);
	RG_AUTO_FREE char **texts = rg_calloc((size_t)a->count + 1, sizeof(*texts));
	for (uint64_t i = 0; i < a->count; i++)
		texts[i] = bytes + i * stride;
	if (a->count)
		cfitsio.fits_read_col(a->hdu->file, TSTRING, a->column, 1, 1, (LONGLONG)a->count,
				      NULL, texts, &any, status);
	for (uint64_t i = 0; i < a->count; i++)
		for (char *end = texts[i] + strlen(texts[i]); end > texts[i] && end[-1] == ' ';)
			*--end = '\0';
	return bytes;
}

static void send_texts(array *a, LONGLONG width)
{
	int status = 0;
	RG_AUTO_FREE char *bytes = read_texts(a, width, &status);
	if (status) {
		fail(a->hdu, a, status);
		return;
	}
	char *end = bytes;
	for (uint64_t i = 0; i < a->count; i++) {
		const char *text = bytes + i * ((size_t)width + 1);
		const size_t length = strlen(text) + 1;
		memmove(end, text, length);
		end += length;
	}
	a->item.values = RG_WIRE_TEXTS;
	rg_wire_put(a->hdu->wire, &a->item, a->path, bytes, (size_t)(end - bytes));
}

/* Numbers of ASCII tables are read by regild's own parser, as CFITSIO's is off by some last digits.
 */
static void send_cells(array *a, LONGLONG width)
{
	char none[FLEN_VALUE] = "", form[FLEN_VALUE] = "";
	typedef union {
		int64_t whole;
		double real;
	} number;
	int status = 0;

	RG_AUTO_FREE char *bytes = read_texts(a, width, &status);
	RG_AUTO_FREE number *values = rg_calloc((size_t)a->count + 1, sizeof(*values));
	read_key(a->hdu, "TNULL", a->column, TSTRING, none);
	read_key(a->hdu, "TFORM", a->column, TSTRING, form);
	const bool is_whole = *form == 'I';
	const number blank = is_whole ? (number){.whole = INT64_MIN} : (number){.real = NAN};
	for (uint64_t i = 0; i < a->count && !status; i++) {
		char *cell = bytes + i * ((size_t)width + 1);
		cell += strspn(cell, " ");
		values[i] = blank;
		if (*cell && strcmp(cell, none) != 0 &&
		    !(is_whole ? parse_whole(cell, &values[i].whole)
			       : parse_real(cell, &values[i].real)))
			status = BAD_C2D;
	}
	if (status) {
		fail(a->hdu, a, status);
		return;
	}
	a->item.dtype = is_whole ? RG_DTYPE_INT64 : RG_DTYPE_FLOAT64;
	rg_wire_put(a->hdu->wire, &a->item, a->path, values, (size_t)a->count * sizeof(*values));
	send_number(a->hdu, "BLANK", (rg_dtype)a->item.dtype, &blank);
}

/* Lists of any length: all numbers one after another, and the lengths. */
static void send_lists(array *a, const value_type *type)
{
	char path[RG_WIRE_PATH_MAX];
	rg_wire_item item = a->item;
	int status = 0;

	if (!type || !type->image) {
		rg_wire_say(a->hdu->wire, RG_WIRE_UNREADABLE, a->path,
			    "lists of anything but numbers cannot be read");
		return;
	}
	RG_AUTO_FREE int64_t *lengths = rg_calloc((size_t)a->rows + 1, sizeof(*lengths));
	a->count = 0;
	for (LONGLONG i = 0, length = 0; i < a->rows && !status; i++) {
		cfitsio.fits_read_descriptll(a->hdu->file, a->column, i + 1, &length, NULL,
					     &status);
		if (!status && (length < 0 || (uint64_t)length > a->hdu->size))
			status = END_OF_FILE;
		a->count += (uint64_t)(lengths[i] = length);
		if (!status && a->count * rg_dtype_size(type->dtype) > TEXTS_MAX)
			status = MEMORY_ALLOCATION;
	}
	if (status) {
		fail(a->hdu, a, status);
		return;
	}
	a->item.unlimited = 0;
	a->item.shape[0] = (int64_t)a->count;
	set_type(a, type);
	send_numbers(a, lengths, NULL);
	send_meaning(a);
	item.dtype = RG_DTYPE_INT64;
	snprintf(path, sizeof(path), "%s(lengths)", a->path);
	rg_wire_put(a->hdu->wire, &item, path, lengths, (size_t)a->rows * sizeof(*lengths));
}

static void send_column(const hdu *h, int column, LONGLONG rows, bool is_ascii)
{
	char name[FLEN_VALUE] = "", unit[FLEN_VALUE] = "", path[sizeof(h->path) + FLEN_VALUE];
	array a = {.hdu = h,
		   .column = column,
		   .name = name,
		   .path = path,
		   .rows = rows,
		   .each = 1,
		   .count = (uint64_t)rows,
		   .item = {.kind = RG_WIRE_VARIABLE, .dimensions = 1, .unlimited = 1}};
	LONGLONG repeat = 0, width = 0;
	int code = 0, status = 0;

	a.item.shape[0] = rows;
	read_key(h, "TTYPE", column, TSTRING, name);
	read_key(h, "TUNIT", column, TSTRING, unit);
	if (!*name)
		snprintf(name, sizeof(name), "COL%d", column);
	snprintf(path, sizeof(path), "%s/%s", h->path, name);
	cfitsio.fits_get_coltypell(h->file, column, &code, &repeat, &width, &status);
	if (is_ascii) /* a text without an end is no null */
		cfitsio.fits_set_atblnull(h->file, column, (char[]){1, '\0'}, &status);
	const value_type *type = type_of(code < 0 ? -code : code, true);
	if ((uint64_t)rows > h->size) /* a row has a byte */
		status = END_OF_FILE;
	if (!status && code > 0 && !is_ascii)
		status = read_shape(&a, code == TSTRING, repeat, width);
	if (!status && code > 0 && code != TSTRING && !type)
		status = BAD_TFORM;
	if (status) {
		fail(h, &a, status);
		return;
	}
	if (code < 0) {
		send_lists(&a, type);
	} else if (code == TSTRING) {
		send_texts(&a, width);
	} else if (is_ascii) {
		send_cells(&a, width);
	} else {
		set_type(&a, type);
		send_numbers(&a, NULL, type->read == TLOGICAL ? &(char){2} : NULL);
		send_meaning(&a);
	}
	if (*unit)
		send_text(h, "TUNIT", unit);
}

static void send_table(hdu *h, bool is_ascii)
{
	LONGLONG rows = 0;
	int count = 0, status = 0;
	rg_wire_say(h->wire, RG_WIRE_GROUP, h->path, "");
	send_cards(h, true);
	cfitsio.fits_get_num_cols(h->file, &count, &status);
	cfitsio.fits_get_num_rowsll(h->file, &rows, &status);
	for (int i = 1; i <= count && !status; i++)
		send_column(h, i, rows, is_ascii);
	if (status)
		fail(h, NULL, status);
}

/* --- the file --- */

/* The first one is called so in no file, but by everybody. */
static void name_hdu(hdu *h, char (*used)[sizeof(h->path)], int used_count)
{
	char name[FLEN_VALUE] = "";
	int version = 1;
	read_key(h, "EXTNAME", 0, TSTRING, name);
	if (!read_key(h, "EXTVER", 0, TINT, &version))
		version = 1;
	if (!*name)
		snprintf(h->path, sizeof(h->path), h->number == 1 ? "PRIMARY" : "HDU %d",
			 h->number - 1);
	else
		snprintf(h->path, sizeof(h->path), version == 1 ? "%s" : "%s,%d", name, version);
	for (int i = 0; i < used_count; i++)
		if (!strcmp(used[i], h->path)) {
			snprintf(h->path, sizeof(h->path), "%s,HDU %d", name, h->number - 1);
			break;
		}
	memcpy(used[used_count], h->path, sizeof(h->path));
}

static rg_error *read_hdus(hdu *h, int count)
{
	enum { HDUS_MAX = 4096 };
	if (count > HDUS_MAX)
		return rg_error_new(RG_E_LIMIT, "it has %d HDUs, more than %d", count, HDUS_MAX);
	RG_AUTO_FREE char(*used)[sizeof(h->path)] = rg_calloc((size_t)count + 1, sizeof(*used));
	for (h->number = 1; h->number <= count; h->number++) {
		int kind = 0, status = 0;
		/* CFITSIO 4.2 takes this over from a compressed image without loss to the next one
		 * with it, whose pixels are then all the same. */
		h->file->Fptr->quantize_level = 0;
		cfitsio.fits_movabs_hdu(h->file, h->number, &kind, &status);
		name_hdu(h, used, h->number - 1);
		if (status)
			fail(h, NULL, status);
		else if (kind == IMAGE_HDU)
			send_image(h);
		else
			send_table(h, kind == ASCII_TBL);
	}
	return NULL;
}

/* Bytes after the last HDU are one that is cut off, unless they are empty. */
static void look_at_end(const hdu *h, const char *bytes)
{
	LONGLONG end = 0;
	int status = 0;
	cfitsio.fits_get_hduaddrll(h->file, NULL, NULL, &end, &status);
	size_t at = status || end < 0 ? 0 : (size_t)end;
	while (at < h->size && (!bytes[at] || bytes[at] == ' '))
		at++;
	if (at != h->size)
		rg_wire_say(h->wire, RG_WIRE_WRONG, "", "the file is cut off");
}

static rg_error *read_file(rg_wire *wire, const void *data, size_t size)
{
	hdu h = {.wire = wire, .size = size};
	void *bytes = (void *)(uintptr_t)data;
	char why[FLEN_STATUS];
	int count = 0, status = 0;

	if (!cfitsio.fits_open_memfile(&h.file, "golden", READONLY, &bytes, &size, 0, NULL,
				       &status))
		cfitsio.fits_get_num_hdus(h.file, &count, &status);
	if (status) {
		cfitsio.fits_get_errstatus(status, why);
		return status == END_OF_FILE
			       ? rg_error_new(RG_E_PARSE, "it is cut off in its first header")
			       : rg_error_new(RG_E_PARSE, "CFITSIO cannot open it: %s", why);
	}
	rg_error *err = read_hdus(&h, count);
	look_at_end(&h, data);
	status = 0;
	cfitsio.fits_close_file(h.file, &status);
	if (h.left_out)
		rg_wire_say(wire, RG_WIRE_NOTE, "",
			    "the cards DATE, CHECKSUM, DATASUM, HISTORY and COMMENT are left out");
	return err;
}

const rg_binary_reader rg_reader_fits = {.name = "fits",
					 .format = "FITS",
					 .package = "libcfitsio10",
					 .load = load,
					 .read = read_file};
