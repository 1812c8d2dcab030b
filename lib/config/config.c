/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"
#include "base/buf.h"
#include "base/path.h"
#include "base/memory.h"
#include "base/name_pattern.h"
#include "base/order.h"
#include "base/variant.h"
#include "config/config_internal.h"
#include "worktree/internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* The settings beside [metric "PATTERN"], [golden "FILES:PATTERN"], [tensor "PATTERN"] and
 * [table "PATTERN"], whose readers know their keys; anything else is a slip of the pen. */
static const char *const known[] = {
	"jobs.artifact",       "jobs.name",
	"jobs.target",         "regild.files",
	"regild.repository",   "regild.maxfile",
	"regild.root",         "regild.noise",
	"regild.nonfinite",    "regild.template",
	"regild.maxmembers",   "regild.maxtotal",
	"regild.maxratio",     "regild.maxartifact",
	"regild.maxdepth",     "regild.maxcache",
	"regild.htmltemplate", "source.url",
	"regild.pager",        "jobs.members",
	"jobs.rename",         "regild.workflow",
	"regild.layout",       "names.test",
	"regild.history",      "regild.historyinsecure",
	"regild.auditmemory",  "regild.variants",
	"yaml.read",
};

static void warn(rg_config *config, const char *from, const char *name, const char *what)
{
	rg_grow(&config->warnings, &config->warning_capacity, config->warning_count + 2,
		sizeof(*config->warnings));
	config->warnings[config->warning_count++] =
		rg_arena_textf(&config->arena, "%s: '%s' %s", from, name, what);
}

/* How much of "section.subsection.key" is "section.subsection"; 0 where there is no subsection. */
static size_t subsection_length(const char *name)
{
	const char *first = strchr(name, '.'), *last = strrchr(name, '.');
	return first && last > first ? (size_t)(last - name) : 0;
}

static bool is_known(const char *name)
{
	if (!strncmp(name, "metric.", 7) || !strncmp(name, "tensor.", 7) ||
	    !strncmp(name, "golden.", 7) || !strncmp(name, "table.", 6) ||
	    !strncmp(name, "text.", 5) || !strncmp(name, "check.", 6))
		return subsection_length(name) > 0;
	if (!strncmp(name, "source.", 7) && subsection_length(name) > 0)
		return true;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i], name))
			return true;
	return false;
}

/* Settings that must not come with a clone. The length of a whole name includes its NUL. */
static const struct {
	const char *name;
	size_t length;
	const char *what;
} not_of_clones[] = {
	{"regild.pager", sizeof("regild.pager"),
	 "names a program to run, which must not come with a clone; 'git config' sets it"},
	{"regild.history", sizeof("regild.history") - 1,
	 "names where runs are kept, which must not come with a clone; 'git config' sets it"},
	{"source.url", sizeof("source.url"),
	 "names a host to fetch from, which must not come with a clone; 'git config' sets it"},
};

static rg_error *append_entry(rg_config *config, const git_config_entry *entry, const char *from)
{
	const size_t prefix = strlen("regild.");
	const char *name = entry->name;

	/* "regild.jobs.name" is jobs.name and "regild.metric.X.flag" is metric.X.flag, but
	 * regild.root is itself. */
	if (!strncmp(name, "regild.", prefix) && strchr(name + prefix, '.'))
		name += prefix;
	if (!strcmp(from, RG_CONFIG_FILE))
		for (size_t i = 0; i < sizeof(not_of_clones) / sizeof(*not_of_clones); i++)
			if (!strncmp(name, not_of_clones[i].name, not_of_clones[i].length)) {
				warn(config, from, entry->name, not_of_clones[i].what);
				return NULL;
			}
	if (!is_known(name)) {
		warn(config, from, entry->name, "is not a setting that regild knows");
		return NULL;
	}
	if (!entry->value)
		return rg_error_new(RG_E_USAGE, "%s: '%s' has no value; add '=' and a value", from,
				    entry->name);
	return rg_config_add(config, RG_LEVEL_SET, name, entry->value, from);
}

/* Takes over the entries of a configuration, all or only those that start with "regild.". */
static rg_error *append_entries(rg_config *config, git_config *git, bool only_regild,
				const char *from)
{
	RG_AUTO_PTR(git_config_iterator) entries = NULL;
	git_config_entry *entry;
	int answer = git_config_iterator_new(&entries, git);

	while (answer >= 0 && (answer = git_config_next(&entry, entries)) >= 0)
		if (!only_regild || !strncmp(entry->name, "regild.", strlen("regild.")))
			RG_TRY(append_entry(config, entry, from));
	return answer == GIT_ITEROVER ? NULL : rg_git_error(answer, "%s", from);
}

static rg_error *usage_failure(const char *from)
{
	const git_error *last = git_error_last();
	return rg_error_new(RG_E_USAGE, "%s: %s", from,
			    last && last->message ? last->message : "cannot be read");
}

/* "[include]" or "[includeIf": libgit2 takes a section's name right after the bracket, in any case.
 * More is caught than it would follow, "files = *[include]*", but nothing less. */
static bool line_includes(const char *line, size_t length)
{
	static const char name[] = "[include";
	const size_t name_length = strlen(name);
	size_t i = 0;

	while (i < length && isspace((unsigned char)line[i]))
		i++;
	if (i < length && (line[i] == '#' || line[i] == ';'))
		return false;
	for (; i + name_length <= length; i++)
		if (!strncasecmp(line + i, name, name_length))
			return true;
	return false;
}

/* libgit2 follows includes while it parses, and its messages quote what it has read there: so this
 * looks for them first. */
static rg_error *refuse_includes(const char *text, size_t length)
{
	const char *line = text, *end = text + length, *next;
	for (unsigned number = 1; line < end; number++, line = next) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		next = newline ? newline + 1 : end;
		if (line_includes(line, (size_t)(next - line)))
			return rg_error_new(RG_E_USAGE,
					    RG_CONFIG_FILE ": line %u: nothing can be included "
							   "here; git's own configuration can "
							   "include files",
					    number);
	}
	return NULL;
}

/* Names the language of a file that does not begin with a section; NULL for neither. */
static const char *find_language(const char *line, size_t length)
{
	const char *colon = memchr(line, ':', length);
	size_t name = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.-\"'");

	if (length && *line == '{')
		return "JSON";
	if (!strncmp(line, "---", 3) || !strncmp(line, "- ", 2) || !strncmp(line, "%YAML", 5))
		return "YAML";
	return colon && name && line + name == colon ? "YAML" : NULL;
}

/* libgit2 would only say that a key is invalid. The first line with content decides. */
static rg_error *refuse_language(const char *text, size_t length)
{
	const char *line = text, *end = text + length;
	unsigned number;

	if (!strncmp(line, "\xef\xbb\xbf", 3))
		line += 3;
	line += strspn(line, " \t");
	for (number = 1; line < end && strchr("#;\r\n", *line); number++) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		line = newline ? newline + 1 : end;
		line += strspn(line, " \t");
	}
	const char *language = find_language(line, (size_t)(end - line));
	if (!language)
		return NULL;
	return rg_error_new(RG_E_USAGE,
			    RG_CONFIG_FILE
			    ": line %u: this is %s; regild reads what git reads: "
			    "'[regild]', then 'root = FOLDER'; 'regild init' writes one",
			    number, language);
}

/* Adds what `.regild` says, if there is one; RG_E_USAGE for one that must not be read. */
static rg_error *append_file(rg_config *config, const rg_worktree *worktree)
{
	RG_AUTO_FREE char *path = rg_textf("%s" RG_CONFIG_FILE, rg_worktree_root(worktree));
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO_PTR(git_config) git = NULL;
	struct stat st;

	if (lstat(path, &st))
		return errno == ENOENT ? NULL : rg_error_io(errno, "%s", path);
	if (!S_ISREG(st.st_mode))
		return rg_error_new(RG_E_USAGE, "%s: is %s", path,
				    S_ISLNK(st.st_mode) ? "a link, which may lead anywhere; make "
							  "it a file"
							: "not a regular file");
	RG_TRY(rg_file_read(&text, path));
	RG_TRY(refuse_includes(text.data, text.length));
	RG_TRY(refuse_language(text.data, text.length));
	int answer = git_config_new(&git);
	if (answer >= 0)
		answer = git_config_add_file_ondisk(git, path, GIT_CONFIG_LEVEL_LOCAL, NULL, 0);
	if (answer >= 0)
		return append_entries(config, git, false, RG_CONFIG_FILE);
	rg_error *err = usage_failure(RG_CONFIG_FILE);
	return rg_worktree_is_in_conflict(worktree, RG_CONFIG_FILE)
		       ? rg_error_wrap(rg_error_drop_subject(err, RG_CONFIG_FILE),
				       RG_CONFIG_FILE ": " RG_UNMERGED)
		       : err;
}

static rg_error *append_git(rg_config *config, rg_worktree *worktree)
{
	RG_AUTO_PTR(git_config) git = NULL;
	RG_AUTO_PTR(git_config) snapshot = NULL;
	int answer = worktree ? git_repository_config(&git, worktree->repository)
			      : git_config_open_default(&git);

	if (answer >= 0)
		answer = git_config_snapshot(&snapshot, git);
	return answer < 0 ? usage_failure("git's configuration")
			  : append_entries(config, snapshot, true, "git's configuration");
}

RG_ORDER(compare_settings, rg_config_item, RG_BY_TEXT(name) || RG_RISING(order));

/* Orders by section, and inside one as they first appear. */
RG_ORDER(compare_sections, rg_config_item,
	 RG_THEN(strncmp(x->name, y->name, strcspn(x->name, ".") + 1)) || RG_RISING(order));

/* Each subsection once. */
static void collect_subsections(rg_config *config)
{
	rg_config_item *list = rg_malloc((config->count + 1) * sizeof(rg_config_item));
	size_t count = 0, kept = 0;
	for (size_t i = 0; i < config->count; i++) {
		size_t length = subsection_length(config->settings[i].name);
		if (!length)
			continue;
		list[count] = config->settings[i];
		list[count].name = rg_arena_copy(&config->arena, list[count].name, length);
		count++;
	}
	qsort(list, count, sizeof(rg_config_item), compare_settings);
	for (size_t i = 0; i < count; i++)
		if (!kept || strcmp(list[kept - 1].name, list[i].name) != 0)
			list[kept++] = list[i];
	qsort(list, kept, sizeof(rg_config_item), compare_sections);
	config->subsections = list;
	config->subsection_count = kept;
}

/* The root as the paths below it begin: "a/b" for "./a/b/", and "" for ".", the repository's top.
 */
static rg_error *settle_root(rg_config *config)
{
	rg_config_item *root = rg_config_find(config, "regild.root"); /* there is a default */
	const char *text;

	for (text = root->value; !strncmp(text, "./", 2); text += 1 + strspn(text + 1, "/"))
		;
	size_t length = strcmp(text, ".") ? strlen(text) : 0;
	while (length > 1 && text[length - 1] == '/')
		length--;
	text = rg_arena_copy(&config->arena, text, length);
	const char *fault = *text ? rg_path_fault(text) : NULL;
	if (fault)
		return rg_config_blame(config, "regild.root",
				       rg_error_new(RG_E_USAGE,
						    "regild.root: '%s' %s; name a folder from the "
						    "repository's top",
						    root->value, fault));
	root->value = text;
	return NULL;
}

/*
 * The targets of [source "NAME"] count as regild.files: a golden that a download puts somewhere is
 * one that comparisons, checks and updates see.
 */

static const char blanks[] = " \t\r\n";

/*
 * The target with `file`, a name or a glob, for {file}. {path}, and a {test} or {job} that a part
 * of the path begins with, may be several folders.
 */
static void append_target(rg_buf *out, const char *target, const char *file, size_t length)
{
	static const char deep[][7] = {"{path}", "{test}", "{job}"};
	const char *p = target;
	size_t part;

	if (out->length)
		rg_buf_char(out, ' ');
	while (*p) {
		if (p == target || p[-1] == '/')
			for (size_t i = 0; i < sizeof(deep) / sizeof(*deep); i++)
				if (!strncmp(p, deep[i], strlen(deep[i])))
					rg_buf_str(out, "**/");
		part = strcspn(p, "/{");
		if (!strncmp(p, "{file}", 6)) {
			rg_buf_add(out, file, length);
			p += 6;
		} else if (*p == '{') {
			part = strcspn(p, "}");
			rg_buf_char(out, '*');
			p += part + (p[part] == '}');
		} else {
			for (size_t i = 0; i < part; i++) {
				/* A blank would end the glob. */
				if (strchr("*?[]\\!", p[i]))
					rg_buf_char(out, '\\');
				rg_buf_char(out, strchr(blanks, p[i]) ? '?' : p[i]);
			}
			p += part;
			if (*p == '/')
				rg_buf_char(out, *p++);
		}
	}
}

/* The name of each member, as a glob: '*' for a field. */
static void append_members(rg_buf *out, const char *target, const char *members)
{
	size_t length;
	for (const char *p = members; *(p += strspn(p, blanks)); p += length) {
		RG_AUTO(rg_buf) file = rg_buf_of(RG_BUF_TEXT);
		size_t i;

		length = strcspn(p, blanks);
		for (i = length; i && p[i - 1] != '/' && p[i - 1] != '!'; i--)
			;
		for (; i < length; i++) {
			const char *end = p[i] == '{' ? memchr(p + i, '}', length - i) : NULL;
			rg_buf_char(&file, end ? '*' : p[i]);
			if (end)
				i = (size_t)(end - p);
		}
		if (file.length)
			append_target(out, target, file.data, file.length);
	}
}

static void append_source(rg_buf *out, const rg_config *config, const char *name)
{
	const char *target = rg_config_subsection_get(config, "source", name, "target");
	const char *members = rg_config_subsection_get(config, "source", name, "members");
	const char *rename = rg_config_subsection_get(config, "source", name, "rename");

	if (!target || !*target)
		return;
	if (!strstr(target, "{file}") && !strstr(target, "{path}")) {
		append_target(out, target, "", 0);
		return;
	}
	if (!members) {
		/* A log's golden. */
		bool is_text = rg_config_subsection_get(config, "source", name, "begin") ||
			       rg_ends_with(target, ".txt");
		append_target(out, target, is_text ? "*.txt" : "*.json", is_text ? 5 : 6);
		return;
	}
	append_members(out, target, members);
	/* The right sides of "GLOB -> GLOB, GLOB -> GLOB". */
	for (const char *p = rename ? strstr(rename, "->") : NULL; p; p = strstr(p, "->")) {
		p += 2;
		p += strspn(p, blanks);
		size_t length = strcspn(p, ",\n");
		while (length && strchr(blanks, p[length - 1]))
			length--;
		append_target(out, target, p, length);
	}
}

/* A section that takes files as they are takes those that the project's own files name. */
static bool is_narrowed(rg_config *config, const char *source)
{
	char key[RG_CONFIG_NAME_MAX + 32];
	const char *target = rg_config_subsection_get(config, "source", source, "target");
	size_t length;
	snprintf(key, sizeof(key), "source.%s.members", source);
	rg_config_item *members = rg_config_find(config, key);

	if (!target || strcmp(target, "{path}") != 0 || !config->limiting_files)
		return false;
	if (!members || strcmp(members->value, "**") != 0)
		return true;
	/* Globs that match a path's end, as those of regild.files do, become globs of whole paths.
	 * Negated ones are left out: lib/source/rule.c asks regild.files again. */
	rg_buf globs = rg_buf_of(RG_BUF_ANY);
	for (const char *p = config->limiting_files; *(p += strspn(p, blanks)); p += length) {
		length = strcspn(p, blanks);
		if (*p == '!')
			continue;
		bool is_end = strncmp(p, "**/", 3) != 0 && !memchr(p, '!', length);
		rg_buf_printf(&globs, "%s%s%.*s", globs.length ? " " : "", is_end ? "**/" : "",
			      (int)length, p);
	}
	members->value = rg_buf_keep(&globs, &config->arena);
	return true;
}

/* Adds the targets to regild.files. For a config whose settings are sorted. */
static void settle_files(rg_config *config)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	rg_config_item *files = rg_config_find(config, "regild.files"); /* every layout has it */
	const char *name;

	config->own_files = *files->value ? files->value : NULL;
	config->limiting_files = files->order >> 32 == RG_LEVEL_SET ? config->own_files : NULL;
	rg_buf_str(&text, files->value);
	for (size_t i = 0; rg_config_subsection(config, "source", i, &name); i++)
		if (!is_narrowed(config, name))
			append_source(&text, config, name);
	/* Somebody said what the goldens are called. */
	if (!files->from && text.length > strlen(files->value))
		files->from = "[source]";
	files->value = rg_arena_text(&config->arena, text.data);
}

rg_error *rg_config_load(rg_config **out, rg_worktree *worktree)
{
	RG_AUTO_PTR(rg_config) config = rg_calloc(1, sizeof(*config));

	*out = NULL;
	/* Warnings end with a NULL, even if there are none. */
	rg_grow(&config->warnings, &config->warning_capacity, 1, sizeof(*config->warnings));
	RG_TRY(rg_git_acquire());
	rg_error *err = worktree ? append_file(config, worktree) : NULL;
	if (!err)
		err = append_git(config, worktree);
	rg_git_release();
	RG_TRY(err);
	RG_TRY(rg_config_add_layout(config));
	qsort(config->settings, config->count, sizeof(rg_config_item), compare_settings);
	RG_TRY(settle_root(config));
	collect_subsections(config);
	const char *names = rg_config_get(config, "names.test");
	if (names)
		RG_TRY(rg_config_blame(config, "names.test",
				       rg_error_wrap(rg_path_names_check(names), "names.test")));
	settle_files(config);
	/* A file that is called as a variant is not a golden of its own. */
	const char *pattern = rg_config_get(config, "regild.variants");
	RG_TRY(rg_config_blame(
		config, "regild.variants",
		rg_error_wrap(rg_variants_text(&config->variants, &config->arena,
					       pattern ? pattern : RG_VARIANTS_DEFAULT),
			      "regild.variants")));
	config->goldens = rg_arena_textf(&config->arena, "%s !*?%s?*",
					 rg_config_get(config, "regild.files"), config->variants);
	*out = RG_TAKE(config);
	return NULL;
}

void rg_config_free(rg_config *config)
{
	if (!config)
		return;
	free(config->settings);
	free(config->subsections);
	free(config->warnings);
	rg_arena_release(&config->arena);
	free(config);
}

const char *const *rg_config_warnings(const rg_config *config)
{
	return config->warnings;
}
