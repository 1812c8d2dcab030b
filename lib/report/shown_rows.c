/* SPDX-License-Identifier: Apache-2.0 */
#include "report/shown_rows.h"

#include "base/number.h"
#include "report/cells.h"
#include "report/review.h"

#include <math.h>
#include <stdlib.h>

void rg_shown_rows_release(rg_shown_rows *shown)
{
	free(shown->rows);
	*shown = (rg_shown_rows){0};
}

/* Is it one of those that are asked for? */
static bool is_asked_for(const rg_row *row, const rg_shown_options *options)
{
	return row->kind == options->kind &&
	       (row->kind == RG_ROW_EXACT || fabs(row->avg_rel_diff) >= options->threshold);
}

rg_error *rg_shown_rows_find(rg_shown_rows *out, const rg_comparison *comparison,
			     const rg_shown_options *options)
{
	rg_error *err = NULL;
	size_t i;

	*out = (rg_shown_rows){.rows = malloc((comparison->row_count + 1) * sizeof(*out->rows))};
	if (!out->rows)
		return rg_error_nomem();
	for (i = 0; i < comparison->row_count; i++) {
		const rg_row *row = &comparison->rows[i];

		if (!is_asked_for(row, options))
			continue;
		if (row->identical && (options->top || row->kind == RG_ROW_EXACT))
			out->unchanged++;
		else
			out->rows[out->count++] = row;
	}
	rg_rows_look_first(out->rows, out->count);
	if (options->sort)
		err = rg_rows_sort(out->rows, out->count, options->sort, options->context);
	if (options->top && options->top < out->count) {
		out->more = out->count - options->top;
		out->count = options->top;
	}
	return err;
}

void rg_shown_rows_say_rest(rg_buf *out, const rg_shown_rows *shown)
{
	char number[RG_COUNT_TEXT];

	if (!shown->more && !shown->unchanged)
		return;
	if (shown->more)
		rg_buf_printf(out, "%s more; ", rg_count_text(shown->more, number));
	if (shown->unchanged)
		rg_buf_printf(out, "%s unchanged; ", rg_count_text(shown->unchanged, number));
	rg_buf_str(out, "--top 0 shows all\n");
}
