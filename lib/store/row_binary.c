/* SPDX-License-Identifier: Apache-2.0 */
#include "store/row_binary.h"

#include "base/bytes.h"

#include <string.h>

void rg_row_number(rg_buf *out, uint64_t value, unsigned bytes)
{
	for (; bytes; bytes--, value >>= 8)
		rg_buf_char(out, (char)(value & 0xff));
}

void rg_row_double(rg_buf *out, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	rg_row_number(out, bits, 8);
}

void rg_row_numbers(rg_buf *out, const void *numbers, size_t count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	rg_buf_add(out, numbers, count * 8);
#else
	for (const uint64_t *at = numbers; count; count--)
		rg_row_number(out, *at++, 8);
#endif
}

void rg_row_length(rg_buf *out, uint64_t length)
{
	for (; length > 0x7f; length >>= 7)
		rg_buf_char(out, (char)(0x80 | (length & 0x7f)));
	rg_buf_char(out, (char)length);
}

void rg_row_text(rg_buf *out, const char *text)
{
	size_t length = strlen(text);
	rg_row_length(out, length);
	rg_buf_add(out, text, length);
}

static bool read_length(const unsigned char **at, const unsigned char *end, uint64_t *length)
{
	*length = 0;
	for (unsigned shift = 0; *at < end && shift < 63; shift += 7) {
		unsigned char byte = *(*at)++;
		*length |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

const char *rg_row_next_text(const unsigned char **at, size_t *length)
{
	const unsigned char *end = *at + 10; /* the row was read: the length is whole */
	uint64_t size;

	*length = 0;
	if (!read_length(at, end, &size))
		return "";
	const char *text = (const char *)*at;
	*length = (size_t)size;
	*at += size;
	return text;
}

double rg_row_double_at(const unsigned char *bytes)
{
	uint64_t bits = rg_le64(bytes);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

rg_error *rg_row_copy(const rg_row_cell *cell, rg_arena *arena, const char **out)
{
	if (memchr(cell->bytes, '\0', cell->size))
		return rg_error_new(RG_E_MISMATCH, "a text in the history holds a NUL");
	*out = rg_arena_copy(arena, (const char *)cell->bytes, cell->size);
	return NULL;
}

/* `size` bytes of the row. */
static bool take(const unsigned char **at, const unsigned char *end, uint64_t size,
		 rg_row_cell *cell)
{
	if (size > (uint64_t)(end - *at))
		return false;
	cell->bytes = *at;
	cell->size = (size_t)size;
	*at += size;
	return true;
}

static bool read_number(const unsigned char **at, const unsigned char *end, unsigned bytes,
			rg_row_cell *cell)
{
	if (!take(at, end, bytes, cell))
		return false;
	cell->number = bytes == 1   ? cell->bytes[0]
		       : bytes == 4 ? rg_le32(cell->bytes)
				    : rg_le64(cell->bytes);
	return true;
}

static bool read_cell(const unsigned char **at, const unsigned char *end, char type,
		      rg_row_cell *cell)
{
	rg_row_cell text;
	uint64_t length;

	switch (type) {
	case 'b':
		return read_number(at, end, 1, cell);
	case 'd':
		return read_number(at, end, 4, cell);
	case 'q':
	case 'f':
		return read_number(at, end, 8, cell);
	case 's':
		return read_length(at, end, &cell->number) && take(at, end, cell->number, cell);
	}
	if (!read_length(at, end, &cell->number) || cell->number > SIZE_MAX / 16)
		return false;
	if (type == 'Q')
		return take(at, end, cell->number * 8, cell);
	cell->bytes = *at;
	for (uint64_t i = 0; i < cell->number; i++)
		if (!read_length(at, end, &length) || !take(at, end, length, &text))
			return false;
	cell->size = (size_t)(*at - cell->bytes);
	return true;
}

bool rg_row_read(const unsigned char **at, const unsigned char *end, const char *types,
		 rg_row_cell cells[static RG_ROW_CELLS])
{
	const unsigned char *p = *at;
	for (; *types; types++, cells++)
		if (!read_cell(&p, end, *types, cells))
			return false;
	*at = p;
	return true;
}
