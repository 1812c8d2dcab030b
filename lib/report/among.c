/* SPDX-License-Identifier: Apache-2.0 */
#include "report/among.h"

#include <string.h>

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

void rg_among_json(rg_json_out *json, const rg_among *among)
{
	if (!among || !among->take)
		return;
	rg_json_key_open(json, "among", '{');
	rg_json_key_text(json, "take", among->take);
	rg_json_key_texts(json, "runs", among->runs.items, among->runs.count);
	rg_json_key_texts(json, "missing", among->missed.items, among->missed.count);
	rg_json_close(json, '}');
}
