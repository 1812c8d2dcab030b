/* SPDX-License-Identifier: Apache-2.0 */
#include "story/models.h"

#include "base/buf.h"
#include "base/path.h"
#include "golden/raw.h"

#include <stdlib.h>
#include <string.h>

const char *const rg_part_names[RG_PARTS] = {"output", "tensor", "input", "program"};

/* --- what a row is of --- */

static bool is_format(const rg_comparison *comparison, const rg_row *row, const char *name)
{
	const char *format = row->file_index < comparison->file_count
				     ? comparison->files[row->file_index].format
				     : NULL;

	return format && !strcmp(format, name);
}

static bool is_program(const rg_comparison *comparison, const rg_row *row)
{
	return is_format(comparison, row, "pte") || is_format(comparison, row, "bpte");
}

bool rg_models_have(const rg_comparison *comparison, const rg_row *row)
{
	static const char *const formats[] = {"raw", "npy", "safetensors"};
	if (row->opaque)
		return false;
	if (row->tensor || is_program(comparison, row))
		return true;
	/* Tensors of different shapes have no figures. */
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (is_format(comparison, row, formats[i]))
			return true;
	return false;
}

static rg_model_part part_of(const rg_comparison *comparison, const rg_row *row,
			     const rg_raw_name *raw)
{
	if (raw)
		return raw->output ? RG_PART_OUTPUT : RG_PART_INPUT;
	if (!is_program(comparison, row))
		return RG_PART_TENSOR;
	/* What a program itself says of its tensors is a part of it. */
	if (is_format(comparison, row, "pte"))
		return RG_PART_PROGRAM;
	return strstr(row->metric, "/output/")  ? RG_PART_OUTPUT
	       : strstr(row->metric, "/input/") ? RG_PART_INPUT
						: RG_PART_PROGRAM;
}

/* Sets the model's name and the row's own in it. */
static void set_names(rg_model_row *out, rg_arena *arena, const rg_comparison *comparison,
		      const rg_column_context *context)
{
	const rg_row *row = out->row;
	const char *path = row->file, *base = rg_path_name(path);
	size_t root = strlen(context->root), length = strlen(path);
	rg_raw_name raw;
	bool is_raw = rg_raw_name_parse(path, &raw);

	out->part = part_of(comparison, row, is_raw ? &raw : NULL);
	out->label = row->metric;
	if (is_raw) {
		length = raw.model_length;
		out->label = path + length + 1;
	} else if (rg_ends_with(path, ".pte")) {
		length -= strlen(".pte");
	} else if (out->part == RG_PART_TENSOR && row->file_index < comparison->file_count &&
		   comparison->files[row->file_index].row_count == 1) {
		length = base > path ? (size_t)(base - path) - 1 : 0;
		out->label = base;
	}
	if (root && length >= root && !strncmp(path, context->root, root) && path[root] == '/') {
		root += length > root;
		path += root;
		length -= root;
	}
	out->model = rg_arena_copy(arena, path, length);
	if (!is_raw)
		return;
	out->label = rg_arena_copy(arena, out->label, strcspn(out->label, "."));
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

static int order_of(double a, double b)
{
	return a > b ? -1 : a < b;
}

/* The worst first: nothing is further off than what is no number any more. */
static int compare_badness(const rg_model_row *a, const rg_model_row *b)
{
	int order = (int)a->row->identical - (int)b->row->identical;
	order = order ? order : !a->row->left_out.new_nonfinite - !b->row->left_out.new_nonfinite;
	order = order ? order : (int)b->look - (int)a->look;
	order = order ? order : order_of(a->over, b->over);
	return order ? order : order_of(a->size, b->size);
}

static int compare_rows(const void *a, const void *b)
{
	const rg_model_row *x = a, *y = b;
	int order = strcmp(x->model, y->model);

	order = order ? order : (int)x->row->identical - (int)y->row->identical;
	order = order ? order : (int)x->part - (int)y->part;
	order = order ? order : compare_badness(x, y);
	return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* Another question has another answer: what has the same inputs comes first. */
static int compare_models(const void *a, const void *b)
{
	const rg_model *x = a, *y = b;
	int order = !x->differing - !y->differing;

	order = order ? order
		      : !!x->counts.differ[RG_PART_INPUT] - !!y->counts.differ[RG_PART_INPUT];
	order = order ? order : (int)x->rows->part - (int)y->rows->part;
	order = order ? order : compare_badness(x->rows, y->rows);
	return order ? order : strcmp(x->name, y->name);
}

/* --- models --- */

static bool is_same_program(const rg_model_row *a, const rg_model_row *b)
{
	return a->part == RG_PART_PROGRAM && b->part == RG_PART_PROGRAM &&
	       a->row->file_index == b->row->file_index;
}

/* The rows of a program count once, those that differ come first. */
static void count_row(rg_model *model, const rg_model_row *row)
{
	const rg_model_row *other = model->rows;
	model->count++;
	model->differing += !row->row->identical;
	for (; row->part == RG_PART_PROGRAM && other < row; other++)
		if (is_same_program(other, row))
			return;
	model->counts.of[row->part]++;
	model->counts.differ[row->part] += !row->row->identical;
}

static void say_part(rg_buf *out, const rg_model_counts *counts, rg_model_part part)
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

/* What a difference of outputs is not due to. */
static void say_same(rg_buf *out, const rg_model_counts *counts)
{
	bool inputs = counts->of[RG_PART_INPUT] && !counts->differ[RG_PART_INPUT];
	bool program = counts->of[RG_PART_PROGRAM] && !counts->differ[RG_PART_PROGRAM];

	if (!counts->differ[RG_PART_OUTPUT] || (!inputs && !program))
		return;
	rg_buf_printf(out, "; %s%s%s", inputs ? "same inputs" : "", inputs && program ? ", " : "",
		      program ? "same program" : "");
}

static rg_error *say_model(rg_model *model, rg_arena *arena)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);
	for (rg_model_part part = 0; part < RG_PARTS; part++)
		say_part(&text, &model->counts, part);
	say_same(&text, &model->counts);
	if (!text.length)
		rg_buf_str(&text, "equal");
	rg_error *err = rg_buf_check(&text, "a model");
	if (!err)
		model->says = rg_arena_text(arena, text.data);
	rg_buf_release(&text);
	return err;
}

static void add_counts(rg_model_counts *all, const rg_model_counts *one)
{
	for (rg_model_part part = 0; part < RG_PARTS; part++) {
		all->of[part] += one->of[part];
		all->differ[part] += one->differ[part];
	}
}

rg_error *rg_models_finish(rg_models *models, rg_arena *arena)
{
	rg_model *model = NULL;
	if (!models->row_count)
		return NULL;
	models->items = rg_calloc(models->row_count, sizeof(*models->items));
	qsort(models->rows, models->row_count, sizeof(*models->rows), compare_rows);
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
		add_counts(&models->counts, &models->items[i].counts);
		RG_TRY(say_model(&models->items[i], arena));
	}
	qsort(models->items, models->count, sizeof(*models->items), compare_models);
	return NULL;
}

void rg_models_release(rg_models *models)
{
	free(models->items);
	free(models->rows);
	*models = (rg_models){0};
}
