#include "report/view_parts.h"

#include <stdlib.h>
#include <string.h>

/* Rows of which a noise model says the same. */
typedef struct {
	rg_verdict_kind kind;
	const char *text;
	size_t count;
} finding;

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
	size_t found = 0, i;

	qsort(rows, count, sizeof(const rg_row *), by_verdict);
	for (i = 0; i < count; i++) {
		if (!i || by_verdict(&rows[i - 1], &rows[i]) != 0)
			out[found++] = (finding){rows[i]->verdict.kind, text_of(rows[i]), 0};
		out[found - 1].count++;
	}
	qsort(out, found, sizeof(*out), by_count);
	return found;
}

/* One item for each text. `more` are rows, not items. */
static void add_kind(rg_view_build *b, cJSON *parent, const char *name, const finding *findings,
		     size_t count)
{
	cJSON *object = rg_build_object(&b->failed, parent, name), *list;
	size_t rows = 0, more = 0, i;

	for (i = 0; i < count; i++) {
		rows += findings[i].count;
		more += i < b->cap ? 0 : findings[i].count;
	}
	rg_view_add_counted(b, object, "n", "n_one", rows);
	rg_view_add_counted(b, object, "more", "more_one", more);
	list = rg_build_list(&b->failed, object, "items");
	for (i = 0; i < count && i < b->cap && !b->failed; i++) {
		cJSON *item = rg_build_object(&b->failed, list, NULL);

		rg_view_add_counted(b, item, "n", "n_one", findings[i].count);
		rg_build_text(&b->failed, item, "text", findings[i].text);
	}
}

void rg_view_add_measured(rg_view_build *b, cJSON *view, const rg_row **rows, size_t count)
{
	finding *findings = calloc(count + 1, sizeof(*findings));
	size_t found, unjudged, start, end;
	cJSON *object = NULL;

	if (!findings) {
		b->failed = true;
		return;
	}
	found = find(findings, rows, count);
	/* RG_VERDICT_NONE is the first kind, and has one text. */
	start = found && findings[0].kind == RG_VERDICT_NONE;
	unjudged = start ? findings[0].count : 0;
	if (start < found) {
		object = rg_build_object(&b->failed, view, "measured");
		rg_view_add_counted(b, object, "n", "n_one", count - unjudged);
	}
	for (; start < found && !b->failed; start = end) {
		rg_verdict_kind kind = findings[start].kind;

		for (end = start + 1; end < found && findings[end].kind == kind;)
			end++;
		add_kind(b, object, rg_verdict_names[kind], findings + start, end - start);
	}
	free(findings);
}
