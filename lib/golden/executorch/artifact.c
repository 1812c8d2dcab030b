/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/executorch/artifact.h"

#include "base/memory.h"
#include "base/file.h"
#include "golden/executorch/ptd.h"
#include "golden/executorch/raw.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	rg_artifact_check *check;
	const rg_artifact_files *files;
	bool *unread; /* names[i] is a program that cannot be read, or is left out: its tensors are
			 not judged */
} work;

/* The program under way. */
typedef struct {
	const char *model; /* its path without ".pte"; not NUL-terminated there */
	int length;
	const rg_program_plan *plan;
} model;

static void add_problem(rg_artifact_check *check, const char *format, ...) RG_PRINTF(2, 3);

static void add_problem(rg_artifact_check *check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	RG_AUTO_FREE char *text = rg_vtextf(format, args);
	va_end(args);
	*RG_PUSH(check->problems, check->problem_count, check->problem_capacity) =
		rg_arena_text(&check->arena, text);
}

static int compare_name(const void *key, const void *name)
{
	return strcmp(key, *(const char *const *)name);
}

/* The place of a name, or count. */
static size_t find(const rg_artifact_files *files, const char *name)
{
	const char *const *found =
		bsearch(name, files->names, files->count, sizeof(*files->names), compare_name);

	return found ? (size_t)(found - files->names) : files->count;
}

static bool is_refused(const rg_artifact_files *files, const char *name)
{
	return files->refused_count && bsearch(name, files->refused, files->refused_count,
					       sizeof(*files->refused), compare_name);
}

/* Input or output `index`: MODEL_input_1.bin, or MODEL_input.bin where it is the only one. */
static rg_error *check_value(work *w, const model *m, bool output, size_t index)
{
	const rg_program_value *value = output ? &m->plan->outputs[index] : &m->plan->inputs[index];
	size_t count = output ? m->plan->output_count : m->plan->input_count;
	const char *kind = output ? "expected_output" : "input";
	RG_AUTO_FREE char *name = rg_textf("%.*s_%s_%zu.bin", m->length, m->model, kind, index);
	size_t at = find(w->files, name);
	if (at == w->files->count && count == 1 && !is_refused(w->files, name)) {
		free(name);
		name = rg_textf("%.*s_%s.bin", m->length, m->model, kind);
		at = find(w->files, name);
	}
	if (at < w->files->count) {
		w->check->part[at] = true;
		*(output ? &w->check->outputs : &w->check->inputs) += 1;
		/* Checks the file's size by what the program says of it. */
		rg_tensor tensor = {0};
		uint64_t size;

		RG_TRY(w->files->size(w->files->context, at, &size));
		rg_tensor_row_major(&tensor);
		tensor.size = (size_t)size;
		RG_AUTO_PTR(rg_error) err = rg_raw_type_of(&tensor, value, NULL);
		if (!err)
			err = rg_tensor_check(&tensor);
		if (err)
			add_problem(w->check, "%s: %s", w->files->names[at], rg_error_message(err));
		return NULL;
	}
	if (value->kind == RG_PROGRAM_TENSOR && !is_refused(w->files, name))
		add_problem(w->check, "%s: is missing: %s %zu of %.*s.pte", name,
			    output ? "expected output" : "input", index, m->length, m->model);
	return NULL;
}

/* Data outside of the program are in one of the files that may hold them. */
static void check_data(work *w, const model *m, const rg_program *program)
{
	const char *base = rg_path_name(m->model);
	bool found = false;

	for (size_t i = 0; program->external_count; i++) {
		RG_AUTO_FREE char *file = rg_external_file_name(base, i);
		if (!file)
			break;
		RG_AUTO_FREE char *name =
			rg_textf("%.*s%s", (int)(base - m->model), m->model, file);
		const size_t at = find(w->files, name);
		if (at < w->files->count)
			w->check->part[at] = true;
		found |= at < w->files->count || is_refused(w->files, name);
	}
	if (found || !program->external_count)
		return;
	add_problem(w->check, "%.*s.ptd: is missing: the data of %.*s.pte", m->length, m->model,
		    m->length, m->model);
}

static rg_error *check_program(work *w, size_t at)
{
	const char *name = w->files->names[at];
	model m = {.model = name, .length = (int)strlen(name) - 4};
	RG_AUTO(rg_program) program = {0};
	rg_bytes bytes;

	RG_TRY(w->files->read_program(w->files->context, at, &bytes));
	RG_AUTO_PTR(rg_error) err = rg_program_read(&program, bytes.data, bytes.size);
	m.plan = err ? NULL : rg_program_find(&program, NULL);
	if (!m.plan) {
		add_problem(w->check, "%s: %s", name,
			    err ? rg_error_message(err) : "no execution plan in it");
		w->unread[at] = true;
		return NULL;
	}
	check_data(w, &m, &program);
	for (size_t i = 0; i < m.plan->input_count; i++)
		RG_TRY(check_value(w, &m, false, i));
	for (size_t i = 0; i < m.plan->output_count; i++)
		RG_TRY(check_value(w, &m, true, i));
	return NULL;
}

static bool is_program(const char *name)
{
	return strlen(rg_path_name(name)) > 4 && rg_ends_with(name, ".pte");
}

bool rg_artifact_is_part(const char *name)
{
	rg_raw_name raw;
	return is_program(name) || rg_raw_name_parse(name, &raw) || rg_ends_with(name, ".ptd");
}

/* The program that a tensor or data are of, by their name. Its place is count where it is not
 * there. */
static char *find_owner(const work *w, const char *name, size_t *at)
{
	rg_raw_name raw;
	if (!rg_raw_name_parse(name, &raw))
		raw.model_length = strlen(name) - (rg_ends_with(name, ".ptd") ? 4 : 0);
	char *program = rg_textf("%.*s.pte", (int)raw.model_length, name);
	*at = find(w->files, program);
	return program;
}

/* A tensor that no program asked for. */
static void check_orphan(work *w, size_t at)
{
	const char *name = w->files->names[at];
	rg_raw_name raw;
	size_t owner;

	if (!rg_raw_name_parse(name, &raw)) {
		w->check->strays++;
		return;
	}
	RG_AUTO_FREE char *program = find_owner(w, name, &owner);
	w->check->part[at] = !w->files->skip_incomplete;
	w->check->skipped[at] = w->files->skip_incomplete;
	if (owner == w->files->count && !is_refused(w->files, program))
		add_problem(w->check, "%s: %s is missing, which would say what it is", name,
			    program);
	else if (owner < w->files->count && !w->unread[owner])
		add_problem(w->check, "%s: %s has no such %s", name, program,
			    raw.output ? "output" : "input");
}

/* The folder of a name, with its '/'. */
static size_t folder_length(const char *name)
{
	const char *slash = strrchr(name, '/');
	return slash ? (size_t)(slash - name) + 1 : 0;
}

static int compare_folders(const void *a, const void *b)
{
	const char *left = *(const char *const *)a, *right = *(const char *const *)b;
	size_t n = folder_length(left), k = folder_length(right);
	int order = memcmp(left, right, n < k ? n : k);

	return order ? order : (n > k) - (n < k);
}

/* Counts the folders that hold programs. */
static size_t count_flows(const rg_artifact_check *check, const rg_artifact_files *files)
{
	RG_AUTO_FREE const char **programs = rg_malloc((files->count + 1) * sizeof(*programs));
	size_t count = 0, flows = 0;
	for (size_t i = 0; i < files->count; i++)
		if (is_program(files->names[i]) && check->part[i])
			programs[count++] = files->names[i];
	qsort(programs, count, sizeof(*programs), compare_folders);
	for (size_t i = 0; i < count; i++)
		flows += !i || compare_folders(&programs[i - 1], &programs[i]) ? 1 : 0;
	return flows;
}

static rg_error *check_model(work *w, size_t at)
{
	rg_artifact_check *check = w->check;
	const size_t problems = check->problem_count, inputs = check->inputs,
		     outputs = check->outputs;

	check->part[at] = true;
	check->models++;
	if (!strchr(w->files->names[at], '/'))
		add_problem(check, "%s: is in no flow's folder", w->files->names[at]);
	RG_TRY(check_program(w, at));
	if (!w->files->skip_incomplete || check->problem_count == problems)
		return NULL;
	check->part[at] = false;
	check->skipped[at] = w->unread[at] = true;
	check->models--;
	check->skipped_models++;
	check->inputs = inputs;
	check->outputs = outputs;
	return NULL;
}

/* Tensors and data go with the model that is left out. */
static void skip_rest(work *w)
{
	for (size_t i = 0; i < w->files->count && w->check->skipped_models; i++) {
		size_t owner;
		if (!w->check->part[i] || is_program(w->files->names[i]))
			continue;
		RG_AUTO_FREE char *program = find_owner(w, w->files->names[i], &owner);
		if (owner < w->files->count && w->check->skipped[owner]) {
			w->check->part[i] = false;
			w->check->skipped[i] = true;
		}
	}
}

rg_error *rg_artifact_check_files(rg_artifact_check *out, const rg_artifact_files *files)
{
	work w = {.check = out, .files = files};
	*out = (rg_artifact_check){0};
	rg_arena_init(&out->arena);
	out->part = rg_arena_alloc(&out->arena, files->count + 1);
	out->skipped = rg_arena_alloc(&out->arena, files->count + 1);
	w.unread = rg_arena_alloc(&out->arena, files->count + 1);
	for (size_t i = 0; i < files->count; i++)
		if (is_program(files->names[i]))
			RG_TRY(check_model(&w, i));
	skip_rest(&w);
	for (size_t i = 0; i < files->count; i++)
		if (!out->part[i] && !out->skipped[i])
			check_orphan(&w, i);
	if (!out->models && !files->refused_count)
		add_problem(out, "no %sprogram (.pte) in it",
			    out->skipped_models ? "complete " : "");
	out->flows = count_flows(out, files);
	return NULL;
}

void rg_artifact_check_release(rg_artifact_check *check)
{
	free(check->problems);
	rg_arena_release(&check->arena);
	*check = (rg_artifact_check){0};
}
