/* SPDX-License-Identifier: Apache-2.0 */
#include "report/models_view.h"

#include "base/templates.h"
#include "compare/summary.h"
#include "report/cells.h"
#include "report/mustache.h"
#include "report/story.h"
#include "report/template_data.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* --- the keys --- */

static const rg_json_field element_fields[] = {
	RG_SAID("index", TEXT, "Its index in each dimension."),
	RG_SAID_OR_NULL("old", VALUE, "The old side's; past 2^53 a text."),
	RG_SAID_OR_NULL("new", VALUE, "The new side's."),
	RG_SAID_OR_NULL("error", NUMBER, "new - old."),
	{0}};

static const rg_json_field tensor_fields[] = {
	RG_SAID("file", TEXT, "The golden's path."),
	RG_SAID("metric", TEXT, "The metric."),
	RG_SAID("label", TEXT, "The row's name in its model."),
	RG_SAID_WORD("part", ALWAYS, rg_part_names, "What it is of its model."),
	RG_SAID_WORD("mark", ALWAYS, rg_look_marks,
		     "Whether it needs a look: '!' fails, '*' does."),
	RG_SAID("max_abs", NUMBER, "The largest |new - old|."),
	RG_SAID_OR_NULL("mean_abs", NUMBER, "mean(|new - old|)."),
	RG_SAID_OR_NULL("snr_db", NUMBER, "ExecuTorch's SNR in dB."),
	RG_SAID("snr_known", TRUTH, "There is an SNR."),
	RG_SAID_OR_NULL("cosine", TEXT, "Cosine of the angle between both sides, with six digits."),
	RG_SAID_OR_NULL("share_differing", NUMBER, "The share of elements whose values differ."),
	RG_SAID("worst_index", TEXT,
		"Where the largest |new - old| is, and both sides' types where they differ."),
	RG_SAID("nonfinite_mismatches", COUNT, "Elements finite on one side only, or otherwise."),
	RG_SAID_OF("elements", LIST, OPTIONAL, element_fields,
		   "The elements that differ most, where they are known, the largest first."),
	RG_SAID_OPTIONAL("elements_more", COUNT, "Further elements that differ."),
	{0}};

static const rg_json_field other_fields[] = {
	RG_SAID("file", TEXT, "The golden's path."),
	RG_SAID("metric", TEXT, "The metric."),
	RG_SAID("label", TEXT, "The row's name in its model."),
	RG_SAID_WORD("part", ALWAYS, rg_part_names, "What it is of its model."),
	RG_SAID("says", TEXT, "What it became."),
	{0}};

const rg_json_field rg_model_fields[] = {
	RG_SAID("name", TEXT, "Its path below the root."),
	RG_SAID_OF("tensors", LIST, ALWAYS, tensor_fields,
		   "Its tensors that differ, outputs first, the worst first."),
	RG_SAID_OF("others", LIST, ALWAYS, other_fields, "What differs of it and has no figures."),
	RG_SAID("says", TEXT, "What differs in a sentence."),
	RG_SAID("differing", COUNT, "Rows that differ."),
	RG_SAID("equal", COUNT, "Rows that do not."),
	RG_SAID("any_look", TRUTH, "Some of its tensors need a look."),
	RG_SAID("any_mismatches", TRUTH, "Some have non-finite mismatches."),
	{0}};

/* What is left to be shown, and what is not. */
typedef struct {
	const rg_models_shown *shown;
	size_t room, more, equal;
} build;

/* --- rows --- */

/* Its largest differences. */
static void put_elements(cJSON *item, const rg_differences *elements)
{
	cJSON *list = rg_build_list(item, "elements"), *one;
	for (size_t i = 0; i < elements->count; i++) {
		const rg_difference *d = &elements->items[i];
		one = rg_build_item(list);
		rg_build_text(one, "index", d->at);
		rg_build_value(one, "old", &d->old);
		rg_build_value(one, "new", &d->fresh);
		rg_build_defined(one, "error", d->fresh.number - d->old.number);
	}
	rg_build_count(item, "elements_more", elements->all - elements->count);
}

static void put_tensor(cJSON *list, const rg_model_row *row)
{
	const rg_tensor_stats *tensor = row->row->tensor;
	cJSON *item = rg_build_item(list);

	rg_build_text(item, "file", row->row->file);
	rg_build_text(item, "metric", row->row->metric);
	rg_build_text(item, "label", row->label);
	rg_build_text(item, "part", rg_part_names[row->part]);
	rg_build_text(item, "mark", rg_look_marks[row->look]);
	rg_build_number(item, "max_abs", row->row->max_abs);
	rg_build_defined(item, "mean_abs", tensor->mean_abs);
	/* What is equal but for an element that is not finite has no infinite SNR. */
	bool snr_known = !isnan(tensor->snr_db) &&
			 !(tensor->nonfinite_mismatches && isinf(tensor->snr_db));
	rg_build_defined(item, "snr_db", snr_known ? tensor->snr_db : NAN);
	/* A template takes an SNR of 0 for none. */
	rg_build_truth(item, "snr_known", snr_known);
	/* Its distance from 1 is what counts. */
	if (isnan(tensor->cosine))
		rg_build_text(item, "cosine", NULL);
	else
		rg_build_textf(item, "cosine", "%.6f", tensor->cosine);
	rg_build_defined(item, "share_differing", tensor->share_differing);
	rg_build_textf(item, "worst_index", "%s%s%s",
		       row->row->max_abs > 0 ? tensor->worst_text
		       : tensor->types       ? ""
					     : "-",
		       row->row->max_abs > 0 && tensor->types ? ", " : "",
		       tensor->types ? tensor->types : "");
	rg_build_count(item, "nonfinite_mismatches", tensor->nonfinite_mismatches);
	if (row->row->elements)
		put_elements(item, row->row->elements);
}

static void put_other(cJSON *list, const rg_model_row *row)
{
	cJSON *item = rg_build_item(list);
	rg_buf text;

	rg_build_text(item, "file", row->row->file);
	rg_build_text(item, "metric", row->row->metric);
	rg_build_text(item, "label", row->label);
	rg_build_text(item, "part", rg_part_names[row->part]);
	rg_buf_init(&text, RG_BUF_TEXT);
	if (row->row->identical)
		rg_buf_str(&text, "equal");
	else
		rg_story_say_tensor(&text, row->row);
	rg_build_written(item, "says", &text);
	rg_buf_release(&text);
}

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

/* That the model says of its program that it differs is enough. */
static bool is_said(const rg_model_row *row)
{
	return row->part == RG_PART_PROGRAM && !strcmp(row->row->metric, "program");
}

/* --- models --- */

static bool is_any_shown(const build *b, const rg_model *model)
{
	build trial = *b;
	for (size_t i = 0; i < model->count; i++)
		if (is_shown(&trial, &model->rows[i]))
			return true;
	return false;
}

static void put_model(build *b, cJSON *list, const rg_model *model)
{
	cJSON *item = rg_build_item(list);
	cJSON *tensors = rg_build_list(item, "tensors");
	cJSON *others = rg_build_list(item, "others");
	bool look = false;
	size_t mismatches = 0;

	rg_build_text(item, "name", *model->name ? model->name : "tensors");
	rg_build_text(item, "says", model->says);
	rg_build_count(item, "differing", model->differing);
	rg_build_count(item, "equal", model->count - model->differing);
	for (size_t i = 0; i < model->count; i++) {
		const rg_model_row *row = &model->rows[i];
		if (!is_shown(b, row))
			continue;
		if (row->row->tensor)
			put_tensor(tensors, row);
		else if (!is_said(row))
			put_other(others, row);
		if (row->row->tensor)
			mismatches += row->row->tensor->nonfinite_mismatches;
		look |= row->row->tensor && row->look != RG_LOOK_NONE;
	}
	rg_build_truth(item, "any_look", look);
	rg_build_truth(item, "any_mismatches", mismatches);
}

void rg_models_view(cJSON *view, const rg_models *models, const rg_models_shown *shown)
{
	build b = {.shown = shown, .room = shown->top};
	if (!models->count)
		return;
	cJSON *list = rg_build_list(view, "models");
	for (size_t i = 0; i < models->count; i++)
		if (is_any_shown(&b, &models->items[i]))
			put_model(&b, list, &models->items[i]);
		else
			for (size_t k = 0; k < models->items[i].count; k++)
				(void)is_shown(&b, &models->items[i].rows[k]);
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
	rg_error *err;

	rg_models_view(view, models, shown);
	err = rg_mustache_render(out, rg_template_text("models.txt"), view, &how, &limits);
	cJSON_Delete(view);
	/* The blank line between two models. */
	if (!err && out->length > 1 && !strcmp(out->data + out->length - 2, "\n\n"))
		rg_buf_truncate(out, out->length - 1);
	return err;
}
