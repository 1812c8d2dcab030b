/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_TFEVENTS_H
#define REGILD_TESTS_TFEVENTS_H

#include "base/buf.h"
#include "support/little.h"

#include <stdint.h>
#include <string.h>

/* Writes event files, in protobuf's wire format. */

static inline uint32_t event_crc(const void *bytes, size_t size)
{
	const unsigned char *p = bytes;
	uint32_t crc = 0xffffffffu;

	for (size_t i = 0; i < size; i++) {
		crc ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	crc ^= 0xffffffffu;
	return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

static inline void event_varint(rg_buf *out, uint64_t value)
{
	for (; value > 127; value >>= 7)
		rg_buf_char(out, (char)(value | 128));
	rg_buf_char(out, (char)value);
}

static inline void event_bytes(rg_buf *out, unsigned field, const void *bytes, size_t size)
{
	event_varint(out, field << 3 | 2);
	event_varint(out, size);
	rg_buf_add(out, bytes, size);
}

static inline void event_record(rg_buf *out, const rg_buf *event)
{
	uint64_t length = event->length;
	uint32_t of_length = event_crc(little(&length, sizeof(length), 1), sizeof(length));
	uint32_t of_event = event_crc(event->data, event->length);

	rg_buf_add(out, &length, sizeof(length));
	rg_buf_add(out, little(&of_length, sizeof(of_length), 1), sizeof(of_length));
	rg_buf_add(out, event->data, event->length);
	rg_buf_add(out, little(&of_event, sizeof(of_event), 1), sizeof(of_event));
}

/* An event of one value, whose fields after the tag are in `value`. */
static inline void event_value(rg_buf *out, int64_t step, const char *tag, const rg_buf *value)
{
	rg_buf whole, summary, event;

	rg_buf_init(&whole, RG_BUF_TEXT);
	rg_buf_init(&summary, RG_BUF_TEXT);
	rg_buf_init(&event, RG_BUF_TEXT);
	event_bytes(&whole, 1, tag, strlen(tag));
	rg_buf_add(&whole, value->data, value->length);
	event_bytes(&summary, 1, whole.data, whole.length);
	rg_buf_add(&event, "\x09\0\0\0\0\0\0\xf0\x3f\x10", 10);
	event_varint(&event, (uint64_t)step);
	event_bytes(&event, 5, summary.data, summary.length);
	event_record(out, &event);
	rg_buf_release(&event);
	rg_buf_release(&summary);
	rg_buf_release(&whole);
}

/* As PyTorch's SummaryWriter.add_scalar does. */
static inline void event_scalar(rg_buf *out, int64_t step, const char *tag, float number)
{
	rg_buf value;

	rg_buf_init(&value, RG_BUF_TEXT);
	rg_buf_char(&value, 0x15);
	rg_buf_add(&value, little(&number, sizeof(number), 1), sizeof(number));
	event_value(out, step, tag, &value);
	rg_buf_release(&value);
}

#endif
