/* SPDX-License-Identifier: Apache-2.0 */
#include "report/annotations.h"

#include "report/review.h"
#include "report/workflow_command.h"

#include <string.h>

/* Rows of a golden that are named before the others are counted. */
enum { ROWS_NAMED = 3 };

typedef struct {
	const rg_story *story;
	bool in_repository;
	const char *files[RG_ANNOTATIONS_MAX]; /* that have one */
	size_t count;
} annotator;

static bool needs_look(const rg_story_row *row)
{
	return row->apart || row->looked_at;
}

static bool is_annotated(const annotator *a, const char *file)
{
	for (size_t i = 0; i < a->count; i++)
		if (!strcmp(a->files[i], file))
			return true;
	return false;
}

static void say_row(rg_buf *text, const rg_story_row *row)
{
	rg_buf reason;
	rg_buf_printf(text, "%s: ", row->metric);
	if (row->apart)
		rg_story_say_apart(text, row);
	else
		rg_story_say_row(text, row->row, &row->policy);
	rg_buf_init(&reason, RG_BUF_TEXT);
	rg_review_row_reason(&reason, row->row, &row->policy);
	if (reason.length)
		rg_buf_printf(text, " (%s)", reason.data);
	rg_buf_inherit(text, &reason);
	rg_buf_release(&reason);
}

/* All that needs a look in the golden of a row. */
static void say_golden(rg_buf *text, const rg_story *story, const char *file, bool *fails)
{
	size_t more = 0, named = 0;
	for (size_t i = 0; i < story->row_count; i++) {
		const rg_story_row *row = &story->rows[i];
		if (!needs_look(row) || strcmp(row->row->file, file) != 0)
			continue;
		*fails |= row->row->level == RG_LEVEL_FAIL;
		if (named == ROWS_NAMED) {
			more++;
			continue;
		}
		rg_buf_str(text, named++ ? "; " : "");
		say_row(text, row);
	}
	if (more)
		rg_buf_printf(text, "; %zu more %s", more, more == 1 ? "row" : "rows");
}

static rg_error *annotate(annotator *a, rg_buf *out, const char *file, bool fails,
			  const rg_buf *text)
{
	rg_buf name;
	a->files[a->count++] = file;
	rg_buf_init(&name, RG_BUF_TEXT);
	rg_test_name_add(&name, file, a->story->summary->context);
	rg_buf_printf(out, "::%s ", fails ? "error" : "warning");
	if (a->in_repository) {
		rg_buf_str(out, "file=");
		rg_workflow_add_escaped(out, file, true);
		rg_buf_char(out, ',');
	}
	rg_buf_str(out, "title=");
	rg_workflow_add_escaped(out, name.data, true);
	rg_buf_str(out, "::");
	rg_workflow_add_escaped(out, text->data, false);
	rg_buf_char(out, '\n');
	rg_error *err = rg_error_first(rg_buf_check(text, file), rg_buf_check(&name, file));
	rg_buf_release(&name);
	return rg_error_first(err, rg_buf_check(out, file));
}

static rg_error *annotate_rows(annotator *a, rg_buf *out)
{
	const rg_story *story = a->story;
	rg_error *err = NULL;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	for (size_t i = 0; i < story->row_count && a->count < RG_ANNOTATIONS_MAX && !err; i++) {
		const rg_story_row *row = &story->rows[i];
		bool fails = false;

		if (!needs_look(row) || is_annotated(a, row->row->file))
			continue;
		rg_buf_clear(&text);
		say_golden(&text, story, row->row->file, &fails);
		err = annotate(a, out, row->row->file, fails, &text);
	}
	rg_buf_release(&text);
	return err;
}

/* What went away has no row: the first golden of each pattern stands for it. */
static rg_error *annotate_shapes(annotator *a, rg_buf *out)
{
	const rg_story *story = a->story;
	rg_error *err = NULL;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	for (size_t i = 0; i < story->shape_count && a->count < RG_ANNOTATIONS_MAX && !err; i++) {
		const rg_shape_change *shape = &story->shapes[i];
		if (shape->kind >= RG_SHAPE_METRIC_NEW || is_annotated(a, shape->first->file))
			continue;
		rg_buf_clear(&text);
		rg_buf_str(&text, shape->text);
		err = annotate(a, out, shape->first->file, false, &text);
	}
	rg_buf_release(&text);
	return err;
}

rg_error *rg_annotations_add(rg_buf *out, const rg_story *story, bool in_repository)
{
	annotator a = {.story = story, .in_repository = in_repository};
	RG_TRY(annotate_rows(&a, out));
	return annotate_shapes(&a, out);
}
