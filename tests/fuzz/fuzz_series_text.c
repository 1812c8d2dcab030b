/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A series or its steps out of the history whose checksum fits. The first byte is how many there
 * should be; what follows the second is taken as steps, as zlib's bytes, and as text that is
 * compressed here, so that what reads lines is reached. What is read is the same when packed again.
 */
#include "require.h"

#include "golden/series_text.h"

#include <stdint.h>
#include <string.h>

#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_values(const void *bytes, size_t size, size_t count)
{
	double values[256], again[256];
	rg_metric metric = {.kind = RG_METRIC_SERIES, .count = count, .values = values};
	rg_error *err = rg_series_unpack(values, count, bytes, size);
	rg_buf packed;

	if (!err) {
		rg_buf_init(&packed, RG_BUF_TEXT);
		require(!rg_series_pack(&packed, &metric), "values are packed");
		require(!rg_series_unpack(again, count, packed.data, packed.length),
			"values are read again");
		require(!memcmp(values, again, count * sizeof(*values)), "values are the same");
		rg_buf_release(&packed);
	}
	rg_error_free(err);
}

static void try_steps(const char *text, size_t count)
{
	int64_t steps[256], again[256];
	rg_metric metric = {.kind = RG_METRIC_SERIES, .count = count, .steps = steps};
	rg_error *err = rg_steps_unpack(steps, count, -3, text);
	rg_buf packed;

	if (!err) {
		rg_buf_init(&packed, RG_BUF_TEXT);
		rg_steps_pack(&packed, &metric);
		require(!rg_steps_unpack(again, count, -3, packed.data), "steps are read again");
		require(!memcmp(steps, again, count * sizeof(*steps)), "steps are the same");
		rg_buf_release(&packed);
	}
	rg_error_free(err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t compressed[8192];
	char text[4096];
	uLongf length = sizeof(compressed);
	size_t count = size ? data[0] : 0;

	if (size < 2 || size > sizeof(text))
		return 0;
	memcpy(text, data + 2, size - 2);
	text[size - 2] = '\0';
	try_steps(text, count);
	try_values(data + 2, size - 2, count);
	require(compress(compressed, &length, data + 2, size - 2) == Z_OK, "it fits");
	try_values(compressed, length, count);
	return 0;
}
