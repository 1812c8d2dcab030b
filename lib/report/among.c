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

static void put_texts(rg_json_out *json, const char *name, const rg_texts *texts)
{
	size_t i;

	rg_json_key_open_flat(json, name, '[');
	for (i = 0; i < texts->count; i++)
		rg_json_text(json, texts->items[i]);
	rg_json_close(json, ']');
}

void rg_among_json(rg_json_out *json, const rg_among *among)
{
	if (!among || !among->take)
		return;
	rg_json_key_open(json, "among", '{');
	rg_json_key_text(json, "take", among->take);
	put_texts(json, "runs", &among->runs);
	put_texts(json, "missing", &among->missed);
	rg_json_close(json, '}');
}
