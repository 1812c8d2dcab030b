/* SPDX-License-Identifier: Apache-2.0 */
#include "story/filter.h"

#include "base/buf.h"
#include "base/pattern.h"
#include "story/golden_name.h"

#include <stdio.h>
#include <string.h>

static const char checks_key[] = "checks=", review_key[] = "review";
static const char *const keys[] = {"file=", "metric=", "stage=", "test=", "variant=", checks_key};

/* The glob of a filter for that thing, else NULL. */
static const char *glob_for(const char *text, const char *key)
{
	return strncmp(text, key, strlen(key)) ? NULL : text + strlen(key);
}

/* Does any filter for the thing match, or is there none? `text` NULL matches no glob. */
static bool takes(const rg_filter *filter, const char *key, const char *text)
{
	bool asked = false;
	for (size_t i = 0; i < filter->count; i++) {
		const char *glob = glob_for(filter->texts[i], key);
		if (!glob)
			continue;
		asked = true;
		if (text && rg_glob_match(glob, text, RG_GLOB_ANY_SLASH))
			return true;
	}
	return !asked;
}

/* As `takes`, for a part of a path. */
static bool takes_part(const rg_filter *filter, const char *key, rg_name_part part)
{
	char text[256];
	if (!part.text || part.length >= sizeof(text))
		return takes(filter, key, NULL);
	memcpy(text, part.text, part.length);
	text[part.length] = '\0';
	return takes(filter, key, text);
}

bool rg_filter_takes_file(const rg_filter *filter, const char *path,
			  const rg_column_context *context)
{
	if (!filter->count)
		return true;
	rg_test_name name = rg_test_name_split(path, context);
	return takes(filter, "file=", path) && takes_part(filter, "stage=", name.stage) &&
	       takes_part(filter, "test=", name.test) &&
	       takes_part(filter, "variant=", name.variant);
}

bool rg_filter_takes_metric(const rg_filter *filter, const char *metric)
{
	return takes(filter, "metric=", metric);
}

/* "approximate:fails": one of the two that each check has to say. */
static bool says(const char *glob, const rg_row *row, const rg_checks *checks)
{
	char text[256];
	for (size_t i = 0; checks && i < checks->count; i++) {
		if (!(row->checked >> i & 1))
			continue;
		snprintf(text, sizeof(text), "%s:%s", checks->items[i].name,
			 row->check_fails >> i & 1 ? "fails" : "passes");
		if (rg_glob_match(glob, text, RG_GLOB_ANY_SLASH))
			return true;
	}
	return false;
}

/* Is it a glob for something that a check can say? */
static rg_error *check_of_checks(const char *text, const char *glob, const rg_checks *checks)
{
	rg_row row = {.checked = UINT32_MAX};

	if (says(glob, &row, checks))
		return NULL;
	row.check_fails = UINT32_MAX;
	if (says(glob, &row, checks))
		return NULL;
	RG_AUTO(rg_buf) names = rg_buf_of(RG_BUF_TEXT);
	for (size_t i = 0; checks && i < checks->count; i++)
		rg_buf_printf(&names, "%s%s", i ? ", " : "; there are ", checks->items[i].name);
	RG_TRY(rg_buf_check(&names, "checks"));
	return rg_error_new(RG_E_USAGE,
			    "--filter: '%s' is not NAME:fails or NAME:passes of a check%s", text,
			    names.length ? names.data : "; there are none");
}

rg_error *rg_filter_check(const rg_filter *filter, const rg_checks *checks)
{
	size_t k;
	for (size_t i = 0; i < filter->count; i++) {
		const char *of_checks = glob_for(filter->texts[i], checks_key);
		for (k = 0; k < sizeof(keys) / sizeof(*keys); k++)
			if (glob_for(filter->texts[i], keys[k]))
				break;
		if (k == sizeof(keys) / sizeof(*keys) && strcmp(filter->texts[i], review_key) != 0)
			return rg_error_new(
				RG_E_USAGE,
				"--filter: '%s' is not file=GLOB, metric=GLOB, "
				"stage=GLOB, test=GLOB, variant=GLOB, checks=GLOB or review",
				filter->texts[i]);
		if (of_checks)
			RG_TRY(check_of_checks(filter->texts[i], of_checks, checks));
	}
	return NULL;
}

bool rg_filter_is_of_checks(const rg_filter *filter)
{
	size_t i = 0;
	while (i < filter->count && !glob_for(filter->texts[i], checks_key))
		i++;
	return i < filter->count;
}

bool rg_filter_is_of_review(const rg_filter *filter)
{
	size_t i = 0;
	while (i < filter->count && strcmp(filter->texts[i], review_key) != 0)
		i++;
	return i < filter->count;
}

/* "checks=approximate:fails" as "rows that fail approximate". */
static bool append_check(rg_buf *out, const char *text)
{
	static const char fails[] = ":fails", passes[] = ":passes";
	const char *check = glob_for(text, checks_key), *end = check ? strrchr(check, ':') : NULL;
	if (!end || (strcmp(end, fails) != 0 && strcmp(end, passes) != 0))
		return false;
	rg_buf_printf(out, "rows that %s %.*s", strcmp(end, fails) ? "pass" : "fail",
		      (int)(end - check), check);
	return true;
}

void rg_filter_say(rg_buf *out, const rg_filter *filter)
{
	for (size_t i = 0; i < filter->count; i++) {
		rg_buf_str(out, i ? ", " : "");
		if (!strcmp(filter->texts[i], review_key))
			rg_buf_str(out, "rows that need review");
		else if (!append_check(out, filter->texts[i]))
			rg_buf_str(out, filter->texts[i]);
	}
}

bool rg_filter_takes_row(const rg_filter *filter, const rg_row *row, const rg_checks *checks)
{
	bool taken = !rg_filter_is_of_checks(filter);
	for (size_t i = 0; i < filter->count && !taken; i++) {
		const char *glob = glob_for(filter->texts[i], checks_key);
		taken = glob && says(glob, row, checks);
	}
	return taken && rg_filter_takes_metric(filter, row->metric);
}

void rg_filter_rows(const rg_filter *filter, rg_comparison *c)
{
	size_t rows = 0, gaps = 0;
	if (!filter->count)
		return;
	for (size_t i = 0; i < c->file_count; i++) {
		rg_file_outcome *file = &c->files[i];
		const size_t first_row = rows, first_gap = gaps;
		for (size_t k = file->first_row; k < file->first_row + file->row_count; k++) {
			if (rg_filter_takes_row(filter, &c->rows[k], c->checks))
				c->rows[rows++] = c->rows[k];
			else if (rg_row_has_size(&c->rows[k]))
				c->series_rows--;
		}
		for (size_t k = file->first_gap; k < file->first_gap + file->gap_count; k++)
			if (rg_filter_takes_row(filter, &c->gaps[k], c->checks))
				c->gaps[gaps++] = c->gaps[k];
		file->first_row = first_row;
		file->row_count = rows - first_row;
		file->first_gap = first_gap;
		file->gap_count = gaps - first_gap;
	}
	c->row_count = rows;
	c->gap_count = gaps;
}
