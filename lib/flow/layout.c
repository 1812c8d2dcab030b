/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/layout.h"

#include "base/file.h"
#include "base/pattern.h"
#include "report/mustache.h"
#include "base/templates.h"

#include <stdlib.h>
#include <string.h>

struct rg_layout {
	const char *name, *template_name;
	const char *golden; /* what its goldens are called */
	const char *default_root;
	int depth; /* of its goldens below their root */
};

static const struct rg_layout layouts[] = {
	{"megatron", "megatron.regild", "golden_values*.json", "tests/functional_tests/test_cases",
	 3},
	{"executorch", "executorch.regild", "*_expected_output*.bin", "goldens", 2},
};

enum { LAYOUTS = sizeof(layouts) / sizeof(*layouts) };

/* The path without its last `depth` parts, "." where these are all; NULL where it does not have so
 * many, or if they are not a root that regild.root may name. *out is the caller's to free. */
static rg_error *root_of(const char *path, int depth, char **out)
{
	size_t length = strlen(path);

	*out = NULL;
	if (rg_path_fault(path))
		return NULL;
	for (; depth && length; depth--)
		while (length && path[--length] != '/')
			;
	if (depth)
		return NULL;
	return length ? rg_strndup(out, path, length) : rg_strdup(out, ".");
}

static bool is_golden(const struct rg_layout *l, const rg_change *change)
{
	return change->kind != RG_CHANGE_REMOVED &&
	       rg_glob_match(l->golden, rg_path_name(change->path), 0);
}

/* The root that appears most often; the first of equals. There is one. */
static const char *choose_root(char **roots, size_t count)
{
	const char *chosen = roots[0];
	size_t most = 0, i, end;

	qsort(roots, count, sizeof(*roots), rg_compare_texts);
	for (i = 0; i < count; i = end) {
		for (end = i; end < count && !strcmp(roots[end], roots[i]); end++)
			;
		if (end - i <= most)
			continue;
		most = end - i;
		chosen = roots[i];
	}
	return chosen;
}

static rg_error *look_for(const struct rg_layout *l, const rg_change_list *list,
			  rg_found_layout *out)
{
	char **roots = calloc(list->count + 1, sizeof(*roots));
	rg_error *err = roots ? NULL : rg_error_nomem();
	size_t i, count = 0;

	for (i = 0; !err && i < list->count; i++) {
		if (!is_golden(l, &list->items[i]))
			continue;
		err = root_of(list->items[i].path, l->depth, &roots[count]);
		count += roots[count] != NULL;
	}
	if (!err && count)
		err = rg_strdup(&out->root, choose_root(roots, count));
	for (i = 0; i < count; i++)
		free(roots[i]);
	free(roots);
	/* A test's own folders may lie deeper. */
	out->goldens = 0;
	for (i = 0; !err && out->root && i < list->count; i++)
		out->goldens += is_golden(l, &list->items[i]) &&
				(!strcmp(out->root, ".") ||
				 rg_path_is_below(out->root, list->items[i].path));
	return err;
}

rg_error *rg_layout_find(rg_found_layout *out, rg_worktree *worktree, const char *wanted)
{
	const rg_change_query query = {.base = RG_EMPTY_TREE, .no_renames = true};
	rg_change_list list;
	rg_error *err = NULL;
	size_t i;

	*out = (rg_found_layout){&layouts[0], layouts[0].name, NULL, 0};
	RG_TRY(rg_worktree_changes(worktree, &query, &list));
	for (i = 0; !err && i < LAYOUTS; i++) {
		rg_found_layout found = {&layouts[i], layouts[i].name, NULL, 0};

		if (wanted && strcmp(wanted, layouts[i].name) != 0)
			continue;
		err = look_for(&layouts[i], &list, &found);
		if (!wanted && found.goldens <= out->goldens) {
			free(found.root);
			continue;
		}
		free(out->root);
		out->layout = found.layout;
		out->name = found.name;
		out->root = found.root;
		out->goldens = found.goldens;
	}
	rg_change_list_release(&list);
	return err;
}

void rg_found_layout_release(rg_found_layout *found)
{
	free(found->root);
	found->root = NULL;
}

/* A root as git's configuration reads it back; it has neither backslashes nor control characters.
 */
static void quote(rg_buf *out, const char *text, size_t length)
{
	size_t i;

	rg_buf_char(out, '"');
	for (i = 0; i < length; i++) {
		if (text[i] == '"')
			rg_buf_char(out, '\\');
		rg_buf_char(out, text[i]);
	}
	rg_buf_char(out, '"');
}

static rg_error *render(rg_buf *out, const rg_found_layout *found)
{
	const struct rg_layout *l = found->layout;
	const char *root = found->root ? found->root : l->default_root;
	bool plain = !root[strcspn(root, "\"#; ")];
	cJSON *view = cJSON_CreateObject();
	rg_buf value;
	rg_error *err;

	rg_buf_init(&value, RG_BUF_TEXT);
	if (plain)
		rg_buf_str(&value, root);
	else
		quote(&value, root, strlen(root));
	err = rg_buf_check(&value, "root");
	if (!err && (!cJSON_AddStringToObject(view, "root", value.data) ||
		     !cJSON_AddNumberToObject(view, "found", (double)found->goldens)))
		err = rg_error_nomem();
	if (!err)
		err = rg_mustache_render(out, rg_template_text(l->template_name), view,
					 &(rg_mustache_style){0}, &(rg_mustache_limits){0});
	rg_buf_release(&value);
	cJSON_Delete(view);
	return err;
}

rg_error *rg_layout_write(const rg_found_layout *found, const char *path)
{
	rg_error *err;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	err = render(&text, found);
	if (!err)
		err = rg_file_replace(path, text.data, text.length, 0644);
	rg_buf_release(&text);
	return err;
}
