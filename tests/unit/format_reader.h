/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_FORMAT_READER_H
#define REGILD_TESTS_FORMAT_READER_H

#include "unit.h"

#include "golden/format.h"
#include "golden/tensor.h"

#include <stdlib.h>
#include <string.h>

/*
 * Reads bytes with one format's reader, without the registry. The bytes are copied into a heap
 * block of exactly their size, so that the address sanitizer sees one read too far.
 */
typedef struct {
	rg_golden golden;
	rg_error *err; /* owned */
	void *copy;
} format_reading;

static inline void read_format(format_reading *r, const rg_format *format, rg_input in,
			       const rg_golden_options *options)
{
	memset(r, 0, sizeof(*r));
	rg_arena_init(&r->golden.arena);
	r->copy = malloc(in.size ? in.size : 1);
	assert_non_null(r->copy);
	if (in.size)
		memcpy(r->copy, in.data, in.size);
	in.data = r->copy;
	format->bid(&in);
	r->err = rg_format_read(format, &r->golden, &in, options);
}

static inline void release_reading(format_reading *r)
{
	rg_arena_release(&r->golden.arena);
	rg_error_free(r->err);
	free(r->copy);
}

static inline const rg_metric *find_metric(const format_reading *r, const char *name)
{
	size_t i;

	for (i = 0; i < r->golden.count; i++)
		if (!strcmp(r->golden.metrics[i].name, name))
			return &r->golden.metrics[i];
	fail_msg("no metric '%s'", name);
	return NULL;
}

static inline void assert_refused(const rg_format *format, rg_input in, rg_error_code code,
				  const char *message)
{
	format_reading r;

	read_format(&r, format, in, NULL);
	if (!r.err)
		fail_msg("read, though '%s' was wanted", message);
	assert_string_equal(rg_error_message(r.err), message);
	assert_int_equal(rg_error_get_code(r.err), code);
	release_reading(&r);
}

/* Walks through every value, so that wrong bounds show. */
static inline void walk_metrics(const rg_golden *golden)
{
	double values[64];
	size_t i, k, n;

	for (i = 0; i < golden->count; i++) {
		const rg_metric *m = &golden->metrics[i];

		for (k = 0; m->block && k < m->count; k += n) {
			n = m->count - k < 64 ? m->count - k : 64;
			assert_null(m->block(m, k, n, values));
		}
	}
}

/* Every prefix, and every byte set to a few hostile values, is read or refused without harm. */
static inline void assert_survives(const rg_format *format, rg_input in)
{
	static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff, '"', ','};
	unsigned char *bytes = malloc(in.size ? in.size : 1);
	format_reading r;
	size_t i, k, size = in.size;

	assert_non_null(bytes);
	memcpy(bytes, in.data, size);
	in.data = bytes;
	for (i = 0; i < size; i++) {
		unsigned char kept = bytes[i];

		in.size = i;
		read_format(&r, format, in, NULL);
		if (!r.err)
			walk_metrics(&r.golden);
		release_reading(&r);
		in.size = size;
		for (k = 0; k < sizeof(values); k++) {
			bytes[i] = values[k];
			read_format(&r, format, in, NULL);
			if (!r.err)
				walk_metrics(&r.golden);
			release_reading(&r);
		}
		bytes[i] = kept;
	}
	free(bytes);
}

#endif
