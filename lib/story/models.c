/* SPDX-License-Identifier: Apache-2.0 */
#include "story/models.h"

#include "base/order.h"
#include "base/buf.h"
#include "base/path.h"
#include "golden/format.h"

#include <stdlib.h>
#include <string.h>

const char *const rg_part_names[RG_PARTS] = {"output", "tensor", "input", "program"};

/* --- what a row is of --- */

static const rg_format *format_of(const rg_comparison *comparison, const rg_row *row)
{
	return row->file_index < comparison->file_count
		       ? rg_format_named(comparison->files[row->file_index].format)
		       : NULL;
}

bool rg_models_have(const rg_comparison *comparison, const rg_row *row)
{
	if (row->opaque)
		return false;
	/* Tensors of different shapes have no figures. */
	const rg_format *format = format_of(comparison, row);
	return row->tensor || (format && format->has_tensors);
}

/* Sets the model's name and the row's own in it. */
static void set_names(rg_model_row *out, rg_arena *arena, const rg_comparison *comparison,
		      const rg_column_context *context)
{
	const rg_row *row = out->row;
	const char *path = row->file, *base = rg_path_name(path);
	size_t root = strlen(context->root);
	const rg_format *format = format_of(comparison, row);
	rg_model_place place = {.part = RG_PART_TENSOR, .model_length = strlen(path)};

	out->label = row->metric;
	if (format && format->place_in_model && format->place_in_model(&place, path, row->metric)) {
		const char *own = path + place.model_length + 1;
		if (place.by_name)
			out->label = rg_arena_copy(arena, own, strcspn(own, "."));
	} else if (row->file_index < comparison->file_count &&
		   comparison->files[row->file_index].row_count == 1) {
		place.model_length = base > path ? (size_t)(base - path) - 1 : 0;
		out->label = base;
	}
	out->part = place.part;
	if (root && place.model_length >= root && !strncmp(path, context->root, root) &&
	    path[root] == '/') {
		root += place.model_length > root;
		path += root;
		place.model_length -= root;
	}
	out->model = rg_arena_copy(arena, path, place.model_length);
}

void rg_models_add(rg_models *models, rg_arena *arena, const rg_comparison *comparison,
		   const rg_column_context *context, size_t most, const rg_model_row *row)
{
	if (!models->rows)
		models->rows = rg_calloc(most + 1, sizeof(*models->rows));
	models->rows[models->row_count] = *row;
	set_names(&models->rows[models->row_count++], arena, comparison, context);
}

/* --- order --- */

/* The worst first: nothing is further off than what is no number any more. */
RG_ORDER(by_badness, rg_model_row,
	 RG_RISING(row->identical) ||
		 RG_BY(!x->row->left_out.new_nonfinite, !y->row->left_out.new_nonfinite) ||
		 RG_FALLING(look) || RG_FALLING(over) || RG_FALLING(size));

RG_ORDER(by_model, rg_model_row,
	 RG_BY_TEXT(model) || RG_RISING(row->identical) || RG_RISING(part) ||
		 RG_THEN(by_badness(x, y)) || RG_RISING(row));

/* Another question has another answer: what has the same inputs comes first. */
RG_ORDER(by_inputs, rg_model,
	 RG_BY(!x->differing, !y->differing) ||
		 RG_BY(!!x->counts.differ[RG_PART_INPUT], !!y->counts.differ[RG_PART_INPUT]) ||
		 RG_RISING(rows->part) || RG_THEN(by_badness(x->rows, y->rows)) ||
		 RG_BY_TEXT(name));

/* --- models --- */

/* The rows of a program count once, those that differ come first. */
static void count_row(rg_model *model, const rg_model_row *row)
{
	const rg_model_row *other = model->rows;
	model->count++;
	model->differing += !row->row->identical;
	for (; row->part == RG_PART_PROGRAM && other < row; other++)
		if (other->part == RG_PART_PROGRAM && row->part == RG_PART_PROGRAM &&
		    other->row->file_index == row->row->file_index)
			return;
	model->counts.of[row->part]++;
	model->counts.differ[row->part] += !row->row->identical;
}

static void append_part(rg_buf *out, const rg_model_counts *counts, rg_model_part part)
{
	size_t differ = counts->differ[part], of = counts->of[part];
	if (!differ)
		return;
	rg_buf_str(out, out->length ? "; " : "");
	if (of == 1 && part != RG_PART_TENSOR)
		rg_buf_printf(out, "its %s differs", rg_part_names[part]);
	else
		rg_buf_printf(out, "%zu of %zu %s%s %s", differ, of, rg_part_names[part],
			      of == 1 ? "" : "s", differ == 1 ? "differs" : "differ");
	if (part == RG_PART_INPUT && counts->differ[RG_PART_OUTPUT])
		rg_buf_str(out, ", so the outputs answer another question");
}

/* Says what a difference of outputs is not due to. */
static void append_same(rg_buf *out, const rg_model_counts *counts)
{
	bool inputs = counts->of[RG_PART_INPUT] && !counts->differ[RG_PART_INPUT];
	bool program = counts->of[RG_PART_PROGRAM] && !counts->differ[RG_PART_PROGRAM];

	if (!counts->differ[RG_PART_OUTPUT] || (!inputs && !program))
		return;
	rg_buf_printf(out, "; %s%s%s", inputs ? "same inputs" : "", inputs && program ? ", " : "",
		      program ? "same program" : "");
}

static rg_error *format_model(rg_model *model, rg_arena *arena)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	for (rg_model_part part = 0; part < RG_PARTS; part++)
		append_part(&text, &model->counts, part);
	append_same(&text, &model->counts);
	if (!text.length)
		rg_buf_str(&text, "equal");
	RG_TRY(rg_buf_check(&text, "a model"));
	model->says = rg_arena_text(arena, text.data);
	return NULL;
}

rg_error *rg_models_finish(rg_models *models, rg_arena *arena)
{
	rg_model *model = NULL;
	if (!models->row_count)
		return NULL;
	models->items = rg_calloc(models->row_count, sizeof(*models->items));
	qsort(models->rows, models->row_count, sizeof(*models->rows), by_model);
	for (size_t i = 0; i < models->row_count; i++) {
		const rg_model_row *row = &models->rows[i];
		if (!model || strcmp(model->name, row->model) != 0) {
			model = &models->items[models->count++];
			*model = (rg_model){.name = row->model, .rows = row};
		}
		count_row(model, row);
	}
	for (size_t i = 0; i < models->count; i++) {
		models->differing += models->items[i].differing > 0;
		for (rg_model_part part = 0; part < RG_PARTS; part++) {
			models->counts.of[part] += models->items[i].counts.of[part];
			models->counts.differ[part] += models->items[i].counts.differ[part];
		}
		RG_TRY(format_model(&models->items[i], arena));
	}
	qsort(models->items, models->count, sizeof(*models->items), by_inputs);
	return NULL;
}

void rg_models_release(rg_models *models)
{
	free(models->items);
	free(models->rows);
	*models = (rg_models){0};
}
