/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a zip: selection with everything it reaches, once from memory and once through a
 * small cache. Both must agree, and what comes out must keep the limits and have a safe name. */

#include "archive/select.h"

#include "base/path.h"
#include "support/memory_reader.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMBERS = 500, MEMBER_SIZE = 1 << 20, TOTAL_SIZE = 4 << 20 };

typedef struct {
	size_t count;
	uint64_t bytes;
	uint32_t sum; /* of all bytes, in order */
} outcome;

static rg_error *sum_up(void *context, const void *bytes, size_t length)
{
	const unsigned char *p = bytes;
	outcome *member = context;
	size_t i;

	member->bytes += length;
	for (i = 0; i < length; i++)
		member->sum = member->sum * 31 + p[i];
	return NULL;
}

static rg_error *check(void *context, const rg_selected *selected)
{
	outcome *seen = context, member = {0};

	if (rg_path_fault(selected->path) || selected->size > MEMBER_SIZE)
		abort();
	RG_TRY(selected->read(selected->source, sum_up, &member));
	if (member.bytes != selected->size)
		abort();
	seen->count++;
	seen->bytes += member.bytes;
	if (seen->bytes > TOTAL_SIZE)
		abort();
	seen->sum = seen->sum * 31 + member.sum;
	return NULL;
}

static outcome select_all(const rg_reader *reader)
{
	static const char *const patterns[] = {"**", "*.zip!**", "*.zip!*.zip!**"};
	const rg_zip_limits limits = {.members = MEMBERS,
				      .member_size = MEMBER_SIZE,
				      .total_size = TOTAL_SIZE,
				      .ratio = 500,
				      .ratio_floor = 1 << 16,
				      .depth = 2};
	rg_selection selection;
	outcome seen = {0};

	rg_selection_init(&selection);
	rg_error_free(rg_select_zip(&selection, reader, patterns, 3, &limits, check, &seen));
	if (seen.count != selection.taken || seen.bytes != selection.bytes ||
	    selection.unpacked > TOTAL_SIZE)
		abort();
	seen.count += selection.count;
	rg_selection_release(&selection);
	return seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const rg_reader_cache_options options = {
		.block = 64, .stretch_max = 1000, .memory_max = 3000, .join_gap = 10};
	rg_reader_cache *cache;
	rg_reader reader;
	outcome plain, cached;

	reader = memory_reader("fuzz.zip", data, size);
	plain = select_all(&reader);
	cache = rg_reader_cache_new(&reader, &options);
	cached = select_all(rg_reader_cache_reader(cache));
	rg_reader_cache_free(cache);
	if (plain.count != cached.count || plain.bytes != cached.bytes || plain.sum != cached.sum)
		abort();
	return 0;
}
