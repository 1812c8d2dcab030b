/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of a series out of a history. The first byte is how many there should be; what follows
 * the second is the text. What is read is the same when packed again.
 */
#include "require.h"

#include "golden/series_text.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
	char text[4096];
	size_t count = size ? data[0] : 0;

	if (size < 2 || size > sizeof(text))
		return 0;
	memcpy(text, data + 2, size - 2);
	text[size - 2] = '\0';
	try_steps(text, count);
	return 0;
}
