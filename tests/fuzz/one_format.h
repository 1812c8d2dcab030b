/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FUZZ_ONE_FORMAT_H
#define REGILD_FUZZ_ONE_FORMAT_H

#include "golden/format.h"

#include <stdint.h>

/* Reads bytes with one reader, by a name that it knows, and walks through all that comes out. */
static inline void fuzz_one_format(const rg_format *format, const char *name, const uint8_t *data,
				   size_t size)
{
	static const rg_golden_options options = {.run_index = -1};
	const rg_input in = {.name = name, .data = data, .size = size};
	rg_golden golden = {0};
	double values[64];
	size_t i, at, n;

	rg_arena_init(&golden.arena);
	format->bid(&in);
	rg_error_free(rg_format_read(format, &golden, &in, &options));
	for (i = 0; i < golden.count; i++) {
		const rg_metric *m = &golden.metrics[i];

		for (at = 0; m->block && at < m->count; at += n) {
			n = m->count - at < 64 ? m->count - at : 64;
			rg_error_free(m->block(m, at, n, values));
		}
	}
	rg_arena_release(&golden.arena);
}

#endif
