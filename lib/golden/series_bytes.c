/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/series_bytes.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <zlib.h>

/*
 * A first byte: the decimal places, or DOUBLES, and whether the rest is deflated. Then the values'
 * bytes, and four of their CRC-32.
 */
enum {
	PLACES_MAX = 22, /* up to there a power of ten is a double */
	DOUBLES = 32,
	FLOATS, /* in the place of decimals, the bits of floats: of several series alone */
	DEFLATED = 64,
	REPEATED = 128, /* of several series that agree to the bit: the values of one */
	BLOCK = 4096,
	CRC = 4,
	DEFLATE_MOST = 1032, /* bytes out of one */
	WINDOW = 12,         /* values repeat within a few lines: a small window costs less */
	MEMORY = 5,
	/* These codes stand for values; higher ones for distances from the decimal before. */
	CODE_NAN = 0,
	CODE_INF,
	CODE_MINUS_INF,
	CODE_MINUS_ZERO,
	CODES
};

static const double exact_max = 9007199254740992.0; /* 2^53 */
static const double powers[PLACES_MAX + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
					      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
					      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* ---- packing ---- */

/* CODES where it is a number like others. */
static unsigned code_of(double value)
{
	if (isnan(value))
		return CODE_NAN;
	if (isinf(value))
		return value > 0 ? CODE_INF : CODE_MINUS_INF;
	return value == 0 && signbit(value) ? CODE_MINUS_ZERO : CODES;
}

/* Is it a whole number after so many places? Then dividing gives it back: both are exact, and the
 * quotient is the double nearest to the decimal. */
static bool has_places(double value, unsigned places, int64_t *whole)
{
	double scaled = nearbyint(value * powers[places]);
	if (!(fabs(scaled) < exact_max) || scaled / powers[places] != value)
		return false;
	*whole = (int64_t)scaled;
	return true;
}

/* Is it a float's? Then the float's bits stand for it. */
static bool has_float(double value, int64_t *whole)
{
	const float narrow = fabs(value) <= FLT_MAX ? (float)value : 0;
	uint32_t bits;
	memcpy(&bits, &narrow, sizeof(bits));
	*whole = bits;
	return (double)narrow == value;
}

static void append_double(rg_buf *out, double value)
{
	unsigned char bytes[8];
	uint64_t bits;

	if (isnan(value))
		value = NAN; /* one of them all, so that equal series are equal bytes */
	memcpy(&bits, &value, sizeof(bits));
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(bits >> 8 * i);
	rg_buf_add(out, bytes, sizeof(bytes));
}

typedef void block_fn(void *context, const double *values, size_t count);

static rg_error *each_block(const rg_metric *series, block_fn *take, void *context)
{
	double values[BLOCK];
	for (size_t first = 0; first < series->count; first += BLOCK) {
		size_t left = series->count - first, count = left < BLOCK ? left : BLOCK;
		RG_TRY(rg_metric_read(series, first, count, values));
		take(context, values, count);
	}
	return NULL;
}

typedef struct {
	rg_buf plain, deflated;
	unsigned places;
	int64_t before; /* the whole number of the last decimal */
	bool fit;       /* false: a later block needed more places than a value has room for */
	bool floats;    /* all are floats' */
} pack_state;

static void pack_state_release(pack_state *p)
{
	rg_buf_release(&p->plain);
	rg_buf_release(&p->deflated);
}

/* Raises `places` to as many as all values of the block need; DOUBLES where no number is enough. */
static void widen(void *context, const double *values, size_t count)
{
	unsigned *places = &((pack_state *)context)->places;
	int64_t whole;
	for (size_t i = 0; i < count && *places != DOUBLES; i++)
		while (code_of(values[i]) == CODES && *places != DOUBLES &&
		       !has_places(values[i], *places, &whole))
			*places = *places == PLACES_MAX ? DOUBLES : *places + 1;
}

static void find_floats(void *context, const double *values, size_t count)
{
	pack_state *p = context;
	int64_t bits;
	for (size_t i = 0; i < count && p->floats; i++)
		p->floats = code_of(values[i]) != CODES || has_float(values[i], &bits);
}

static void append_decimal(pack_state *p, double value)
{
	uint64_t code = code_of(value);
	int64_t whole;

	if (code == CODES) {
		p->fit = p->places == FLOATS ? has_float(value, &whole)
					     : has_places(value, p->places, &whole);
		if (!p->fit)
			return;
		int64_t distance = whole - p->before;
		p->before = whole;
		code += ((uint64_t)distance << 1) ^ (distance < 0 ? UINT64_MAX : 0);
	}
	for (; code > 127; code >>= 7)
		rg_buf_char(&p->plain, (char)(code | 128));
	rg_buf_char(&p->plain, (char)code);
}

static void append_block(void *context, const double *values, size_t count)
{
	pack_state *p = context;
	for (size_t i = 0; i < count && p->fit; i++)
		if (p->places == DOUBLES)
			append_double(&p->plain, values[i]);
		else
			append_decimal(p, values[i]);
}

/* Does that save bytes? If not, `out` has nothing of use. Distances between runs are noise, in
 * which nothing repeats but a byte: looking for more would take most of the time. */
static bool deflate_plain(rg_buf *out, const rg_buf *plain, bool alike)
{
	z_stream stream = {.next_in = (unsigned char *)(uintptr_t)plain->data,
			   .avail_in = (unsigned)plain->length};

	rg_buf_reserve(out, plain->length); /* `out` has the maximum that `plain` kept to */
	if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -WINDOW, MEMORY,
			 alike ? Z_RLE : Z_DEFAULT_STRATEGY) != Z_OK)
		rg_out_of_memory();
	stream.next_out = (unsigned char *)out->data;
	stream.avail_out = (unsigned)plain->length;
	const bool fewer = deflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out;
	out->length = stream.total_out;
	deflateEnd(&stream);
	return fewer;
}

/* The checksum of the first byte and of the values' bytes before they are deflated. */
static uint32_t crc_of(unsigned char first, const void *plain, size_t length)
{
	unsigned long crc = crc32(0, &first, 1);
	/* zlib would begin anew if `plain` were NULL. */
	return (uint32_t)(length ? crc32(crc, plain, (unsigned)length) : crc);
}

static rg_error *pack(rg_buf *out, const rg_metric *series, bool alike, unsigned repeated)
{
	RG_AUTO(pack_state)
	p = {.plain = rg_buf_of(out->max), .fit = true, .floats = alike};

	rg_buf_init(&p.deflated, out->max);
	RG_TRY(each_block(series, widen, &p));
	if (p.places == DOUBLES && alike) {
		RG_TRY(each_block(series, find_floats, &p));
		p.places = p.floats ? FLOATS : DOUBLES;
	}
	RG_TRY(each_block(series, append_block, &p));
	if (!p.fit) { /* a large value beside one of many places */
		p.places = DOUBLES;
		p.fit = true;
		rg_buf_clear(&p.plain);
		RG_TRY(each_block(series, append_block, &p));
	}
	bool fewer = deflate_plain(&p.deflated, &p.plain, alike);
	/* Inflating takes longer than reading a few bytes more; and one row that stands for many is
	 * as long as rg_series_bytes_may_hold expects of them. */
	if (repeated || (alike && p.deflated.length > p.plain.length / 4 * 3))
		fewer = false;
	const rg_buf *values = fewer ? &p.deflated : &p.plain;
	const unsigned char first = (unsigned char)(p.places | repeated | (fewer ? DEFLATED : 0));
	rg_buf_inherit(out, &p.plain);
	rg_buf_char(out, (char)first);
	rg_buf_add(out, values->data, values->length);
	const uint32_t crc = crc_of(first, p.plain.data, p.plain.length);
	for (unsigned i = 0; i < CRC; i++)
		rg_buf_char(out, (char)(crc >> 8 * i));
	return NULL;
}

rg_error *rg_series_bytes_pack(rg_buf *out, const rg_metric *series)
{
	return pack(out, series, false, 0);
}

/* A part of both lists is in the processor's cache so. */
enum { TILE = 8 };

rg_error *rg_rows_pack(rg_buf *out, const double *const *rows, size_t row_count, size_t count)
{
	bool repeated = row_count > 1;
	for (size_t r = 1; r < row_count && repeated; r++)
		repeated = !memcmp(rows[r], rows[0], count * sizeof(**rows));
	if (repeated)
		row_count = 1;
	RG_AUTO_FREE double *columns = rg_malloc((row_count * count + 1) * sizeof(*columns));
	for (size_t first = 0; first < row_count; first += TILE)
		for (size_t i = 0; i < count; i++)
			for (size_t r = first; r < row_count && r < first + TILE; r++)
				columns[i * row_count + r] = rows[r][i];
	const rg_metric all = {
		.kind = RG_METRIC_SERIES, .values = columns, .count = row_count * count};
	return pack(out, &all, true, repeated ? REPEATED : 0);
}

/* ---- unpack_state ---- */

typedef struct {
	const unsigned char *at, *end; /* the values' bytes that are there */
	bool ended;
	z_stream stream;
	uint32_t crc;
	unsigned char block[BLOCK];
} unpack_state;

static void unpack_state_release(unpack_state *u)
{
	inflateEnd(&u->stream); /* does nothing if it was not begun */
}

rg_error *rg_series_damaged(void)
{
	return rg_error_new(RG_E_MISMATCH,
			    "a series in the history is damaged; "
			    "regild-history(5) says how to have its run fetched again");
}

/* Inflates more; with none left u->ended. */
static rg_error *refill(unpack_state *u)
{
	u->at = u->end = u->block;
	if (u->ended)
		return NULL;
	u->stream.next_out = u->block;
	u->stream.avail_out = sizeof(u->block);
	int status = inflate(&u->stream, Z_NO_FLUSH);
	if (status != Z_OK && status != Z_STREAM_END)
		return rg_series_damaged();
	u->ended = status == Z_STREAM_END;
	u->end = u->stream.next_out;
	u->crc = (uint32_t)crc32(u->crc, u->block, (unsigned)(u->end - u->block));
	return NULL;
}

static rg_error *next_byte(unpack_state *u, unsigned char *out)
{
	while (u->at == u->end) {
		if (u->ended)
			return rg_series_damaged();
		RG_TRY(refill(u));
	}
	*out = *u->at++;
	return NULL;
}

static rg_error *next_varint(unpack_state *u, uint64_t *out)
{
	enum { LONGEST = 9 }; /* bytes */
	unsigned char byte = 0;
	unsigned shift = 0;

	*out = 0;
	if (u->end - u->at >= LONGEST) {
		const unsigned char *at = u->at;
		uint64_t code = *at & 127;
		while (*at++ > 127 && shift < 56)
			code |= (uint64_t)(*at & 127) << (shift += 7);
		u->at = at;
		*out = code;
		return at[-1] > 127 ? rg_series_damaged() : NULL;
	}
	do {
		if (shift > 56)
			return rg_series_damaged();
		RG_TRY(next_byte(u, &byte));
		*out |= (uint64_t)(byte & 127) << shift;
		shift += 7;
	} while (byte > 127);
	return NULL;
}

/* The number that a whole one stands for; false: none. */
static bool has_value(double *out, int64_t whole, unsigned places)
{
	if (places == FLOATS) {
		const uint32_t bits = (uint32_t)whole;
		float narrow;
		memcpy(&narrow, &bits, sizeof(narrow));
		*out = (double)narrow;
		return whole >= 0 && whole <= (int64_t)UINT32_MAX && isfinite(narrow);
	}
	*out = (double)whole / powers[places];
	return whole < (int64_t)exact_max && whole > -(int64_t)exact_max;
}

static rg_error *unpack_decimals(unpack_state *u, double *out, size_t count, unsigned places)
{
	static const double others[CODES] = {[CODE_NAN] = NAN,
					     [CODE_INF] = INFINITY,
					     [CODE_MINUS_INF] = -INFINITY,
					     [CODE_MINUS_ZERO] = -0.0};
	int64_t whole = 0;
	uint64_t code;

	for (size_t i = 0; i < count; i++) {
		RG_TRY(next_varint(u, &code));
		if (code < CODES) {
			out[i] = others[code];
			continue;
		}
		code -= CODES;
		/* Both are below 2^62: no sum overflows. */
		whole += (int64_t)(code >> 1) ^ -(int64_t)(code & 1);
		if (!has_value(&out[i], whole, places))
			return rg_series_damaged();
	}
	return NULL;
}

static rg_error *unpack_doubles(unpack_state *u, double *out, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t bits = 0;
		unsigned char byte;

		for (size_t k = 0; k < sizeof(bits); k++) {
			RG_TRY(next_byte(u, &byte));
			bits |= (uint64_t)byte << 8 * k;
		}
		memcpy(&out[i], &bits, sizeof(bits));
	}
	return NULL;
}

/* `repeated`: REPEATED where the first byte has it, else 0. */
static rg_error *unpack(double *out, size_t count, const void *bytes, size_t size,
			unsigned repeated)
{
	const unsigned char *first = bytes;
	RG_AUTO(unpack_state) u = {.ended = true};

	if (size < 1 + CRC)
		return rg_series_damaged();
	unsigned kind = first[0] & ~(unsigned)DEFLATED & ~repeated;
	if (kind > PLACES_MAX && kind != DOUBLES && kind != FLOATS)
		return rg_series_damaged();
	u.crc = crc_of(first[0], NULL, 0);
	if (first[0] & DEFLATED) {
		u.ended = false;
		u.stream.next_in = (unsigned char *)(uintptr_t)(first + 1);
		u.stream.avail_in = (unsigned)(size - 1 - CRC);
		if (inflateInit2(&u.stream, -WINDOW) != Z_OK)
			rg_out_of_memory();
	} else {
		u.at = first + 1;
		u.end = first + size - CRC;
		u.crc = crc_of(first[0], u.at, (size_t)(u.end - u.at));
	}
	RG_TRY(kind == DOUBLES ? unpack_doubles(&u, out, count)
			       : unpack_decimals(&u, out, count, kind));
	while (!u.ended && u.at == u.end)
		RG_TRY(refill(&u));
	if (u.at != u.end || u.stream.avail_in || u.crc != rg_le32(first + size - CRC))
		return rg_series_damaged();
	return NULL;
}

rg_error *rg_series_bytes_unpack(double *out, size_t count, const void *bytes, size_t size)
{
	return unpack(out, count, bytes, size, 0);
}

rg_error *rg_rows_unpack(double *out, size_t row_count, size_t count, const void *bytes,
			 size_t size)
{
	const unsigned repeated = size ? *(const unsigned char *)bytes & REPEATED : 0;
	if (repeated) {
		RG_TRY(unpack(out, row_count ? count : 0, bytes, size, repeated));
		for (size_t r = 1; r < row_count; r++)
			memcpy(out + r * count, out, count * sizeof(*out));
		return NULL;
	}
	RG_AUTO_FREE double *columns = rg_malloc((row_count * count + 1) * sizeof(*columns));
	RG_TRY(rg_series_bytes_unpack(columns, row_count * count, bytes, size));
	for (size_t first = 0; first < row_count; first += TILE)
		for (size_t i = 0; i < count; i++)
			for (size_t r = first; r < row_count && r < first + TILE; r++)
				out[r * count + i] = columns[i * row_count + r];
	return NULL;
}

bool rg_series_bytes_may_hold(size_t size, uint64_t count)
{
	return count <= (uint64_t)size * DEFLATE_MOST;
}
