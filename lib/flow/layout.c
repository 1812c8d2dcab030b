/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/layout.h"

#include "base/file.h"
#include "base/pattern.h"
#include "report/mustache.h"
#include "base/templates.h"
#include "config/presets.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct rg_layout {
	const char *name;   /* of the preset */
	const char *golden; /* what its goldens are called: a glob on the end of a path */
	const char *folder; /* that is called so is their root; NULL: `depth` says */
	int depth;          /* of its goldens below their root */
	const char *holds;  /* what such a file has near its beginning, or NULL */
	bool last;          /* only where there is no other */
};

static const struct rg_layout layouts[] = {
	{.name = "megatron", .golden = "golden_values*.json", .depth = 3},
	{.name = "executorch", .golden = "*_expected_output*.bin", .depth = 2},
	{.name = "torchtitan", .golden = "losses/**/*.txt", .folder = "losses"},
	{.name = "pytorch-dynamo",
	 .golden = "ci_expected_accuracy/**/*.csv",
	 .folder = "ci_expected_accuracy"},
	{.name = "pytorch-pr-time",
	 .golden = "pr_time_benchmarks/expected_results.csv",
	 .depth = 1},
	{.name = "vtr", .golden = "config/golden_results.txt", .folder = "regression_tests"},
	{.name = "nemo-rl", .golden = "test_suites/**/metrics.json", .folder = "test_suites"},
	{.name = "lm-eval", .golden = "*.json", .depth = 1, .holds = "\"alias\":"},
	{.name = "google-benchmark", .golden = "*.json", .depth = 1, .holds = "\"benchmarks\":"},
	{.name = "plain", .golden = "goldens/**", .folder = "goldens", .last = true},
};

enum { LAYOUTS = sizeof(layouts) / sizeof(*layouts), HEAD = 16384, LOOKED_INTO = 200 };

/* The path through the last folder of that name; 0: it is in none. */
static size_t through_folder(const char *path, const char *folder)
{
	size_t length = strlen(folder), end = 0;
	const char *p, *slash;

	for (p = path; (slash = strchr(p, '/')) != NULL; p = slash + 1)
		if ((size_t)(slash - p) == length && !memcmp(p, folder, length))
			end = (size_t)(slash - path);
	return end;
}

/* The root that a golden's path has: "." for the top; NULL where it does not lie deep enough, or if
 * it is not one that regild.root may name. *out is the caller's to free. */
static rg_error *root_of(const struct rg_layout *l, const char *path, char **out)
{
	size_t length = l->folder ? through_folder(path, l->folder) : strlen(path);
	int depth = l->folder ? 0 : l->depth;

	*out = NULL;
	if (rg_path_fault(path) || (l->folder && !length))
		return NULL;
	for (; depth && length; depth--)
		while (length && path[--length] != '/')
			;
	if (depth)
		return NULL;
	return length ? rg_strndup(out, path, length) : rg_strdup(out, ".");
}

/* The beginning of a file; what cannot be read is not a golden. */
static bool head_holds(const char *top, const char *path, const char *text)
{
	char head[HEAD + 1], *whole;
	bool holds = false;
	rg_error *err = rg_path_join(&whole, top, path);
	ssize_t got;
	int fd;

	if (err) {
		rg_error_free(err);
		return false;
	}
	fd = open(whole, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	got = fd >= 0 ? read(fd, head, HEAD) : -1;
	if (got > 0) {
		head[got] = '\0';
		holds = strstr(head, text) != NULL;
	}
	if (fd >= 0)
		close(fd);
	free(whole);
	return holds;
}

/* What is looked for, and where. */
typedef struct {
	const struct rg_layout *layout;
	const char *top;
	size_t looked_into;
} search;

static bool is_golden(search *s, const rg_change *change)
{
	const struct rg_layout *l = s->layout;

	if (change->kind == RG_CHANGE_REMOVED || !rg_glob_match_end(l->golden, change->path))
		return false;
	return !l->holds ||
	       (s->looked_into++ < LOOKED_INTO && head_holds(s->top, change->path, l->holds));
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

static bool is_below(const char *root, const char *path)
{
	return !strcmp(root, ".") || rg_path_is_below(root, path);
}

/* A test's own folders may lie deeper than its root says. */
static rg_error *look_for(search *s, const rg_change_list *list, char **root, size_t *goldens)
{
	const char **paths = calloc(list->count + 1, sizeof(*paths));
	char **roots = calloc(list->count + 1, sizeof(*roots));
	rg_error *err = paths && roots ? NULL : rg_error_nomem();
	size_t i, found = 0, count = 0;

	for (i = 0; !err && i < list->count; i++) {
		if (!is_golden(s, &list->items[i]))
			continue;
		paths[found++] = list->items[i].path;
		err = root_of(s->layout, list->items[i].path, &roots[count]);
		count += roots[count] != NULL;
	}
	*root = NULL;
	*goldens = 0;
	if (!err && count)
		err = rg_strdup(root, choose_root(roots, count));
	for (i = 0; !err && count && i < found; i++)
		*goldens += is_below(*root, paths[i]);
	for (i = 0; i < count; i++)
		free(roots[i]);
	free(roots);
	free(paths);
	return err;
}

static rg_found_layout nothing_found(const struct rg_layout *l)
{
	return (rg_found_layout){
		.layout = l, .name = l->name, .golden = l->golden, .holds = l->holds};
}

/* Takes a layout that is wanted, or has more goldens than the one that was found before. */
static rg_error *try_layout(rg_found_layout *best, const struct rg_layout *layout, bool wanted,
			    rg_worktree *worktree, const rg_change_list *list)
{
	search s = {.layout = layout, .top = rg_worktree_root(worktree)};
	size_t goldens;
	char *root;
	rg_error *err = look_for(&s, list, &root, &goldens);

	if (!err && (wanted || goldens > best->goldens)) {
		char *less = best->root;

		*best = nothing_found(layout);
		best->root = root;
		best->goldens = goldens;
		root = less;
	}
	free(root);
	return err;
}

rg_error *rg_layout_find(rg_found_layout *out, rg_worktree *worktree, const char *wanted)
{
	const rg_change_query query = {.base = RG_EMPTY_TREE, .no_renames = true};
	rg_change_list list;
	rg_error *err = NULL;
	size_t i;

	*out = nothing_found(&layouts[0]);
	RG_TRY(rg_worktree_changes(worktree, &query, &list));
	for (i = 0; !err && i < LAYOUTS; i++) {
		bool is_last = layouts[i].last && out->goldens;

		if (wanted ? !strcmp(wanted, layouts[i].name) : !is_last)
			err = try_layout(out, &layouts[i], wanted != NULL, worktree, &list);
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
	const rg_preset *preset = rg_preset_find(found->name);
	const char *root = found->root ? found->root : preset->root;
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
		err = rg_mustache_render(out, rg_template_text(preset->file), view,
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
