/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/series_text.h"

#include "base/memory.h"
#include "base/number.h"
#include "golden/series_bytes.h"

#include <inttypes.h>
#include <string.h>

#include <zlib.h>

enum { BLOCK = 4096, LINE_MAX_BYTES = RG_DOUBLE_REPR_SIZE };

typedef struct {
	z_stream stream;
	rg_buf *out;
} packer;

static void packer_release(packer *p)
{
	deflateEnd(&p->stream);
}

/* With a buffer to write into and memory at hand, deflate cannot fail. */
static void pack(packer *p, const char *text, size_t length, int flush)
{
	unsigned char block[BLOCK];
	p->stream.next_in = (unsigned char *)(uintptr_t)text;
	p->stream.avail_in = (unsigned)length;
	do {
		p->stream.next_out = block;
		p->stream.avail_out = sizeof(block);
		deflate(&p->stream, flush);
		rg_buf_add(p->out, block, sizeof(block) - p->stream.avail_out);
	} while (!p->stream.avail_out);
}

rg_error *rg_series_pack(rg_buf *out, const rg_metric *series)
{
	RG_AUTO(packer) p = {.out = out};
	char line[RG_DOUBLE_REPR_SIZE + 1];
	double values[BLOCK];

	/* Digits repeat within a few lines: a small window is enough, and costs less at first. */
	if (deflateInit2(&p.stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 12, 5, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		rg_out_of_memory();
	for (size_t first = 0; first < series->count; first += BLOCK) {
		size_t left = series->count - first, count = left < BLOCK ? left : BLOCK;
		RG_TRY(rg_metric_read(series, first, count, values));
		for (size_t i = 0; i < count; i++) {
			size_t length = rg_double_repr(values[i], line);
			line[length] = '\n';
			pack(&p, line, length + 1, Z_NO_FLUSH);
		}
	}
	pack(&p, "", 0, Z_FINISH);
	return NULL;
}

static uint64_t distance_to(const rg_metric *series, size_t at)
{
	return (uint64_t)series->steps[at] - (uint64_t)series->steps[at - 1];
}

static bool counts_up(const rg_metric *series)
{
	return !series->steps || !series->count ||
	       (uint64_t)series->steps[series->count - 1] - (uint64_t)series->steps[0] ==
		       series->count - 1;
}

void rg_steps_pack(rg_buf *out, const rg_metric *series)
{
	size_t next;
	if (counts_up(series))
		return;
	for (size_t i = 1; i < series->count; i = next) {
		uint64_t distance = distance_to(series, i);
		for (next = i + 1; next < series->count; next++)
			if (distance_to(series, next) != distance)
				break;
		rg_buf_printf(out, "%s%" PRIu64, i > 1 ? " " : "", distance);
		if (next > i + 1)
			rg_buf_printf(out, "*%zu", next - i);
	}
}

typedef struct {
	z_stream stream;
	char text[BLOCK];
	size_t at, end; /* the part of `text` that has not been read */
	bool ended;
} unpacker;

static void unpacker_release(unpacker *u)
{
	inflateEnd(&u->stream);
}

/* Moves what is left to the front and inflates more after it. */
static rg_error *refill(unpacker *u)
{
	memmove(u->text, u->text + u->at, u->end - u->at);
	u->end -= u->at;
	u->at = 0;
	u->stream.next_out = (unsigned char *)u->text + u->end;
	u->stream.avail_out = (unsigned)(sizeof(u->text) - u->end);
	int status = inflate(&u->stream, Z_NO_FLUSH);
	if (status != Z_OK && status != Z_STREAM_END)
		return rg_series_damaged();
	u->ended = status == Z_STREAM_END;
	u->end = sizeof(u->text) - u->stream.avail_out;
	return NULL;
}

/* *line is the next one, its newline included, in the unpacker's text. */
static rg_error *next_line(unpacker *u, const char **line, size_t *length)
{
	const char *end = memchr(u->text + u->at, '\n', u->end - u->at);
	if (!end && !u->ended && u->end - u->at < LINE_MAX_BYTES) {
		RG_TRY(refill(u));
		end = memchr(u->text, '\n', u->end);
	}
	*line = "";
	*length = 0;
	if (!end)
		return rg_series_damaged();
	*line = u->text + u->at;
	*length = (size_t)(end + 1 - *line);
	u->at += *length;
	return NULL;
}

rg_error *rg_series_unpack(double *out, size_t count, const void *bytes, size_t size)
{
	RG_AUTO(unpacker) u = {0};
	const char *line;
	size_t length;

	u.stream.next_in = (unsigned char *)(uintptr_t)bytes;
	u.stream.avail_in = (unsigned)size;
	if (inflateInit(&u.stream) != Z_OK)
		rg_out_of_memory();
	for (size_t i = 0; i < count; i++) {
		RG_TRY(next_line(&u, &line, &length));
		if (!rg_double_parse(line, length - 1, &out[i]))
			return rg_series_damaged();
	}
	/* zlib's checksum comes after the last line. */
	if (!u.ended && u.at == u.end)
		RG_TRY(refill(&u));
	return u.ended && u.at == u.end && !u.stream.avail_in ? NULL : rg_series_damaged();
}

/* "5" or "5*3" at *text. */
static bool parse_distance(const char **text, uint64_t *distance, uint64_t *times)
{
	size_t length = strspn(*text, "0123456789");
	*times = 1;
	if (!rg_uint64_parse(*text, length, distance) || !*distance)
		return false;
	*text += length;
	if (**text != '*')
		return true;
	++*text;
	length = strspn(*text, "0123456789");
	if (!rg_uint64_parse(*text, length, times) || !*times)
		return false;
	*text += length;
	return true;
}

rg_error *rg_steps_unpack(int64_t *out, size_t count, int64_t first, const char *text)
{
	uint64_t distance = 1, times = *text ? 0 : UINT64_MAX;
	if (count)
		out[0] = first;
	for (size_t i = 1; i < count; i++, times--) {
		if (!times && !parse_distance(&text, &distance, &times))
			return rg_series_damaged();
		if (distance > (uint64_t)INT64_MAX - (uint64_t)out[i - 1])
			return rg_series_damaged();
		out[i] = (int64_t)((uint64_t)out[i - 1] + distance);
		text += times == 1 && *text == ' ';
	}
	return *text || (times && times < UINT64_MAX - count) ? rg_series_damaged() : NULL;
}
