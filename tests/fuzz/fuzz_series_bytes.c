/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A series' values out of the history. The first byte is how many there should be; what follows is
 * taken as the bytes of the history, and as doubles that are packed. What is read is the same when
 * packed again.
 */
#include "require.h"

#include "golden/series_bytes.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_values(const double *values, size_t count)
{
	const rg_metric metric = {.kind = RG_METRIC_SERIES, .count = count, .values = values};
	double again[256];
	size_t i;

	RG_AUTO(rg_buf) packed = rg_buf_of(RG_BUF_TEXT);
	require(!rg_series_bytes_pack(&packed, &metric), "values are packed");
	require(!rg_buf_check(&packed, "values"), "they fit");
	require(rg_series_bytes_may_hold(packed.length, count), "they may be held");
	require(!rg_series_bytes_unpack(again, count, packed.data, packed.length),
		"values are read again");
	for (i = 0; i < count; i++)
		require((values[i] != values[i] && again[i] != again[i]) ||
				!memcmp(values + i, again + i, sizeof(*values)),
			"values are the same");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	double values[256];
	size_t count = size ? data[0] : 0;
	rg_error *err;

	if (!size)
		return 0;
	err = rg_series_bytes_unpack(values, count, data + 1, size - 1);
	if (!err)
		try_values(values, count);
	rg_error_free(err);
	count = (size - 1) / sizeof(*values);
	count = count > 256 ? 256 : count;
	memcpy(values, data + 1, count * sizeof(*values));
	try_values(values, count);
	return 0;
}
