/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_SELECTED_H
#define REGILD_TESTS_SELECTED_H

/* What a selection took and refused, as text that a test compares. */

#include "archive/select.h"

/* What came out, as one line a member: "VIA PATH=BYTES". */
static inline rg_error *collect(void *context, const rg_selected *selected)
{
	rg_buf *lines = context;
	size_t before = lines->length;
	rg_error *err;

	rg_buf_printf(lines, "%s %s=", selected->via, selected->path);
	err = selected->read(selected->source, rg_zip_append, lines);
	if (err)
		rg_buf_truncate(lines, before);
	else
		rg_buf_char(lines, '\n');
	return err;
}

/* A line a refusal, with '!' where something that is wanted is missing. */
static inline void refusals_of(const rg_selection *selection, rg_buf *out)
{
	size_t i;

	for (i = 0; i < selection->count; i++)
		rg_buf_printf(out, "%s %s: %s\n", selection->refusals[i].wanted ? "!" : "-",
			      selection->refusals[i].name,
			      rg_error_message(selection->refusals[i].err));
}

#endif
