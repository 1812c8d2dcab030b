/* SPDX-License-Identifier: Apache-2.0 */
#include "report/filter.h"

#include "base/pattern.h"
#include "report/test_name.h"

#include <string.h>

static const char *const keys[] = {"file=", "metric=", "stage=", "test=", "variant="};

/* The glob of a filter for that thing, else NULL. */
static const char *glob_for(const char *text, const char *key)
{
	return strncmp(text, key, strlen(key)) ? NULL : text + strlen(key);
}

rg_error *rg_filter_check(const rg_filter *filter)
{
	size_t i, k;

	for (i = 0; i < filter->count; i++) {
		for (k = 0; k < sizeof(keys) / sizeof(*keys); k++)
			if (glob_for(filter->texts[i], keys[k]))
				break;
		if (k == sizeof(keys) / sizeof(*keys))
			return rg_error_new(RG_E_USAGE,
					    "--filter: '%s' is not file=GLOB, metric=GLOB, "
					    "stage=GLOB, test=GLOB or variant=GLOB",
					    filter->texts[i]);
	}
	return NULL;
}

/* Does any filter for the thing match, or is there none? `text` NULL matches no glob. */
static bool takes(const rg_filter *filter, const char *key, const char *text)
{
	bool asked = false;
	size_t i;

	for (i = 0; i < filter->count; i++) {
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
	rg_test_name name;

	if (!filter->count)
		return true;
	name = rg_test_name_split(path, context);
	return takes(filter, "file=", path) && takes_part(filter, "stage=", name.stage) &&
	       takes_part(filter, "test=", name.test) &&
	       takes_part(filter, "variant=", name.variant);
}

bool rg_filter_takes_metric(const rg_filter *filter, const char *metric)
{
	return takes(filter, "metric=", metric);
}

static void filter_rows(const rg_filter *filter, rg_comparison *c, rg_file_outcome *file,
			size_t *kept)
{
	size_t first = *kept, i;

	for (i = file->first_row; i < file->first_row + file->row_count; i++) {
		if (rg_filter_takes_metric(filter, c->rows[i].metric))
			c->rows[(*kept)++] = c->rows[i];
		else if (rg_row_has_size(&c->rows[i]))
			c->series_rows--;
	}
	file->first_row = first;
	file->row_count = *kept - first;
}

static void filter_gaps(const rg_filter *filter, rg_comparison *c, rg_file_outcome *file,
			size_t *kept)
{
	size_t first = *kept, i;

	for (i = file->first_gap; i < file->first_gap + file->gap_count; i++)
		if (rg_filter_takes_metric(filter, c->gaps[i].metric))
			c->gaps[(*kept)++] = c->gaps[i];
	file->first_gap = first;
	file->gap_count = *kept - first;
}

void rg_filter_metrics(const rg_filter *filter, rg_comparison *comparison)
{
	size_t i, rows = 0, gaps = 0;

	if (!filter->count)
		return;
	for (i = 0; i < comparison->file_count; i++) {
		filter_rows(filter, comparison, &comparison->files[i], &rows);
		filter_gaps(filter, comparison, &comparison->files[i], &gaps);
	}
	comparison->row_count = rows;
	comparison->gap_count = gaps;
}
