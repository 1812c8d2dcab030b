/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One golden's metric into another: whatever the bytes, they are refused or the result holds the
 * new value, and splicing it in once more changes nothing. The input is two goldens with a NUL
 * between.
 */
#include "golden/golden.h"
#include "update/splice.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool splice(rg_buf *out, const rg_buf *old, const rg_buf *fresh, const char *metric)
{
	bool found = false;
	rg_error *err = rg_splice(out, old, fresh, metric, &found);
	bool fine = !err && found;

	rg_error_free(err);
	return fine;
}

static void try_metric(const rg_buf *old, const rg_buf *fresh, const char *metric)
{
	RG_AUTO(rg_buf) once = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) twice = rg_buf_of(RG_BUF_TEXT);
	if (splice(&once, old, fresh, metric)) {
		if (!splice(&twice, &once, fresh, metric) || once.length != twice.length ||
		    memcmp(once.data, twice.data, once.length) != 0)
			__builtin_trap();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *cut = size ? memchr(data, 0, size) : NULL;
	size_t first = cut ? (size_t)(cut - data) : size;
	rg_input in = {.name = "golden_values.json"};
	rg_golden *golden = NULL;
	size_t i;

	RG_AUTO(rg_buf) old = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) fresh = rg_buf_of(RG_BUF_TEXT);
	rg_buf_add(&old, data, first);
	if (cut)
		rg_buf_add(&fresh, cut + 1, size - first - 1);
	in.data = fresh.data;
	in.size = fresh.length;
	rg_error_free(rg_golden_read(&golden, &in, NULL));
	for (i = 0; golden && i < golden->count && i < 8; i++)
		try_metric(&old, &fresh, golden->metrics[i].name);
	try_metric(&old, &fresh, "a/b");
	rg_golden_free(golden);
	return 0;
}
