/* SPDX-License-Identifier: Apache-2.0 */
#include "place/sides.h"

#include "archive/kind.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"
#include "worktree/revisions.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *prefix, *what;
	rg_side_kind kind;
} prefixes[] = {
	{"run:", "run", RG_SIDE_RUN},      {"latest:", "branch", RG_SIDE_LATEST},
	{"zip:", "file", RG_SIDE_ARCHIVE}, {"rev:", "revision", RG_SIDE_REVISION},
	{"path:", "path", RG_SIDE_PATH},
};

rg_error *rg_side_parse(rg_side_name *out, const char *text)
{
	*out = (rg_side_name){RG_SIDE_PLAIN, text, NULL};
	if (!*text)
		return rg_error_new(RG_E_USAGE, "'' names no side; a side is a revision or a path");
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		size_t length = strlen(prefixes[i].prefix);
		if (strncmp(text, prefixes[i].prefix, length) != 0)
			continue;
		*out = (rg_side_name){prefixes[i].kind, text + length, NULL};
		if (!*out->text)
			return rg_error_new(RG_E_USAGE, "'%s' names no %s", text, prefixes[i].what);
	}
	return NULL;
}

void rg_side_split(rg_side_range *out, rg_arena *arena, const char *text)
{
	const char *dots = strstr(text, "..");
	*out = (rg_side_range){0};
	if (!dots || !strcmp(text, ".."))
		return;
	const char *rest = dots + (dots[2] == '.' ? 3 : 2);
	if (*rest == '/') /* no revision begins so, and "../goldens" is a path */
		return;
	out->merge_base = dots[2] == '.';
	out->old = dots == text ? "HEAD" : rg_arena_copy(arena, text, (size_t)(dots - text));
	out->fresh = *rest ? rg_arena_text(arena, rest) : "HEAD";
}

const char *rg_side_before_dots(rg_arena *arena, const char *text)
{
	const char *dots = text ? strstr(text, "..") : NULL;
	return dots && dots > text && !strcmp(dots, "...")
		       ? rg_arena_copy(arena, text, (size_t)(dots - text))
		       : NULL;
}

bool rg_side_is_in_git(const rg_side_name *name)
{
	return name->kind == RG_SIDE_REVISION || name->kind == RG_SIDE_INDEX ||
	       name->kind == RG_SIDE_FILES;
}

bool rg_side_is_on_disk(const rg_side_name *name)
{
	return name->kind == RG_SIDE_PATH || name->kind == RG_SIDE_ARCHIVE;
}

bool rg_side_is_folder(const rg_side_name *name)
{
	return name->kind == RG_SIDE_ARCHIVE || rg_is_folder(name->text);
}

rg_change_query rg_side_query(const rg_side_name *name, const rg_config *config)
{
	return (rg_change_query){.base = RG_EMPTY_TREE,
				 .to = name->kind == RG_SIDE_REVISION ? name->text : NULL,
				 .staged = name->kind == RG_SIDE_INDEX,
				 .no_renames = true,
				 .root = rg_config_get(config, "regild.root"),
				 .files = rg_config_goldens(config),
				 .as_in_index = true,
				 .fetch = true};
}

typedef struct {
	rg_sides *sides;
	const rg_side_context *context;
	const rg_side_options *options;
	const char *root; /* regild.root; "": the top */
	size_t named;     /* operands that are sides */
} find_state;

rg_error *rg_place_need_worktree(rg_worktree *worktree, const rg_error *no_worktree)
{
	if (!worktree)
		return rg_error_new(rg_error_get_code(no_worktree), "%s",
				    rg_error_message(no_worktree));
	return rg_worktree_require_commit(worktree);
}

static rg_error *need_worktree(const find_state *f)
{
	return rg_place_need_worktree(f->context->worktree, f->context->no_worktree);
}

/* --- options that contradict each other --- */

static rg_error *refuse_option(const char *option, const char *operand)
{
	return rg_error_new(RG_E_USAGE, "%s does not go with '%s'; name the two sides as OLD NEW",
			    option, operand);
}

static rg_error *check_options(const find_state *f)
{
	const rg_side_options *o = f->options;
	const size_t named = f->named;
	/* A side that is named must not be named once more by an option. */
	const char *twice = o->base                           ? "--base"
			    : o->to                           ? "--to"
			    : o->old_path                     ? "--old"
			    : o->staged && named > 1          ? "--staged"
			    : named > 1 && o->new_paths.count ? "--new"
							      : NULL;

	if (named > 2)
		return rg_error_new(RG_E_USAGE,
				    "'%s': there are two sides, OLD and NEW; the files to compare "
				    "come after '--'",
				    o->operands[2]);
	if (named && twice)
		return refuse_option(twice, o->operands[named - 1]);
	if (o->old_path && !o->new_paths.count)
		return rg_error_new(RG_E_USAGE, "--old goes with --new");
	if (o->new_paths.count && (o->to || o->staged))
		return rg_error_new(RG_E_USAGE, "--new takes no --to or --staged");
	if (o->old_path && (o->base || o->merge_base || o->no_renames || o->files.count))
		return rg_error_new(RG_E_USAGE, "--old takes no --base, --merge-base, --no-renames "
						"or --file");
	/* HEAD has no merge base with itself: a user who leaves REV out means another branch. */
	if (o->merge_base && !o->base && !o->to && !named)
		return rg_error_new(RG_E_USAGE,
				    "--merge-base of HEAD and what? name a revision with --base");
	if (o->to && o->staged)
		return rg_error_new(RG_E_USAGE, "--to and --staged exclude each other");
	return NULL;
}

/* --- parts of the repository --- */

rg_error *rg_place_inner_path(char **out, rg_arena *arena, rg_worktree *worktree, const char *path)
{
	const char *root = rg_worktree_root(worktree);
	char full[PATH_MAX] = "", real[PATH_MAX];
	size_t inside = strlen(root) - 1; /* without the '/' at its end */

	*out = NULL;
	if (path[0] != '/' && !getcwd(full, sizeof(full)))
		return rg_error_io(errno, "current folder");
	if (strlen(full) + strlen(path) + 2 > sizeof(full))
		return rg_error_new(RG_E_USAGE, "'%s' is too long", path);
	size_t cut = strlen(full);
	/* Two slashes in front may be another place, which musl's realpath keeps. */
	snprintf(full + cut, sizeof(full) - cut, "%s%s", cut > 1 ? "/" : "", path);
	/* Up to the last folder that exists, which is taken without links on its way. */
	for (cut = strlen(full);; full[cut] = '/') {
		while (full[--cut] != '/')
			;
		full[cut] = '\0';
		if (realpath(cut ? full : "/", real) || !cut)
			break;
	}
	if (strncmp(real, root, inside) != 0 || (real[inside] && real[inside] != '/'))
		return NULL;
	if (real[inside])
		*out = rg_arena_textf(arena, "%s/%s", real + inside + 1, full + cut + 1);
	else
		*out = rg_arena_text(arena, full + cut + 1);
	return NULL;
}

/* From the repository's root, without a '/' at its end; *out NULL where it is outside. Of a folder
 * the last name is followed, too, be it a link, "." or "..". */
static rg_error *inner_path(const find_state *f, const char *path, bool folder, char **out)
{
	rg_arena *arena = &f->sides->arena;
	if (folder)
		path = rg_arena_textf(arena, "%s/.", path);
	RG_TRY(rg_place_inner_path(out, arena, f->context->worktree, path));
	if (!folder || !*out)
		return NULL;
	char *end = strrchr(*out, '/');
	*(end ? end : *out) = '\0';
	return NULL;
}

static bool is_in(const char *folder, const char *path)
{
	return !*folder || !strcmp(folder, path) || rg_path_is_below(folder, path);
}

/* Is the folder in the root, or the root in it? */
static bool is_of_root(const find_state *f, const char *inner)
{
	return is_in(f->root, inner) || is_in(inner, f->root);
}

static rg_error *keep_part(rg_sides *sides, const char *inner, bool folder)
{
	if (*inner || !folder)
		RG_TRY(rg_path_check(inner));
	*RG_ARENA_PUSH(&sides->arena, sides->parts, sides->part_count, sides->part_capacity) =
		(rg_sides_part){inner, folder};
	return NULL;
}

/* Adds a path that the user named. */
static rg_error *append_part(find_state *f, const char *path, bool may_be_folder)
{
	const char *hint = "; to compare it with the working tree, say path:";
	const bool folder = rg_is_folder(path);
	char *inner;

	if (!folder || !may_be_folder)
		RG_TRY(rg_place_check_name(path));
	RG_TRY(need_worktree(f));
	RG_TRY(inner_path(f, path, folder, &inner));
	if (!inner)
		return rg_error_new(RG_E_USAGE, "'%s' is outside of the repository at %s%s%s", path,
				    rg_worktree_root(f->context->worktree), folder ? hint : "",
				    folder ? path : "");
	if (folder && !is_of_root(f, inner))
		return rg_error_new(RG_E_USAGE, "'%s' is not below '%s' (regild.root)%s%s", path,
				    f->root, hint, path);
	return keep_part(f->sides, inner, folder);
}

bool rg_sides_take(const rg_sides *sides, const char *path)
{
	for (size_t i = 0; i < sides->part_count; i++)
		if (is_in(sides->parts[i].path, path))
			return true;
	return !sides->part_count;
}

/* --- names --- */

/* NULL where it names a revision or a range of two. */
static rg_error *look_up(const find_state *f, const char *text, rg_side_range *range)
{
	rg_worktree *worktree = f->context->worktree;
	RG_TRY(need_worktree(f));
	rg_side_split(range, &f->sides->arena, text);
	if (!range->old)
		return rg_worktree_check_revision(worktree, text);
	rg_error *err = rg_worktree_check_revision(worktree, range->old);
	if (!err)
		err = rg_worktree_check_revision(worktree, range->fresh);
	if (!err)
		return NULL;
	/* The dots may be another thing's: "HEAD^{/and so on...}". */
	*range = (rg_side_range){0};
	RG_AUTO_PTR(rg_error) whole = rg_worktree_check_revision(worktree, text);
	if (whole)
		return err;
	rg_error_free(err);
	return NULL;
}

/* A range and a place in the index have errors of their own. */
static rg_error *neither(const find_state *f, const char *text, const rg_error *err)
{
	const char *dots = strstr(text, "..");
	if (*text == ':' || (dots && dots[2] != '/'))
		return rg_error_new(rg_error_get_code(err), "%s; name a removed file after '--'",
				    rg_error_message(err));
	return rg_error_new(rg_error_get_code(err),
			    "'%s' is neither a revision nor a file; name a removed file after "
			    "'--'%s",
			    text,
			    rg_worktree_is_shallow(f->context->worktree)
				    ? ", and get more revisions of this shallow clone with 'git "
				      "fetch --unshallow'"
				    : "");
}

/* Makes a plain name a revision or a path. */
static rg_error *settle_plain(const find_state *f, rg_side_name *name, rg_side_range *range)
{
	const char *text = name->text;
	rg_error *err = look_up(f, text, range);
	rg_error_code code = err ? rg_error_get_code(err) : RG_E_NOTFOUND;
	struct stat st;
	bool there = !lstat(text, &st), dashes = f->options->dashes;

	if (!err && there && !dashes)
		return rg_error_new(RG_E_USAGE,
				    "'%s' is both a revision and a file: say rev:%s or path:%s",
				    text, text, text);
	name->kind = err ? RG_SIDE_PATH : RG_SIDE_REVISION;
	if (!err || code == RG_E_GONE || (!there && (dashes || !f->context->worktree)))
		return err;
	if (there && !dashes) {
		rg_error_free(err);
		return NULL;
	}
	return rg_error_first(
		there ? rg_error_new(RG_E_USAGE,
				     "'%s' is a path and not a revision; as a side it is path:%s, "
				     "and to be compared it comes after '--'",
				     text, text)
		      : neither(f, text, err),
		err);
}

/* *out is not plain any more; where the text names two revisions, `range` has them. */
static rg_error *settle_name(const find_state *f, const char *text, rg_side_name *out,
			     rg_side_range *range)
{
	*range = (rg_side_range){0};
	RG_TRY(rg_side_parse(out, text));
	switch (out->kind) {
	case RG_SIDE_PLAIN:
		return settle_plain(f, out, range);
	case RG_SIDE_REVISION:
		return look_up(f, out->text, range);
	case RG_SIDE_RUN:
		return f->context->label_run(&out->label, &f->sides->arena, out->text);
	default:
		return NULL;
	}
}

/* One name alone: it is the old side, or both, or a part of the repository. */
static rg_error *use_one(find_state *f, const char *text)
{
	const rg_side_options *o = f->options;
	rg_sides *sides = f->sides;
	rg_side_range range;
	rg_side_name name;

	RG_TRY(settle_name(f, text, &name, &range));
	if (range.old && (o->staged || o->new_paths.count))
		return refuse_option(o->staged ? "--staged" : "--new", text);
	if (name.kind == RG_SIDE_PATH && name.text == text)
		return append_part(f, text, true);
	sides->old = name;
	if (range.old) {
		sides->merge_base |= range.merge_base;
		sides->old = (rg_side_name){RG_SIDE_REVISION, range.old, NULL};
		sides->fresh = (rg_side_name){RG_SIDE_REVISION, range.fresh, NULL};
	}
	return NULL;
}

static rg_error *use_one_of_two(const find_state *f, const char *text, rg_side_name *out)
{
	rg_side_range range;
	RG_TRY(settle_name(f, text, out, &range));
	return range.old ? rg_error_new(RG_E_USAGE, "'%s' names both sides already", text) : NULL;
}

/* Is a path called .zip, and is it one? Other files are zips too, and yet no archives of goldens. A
 * file that cannot be read fails later, with a reason. */
static bool is_zip(const char *path)
{
	rg_archive_kind kind = RG_ARCHIVE_NONE;
	RG_AUTO(rg_reader_file) file = {0};

	if (!rg_ends_with(path, ".zip"))
		return false;
	RG_AUTO_PTR(rg_error) err = rg_reader_file_open(&file, path);
	if (!err)
		err = rg_archive_kind_read(&kind, &file.reader);
	return kind == RG_ARCHIVE_ZIP;
}

static rg_error *use_operands(find_state *f)
{
	const rg_side_options *o = f->options;
	if (f->named == 1)
		RG_TRY(use_one(f, o->operands[0]));
	if (f->named == 2) {
		RG_TRY(use_one_of_two(f, o->operands[0], &f->sides->old));
		RG_TRY(use_one_of_two(f, o->operands[1], &f->sides->fresh));
		/* A path that names a zip means what is in it, but beside another file. */
		rg_side_name *names[2] = {&f->sides->old, &f->sides->fresh};
		bool zips[2];

		for (size_t i = 0; i < 2; i++)
			zips[i] = names[i]->kind == RG_SIDE_PATH && is_zip(f->options->operands[i]);
		for (size_t i = 0; i < 2; i++) {
			const rg_side_name *other = names[1 - i];
			if (zips[i] && (zips[1 - i] || other->kind != RG_SIDE_PATH ||
					rg_is_folder(other->text)))
				names[i]->kind = RG_SIDE_ARCHIVE;
		}
	}
	for (size_t i = f->named; i < o->operand_count; i++)
		RG_TRY(append_part(f, o->operands[i], true));
	for (size_t i = 0; i < o->files.count; i++)
		RG_TRY(rg_error_wrap(append_part(f, o->files.items[i], false), "--file"));
	return NULL;
}

/* --old and --new name a path, unless a prefix says otherwise. */
static rg_error *use_path(const find_state *f, const char *text, rg_side_name *out)
{
	RG_TRY(rg_side_parse(out, text));
	if (out->kind != RG_SIDE_PLAIN)
		return use_one_of_two(f, text, out);
	out->kind = RG_SIDE_PATH;
	return NULL;
}

static rg_error *use_options(const find_state *f)
{
	const rg_side_options *o = f->options;
	rg_sides *s = f->sides;

	const char *before = rg_side_before_dots(&s->arena, o->base);
	s->merge_base = o->merge_base || before;
	s->old = (rg_side_name){RG_SIDE_REVISION,
				before    ? before
				: o->base ? o->base
					  : "HEAD",
				NULL};
	s->fresh = (rg_side_name){o->staged ? RG_SIDE_INDEX : RG_SIDE_FILES, "", NULL};
	if (o->to)
		s->fresh = (rg_side_name){RG_SIDE_REVISION, o->to, NULL};
	if (o->old_path)
		RG_TRY(use_path(f, o->old_path, &s->old));
	return o->new_paths.count ? use_path(f, o->new_paths.items[o->new_index], &s->fresh) : NULL;
}

/* --- what two sides are to each other --- */

/* A path beside what is not one. A folder of the working tree's goldens is a part of the working
 * tree; another one, and what was downloaded, is a side of its own. */
static rg_error *settle_path(const find_state *f, rg_side_name *name)
{
	const bool folder = rg_is_folder(name->text);
	char *inner = NULL;

	if (name->kind != RG_SIDE_PATH)
		return NULL;
	if (access(name->text, F_OK))
		return rg_error_io(errno, "%s", name->text);
	if (f->context->worktree && !(folder && f->context->is_staging(name->text)))
		RG_TRY(inner_path(f, name->text, folder, &inner));
	if (inner && is_of_root(f, inner)) {
		name->kind = RG_SIDE_FILES;
		return keep_part(f->sides, inner, folder);
	}
	if (folder)
		return NULL;
	return rg_error_new(RG_E_USAGE,
			    "'%s' is not one of the repository's goldens; a file is compared with "
			    "a file, a folder or zip:PATH with a revision or a run",
			    name->text);
}

static rg_error *settle_kind(const find_state *f)
{
	rg_sides *s = f->sides;
	s->kind = RG_SIDES_PATHS;
	if (rg_side_is_on_disk(&s->old) && rg_side_is_on_disk(&s->fresh))
		return NULL;
	RG_TRY(settle_path(f, &s->old));
	RG_TRY(settle_path(f, &s->fresh));
	s->kind = s->old.kind == RG_SIDE_REVISION && rg_side_is_in_git(&s->fresh)
			  ? RG_SIDES_IN_GIT
			  : RG_SIDES_LAYOUTS;
	if (s->old.kind == RG_SIDE_FILES && s->fresh.kind == RG_SIDE_FILES)
		return rg_error_new(RG_E_USAGE,
				    "'%s' is in the working tree, which is the other side, too; "
				    "after '--' it is compared with HEAD",
				    s->old.text);
	return rg_side_is_in_git(&s->old) || rg_side_is_in_git(&s->fresh) ? need_worktree(f) : NULL;
}

static rg_error *check_kind(const find_state *f)
{
	const rg_sides *s = f->sides;

	if (s->merge_base && s->kind != RG_SIDES_IN_GIT)
		return rg_error_new(RG_E_USAGE, "a merge base is one of two revisions");
	if (s->kind != RG_SIDES_PATHS)
		return NULL;
	if (s->part_count || f->options->no_renames)
		return rg_error_new(
			RG_E_USAGE,
			"two paths are compared as they are; leave out --no-renames and "
			"what comes after '--'");
	if (rg_side_is_folder(&s->old) != rg_side_is_folder(&s->fresh) &&
	    !access(s->old.text, F_OK) && !access(s->fresh.text, F_OK))
		return rg_error_new(RG_E_USAGE,
				    "the two sides are two files or two folders, not one of each");
	return NULL;
}

static void label(rg_side_name *name)
{
	if (!name->label)
		name->label = name->kind == RG_SIDE_INDEX   ? "the index"
			      : name->kind == RG_SIDE_FILES ? "the working tree"
							    : name->text;
}

rg_error *rg_sides_find(rg_sides *out, const rg_side_context *context,
			const rg_side_options *options)
{
	find_state f = {out, context, options, rg_config_get(context->config, "regild.root"),
			options->operand_count - (options->dashes ? options->after_dashes : 0)};
	const char *alone = options->alone;

	*out = (rg_sides){.kind = RG_SIDES_PATHS};
	rg_arena_init(&out->arena);
	if (alone) {
		out->old = (rg_side_name){RG_SIDE_NOTHING, "nothing", "nothing"};
		out->fresh = (rg_side_name){RG_SIDE_PATH, alone, alone};
		return rg_is_folder(alone)
			       ? rg_error_new(RG_E_USAGE, "'%s' is a folder; name one file", alone)
			       : NULL;
	}
	RG_TRY(check_options(&f));
	RG_TRY(use_options(&f));
	RG_TRY(use_operands(&f));
	RG_TRY(settle_kind(&f));
	RG_TRY(check_kind(&f));
	if (out->merge_base)
		out->old.label = "the merge base";
	label(&out->old);
	label(&out->fresh);
	return NULL;
}

void rg_sides_release(rg_sides *sides)
{
	rg_arena_release(&sides->arena);
}
