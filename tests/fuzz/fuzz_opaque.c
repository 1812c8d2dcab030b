/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two opaque goldens against each other, and what reports show of them. The first two bytes are how
 * long the old side is, in a text of both.
 */
#include "require.h"

#include "base/json.h"
#include "compare/compare.h"
#include "compare/opaque_row.h"
#include "flow/format_reports.h"
#include "report/format_report.h"
#include "report/summary_view.h"
#include "report/format_view.h"

#include <cJSON.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static rg_golden *read_side(const uint8_t *data, size_t size)
{
	const rg_input in = {
		.name = "side", .data = size ? data : (const uint8_t *)"", .size = size};
	rg_golden *golden = NULL;

	rg_error_free(rg_golden_read(&golden, &in, NULL));
	return golden;
}

static void check_lines(const rg_opaque *opaque)
{
	size_t i;

	require(!opaque->line_count || (opaque->old.kind == RG_OPAQUE_TEXT &&
					opaque->fresh.kind == RG_OPAQUE_TEXT),
		"only texts have lines");
	for (i = 0; i < opaque->line_count; i++)
		require(strchr("@+- \\", opaque->lines[i][0]) && !strchr(opaque->lines[i], '\n'),
			"a line of a diff");
}

static void check_row(const rg_comparison *comparison, bool same)
{
	const rg_opaque *opaque = rg_opaque_of(comparison, &comparison->files[0]);

	require(comparison->row_count == 1 && comparison->rows[0].opaque, "one row, as a whole");
	require(comparison->rows[0].identical == same, "equal bytes are equal");
	require(same == !opaque, "what differs is shown");
	if (!opaque)
		return;
	require(strcmp(opaque->old.sha256, opaque->fresh.sha256) != 0, "other bytes, other hash");
	require(opaque->old.says && opaque->fresh.says, "both sides say what they are");
	check_lines(opaque);
}

/* JSON, and markdown out of it, of which no line can end a block of code early. */
static void render(const rg_comparison *comparison)
{
	cJSON *formats = cJSON_CreateObject();
	rg_buf text;

	rg_opaque_view_add(formats, comparison);
	require(!rg_summary_view_finish(formats), "there is memory");
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_error_free(rg_format_render(&text, "opaque", formats, RG_FORMAT_REPORT_TERMINAL,
				       SIZE_MAX, NULL));
	rg_buf_clear(&text);
	rg_error_free(
		rg_format_render(&text, "opaque", formats, RG_FORMAT_REPORT_MARKDOWN, 40, NULL));
	require(!memchr(text.data ? text.data : "", '\x1b', text.length), "no escape gets out");
	rg_buf_release(&text);
	cJSON_Delete(formats);
}

static void compare(const rg_golden *old, const rg_golden *fresh, bool same)
{
	static const rg_opaque_wanted wanted = {.lines = true, .pictures = true};
	const rg_file_name name = {"side", NULL};
	rg_comparison comparison;

	rg_comparison_init(&comparison);
	if (old && fresh)
		require(!rg_compare_goldens(&comparison, &name, old, fresh, NULL), "compared");
	else
		require(!rg_comparison_add_alone(&comparison, &name, old, fresh,
						 old ? RG_FILE_REMOVED : RG_FILE_NEW, NULL),
			"added");
	require(!rg_opaque_details_add(&comparison, old, fresh, &wanted), "there is memory");
	if (old && fresh)
		check_row(&comparison, same);
	render(&comparison);
	rg_comparison_release(&comparison);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t length;
	rg_golden *old, *fresh;

	if (size < 2)
		return 0;
	length = (size_t)data[0] << 8 | data[1];
	data += 2;
	size -= 2;
	length = length < size ? length : size;
	old = read_side(data, length);
	fresh = read_side(data + length, size - length);
	if (old && fresh && rg_golden_is_opaque(old) && rg_golden_is_opaque(fresh)) {
		compare(old, fresh,
			length == size - length && !memcmp(data, data + length, length));
		compare(old, NULL, false);
		compare(NULL, fresh, false);
	}
	rg_golden_free(fresh);
	rg_golden_free(old);
	return 0;
}
