/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/opdiff_errors.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Characters of an error that is of no known kind. */
enum { LINE_MAX = 140 };

/* The kinds that opdiff's own report tells apart, the first that fits. How an error begins, unless
 * '*' is in front; '*' is any text. */
static const char *const kinds[] = {
	"*ValueError: Torch var * not found in context",
	"NotImplementedError: The operator * is not currently implemented for the MPS device",
	"NotImplementedError: Could not run * with arguments from the 'CPU' backend",
	"NotImplementedError:",
	"*AttributeError: type object 'Builder' has no attribute",
	"*ConversionError: Failed to convert the exported program to an ONNX model",
	"*TorchExportError: Failed to export the model with torch.export",
	"PassError:",
	"Fail: [ONNXRuntimeError]",
	"InvalidGraph: [ONNXRuntimeError]",
	"*ConversionError: Failed to decompose the FX graph for ONNX compatibility",
	"SpecViolationError",
	"RuntimeError: loading method forward failed",
	"RuntimeError: Expected one of cpu, cuda*device type at start",
	"RuntimeError: method->execute() failed with error",
	"Unsupported: torch.* op returned non-Tensor",
	"Unsupported: Error when attempting to resolve op packet",
	"Unsupported: Data dependent operator",
	"Unsupported: Dynamic shape operator (no meta kernel)",
	"Unsupported: NotImplementedError/UnsupportedFakeTensorException when running FX node",
	"TorchRuntimeError: Dynamo failed to run FX node with fake tensors",
	"UserError: Could not guard on data-dependent expression",
	"GuardOnDataDependentSymNode: Could not guard on data-dependent expression",
	"RuntimeError: Failed to compile",
	"SyntaxError: invalid syntax",
};

/* Where `part` of `length` bytes is in the text, or NULL. */
static const char *find_part(const char *text, const char *part, size_t length)
{
	do {
		if (!strncmp(text, part, length))
			return text;
	} while (*text++);
	return NULL;
}

static bool begins_like(const char *text, const char *pattern)
{
	bool anywhere = *pattern == '*';
	for (;;) {
		size_t length = strcspn(pattern += *pattern == '*', "*");
		const char *found = find_part(text, pattern, length);

		if (!found || (!anywhere && found != text))
			return false;
		text = found + length;
		pattern += length;
		anywhere = true;
		if (!*pattern)
			return true;
	}
}

static bool is_blank(char c)
{
	return c && strchr(" \t\r\n\v\f", c);
}

/* The first line without the blanks at its ends, and without what colours it. */
static char *first_line(rg_arena *arena, const char *text)
{
	size_t kept = 0;
	while (is_blank(*text))
		text++;
	size_t length = strcspn(text, "\n");
	char *line = rg_arena_copy(arena, text, length);
	for (size_t i = 0; i < length; i++)
		if (line[i] != '\x1b')
			line[kept++] = line[i];
	while (kept && is_blank(line[kept - 1]))
		kept--;
	line[kept] = '\0';
	return line;
}

void rg_opdiff_error_kind(const char **out, rg_arena *arena, const char *text)
{
	char *line = first_line(arena, text), *end;
	size_t characters = 0;

	*out = line;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (begins_like(line, kinds[i])) {
			*out = kinds[i] + (*kinds[i] == '*');
			return;
		}
	/* A byte that continues a character begins none. */
	for (end = line; *end; end++) {
		characters += (*end & 0xc0) != 0x80;
		if (characters > LINE_MAX)
			break;
	}
	if (!*end)
		return;
	line = rg_arena_alloc(arena, (size_t)(end - line) + sizeof("…"));
	memcpy(line, *out, (size_t)(end - *out));
	memcpy(line + (end - *out), "…", sizeof("…"));
	*out = line;
}

/* --- all of them --- */

/* Each error alone is a group of one. */
static void add_side(rg_opdiff_error_list *out, size_t *capacity, const rg_opdiff_run *run,
		     const char *backend, bool new_side)
{
	for (size_t i = 0; i < run->count; i++)
		for (size_t k = 0; k < run->items[i].err_count; k++) {
			const rg_opdiff_err *err = &run->items[i].errs[k];
			rg_opdiff_error_group one = {err->backend,     NULL,
						     !new_side,        new_side,
						     run->items[i].id, err->text};

			if (backend && strcmp(backend, err->backend) != 0)
				continue;
			rg_opdiff_error_kind(&one.group, &out->arena, err->text);
			if (!*one.group)
				continue;
			rg_grow(&out->items, capacity, out->count + 1, sizeof(*out->items));
			out->items[out->count++] = one;
		}
}

/* Of a group, the new side's first; the operators in order. */
static int compare_errors(const void *a, const void *b)
{
	const rg_opdiff_error_group *left = a, *right = b;
	int order = strcmp(left->backend, right->backend);

	if (!order)
		order = strcmp(left->group, right->group);
	if (!order)
		order = (right->fresh > left->fresh) - (right->fresh < left->fresh);
	if (!order)
		order = strcmp(left->id, right->id);
	return order ? order : strcmp(left->text, right->text);
}

static int compare_groups(const void *a, const void *b)
{
	const rg_opdiff_error_group *left = a, *right = b;
	int order = strcmp(left->backend, right->backend);

	if (!order)
		order = (right->fresh > left->fresh) - (right->fresh < left->fresh);
	if (!order)
		order = (right->old > left->old) - (right->old < left->old);
	return order ? order : strcmp(left->group, right->group);
}

static void join_groups(rg_opdiff_error_list *out)
{
	size_t kept = 0;
	if (!out->count)
		return;
	qsort(out->items, out->count, sizeof(*out->items), compare_errors);
	for (size_t i = 1; i < out->count; i++) {
		rg_opdiff_error_group *last = &out->items[kept], *one = &out->items[i];
		if (strcmp(last->backend, one->backend) || strcmp(last->group, one->group)) {
			out->items[++kept] = *one;
		} else {
			last->old += one->old;
			last->fresh += one->fresh;
		}
	}
	out->count = kept + 1;
	qsort(out->items, out->count, sizeof(*out->items), compare_groups);
}

void rg_opdiff_errors(rg_opdiff_error_list *out, const rg_opdiff_run *old,
		      const rg_opdiff_run *fresh, const char *old_backend, const char *new_backend)
{
	size_t capacity = 0;
	*out = (rg_opdiff_error_list){0};
	rg_arena_init(&out->arena);
	if (old)
		add_side(out, &capacity, old, old_backend, false);
	add_side(out, &capacity, fresh, new_backend, true);
	join_groups(out);
}

void rg_opdiff_errors_release(rg_opdiff_error_list *list)
{
	free(list->items);
	rg_arena_release(&list->arena);
	*list = (rg_opdiff_error_list){0};
}
