/* SPDX-License-Identifier: Apache-2.0 */
#include "report/among.h"

#include "base/fields.h"

#include <string.h>

/* --- the keys --- */

#define OF rg_among
const rg_json_field rg_among_fields[] = {
	RG_KEY(take, "The run in the middle, or the first."),
	RG_KEY_TEXTS("runs", runs.items, runs.count, ALWAYS,
		     "The ids of those that were fetched, in the order in which they were named."),
	RG_KEY_TEXTS("missing", missed.items, missed.count, ALWAYS,
		     "What is wrong with each that could not be fetched."),
	{0}};
#undef OF

void rg_among_say(rg_buf *out, const rg_among *among)
{
	size_t count = among->runs.count;
	if (!among->take)
		return;
	if (count == 1)
		rg_buf_printf(out, "the only one of %zu runs that could be fetched",
			      count + among->missed.count);
	else if (!strcmp(among->take, "first"))
		rg_buf_printf(out, "the first of %zu runs", count);
	else /* of two none is in the middle */
		rg_buf_printf(out, "%s of %zu runs", count == 2 ? "one" : "the middle one", count);
}
