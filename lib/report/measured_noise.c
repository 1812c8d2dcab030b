/* SPDX-License-Identifier: Apache-2.0 */
#include "report/measured_noise.h"

#include "base/memory.h"
#include "base/fields.h"
#include "report/columns.h"
#include "report/template_data.h"

#include <stdlib.h>
#include <string.h>

/* Rows of which a noise model says the same. */
typedef struct {
	rg_verdict_kind kind;
	const char *text;
	size_t count;
} finding;

/* --- the keys --- */

#define OF finding
static const rg_json_field finding_fields[] = {
	RG_SAID("n", COUNT, "Rows."), RG_SAID("text", TEXT, "What is said."), {0}};
#undef OF

static const rg_json_field findings_fields[] = {
	RG_SAID("n", COUNT, "Rows."),
	RG_SAID_OF("items", LIST, ALWAYS, finding_fields, "What is said of them."),
	{0}};

const rg_json_field rg_measured_fields[] = {
	RG_SAID("n", COUNT, "Rows that it says something of."),
	RG_SAID_OF("within", OBJECT, OPTIONAL, findings_fields, "Within."),
	RG_SAID_OF("outside", OBJECT, OPTIONAL, findings_fields, "Within."),
	RG_SAID_OF("inconclusive", OBJECT, OPTIONAL, findings_fields, "Within."),
	RG_SAID_OF("unmeasured", OBJECT, OPTIONAL, findings_fields, "Within."),
	{0}};

static const char *text_of(const rg_row *row)
{
	/* Each is outside of a range of its own, and is listed where a reviewer must look. */
	if (row->verdict.kind == RG_VERDICT_OUTSIDE || !row->verdict.text)
		return "";
	return row->verdict.text;
}

static int by_verdict(const void *a, const void *b)
{
	const rg_row *x = *(const rg_row *const *)a, *y = *(const rg_row *const *)b;
	if (x->verdict.kind != y->verdict.kind)
		return x->verdict.kind < y->verdict.kind ? -1 : 1;
	return strcmp(text_of(x), text_of(y));
}

/* By kind, then what is said of most rows. */
static int by_count(const void *a, const void *b)
{
	const finding *x = a, *y = b;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return strcmp(x->text, y->text);
}

/* The findings of all rows, in the order that they are shown in; `out` has room for all. */
static size_t find(finding *out, const rg_row **rows, size_t count)
{
	size_t found = 0;
	qsort(rows, count, sizeof(const rg_row *), by_verdict);
	for (size_t i = 0; i < count; i++) {
		if (!i || by_verdict(&rows[i - 1], &rows[i]) != 0)
			out[found++] = (finding){rows[i]->verdict.kind, text_of(rows[i]), 0};
		out[found - 1].count++;
	}
	qsort(out, found, sizeof(*out), by_count);
	return found;
}

/* An item for each text. */
static void add_kind(cJSON *parent, const char *name, const finding *findings, size_t count)
{
	cJSON *object = rg_build_object(parent, name);
	size_t rows = 0;

	cJSON *list = rg_build_list(object, "items");
	for (size_t i = 0; i < count; i++) {
		cJSON *item = rg_build_item(list);
		rows += findings[i].count;
		rg_build_count(item, "n", findings[i].count);
		rg_build_text(item, "text", findings[i].text);
	}
	rg_build_count(object, "n", rows);
}

void rg_view_add_measured(cJSON *view, const rg_comparison *comparison)
{
	size_t count = comparison->row_count, end;
	const rg_row **rows = rg_malloc((count + 1) * sizeof(const rg_row *));
	finding *findings = rg_calloc(count + 1, sizeof(*findings));
	cJSON *object = NULL;

	for (size_t i = 0; i < count; i++)
		rows[i] = &comparison->rows[i];
	size_t found = find(findings, rows, count);

	/* RG_VERDICT_NONE is the first kind, and has one text. */
	size_t start = found && findings[0].kind == RG_VERDICT_NONE;
	if (start < found) {
		object = rg_build_object(view, "measured");
		rg_build_count(object, "n", count - (start ? findings[0].count : 0));
	}
	for (; start < found; start = end) {
		rg_verdict_kind kind = findings[start].kind;
		for (end = start + 1; end < found && findings[end].kind == kind;)
			end++;
		add_kind(object, rg_verdict_names[kind], findings + start, end - start);
	}
	free(findings);
	free(rows);
}
