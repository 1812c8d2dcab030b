/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/layout.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "base/pattern.h"
#include "base/templates.h"
#include "config/presets.h"
#include "flow/find_rules.h"
#include "flow/propose.h"
#include "golden/golden.h"
#include "report/mustache.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { FILES_MAX = 200000, OPENED_MAX = 2000, FOLDERS_MAX = 4000, KINDS_MAX = 64 };

/* Words of names, whatever their case. */
static const struct {
	const char *word;
	bool vague; /* may be of something else: what is in the files counts */
} words[] = {
	{"golden", false},
	{"goldens", false},
	{"gold", false},
	{"expected", false},
	{"baseline", false},
	{"baselines", false},
	{"snapshot", false},
	{"snapshots", false},
	{"results_true", false},
	{"approved", false},
	{"reference", true},
	{"references", true},
	{"benchmark_ref", true},
	{"ref", true},
	{"truth", true},
	{"benchmarks", true},
	{"expect", false},
	{"refdata", false},
	{"rules-base", false},
	{"screen-output", false},
	{"results/output.txt", false},
};

/* The folder of a test's module, whatever is in its name after that. */
static const char pytest[] = "test_*";

/* Folders of others, and ends of names of what is code or is read by people. */
static const char elsewhere[] = "node_modules vendor third_party extern";
static const char not_goldens[] =
	".c .h .cc .cpp .cxx .hpp .cu .py .pyi .js .mjs .ts .tsx .jsx .go .rs .java .kt .rb .pl "
	".sh .m .f90 .f .md .rst .html .css .adoc .tex .pdf .cfg .ini .cmake .mk .in "
	".lock .bzl .gitignore .gitattributes .gitkeep";

typedef struct {
	rg_golden_folders *kinds;
	size_t count, capacity;
	const char *top;
	size_t opened;
	const char **modules; /* "tests/test_x.py", sorted */
	size_t module_count;
} folder_state;

static bool has_module(const folder_state *s, const char *folder, size_t length)
{
	RG_AUTO_FREE char *path = rg_textf("%.*s.py", (int)length, folder);
	const char *key = path;
	return s->module_count &&
	       bsearch(&key, s->modules, s->module_count, sizeof(*s->modules), rg_compare_texts);
}

/* The word that a part of a path is, or has between characters that are not letters; -1. */
static int word_of(const char *part, size_t length)
{
	for (int i = 0; i < (int)(sizeof(words) / sizeof(*words)); i++) {
		size_t size = strlen(words[i].word);
		for (size_t at = 0; at + size <= length; at++)
			if (!strncasecmp(part + at, words[i].word, size) &&
			    (!at || !isalpha((unsigned char)part[at - 1])) &&
			    (at + size == length || !isalpha((unsigned char)part[at + size])))
				return i;
	}
	return -1;
}

static bool is_one_of(const char *list, const char *text, size_t length)
{
	size_t word;
	for (; *list; list += word + (list[word] == ' ')) {
		word = strcspn(list, " ");
		if (word == length && !strncasecmp(list, text, length))
			return true;
	}
	return false;
}

static bool is_code(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot && is_one_of(not_goldens, dot, strlen(dot));
}

/* Does regild read it? What cannot be opened is not a golden. */
static bool is_read(folder_state *s, const char *path)
{
	bool known = false;
	if (s->opened++ < OPENED_MAX)
		rg_error_free(rg_golden_recognised_file(&known, s->top, path, true));
	return known;
}

/* The first folder on the path that says that goldens are in it: where it begins and ends, and
 * whether its name may mean something else. False where none does, or one is not to be looked
 * into. */
typedef struct {
	const char *start, *end, *kind, *word;
	bool vague;
} golden_name;

static bool find_folder(const folder_state *s, const char *path, golden_name *out)
{
	const char *slash;
	*out = (golden_name){0};
	for (const char *part = path; (slash = strchr(part, '/')) != NULL; part = slash + 1) {
		size_t length = (size_t)(slash - part);
		if (*part == '.' || is_one_of(elsewhere, part, length))
			return false;
		int word = out->start ? -1 : word_of(part, length);
		if (word >= 0)
			*out = (golden_name){part, slash, NULL, words[word].word,
					     words[word].vague};
		else if (!out->start && !strncmp(part, pytest, sizeof(pytest) - 2) &&
			 has_module(s, path, (size_t)(slash - path)))
			*out = (golden_name){part, slash, pytest, pytest, true};
	}
	return true;
}

/* Those of that kind, by a folder's name or a word in the files' names; NULL: there are too many
 * kinds. */
static rg_golden_folders *kind_of(folder_state *s, const char *kind, size_t length, bool by_folder)
{
	for (size_t i = 0; i < s->count; i++)
		if (strlen(s->kinds[i].kind) == length && !memcmp(s->kinds[i].kind, kind, length) &&
		    (s->kinds[i].items[0].name != NULL) == by_folder)
			return &s->kinds[i];
	if (s->count == KINDS_MAX)
		return NULL;
	rg_golden_folders *out = RG_PUSH(s->kinds, s->count, s->capacity);
	*out = (rg_golden_folders){0};
	rg_arena_init(&out->arena);
	out->kind = rg_arena_copy(&out->arena, kind, length);
	return out;
}

static void count_in(rg_golden_folders *out, const char *path, size_t length,
		     const golden_name *name)
{
	out->goldens++;
	for (size_t i = out->count; i; i--) {
		rg_golden_folder *folder = &out->items[i - 1];
		if (strlen(folder->path) == length && !memcmp(folder->path, path, length)) {
			folder->goldens++;
			return;
		}
	}
	if (out->count == FOLDERS_MAX)
		return;
	rg_golden_folder *folder = RG_PUSH(out->items, out->count, out->capacity);
	*folder = (rg_golden_folder){
		.path = rg_arena_copy(&out->arena, path, length), .word = name->word, .goldens = 1};
	if (name->start)
		folder->name =
			rg_arena_copy(&out->arena, name->start, (size_t)(name->end - name->start));
}

/* Counts a file as a golden by the name of a folder, else by its own. */
static void look_at(folder_state *s, const char *path)
{
	static const char output[] = "results/output.txt";
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *kind;
	size_t length = slash ? (size_t)(slash - path) : 0, size;
	golden_name name;

	if (rg_path_fault(path) || is_code(base) || !find_folder(s, path, &name))
		return;
	if (!name.start) {
		bool is_output = rg_path_ends_with(path, output);
		int word = word_of(is_output ? output : base, strlen(is_output ? output : base));
		if (word < 0)
			return;
		name.word = words[word].word;
		name.vague = words[word].vague;
		/* Its folder is a part of its name. */
		if (is_output)
			length -= length > strlen("results") ? strlen("/results") : length;
	} else {
		length = (size_t)(name.end - path);
	}
	if (name.vague && !is_read(s, path))
		return;
	kind = name.kind ? name.kind : name.start ? name.start : name.word;
	size = name.kind || !name.start ? strlen(kind) : (size_t)(name.end - name.start);
	rg_golden_folders *out = kind_of(s, kind, size, name.start != NULL);
	if (out)
		count_in(out, length ? path : ".", length ? length : 1, &name);
}

RG_ORDER(more_first, rg_golden_folder, RG_FALLING(goldens) || RG_BY_TEXT(path));

RG_ORDER(more_of_kind_first, rg_golden_folders, RG_FALLING(goldens) || RG_BY_TEXT(kind));

/* The length of the folders that both paths have in common. */
static size_t shared_folders(const char *a, const char *b)
{
	size_t shared = 0, k = 0;
	for (;; k++) {
		if ((!a[k] || a[k] == '/') && (!b[k] || b[k] == '/'))
			shared = k;
		if (!a[k] || a[k] != b[k])
			return shared;
	}
}

/* The deepest folder that all of them are in, without the last part of any where that is a golden
 * folder's name; of one alone, that. ".": the top. In the arena. */
static const char *golden_folders_root(rg_golden_folders *folders)
{
	const char *first = folders->items[0].path;
	size_t shared = strlen(first), k;

	for (size_t i = 1; i < folders->count; i++) {
		k = shared_folders(first, folders->items[i].path);
		shared = k < shared ? k : shared;
		while (folders->items[0].name && shared &&
		       (!first[shared] || !folders->items[i].path[shared]))
			while (shared && first[--shared] != '/')
				;
	}
	if (!shared)
		return ".";
	return rg_arena_copy(&folders->arena, first, shared);
}

struct rg_layout {
	const char *name;   /* of the preset */
	const char *golden; /* what its goldens are called: a glob on the end of a path */
	const char *folder; /* that is called so is their root; NULL: `depth` says */
	int depth;          /* of its goldens below their root */
	const char *holds;  /* what such a file has near its beginning, or NULL */
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
};

enum { LAYOUTS = sizeof(layouts) / sizeof(*layouts), HEAD = 16384, LOOKED_INTO = 200 };

/* The path through the last folder of that name; 0: it is in none. */
static size_t through_folder(const char *path, const char *folder)
{
	size_t length = strlen(folder), end = 0;
	const char *slash;

	for (const char *p = path; (slash = strchr(p, '/')) != NULL; p = slash + 1)
		if ((size_t)(slash - p) == length && !memcmp(p, folder, length))
			end = (size_t)(slash - path);
	return end;
}

/* The root that a golden's path has: "." for the top; NULL where it does not lie deep enough, or if
 * it is not one that regild.root may name. *out is the caller's to free. */
static char *root_of(const struct rg_layout *l, const char *path)
{
	size_t length = l->folder ? through_folder(path, l->folder) : strlen(path);
	int depth = l->folder ? 0 : l->depth;

	if (rg_path_fault(path) || (l->folder && !length))
		return NULL;
	for (; depth && length; depth--)
		while (length && path[--length] != '/')
			;
	if (depth)
		return NULL;
	if (length)
		return rg_strndup(path, length);
	return rg_strdup(".");
}

/* Searches the beginning of a file; what cannot be read is not a golden. */
static bool head_holds(const char *top, const char *path, const char *text)
{
	char head[HEAD + 1];
	bool holds = false;
	RG_AUTO_FREE char *whole = rg_path_join(top, path);
	int fd = open(whole, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, head, HEAD) : -1;
	if (got > 0) {
		head[got] = '\0';
		holds = strstr(head, text) != NULL;
	}
	if (fd >= 0)
		close(fd);
	return holds;
}

/* The root that appears most often; the first of equals. There is one. */
static const char *choose_root(char **roots, size_t count)
{
	const char *chosen = roots[0];
	size_t most = 0, end;

	qsort(roots, count, sizeof(*roots), rg_compare_texts);
	for (size_t i = 0; i < count; i = end) {
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

/* Takes a layout that is wanted, or has more goldens than the one that was found before. */
static void try_layout(rg_found_layout *best, const struct rg_layout *layout, bool wanted,
		       rg_worktree *worktree, const rg_change_list *list)
{
	const char *top = rg_worktree_root(worktree);
	RG_AUTO_FREE char *root = NULL;
	size_t goldens = 0;

	/* A test's own folders may lie deeper than its root says. */
	RG_AUTO_FREE const char **paths = rg_calloc(list->count + 1, sizeof(*paths));
	RG_AUTO_FREE char **roots = rg_calloc(list->count + 1, sizeof(*roots));
	size_t found = 0, count = 0, looked_into = 0;

	for (size_t i = 0; i < list->count; i++) {
		const char *path = list->items[i].path;
		if (list->items[i].kind == RG_CHANGE_REMOVED ||
		    !rg_glob_match_end(layout->golden, path))
			continue;
		if (layout->holds &&
		    (looked_into++ >= LOOKED_INTO || !head_holds(top, path, layout->holds)))
			continue;
		paths[found++] = path;
		roots[count] = root_of(layout, path);
		count += roots[count] != NULL;
	}
	if (count)
		root = rg_strdup(choose_root(roots, count));
	for (size_t i = 0; count && i < found; i++)
		goldens += is_below(root, paths[i]);
	for (size_t i = 0; i < count; i++)
		free(roots[i]);
	if (!wanted && goldens <= best->goldens)
		return;
	best->name = layout->name;
	best->golden = layout->golden;
	best->holds = layout->holds;
	best->goldens = goldens;
	free(best->root);
	best->root = RG_TAKE(root);
}

/* Takes a kind, and borrows it. */
static void take_kind(rg_found_layout *out, size_t kind)
{
	out->folders = out->kinds[kind];
	out->name = "plain";
	out->goldens = out->folders.goldens;
	out->root = rg_strdup(golden_folders_root(&out->kinds[kind]));
}

/* Finds goldens of no known layout, if no other was found or these are wanted. */
static void try_folders(rg_found_layout *out, rg_worktree *worktree, const rg_change_list *list)
{
	folder_state s = {.top = rg_worktree_root(worktree)};

	s.modules = rg_calloc(list->count + 1, sizeof(*s.modules));
	for (size_t i = 0; i < list->count; i++) {
		const char *path = list->items[i].path;
		if (rg_ends_with(path, ".py") &&
		    !strncmp(rg_path_name(path), pytest, sizeof(pytest) - 2))
			s.modules[s.module_count++] = path;
	}
	qsort(s.modules, s.module_count, sizeof(*s.modules), rg_compare_texts);
	for (size_t i = 0; i < list->count && i < FILES_MAX; i++)
		if (list->items[i].kind != RG_CHANGE_REMOVED)
			look_at(&s, list->items[i].path);
	free(s.modules);
	for (size_t i = 0; i < s.count; i++)
		qsort(s.kinds[i].items, s.kinds[i].count, sizeof(*s.kinds[i].items), more_first);
	if (s.count)
		qsort(s.kinds, s.count, sizeof(*s.kinds), more_of_kind_first);
	out->kinds = s.kinds;
	out->kind_count = s.count;
	out->name = s.count > 1 ? NULL : out->name;
	if (s.count == 1)
		take_kind(out, 0);
}

rg_error *rg_layout_find(rg_found_layout *out, rg_worktree *worktree, const char *wanted)
{
	rg_change_query query = {.base = RG_EMPTY_TREE, .no_renames = true, .staged = true};
	const bool plain = wanted && !strcmp(wanted, "plain");
	RG_AUTO(rg_change_list) list = {0};

	*out = (rg_found_layout){.name = wanted};
	rg_buf_init(&out->levels, RG_BUF_TEXT);
	/* Files that git does not track may be what a run left. */
	RG_TRY(rg_worktree_changes(worktree, &query, &list));
	if (!list.count) {
		rg_change_list_release(&list);
		query.staged = false;
		RG_TRY(rg_worktree_changes(worktree, &query, &list));
	}
	for (size_t i = 0; !plain && i < LAYOUTS; i++)
		if (!wanted || !strcmp(wanted, layouts[i].name))
			try_layout(out, &layouts[i], wanted != NULL, worktree, &list);
	if (plain || (!wanted && !out->goldens))
		try_folders(out, worktree, &list);
	/* Levels are proposed for goldens of no known layout: the others have their own. */
	const rg_golden_folders *folders = &out->folders;
	RG_AUTO_FREE const char **paths = rg_malloc((list.count + 1) * sizeof(*paths));
	size_t count = 0;

	for (size_t i = 0; folders->count && i < list.count; i++) {
		const char *path = list.items[i].path;
		bool below = false;
		for (size_t k = 0; k < folders->count && !below; k++)
			below = is_below(folders->items[k].path, path);
		if (below && list.items[i].kind != RG_CHANGE_REMOVED && !is_code(path) &&
		    (folders->items[0].name || word_of(path, strlen(path)) >= 0))
			paths[count++] = path;
	}
	rg_propose_levels(&out->levels, rg_worktree_root(worktree), paths, count);
	count = 0;
	for (size_t i = 0; folders->count && i < list.count; i++)
		if (list.items[i].kind != RG_CHANGE_REMOVED)
			paths[count++] = list.items[i].path;
	rg_find_rules(&out->levels, rg_worktree_root(worktree), paths, count);
	return NULL;
}

void rg_found_layout_release(rg_found_layout *found)
{
	for (size_t i = 0; i < found->kind_count; i++) {
		free(found->kinds[i].items);
		rg_arena_release(&found->kinds[i].arena);
	}
	free(found->kinds);
	rg_buf_release(&found->levels);
	free(found->root);
	found->root = NULL;
}

/* Makes the text safe as a part of a glob and of a section's name. */
static void append_safe(rg_buf *out, const char *text)
{
	for (; *text; text++)
		rg_buf_char(out,
			    isalnum((unsigned char)*text) || strchr("_.-+", *text) ? *text : '?');
}

static void append_source(cJSON *sources, const char *name, const char *members, const char *target)
{
	cJSON *source = cJSON_CreateObject();
	cJSON_AddStringToObject(source, "name", name);
	cJSON_AddStringToObject(source, "members", members);
	cJSON_AddStringToObject(source, "target", target);
	cJSON_AddItemToArray(sources, source);
}

static bool came_before(const rg_golden_folders *folders, size_t place)
{
	size_t i = 0;
	while (i < place && strcmp(folders->items[i].name, folders->items[place].name) != 0)
		i++;
	return i < place;
}

/* Which files are goldens where their root has others, too; names of folders that appear in several
 * places, or a word in the files' names. */
static void append_files(cJSON *view, const rg_golden_folders *folders)
{
	cJSON *sources = cJSON_AddArrayToObject(view, "sources");
	RG_AUTO(rg_buf) globs = rg_buf_of(RG_BUF_ANY);
	RG_AUTO(rg_buf) name = rg_buf_of(RG_BUF_ANY);
	RG_AUTO(rg_buf) target = rg_buf_of(RG_BUF_ANY);

	if (!folders->items[0].name) {
		const bool has_folder = strchr(folders->kind, '/'), deep = folders->count > 1;
		rg_buf_printf(&globs, has_folder ? "%s%s" : "%s*%s*", deep ? "**/" : "",
			      folders->kind);
		append_source(sources, "goldens", globs.data,
			      deep || has_folder ? "{path}" : "{file}");
	}
	for (size_t i = 0; folders->items[0].name && i < folders->count; i++) {
		if (came_before(folders, i))
			continue;
		rg_buf_clear(&name);
		rg_buf_clear(&target);
		append_safe(&name, folders->items[i].name);
		rg_buf_printf(&globs, "%s%s/**", globs.length ? " " : "", name.data);
		rg_buf_printf(&target, "{path}/%s/{file}", name.data);
		append_source(sources, name.data, target.data, target.data);
	}
	cJSON_AddStringToObject(view, "files", globs.data ? globs.data : "");
}

/* One folder that has nothing else is the plain layout. */
static bool has_files(const rg_found_layout *found)
{
	return found->folders.count > 1 || (found->folders.count && !found->folders.items[0].name);
}

static rg_error *render(rg_buf *out, const rg_found_layout *found)
{
	const rg_preset *preset = rg_preset_find(found->name);
	const char *root = found->root ? found->root : preset->root;
	RG_AUTO(rg_buf) value = rg_buf_of(RG_BUF_ANY);
	RG_AUTO_PTR(cJSON) view = cJSON_CreateObject();

	if (!root[strcspn(root, "\"#; ")]) {
		rg_buf_str(&value, root);
	} else {
		/* Git's configuration reads it back so; it has neither backslashes nor control
		 * characters. */
		rg_buf_char(&value, '"');
		for (const char *p = root; *p; p++)
			rg_buf_printf(&value, *p == '"' ? "\\%c" : "%c", *p);
		rg_buf_char(&value, '"');
	}
	cJSON_AddStringToObject(view, "root", value.data);
	cJSON_AddNumberToObject(view, "found", (double)found->goldens);
	if (has_files(found))
		append_files(view, &found->folders);
	return rg_mustache_render(
		out, rg_template_text(has_files(found) ? "folders.regild" : preset->file), view,
		&(rg_mustache_style){0}, &(rg_mustache_limits){0});
}

rg_error *rg_layout_write(const rg_found_layout *found, const char *path)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	RG_TRY(render(&text, found));
	rg_buf_str(&text, found->levels.length ? found->levels.data : "");
	rg_buf_inherit(&text, &found->levels);
	return rg_file_replace(path, text.data, text.length, 0644);
}

rg_error *rg_layout_lines(rg_buf *out, const rg_found_layout *found, size_t kind)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_found_layout one = {.kinds = found->kinds};

	take_kind(&one, kind);
	RG_AUTO_FREE char *root = one.root;
	RG_TRY(render(&text, &one));
	for (const char *line = text.data, *end; *line; line = end) {
		const char *start = line + strspn(line, " \t");
		end = line + strcspn(line, "\n");
		end += *end == '\n';
		if (!strchr("#;\n", *start))
			rg_buf_add(out, line, (size_t)(end - line));
	}
	return NULL;
}
