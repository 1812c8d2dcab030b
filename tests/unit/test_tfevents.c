/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "by_step.h"
#include "format_reader.h"
#include "support/tfevents.h"

#define NAME "events.out.tfevents.1700000000.host"

/* A value whose tensor has that type, and that field with these bytes. */
static void tensor(rg_buf *out, int64_t step, const char *tag, char type, unsigned field,
		   const void *bytes, size_t size)
{
	RG_AUTO(rg_buf) whole = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) value = rg_buf_of(RG_BUF_TEXT);
	rg_buf_char(&whole, 0x08);
	rg_buf_char(&whole, type);
	event_bytes(&whole, 2, "", 0);
	event_bytes(&whole, field, bytes, size);
	event_bytes(&value, 9, "\x0a\x09\x0a\x07scalars", 11);
	event_bytes(&value, 8, whole.data, whole.length);
	event_value(out, step, tag, &value);
}

static void version(rg_buf *out)
{
	RG_AUTO(rg_buf) event = rg_buf_of(RG_BUF_TEXT);
	rg_buf_add(&event, "\x09\0\0\0\0\0\0\xf0\x3f", 9);
	event_bytes(&event, 3, "brain.Event:2", 13);
	event_record(out, &event);
}

static rg_input input_of(const rg_buf *file)
{
	return (rg_input){.name = "run/" NAME, .data = file->data, .size = file->length};
}

TEST(reads_scalars)
{
	float narrow = 0.25f;
	double wide = 0.1;
	rg_golden *g;

	little(&narrow, sizeof(narrow), 1);
	little(&wide, sizeof(wide), 1);
	RG_AUTO(rg_buf) file = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) histogram = rg_buf_of(RG_BUF_TEXT);
	version(&file);
	event_scalar(&file, 1, "lm loss", 8.5f);
	event_scalar(&file, 2, "lm loss", 7.5f);
	event_scalar(&file, 2, "lm loss", 7.25f);
	tensor(&file, 2, "lr", 1, 4, &narrow, sizeof(narrow));
	tensor(&file, 3, "lr", 1, 5, &narrow, sizeof(narrow));
	tensor(&file, 2, "double", 2, 6, &wide, sizeof(wide));
	tensor(&file, 2, "text", 7, 8, "hello", 5);
	event_bytes(&histogram, 5, "abc", 3);
	event_value(&file, 7, "grad", &histogram);
	assert_success(read_as(&g, NAME, file.data, file.length, NULL));
	assert_string_equal(g->format, "tfevents");
	assert_true(value_at(g, "lm loss", 1) == 8.5 && value_at(g, "lm loss", 2) == 7.25);
	assert_int_equal(metric_of(g, "lm loss")->duplicate_keys, 1);
	assert_true(value_at(g, "lr", 2) == 0.25 && value_at(g, "lr", 3) == 0.25);
	assert_true(value_at(g, "double", 2) == 0.1);
	assert_string_equal(text_at(g, "grad", 7), "3 bytes, CRC-32C 364b3fb7");
	assert_int_equal(metric_of(g, "text")->text_count, 1);
	assert_int_equal(metric_of(g, "(events)")->text_count, 1);
	assert_int_equal(g->count, 6);
	rg_golden_free(g);
}

TEST(refuses)
{
	RG_AUTO(rg_buf) file = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) event = rg_buf_of(RG_BUF_TEXT);
	event_scalar(&file, 1, "a", 1);
	file.length--;
	assert_refused(&rg_format_tfevents, input_of(&file), RG_E_PARSE, "record 1: is cut off");
	file.length++;
	file.data[20] ^= 1;
	assert_refused(&rg_format_tfevents, input_of(&file), RG_E_PARSE,
		       "record 1: has a wrong checksum");
	file.data[9] ^= 1;
	assert_refused(&rg_format_tfevents, input_of(&file), RG_E_PARSE,
		       "record 1: has a length with a wrong checksum");
	rg_buf_clear(&file);
	rg_buf_str(&event, "\x0f");
	event_record(&file, &event);
	assert_refused(&rg_format_tfevents, input_of(&file), RG_E_PARSE,
		       "record 1: is not an event");
	rg_buf_clear(&file);
	rg_buf_str(&file, "\xff\xff\xff\xff\xff\xff\xff\xff not a length of this file");
	assert_refused(&rg_format_tfevents, input_of(&file), RG_E_PARSE, "record 1: is cut off");
}

/* Bytes in a record whose checksums are made right again. */
TEST(hostile_events)
{
	static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff, 0x2a, 0x12};
	format_reading r;

	RG_AUTO(rg_buf) file = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) event = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) again = rg_buf_of(RG_BUF_TEXT);
	event_scalar(&file, 1, "loss", 8.5f);
	assert_survives(&rg_format_tfevents, input_of(&file));
	rg_buf_add(&event, file.data + 12, file.length - 16);
	for (size_t i = 0; i < event.length; i++) {
		const char kept = event.data[i];

		for (size_t k = 0; k < sizeof(values); k++) {
			event.data[i] = (char)values[k];
			rg_buf_clear(&again);
			event_record(&again, &event);
			read_format(&r, &rg_format_tfevents, input_of(&again), NULL);
			release_reading(&r);
		}
		event.data[i] = kept;
	}
}
