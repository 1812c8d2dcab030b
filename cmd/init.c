#include "commands.h"

#include "base/file.h"
#include "base/pattern.h"
#include "report/mustache.h"
#include "report/templates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
	const char *layout;
	bool force;
} init_arguments;

static const option options[] = {
	{0, "layout", "LAYOUT", OPTION_CHOICE, offsetof(init_arguments, layout),
	 "megatron or executorch (default: what is found)", "megatron|executorch", 0, 0},
	{0, "force", NULL, OPTION_FLAG, offsetof(init_arguments, force),
	 "replace a .regild that is there", NULL, 0, 0},
	{0},
};

static const option_group groups[] = {{"Options", options, 0}, {0}};

/* A layout: what its goldens are called, and how deep they lie below their root. */
typedef struct {
	const char *name, *template_name, *golden, *default_root;
	int depth;
} layout;

static const layout layouts[] = {
	{"megatron", "megatron.regild", "golden_values*.json", "tests/functional_tests/test_cases",
	 3},
	{"executorch", "executorch.regild", "*_expected_output*.bin", "goldens", 2},
};

enum { LAYOUTS = sizeof(layouts) / sizeof(*layouts) };

/* What was found of a layout: the root that most of its goldens have. */
typedef struct {
	char *root;
	size_t goldens;
} finding;

/* The path without its last `depth` parts, "." where these are all; NULL where it has not so many.
 * *out is the caller's to free. */
static rg_error *root_of(const char *path, int depth, char **out)
{
	size_t length = strlen(path);

	*out = NULL;
	for (; depth && length; depth--)
		while (length && path[--length] != '/')
			;
	if (depth)
		return NULL;
	return length ? rg_strndup(out, path, length) : rg_strdup(out, ".");
}

static bool is_golden(const layout *l, const rg_change *change)
{
	return change->kind != RG_CHANGE_REMOVED &&
	       rg_glob_match(l->golden, rg_path_name(change->path), 0);
}

/* The root that stands most often; the first of equals. */
static void choose_root(char **roots, size_t count, finding *out)
{
	size_t i, end;

	qsort(roots, count, sizeof(*roots), rg_compare_texts);
	for (i = 0; i < count; i = end) {
		for (end = i; end < count && !strcmp(roots[end], roots[i]); end++)
			;
		if (end - i <= out->goldens)
			continue;
		out->goldens = end - i;
		out->root = roots[i];
	}
}

static rg_error *look_for(const layout *l, const rg_change_list *list, finding *out)
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
	if (!err && count) {
		choose_root(roots, count, out);
		err = rg_strdup(&out->root, out->root);
	}
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

/* The layout that most goldens have, or the one that was asked for. */
static rg_error *find_layout(environment *env, const char *wanted, const layout **chosen,
			     finding *best)
{
	const rg_change_query query = {.base = RG_EMPTY_TREE, .no_renames = true};
	rg_change_list list;
	rg_error *err = NULL;
	size_t i;

	*chosen = &layouts[0];
	RG_TRY(rg_worktree_changes(env->worktree, &query, &list));
	for (i = 0; !err && i < LAYOUTS; i++) {
		finding f = {0};

		if (wanted && strcmp(wanted, layouts[i].name) != 0)
			continue;
		err = look_for(&layouts[i], &list, &f);
		if (wanted || f.goldens > best->goldens) {
			free(best->root);
			*best = f;
			*chosen = &layouts[i];
		} else {
			free(f.root);
		}
	}
	rg_change_list_release(&list);
	return err;
}

/* A value as git's configuration reads it back. */
static void quote(rg_buf *out, const char *text, size_t length)
{
	size_t i;

	rg_buf_char(out, '"');
	for (i = 0; i < length; i++) {
		if (text[i] == '"' || text[i] == '\\')
			rg_buf_char(out, '\\');
		if (text[i] == '\n')
			rg_buf_str(out, "\\n");
		else
			rg_buf_char(out, text[i]);
	}
	rg_buf_char(out, '"');
}

static rg_error *render(rg_buf *out, const layout *l, const finding *found)
{
	const char *root = found->root ? found->root : l->default_root;
	bool plain = !root[strcspn(root, "\"\\#; \t\n")];
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
		err = rg_mustache_render(out, rg_template_text(l->template_name), view, NULL, NULL);
	rg_buf_release(&value);
	cJSON_Delete(view);
	return err;
}

static rg_error *write_file(environment *env, const init_arguments *arguments, const layout *l,
			    const finding *found)
{
	char *path;
	rg_error *err = NULL;
	struct stat st;
	rg_buf text;

	RG_TRY(rg_path_join(&path, rg_worktree_root(env->worktree), ".regild"));
	rg_buf_init(&text, RG_BUF_TEXT);
	/* A link to nowhere is somebody's too. */
	if (!lstat(path, &st) && !arguments->force)
		err = rg_error_new(RG_E_CONFLICT, "%s: is there already; --force replaces it",
				   path);
	if (!err)
		err = render(&text, l, found);
	if (!err)
		err = rg_file_replace(path, text.data, text.length, 0644);
	if (!err && found->goldens)
		rg_log_say(&env->log, RG_LOG_INFO, "%s: the %s layout, with %zu golden%s below %s",
			   path, l->name, found->goldens, found->goldens == 1 ? "" : "s",
			   found->root);
	else if (!err)
		rg_log_say(&env->log, RG_LOG_INFO,
			   "%s: the %s layout; no goldens were found, so check its root", path,
			   l->name);
	rg_buf_release(&text);
	free(path);
	return err;
}

static rg_error *run_init(environment *env, void *own)
{
	const init_arguments *arguments = own;
	const layout *chosen;
	finding found = {0};
	rg_error *err;

	/* A repository without a commit will do. */
	if (!env->worktree)
		return environment_need_worktree(env);
	err = find_layout(env, arguments->layout, &chosen, &found);
	if (!err)
		err = write_file(env, arguments, chosen, &found);
	free(found.root);
	return err;
}

const command command_init = {
	.name = "init",
	.summary = "write a commented .regild for the goldens that are found",
	.description =
		"Looks for goldens in the repository and writes .regild at its root, each setting\n"
		"in it with a comment.",
	.groups = groups,
	.arguments_size = sizeof(init_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE | COMMAND_READS_NO_SETTINGS,
	.run = run_init,
};
