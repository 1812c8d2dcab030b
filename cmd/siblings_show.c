/* SPDX-License-Identifier: Apache-2.0 */
#include "siblings_show.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "flow/settings.h"
#include "report/test_name.h"

#include <stdlib.h>
#include <string.h>

/* Variants in the line; how many goldens the others have is one number. */
enum { VARIANTS_NAMED = 6, GONE_NAMED = 6 };

typedef struct {
	rg_name_part name;
	size_t goldens;
} variant;

static int compare_names(const void *a, const void *b)
{
	const rg_name_part *x = &((const variant *)a)->name, *y = &((const variant *)b)->name;
	int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);

	return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* The most goldens first. */
static int compare_counts(const void *a, const void *b)
{
	const variant *x = a, *y = b;
	return x->goldens != y->goldens ? (x->goldens < y->goldens ? 1 : -1) : compare_names(a, b);
}

/* A golden whose name has no variant is known by its name. */
static rg_name_part variant_of(const char *path, const rg_column_context *columns)
{
	rg_test_name name = rg_test_name_split(path, columns);
	const char *file = rg_path_name(path);

	return name.variant.text ? name.variant : (rg_name_part){file, strlen(file)};
}

/* Each variant once, with its goldens. Returns how many there are. */
static size_t merge(variant *variants, size_t count)
{
	size_t kept = 0;
	qsort(variants, count, sizeof(*variants), compare_names);
	for (size_t i = 0; i < count; i++) {
		if (kept && !compare_names(&variants[kept - 1], &variants[i]))
			variants[kept - 1].goldens++;
		else
			variants[kept++] = variants[i];
	}
	qsort(variants, kept, sizeof(*variants), compare_counts);
	return kept;
}

/* "dev_dgx_a100 200, lts_dgx_a100 106". */
static void add_variants(rg_buf *text, const variant *variants, size_t count)
{
	char number[RG_COUNT_TEXT];
	size_t rest = 0;

	for (size_t i = 0; i < count; i++) {
		if (i >= VARIANTS_NAMED) {
			rest += variants[i].goldens;
			continue;
		}
		rg_buf_str(text, i ? ", " : "");
		rg_buf_add(text, variants[i].name.text, variants[i].name.length);
		rg_buf_printf(text, " %s", rg_count_text(variants[i].goldens, number));
	}
	if (rest)
		rg_buf_printf(text, ", others %s", rg_count_text(rest, number));
}

static rg_error *show_line(const command_context *context, const rg_siblings *siblings)
{
	const rg_config *config = context->flow.config;
	const rg_column_context columns = rg_columns_of(config);
	variant *variants = rg_calloc(siblings->count, sizeof(*variants));
	char number[RG_COUNT_TEXT];
	rg_buf text;
	for (size_t i = 0; i < siblings->count; i++)
		variants[i] = (variant){variant_of(siblings->paths[i], &columns), 1};
	rg_buf_init(&text, RG_BUF_TEXT);
	add_variants(&text, variants, merge(variants, siblings->count));
	rg_error *err = rg_buf_check(&text, "what was not refreshed");
	if (!err)
		rg_log_say(&context->flow.log, RG_LOG_INFO,
			   "not refreshed, beside ones that were: %s goldens: %s (-v lists them)",
			   rg_count_text(siblings->count, number), text.data);
	rg_buf_release(&text);
	free(variants);
	return err;
}

rg_error *siblings_show_gone(const command_context *context, const rg_siblings *gone)
{
	size_t named = context->common->verbose ? gone->count : GONE_NAMED, i;
	char number[RG_COUNT_TEXT];
	rg_buf text;

	if (!gone->count)
		return NULL;
	rg_buf_init(&text, RG_BUF_TEXT);
	for (i = 0; i < gone->count && i < named; i++)
		rg_buf_printf(&text, "%s%s", i ? ", " : "", gone->paths[i]);
	if (i < gone->count)
		rg_buf_printf(&text, " and %s more (-v lists them)",
			      rg_count_text(gone->count - i, number));
	rg_error *err = rg_buf_check(&text, "what the run no longer makes");
	if (!err)
		rg_log_say(&context->flow.log, RG_LOG_INFO,
			   "%s golden%s that the run no longer makes ('git rm' removes %s): %s",
			   rg_count_text(gone->count, number), gone->count == 1 ? "" : "s",
			   gone->count == 1 ? "it" : "them", text.data);
	rg_buf_release(&text);
	return err;
}

rg_error *siblings_show(const command_context *context, const rg_siblings *siblings)
{
	if (siblings->count > 1 && !context->common->verbose)
		return show_line(context, siblings);
	for (size_t i = 0; i < siblings->count; i++)
		rg_log_say(&context->flow.log, RG_LOG_INFO,
			   "not refreshed, beside one that was: %s", siblings->paths[i]);
	return NULL;
}
