/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a tar, packed or not. What comes out must keep the limits, have a safe name and be
 * whole. */

#include "archive/select.h"

#include "base/path.h"
#include "support/memory_reader.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMBERS = 500, MEMBER_SIZE = 1 << 20, TOTAL_SIZE = 4 << 20 };

typedef struct {
	size_t count;
	uint64_t bytes;
} outcome;

static rg_error *count_bytes(void *context, const void *bytes, size_t length)
{
	(void)bytes;
	*(uint64_t *)context += length;
	return NULL;
}

static rg_error *check(void *context, const rg_selected *selected)
{
	outcome *seen = context;
	uint64_t bytes = 0;

	if (rg_path_fault(selected->path) || selected->size > MEMBER_SIZE)
		abort();
	RG_TRY(selected->read(selected->source, count_bytes, &bytes));
	if (bytes != selected->size)
		abort();
	seen->count++;
	seen->bytes += bytes;
	if (seen->count > MEMBERS || seen->bytes > TOTAL_SIZE)
		abort();
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const patterns[] = {"**", "*.zip!**"};
	const rg_zip_limits limits = {.members = MEMBERS,
				      .member_size = MEMBER_SIZE,
				      .total_size = TOTAL_SIZE,
				      .ratio = 500,
				      .ratio_floor = 1 << 16,
				      .depth = 1};
	const rg_reader reader = memory_reader("fuzz.tar", data, size);
	rg_selection selection;
	outcome seen = {0};

	rg_selection_init(&selection);
	rg_error_free(rg_select_tar(&selection, &reader, patterns, 2, &limits, check, &seen));
	if (seen.count != selection.taken || seen.bytes != selection.bytes ||
	    selection.unpacked > TOTAL_SIZE)
		abort();
	rg_selection_release(&selection);
	return 0;
}
