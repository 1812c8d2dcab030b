/* SPDX-License-Identifier: Apache-2.0 */
#include "report/models_view.h"

#include "base/templates.h"
#include "compare/summary.h"
#include "report/cells.h"
#include "report/mustache.h"
#include "report/words.h"
#include "report/template_data.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* --- the keys --- */

static void write_error(rg_json_out *json, const void *from, const void *context)
{
	const rg_difference *d = from;
	double error = d->fresh.number - d->old.number;

	(void)context;
	if (isnan(error))
		rg_json_null(json);
	else
		rg_json_number(json, error);
}

#define OF rg_difference
static const rg_json_field element_fields[] = {
	RG_KEY_AS("index", at, "Its index in each dimension."),
	RG_KEY_VALUE("old", old, "The old side's; past 2^53 a text."),
	RG_KEY_VALUE("new", fresh, "The new side's."),
	RG_PUT("error", NUMBER, OR_NULL, NULL, write_error, "new - old."),
	{0}};
#undef OF

#define OF rg_differences
static const rg_json_field elements_fields[] = {
	RG_KEY_LIST("elements", items, count, element_fields,
		    "The elements that differ most, where they are known, the largest first."),
	RG_KEY_AS("elements_more", more, "Further elements that differ."),
	{0}};
#undef OF

typedef struct {
	rg_model_row m;
	const rg_row *row;
	const rg_tensor_stats *tensor;
	const rg_differences *elements; /* NULL: not known */
	double snr_db;
	bool snr_known; /* a template takes an SNR of 0 for none */
} row_view;

/* Its distance from 1 is what counts. */
static void append_cosine(rg_buf *out, const void *from)
{
	const row_view *view = from;
	if (!isnan(view->tensor->cosine))
		rg_buf_printf(out, "%.6f", view->tensor->cosine);
}

static void append_worst_index(rg_buf *out, const void *from)
{
	const row_view *view = from;
	const char *types = view->tensor->types;

	if (view->row->max_abs > 0)
		rg_buf_printf(out, "%s%s", view->tensor->worst_text, types ? ", " : "");
	rg_buf_str(out, types ? types : view->row->max_abs > 0 ? "" : "-");
}

static void append_change(rg_buf *out, const void *from)
{
	const row_view *view = from;
	if (view->row->identical)
		rg_buf_str(out, "equal");
	else
		rg_row_say_tensor(out, view->row);
}

#define OF row_view
static const rg_json_field row_fields[] = {
	RG_KEY_VIA(row, rg_row, file, ALWAYS, "The golden's path."),
	RG_KEY_VIA(row, rg_row, metric, ALWAYS, "The metric."),
	RG_KEY_AS("label", m.label, "The row's name in its model."),
	RG_KEY_WORD("part", m.part, rg_part_names, "What it is of its model."),
	{0}};

static const rg_json_field tensor_fields[] = {
	RG_SPREAD_SAME(row_fields),
	RG_KEY_WORD("mark", m.look, rg_look_marks, "Whether it needs review: '!' fails, '*' does."),
	RG_KEY_VIA(row, rg_row, max_abs, ALWAYS, "The largest |new - old|."),
	RG_KEY_VIA(tensor, rg_tensor_stats, mean_abs, OR_NULL, "mean(|new - old|)."),
	RG_KEY_OR_NULL(snr_db, "ExecuTorch's SNR in dB."),
	RG_KEY(snr_known, "There is an SNR."),
	RG_SAY("cosine", OR_NULL, append_cosine,
	       "Cosine of the angle between both sides, with six digits."),
	RG_KEY_VIA(tensor, rg_tensor_stats, share_differing, OR_NULL,
		   "The share of elements whose values differ."),
	RG_SAY("worst_index", ALWAYS, append_worst_index,
	       "Where the largest |new - old| is, and both sides' types where they differ."),
	RG_KEY_VIA(tensor, rg_tensor_stats, nonfinite_mismatches, ALWAYS,
		   "Elements finite on one side only, or otherwise."),
	RG_SPREAD_TO(elements, elements_fields, OPTIONAL),
	{0}};

static const rg_json_field other_fields[] = {
	RG_SPREAD_SAME(row_fields), RG_SAY("says", ALWAYS, append_change, "What it became."), {0}};
#undef OF

typedef struct {
	rg_model m;
	const char *name;
	row_view *tensors, *others;
	size_t tensor_count, other_count, equal;
	bool any_look, any_mismatches;
} model_view;

#define OF model_view
const rg_json_field rg_model_fields[] = {
	RG_KEY_LIST("tensors", tensors, tensor_count, tensor_fields,
		    "Its tensors that differ, outputs first, the worst first."),
	RG_KEY_LIST("others", others, other_count, other_fields,
		    "What differs of it and has no figures."),
	RG_KEY(name, "Its path below the root."),
	RG_KEY_AS("says", m.says, "What differs in a sentence."),
	RG_KEY_AS("differing", m.differing, "Rows that differ."),
	RG_KEY(equal, "Rows that do not."),
	RG_KEY(any_look, "Some of its tensors need review."),
	RG_KEY(any_mismatches, "Some have non-finite mismatches."),
	{0}};
#undef OF

/* --- what is told --- */

/* The room that is left, and the rows that are not shown. */
typedef struct {
	const rg_models_shown *shown;
	size_t room, more, equal;
	rg_arena *arena;
} build;

static bool is_shown(build *b, const rg_model_row *row)
{
	const bool equal = row->row->identical;
	if (equal && !b->shown->equal) {
		b->equal++;
		return false;
	}
	if (row->row->tensor && rg_row_size(row->row) < b->shown->threshold)
		return false;
	if (!b->room) {
		b->more++;
		return false;
	}
	b->room -= b->room != SIZE_MAX;
	return true;
}

static void fill_row(model_view *out, const rg_model_row *m)
{
	const rg_tensor_stats *tensor = m->row->tensor;
	row_view row = {.m = *m, .row = m->row, .tensor = tensor, .elements = m->row->elements};

	if (!tensor) {
		if (!(m->part == RG_PART_PROGRAM && !strcmp(m->row->metric, "program")))
			out->others[out->other_count++] = row;
		return;
	}
	/* Tensors that are equal but for an element that is not finite have no infinite SNR. */
	row.snr_known = !isnan(tensor->snr_db) &&
			!(tensor->nonfinite_mismatches && isinf(tensor->snr_db));
	row.snr_db = row.snr_known ? tensor->snr_db : NAN;
	out->tensors[out->tensor_count++] = row;
	out->any_mismatches |= tensor->nonfinite_mismatches;
	out->any_look |= m->look != RG_LOOK_NONE;
}

/* Returns whether there is something to be shown of it. */
static bool fill_model(model_view *out, build *b, const rg_model *model)
{
	bool any = false;
	*out = (model_view){.m = *model,
			    .name = *model->name ? model->name : "tensors",
			    .equal = model->count - model->differing};
	out->tensors = rg_arena_alloc(b->arena, model->count * sizeof(*out->tensors));
	out->others = rg_arena_alloc(b->arena, model->count * sizeof(*out->others));
	for (size_t i = 0; i < model->count; i++)
		if (is_shown(b, &model->rows[i])) {
			fill_row(out, &model->rows[i]);
			any = true;
		}
	return any;
}

void rg_models_view(cJSON *view, const rg_models *models, const rg_models_shown *shown)
{
	RG_AUTO(rg_arena) arena = {0};
	build b = {.shown = shown, .room = shown->top, .arena = &arena};
	size_t count = 0;

	if (!models->count)
		return;
	model_view *list = rg_arena_alloc(&arena, models->count * sizeof(*list));
	for (size_t i = 0; i < models->count; i++)
		count += fill_model(&list[count], &b, &models->items[i]);
	rg_build_items(view, "models", rg_model_fields, list, count, sizeof(*list));
	rg_build_truth(view, "models_rest", b.more || b.equal);
	rg_build_count(view, "models_more", b.more);
	rg_build_count(view, "models_equal", b.equal);
}

rg_error *rg_models_text(rg_buf *out, const rg_models *models, const rg_models_shown *shown,
			 const rg_table_style *style)
{
	const rg_mustache_style how = {
		.escape = rg_terminal_text, .table = rg_table_from_lines, .table_style = style};
	const rg_mustache_limits limits = RG_MUSTACHE_ITEMS(SIZE_MAX);
	cJSON *view = cJSON_CreateObject();

	rg_models_view(view, models, shown);
	rg_error *err =
		rg_mustache_render(out, rg_template_text("models.txt"), view, &how, &limits);
	cJSON_Delete(view);
	/* The blank line between two models. */
	if (!err && out->length > 1 && !strcmp(out->data + out->length - 2, "\n\n"))
		rg_buf_truncate(out, out->length - 1);
	return err;
}
