/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes.h"
#include "base/path.h"
#include "golden/format.h"
#include "golden/long_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * TensorBoard's event files (events.out.tfevents.TIME.HOST): TFRecords, each an Event message of
 * tensorflow/core/util/event.proto in protobuf's wire format. A tag is a series by step. Everything
 * but scalars (a histogram, a picture, a graph) is a text by step with its size and checksum: equal
 * or different. The times of writing are left out.
 */

/* A record: its length and the CRC of that, its bytes and the CRC of those. */
enum { LENGTH_SIZE = 8, CRC_SIZE = 4, AROUND = LENGTH_SIZE + CRC_SIZE + CRC_SIZE };
enum { EVENT_WALL_TIME = 1, EVENT_STEP = 2, EVENT_SUMMARY = 5 };
enum { SUMMARY_VALUE = 1 };
enum { VALUE_TAG = 1, VALUE_SIMPLE = 2, VALUE_TENSOR = 8, VALUE_METADATA = 9, VALUE_NODE = 7 };
enum { TENSOR_TYPE = 1, TENSOR_SHAPE = 2, TENSOR_VERSION = 3, TENSOR_CONTENT = 4 };
enum { TENSOR_FLOATS = 5, TENSOR_DOUBLES = 6, TYPE_FLOAT = 1, TYPE_DOUBLE = 2 };
enum { WIRE_VARINT, WIRE_64, WIRE_BYTES, WIRE_32 = 5 };

/* --- checksums --- */

static void make_crc_table(uint32_t table[static 256])
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0); /* Castagnoli's polynomial */
		table[i] = crc;
	}
}

static uint32_t crc32c(const uint32_t table[static 256], const unsigned char *bytes, size_t size)
{
	uint32_t crc = 0xffffffffu;
	while (size--)
		crc = crc >> 8 ^ table[(crc ^ *bytes++) & 0xff];
	return crc ^ 0xffffffffu;
}

/* The form that a CRC has in a file. */
static uint32_t masked(uint32_t crc)
{
	return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

/* --- protobuf's wire format --- */

typedef struct {
	const unsigned char *at, *end;
} message;

typedef struct {
	uint64_t number; /* of the field */
	unsigned wire;
	uint64_t value; /* of a number, its bits */
	message bytes;
} field;

static bool take_varint(message *m, uint64_t *out)
{
	*out = 0;
	for (unsigned shift = 0; m->at < m->end && shift < 64; shift += 7) {
		const unsigned char byte = *m->at++;
		*out |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

static bool take_fixed(message *m, size_t size, uint64_t *out)
{
	if ((size_t)(m->end - m->at) < size)
		return false;
	*out = size == 8 ? rg_le64(m->at) : rg_le32(m->at);
	m->at += size;
	return true;
}

static bool take_bytes(message *m, message *out)
{
	uint64_t length;
	if (!take_varint(m, &length) || length > (uint64_t)(m->end - m->at))
		return false;
	*out = (message){m->at, m->at + length};
	m->at += length;
	return true;
}

/* The next field of a message that has one; false where it is broken. */
static bool take_field(message *m, field *out)
{
	uint64_t key;
	*out = (field){0};
	if (!take_varint(m, &key))
		return false;
	out->number = key >> 3;
	out->wire = key & 7;
	switch (out->wire) {
	case WIRE_VARINT:
		return take_varint(m, &out->value);
	case WIRE_64:
		return take_fixed(m, 8, &out->value);
	case WIRE_32:
		return take_fixed(m, 4, &out->value);
	case WIRE_BYTES:
		return take_bytes(m, &out->bytes);
	default:
		return false;
	}
}

static double double_of(uint64_t bits)
{
	double value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static double float_of(uint64_t bits)
{
	const uint32_t narrow = (uint32_t)bits;
	float value;
	memcpy(&value, &narrow, sizeof(value));
	return (double)value;
}

/* --- events --- */

typedef struct {
	uint32_t crc[256];
	rg_arena *arena;
	rg_long_table cells; /* each is a record of its own */
} reader;

static void reader_release(reader *r)
{
	rg_long_table_release(&r->cells);
}

static rg_error *broken(void)
{
	return rg_error_new(RG_E_PARSE, "is not an event");
}

/* The bits of the one number in a list, packed or not, or in the tensor's bytes. */
static bool bits_of(const field *f, uint64_t *out)
{
	const size_t size = (size_t)(f->bytes.end - f->bytes.at);
	if (f->wire == WIRE_BYTES && size == 8)
		*out = rg_le64(f->bytes.at);
	else if (f->wire == WIRE_BYTES && size == 4)
		*out = rg_le32(f->bytes.at);
	else if (f->wire == WIRE_32 || f->wire == WIRE_64)
		*out = f->value;
	else
		return false;
	return true;
}

/* The number of a tensor that is one float or double. */
static bool scalar_of(message m, double *out)
{
	uint64_t type = 0, bits = 0;
	size_t values = 0, size = 0;
	field f;
	while (m.at < m.end) {
		if (!take_field(&m, &f))
			return false;
		if (f.number == TENSOR_TYPE) {
			type = f.value;
		} else if (f.number == TENSOR_CONTENT || f.number == TENSOR_FLOATS ||
			   f.number == TENSOR_DOUBLES) {
			values++;
			size = f.wire == WIRE_BYTES ? (size_t)(f.bytes.end - f.bytes.at)
			       : f.wire == WIRE_64  ? 8
						    : 4;
			if (!bits_of(&f, &bits))
				return false;
		} else if (f.number != TENSOR_SHAPE && f.number != TENSOR_VERSION) {
			return false;
		}
	}
	*out = type == TYPE_DOUBLE ? double_of(bits) : float_of(bits);
	return values == 1 &&
	       ((type == TYPE_FLOAT && size == 4) || (type == TYPE_DOUBLE && size == 8));
}

static const char *exact_text(const reader *r, message bytes)
{
	char text[64];
	const size_t size = (size_t)(bytes.end - bytes.at);
	snprintf(text, sizeof(text), "%zu bytes, CRC-32C %08x", size,
		 (unsigned)crc32c(r->crc, bytes.at, size));
	return rg_arena_text(r->arena, text);
}

static rg_error *append_cell(reader *r, message tag, int64_t step, rg_long_cell cell)
{
	cell.metric = tag.at ? (const char *)tag.at : "";
	cell.metric_length = (size_t)(tag.end - tag.at);
	if (memchr(cell.metric, '\0', cell.metric_length))
		return rg_error_new(RG_E_PARSE, "has a tag with a NUL in it");
	cell.record = r->cells.step_count;
	cell.tolerance = cell.error = NAN;
	*RG_PUSH(r->cells.steps, r->cells.step_count, r->cells.step_capacity) = step;
	rg_long_table_add(&r->cells, &cell);
	return NULL;
}

static rg_error *append_value(reader *r, message m, int64_t step)
{
	message tag = {0}, other = {0};
	rg_long_cell cell = {0};
	bool scalar = false;
	field f;

	while (m.at < m.end) {
		if (!take_field(&m, &f))
			return broken();
		if (f.number == VALUE_TAG && f.wire == WIRE_BYTES)
			tag = f.bytes;
		else if (f.number == VALUE_SIMPLE && f.wire == WIRE_32)
			scalar = true, cell.value = float_of(f.value);
		else if (f.number == VALUE_TENSOR && f.wire == WIRE_BYTES &&
			 scalar_of(f.bytes, &cell.value))
			scalar = true;
		else if (f.number != VALUE_METADATA && f.number != VALUE_NODE)
			other = f.bytes;
	}
	if (!scalar)
		cell.text = exact_text(r, other);
	return append_cell(r, tag, step, cell);
}

static rg_error *append_summary(reader *r, message m, int64_t step)
{
	field f;
	while (m.at < m.end) {
		if (!take_field(&m, &f))
			return broken();
		if (f.number == SUMMARY_VALUE && f.wire == WIRE_BYTES)
			RG_TRY(append_value(r, f.bytes, step));
	}
	return NULL;
}

/* The step may come after the values. */
static bool step_of(message m, int64_t *out)
{
	field f;
	*out = 0;
	while (m.at < m.end) {
		if (!take_field(&m, &f))
			return false;
		if (f.number == EVENT_STEP && f.wire == WIRE_VARINT)
			*out = (int64_t)f.value;
	}
	return true;
}

static rg_error *append_event(reader *r, message m)
{
	/* A name of ours for all but summaries: no scope of TensorBoard's begins so. */
	static const unsigned char name[] = "(events)";
	const message other = {name, name + sizeof(name) - 1};
	int64_t step;
	field f;

	if (!step_of(m, &step))
		return broken();
	while (m.at < m.end && take_field(&m, &f)) {
		if (f.number == EVENT_SUMMARY && f.wire == WIRE_BYTES)
			RG_TRY(append_summary(r, f.bytes, step));
		else if (f.number != EVENT_WALL_TIME && f.number != EVENT_STEP &&
			 f.wire == WIRE_BYTES)
			RG_TRY(append_cell(r, other, step,
					   (rg_long_cell){.text = exact_text(r, f.bytes)}));
	}
	return NULL;
}

/* --- records --- */

static rg_error *next_record(const reader *r, message *file, message *out)
{
	const size_t left = (size_t)(file->end - file->at);
	if (left < AROUND || rg_le64(file->at) > left - AROUND)
		return rg_error_new(RG_E_PARSE, "is cut off");
	const size_t length = (size_t)rg_le64(file->at);
	if (masked(crc32c(r->crc, file->at, LENGTH_SIZE)) != rg_le32(file->at + LENGTH_SIZE))
		return rg_error_new(RG_E_PARSE, "has a length with a wrong checksum");
	file->at += LENGTH_SIZE + CRC_SIZE;
	*out = (message){file->at, file->at + length};
	file->at += length;
	if (masked(crc32c(r->crc, out->at, length)) != rg_le32(file->at))
		return rg_error_new(RG_E_PARSE, "has a wrong checksum");
	file->at += CRC_SIZE;
	return NULL;
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	const unsigned char *data = in->data;
	message file = {data, data + in->size}, event;
	RG_AUTO(reader) r = {.arena = &builder->golden->arena};

	(void)options;
	make_crc_table(r.crc);
	for (size_t n = 1; file.at < file.end; n++) {
		rg_error *err = next_record(&r, &file, &event);
		if (!err)
			err = append_event(&r, event);
		RG_TRY(rg_error_wrap(err, "record %zu", n));
	}
	return rg_long_table_finish_steps(&r.cells, builder);
}

static int bid(const rg_input *in)
{
	const unsigned char *data = in->data;
	uint32_t table[256];
	bool known = false;

	if (in->size >= AROUND && rg_le64(data) <= UINT32_MAX) {
		make_crc_table(table);
		known = masked(crc32c(table, data, LENGTH_SIZE)) == rg_le32(data + LENGTH_SIZE);
	}
	return rg_format_bid(strstr(rg_path_name(in->name), "tfevents") != NULL, known);
}

const rg_format rg_format_tfevents = {.name = "tfevents", .bid = bid, .read = read_golden};
