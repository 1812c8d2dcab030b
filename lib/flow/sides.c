/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/sides.h"

#include "archive/kind.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"
#include "place/place.h"
#include "source/manifest.h"
#include "source/run_url.h"
#include "worktree/revisions.h"

#include <errno.h>
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

static rg_error *check_run(const char *text)
{
	rg_run_name run;
	RG_TRY(rg_run_name_parse(&run, text));
	rg_run_name_release(&run);
	return NULL;
}

rg_error *rg_side_parse(rg_side_name *out, const char *text)
{
	*out = (rg_side_name){RG_SIDE_PLAIN, text};
	if (!*text)
		return rg_error_new(RG_E_USAGE, "'' names no side; a side is a revision or a path");
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		size_t length = strlen(prefixes[i].prefix);
		if (strncmp(text, prefixes[i].prefix, length) != 0)
			continue;
		*out = (rg_side_name){prefixes[i].kind, text + length};
		if (!*out->text)
			return rg_error_new(RG_E_USAGE, "'%s' names no %s", text, prefixes[i].what);
	}
	return out->kind == RG_SIDE_RUN ? check_run(out->text) : NULL;
}

void rg_side_split(rg_side_range *out, const char *text)
{
	const char *dots = strstr(text, "..");
	*out = (rg_side_range){0};
	if (!dots || !strcmp(text, ".."))
		return;
	const char *rest = dots + (dots[2] == '.' ? 3 : 2);
	if (*rest == '/') /* no revision begins so, and "../goldens" is a path */
		return;
	out->merge_base = dots[2] == '.';
	if (dots == text)
		out->old = rg_strdup("HEAD");
	else
		out->old = rg_strndup(text, (size_t)(dots - text));
	out->fresh = rg_strdup(*rest ? rest : "HEAD");
}

const char *rg_side_before_dots(rg_arena *arena, const char *text)
{
	const char *dots = text ? strstr(text, "..") : NULL;
	return dots && dots > text && !strcmp(dots, "...")
		       ? rg_arena_copy(arena, text, (size_t)(dots - text))
		       : NULL;
}

void rg_side_range_release(rg_side_range *range)
{
	free(range->fresh);
	free(range->old);
	*range = (rg_side_range){0};
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

/* Is a path called .zip, and is it one? Other files are zips too, and yet no archives of goldens.
 */
static bool side_is_zip(const char *path)
{
	rg_archive_kind kind = RG_ARCHIVE_NONE;
	rg_reader_file file;

	if (!rg_ends_with(path, ".zip"))
		return false;
	rg_error *err = rg_reader_file_open(&file, path);
	if (!err)
		err = rg_archive_kind_read(&kind, &file.reader);
	rg_reader_file_release(&file);
	rg_error_free(err); /* whoever reads it says what is wrong */
	return kind == RG_ARCHIVE_ZIP;
}

typedef struct {
	rg_sides *sides;
	const rg_flow *flow;
	const rg_side_options *options;
	const char *root; /* regild.root; "": the top */
} finder;

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

/* --- what contradicts itself --- */

static rg_error *check_paths(const rg_side_options *o)
{
	if (o->old_path && !o->new_paths.count)
		return rg_error_new(RG_E_USAGE, "--old goes with --new");
	if (o->new_paths.count && (o->to || o->staged))
		return rg_error_new(RG_E_USAGE, "--new takes no --to or --staged");
	if (o->old_path && (o->base || o->merge_base || o->no_renames || o->files.count))
		return rg_error_new(RG_E_USAGE, "--old takes no --base, --merge-base, --no-renames "
						"or --file");
	return NULL;
}

static rg_error *refuse_option(const char *option, const char *operand)
{
	return rg_error_new(RG_E_USAGE, "%s does not go with '%s'; name the two sides as OLD NEW",
			    option, operand);
}

/* A side that is named must not be named once more by an option. */
static rg_error *check_twice(const rg_side_options *o, size_t named)
{
	const char *option = o->base                           ? "--base"
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
	if (named && option)
		return refuse_option(option, o->operands[named - 1]);
	return NULL;
}

static rg_error *check_options(const rg_side_options *o, size_t named)
{
	RG_TRY(check_twice(o, named));
	RG_TRY(check_paths(o));
	/* HEAD has no merge base with itself: a user who leaves REV out means another branch. */
	if (o->merge_base && !o->base && !o->to && !named)
		return rg_error_new(RG_E_USAGE,
				    "--merge-base of HEAD and what? name a revision with --base");
	if (o->to && o->staged)
		return rg_error_new(RG_E_USAGE, "--to and --staged exclude each other");
	return NULL;
}

/* --- parts of the repository --- */

/* From the repository's root, without a '/' at its end; *out NULL where it is outside. */
static rg_error *inner_path(const rg_flow *flow, const char *path, bool folder, char **out)
{
	*out = NULL;
	if (!folder)
		return rg_flow_inner_path(flow, path, out);
	/* Without links on its way, and "." and ".." too. */
	RG_TRY(rg_flow_inner_path(flow, rg_arena_textf(flow->arena, "%s/.", path), out));
	char *end = *out ? strrchr(*out, '/') : NULL;
	if (*out)
		*(end ? end : *out) = '\0';
	return NULL;
}

static bool is_in(const char *folder, const char *path)
{
	return !*folder || !strcmp(folder, path) || rg_path_is_below(folder, path);
}

/* Has a folder something to do with the root? */
static bool is_of_root(const finder *f, const char *inner)
{
	return is_in(f->root, inner) || is_in(inner, f->root);
}

static rg_error *keep_part(rg_sides *sides, const char *inner, bool folder)
{
	if (*inner || !folder)
		RG_TRY(rg_path_check(inner));
	rg_sides_part *part =
		RG_ARENA_PUSH(&sides->arena, sides->parts, sides->part_count, sides->part_capacity);
	*part = (rg_sides_part){rg_arena_text(&sides->arena, inner), folder};
	return NULL;
}

static rg_error *check_part(const finder *f, const char *path, const char *inner, bool folder)
{
	const char *hint = "; to compare it with the working tree, say path:";
	if (!inner)
		return rg_error_new(RG_E_USAGE, "'%s' is outside of the repository at %s%s%s", path,
				    rg_worktree_root(f->flow->worktree), folder ? hint : "",
				    folder ? path : "");
	return folder && !is_of_root(f, inner)
		       ? rg_error_new(RG_E_USAGE, "'%s' is not below '%s' (regild.root)%s%s", path,
				      f->root, hint, path)
		       : NULL;
}

/* A path that the user named. */
static rg_error *add_part(finder *f, const char *path, bool may_be_folder)
{
	bool folder = rg_is_folder(path);
	char *inner;

	if (!folder || !may_be_folder)
		RG_TRY(rg_place_check_name(path));
	RG_TRY(rg_flow_need_worktree(f->flow));
	RG_TRY(inner_path(f->flow, path, folder, &inner));
	RG_TRY(check_part(f, path, inner, folder));
	return keep_part(f->sides, inner, folder);
}

bool rg_sides_take(const rg_sides *sides, const char *path)
{
	for (size_t i = 0; i < sides->part_count; i++)
		if (is_in(sides->parts[i].path, path))
			return true;
	return !sides->part_count;
}

/* --- plain names --- */

/* NULL where it names a revision or a range of two; `range` is the caller's to release. */
static rg_error *look_up(const rg_flow *flow, const char *text, rg_side_range *range)
{
	*range = (rg_side_range){0};
	RG_TRY(rg_flow_need_worktree(flow));
	rg_side_split(range, text);
	if (!range->old)
		return rg_worktree_check_revision(flow->worktree, text);
	rg_error *err = rg_worktree_check_revision(flow->worktree, range->old);
	if (!err)
		err = rg_worktree_check_revision(flow->worktree, range->fresh);
	if (!err)
		return NULL;
	/* The dots may be another thing's: "HEAD^{/and so on...}". */
	rg_side_range_release(range);
	rg_error *whole = rg_worktree_check_revision(flow->worktree, text);
	if (whole) {
		rg_error_free(whole);
		return err;
	}
	rg_error_free(err);
	return NULL;
}

/* A range and a place in the index have errors of their own. */
static rg_error *neither(const rg_flow *flow, const char *text, const rg_error *err)
{
	const char *dots = strstr(text, "..");
	if (*text == ':' || (dots && dots[2] != '/'))
		return rg_error_new(rg_error_get_code(err), "%s; name a removed file after '--'",
				    rg_error_message(err));
	return rg_error_new(rg_error_get_code(err),
			    "'%s' is neither a revision nor a file; name a removed file after "
			    "'--'%s",
			    text,
			    rg_worktree_is_shallow(flow->worktree)
				    ? ", and get more revisions of this shallow clone with 'git "
				      "fetch --unshallow'"
				    : "");
}

/* Makes a plain name a revision or a path; `range` as look_up has it. */
static rg_error *settle_plain(const finder *f, rg_side_name *name, rg_side_range *range)
{
	const char *text = name->text;
	rg_error *err = look_up(f->flow, text, range);
	rg_error_code code = err ? rg_error_get_code(err) : RG_E_NOTFOUND;
	struct stat st;
	bool there = !lstat(text, &st), dashes = f->options->dashes;

	if (!err && there && !dashes)
		return rg_error_new(RG_E_USAGE,
				    "'%s' is both a revision and a file: say rev:%s or path:%s",
				    text, text, text);
	name->kind = err ? RG_SIDE_PATH : RG_SIDE_REVISION;
	if (!err || code == RG_E_GONE || (!there && (dashes || !f->flow->worktree)))
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
		      : neither(f->flow, text, err),
		err);
}

static void keep_range(finder *f, const rg_side_range *range)
{
	rg_sides *sides = f->sides;
	sides->merge_base |= range->merge_base;
	sides->old.kind = sides->fresh.kind = RG_SIDE_REVISION;
	sides->old.text = rg_arena_text(&sides->arena, range->old);
	sides->fresh.text = rg_arena_text(&sides->arena, range->fresh);
}

/* One name alone: it is the old side, or both, or a part of the repository. */
static rg_error *use_one(finder *f, const char *text)
{
	rg_side_range range = {0};
	rg_side_name name;

	RG_TRY(rg_side_parse(&name, text));
	bool plain = name.kind == RG_SIDE_PLAIN;
	rg_error *err = plain                           ? settle_plain(f, &name, &range)
			: name.kind == RG_SIDE_REVISION ? look_up(f->flow, name.text, &range)
							: NULL;
	if (!err && range.old && f->options->staged)
		err = refuse_option("--staged", text);
	else if (!err && range.old && f->options->new_paths.count)
		err = refuse_option("--new", text);
	else if (!err && range.old)
		keep_range(f, &range);
	else if (!err && plain && name.kind == RG_SIDE_PATH)
		err = add_part(f, text, true);
	else if (!err)
		f->sides->old = name;
	rg_side_range_release(&range);
	return err;
}

/* A path that names a zip means what is in it, but beside another file. */
static void settle_zips(const finder *f)
{
	rg_side_name *names[2] = {&f->sides->old, &f->sides->fresh};
	bool zips[2];

	for (size_t i = 0; i < 2; i++)
		zips[i] = names[i]->kind == RG_SIDE_PATH && side_is_zip(f->options->operands[i]);
	for (size_t i = 0; i < 2; i++) {
		const rg_side_name *other = names[1 - i];
		if (zips[i] &&
		    (zips[1 - i] || other->kind != RG_SIDE_PATH || rg_is_folder(other->text)))
			names[i]->kind = RG_SIDE_ARCHIVE;
	}
}

static rg_error *use_one_of_two(finder *f, const char *text, rg_side_name *out)
{
	rg_side_range range = {0};
	rg_error *err = rg_side_parse(out, text);

	if (!err && out->kind == RG_SIDE_PLAIN)
		err = settle_plain(f, out, &range);
	else if (!err && out->kind == RG_SIDE_REVISION)
		err = look_up(f->flow, out->text, &range);
	if (!err && range.old)
		err = rg_error_new(RG_E_USAGE, "'%s' names both sides already", text);
	rg_side_range_release(&range);
	return err;
}

static rg_error *use_operands(finder *f, size_t named)
{
	char *const *operands = f->options->operands;
	if (named == 1)
		RG_TRY(use_one(f, operands[0]));
	if (named == 2) {
		RG_TRY(use_one_of_two(f, operands[0], &f->sides->old));
		RG_TRY(use_one_of_two(f, operands[1], &f->sides->fresh));
		settle_zips(f);
	}
	for (size_t i = named; i < f->options->operand_count; i++)
		RG_TRY(add_part(f, operands[i], true));
	for (size_t i = 0; i < f->options->files.count; i++)
		RG_TRY(rg_error_wrap(add_part(f, f->options->files.items[i], false), "--file"));
	return NULL;
}

static rg_error *use_alone(rg_sides *sides, const char *file)
{
	if (rg_is_folder(file))
		return rg_error_new(RG_E_USAGE, "'%s' is a folder; name one file", file);
	sides->kind = RG_SIDES_PATHS;
	sides->old = (rg_side_name){RG_SIDE_NOTHING, "nothing"};
	sides->fresh = (rg_side_name){RG_SIDE_PATH, file};
	sides->old_label = sides->old.text;
	sides->new_label = file;
	return NULL;
}

/* Of --old and --new: a path, unless a prefix says what it is. */
static rg_error *use_path(finder *f, const char *text, rg_side_name *out)
{
	RG_TRY(rg_side_parse(out, text));
	if (out->kind != RG_SIDE_PLAIN)
		return use_one_of_two(f, text, out);
	out->kind = RG_SIDE_PATH;
	return NULL;
}

static rg_error *use_options(finder *f)
{
	const rg_side_options *o = f->options;
	rg_sides *s = f->sides;

	const char *before = rg_side_before_dots(&s->arena, o->base);
	s->merge_base = o->merge_base || before;
	s->old = (rg_side_name){RG_SIDE_REVISION, before ? before : o->base ? o->base : "HEAD"};
	s->fresh = (rg_side_name){o->staged ? RG_SIDE_INDEX : RG_SIDE_FILES, ""};
	if (o->to)
		s->fresh = (rg_side_name){RG_SIDE_REVISION, o->to};
	if (o->old_path)
		RG_TRY(use_path(f, o->old_path, &s->old));
	return o->new_paths.count ? use_path(f, o->new_paths.items[o->new_index], &s->fresh) : NULL;
}

/* --- paths beside what is not one --- */

/* A folder of the working tree's goldens is a part of the working tree; another one, and what was
 * downloaded, is a side of its own. */
static rg_error *settle_path(finder *f, rg_side_name *name)
{
	bool folder = rg_is_folder(name->text), staging = false;
	char *inner = NULL;

	if (access(name->text, F_OK))
		return rg_error_io(errno, "%s", name->text);
	if (folder)
		staging = rg_manifest_is_in(name->text);
	if (f->flow->worktree && !staging)
		RG_TRY(inner_path(f->flow, name->text, folder, &inner));
	if (inner && is_of_root(f, inner)) {
		*name = (rg_side_name){RG_SIDE_FILES, name->text};
		return keep_part(f->sides, inner, folder);
	}
	if (folder)
		return NULL;
	return rg_error_new(RG_E_USAGE,
			    "'%s' is not one of the repository's goldens; a file is compared with "
			    "a file, a folder or zip:PATH with a revision or a run",
			    name->text);
}

static rg_error *settle_kind(finder *f)
{
	rg_sides *s = f->sides;
	s->kind = RG_SIDES_PATHS;
	if (rg_side_is_on_disk(&s->old) && rg_side_is_on_disk(&s->fresh))
		return NULL;
	if (s->old.kind == RG_SIDE_PATH)
		RG_TRY(settle_path(f, &s->old));
	if (s->fresh.kind == RG_SIDE_PATH)
		RG_TRY(settle_path(f, &s->fresh));
	s->kind = s->old.kind == RG_SIDE_REVISION && rg_side_is_in_git(&s->fresh)
			  ? RG_SIDES_IN_GIT
			  : RG_SIDES_LAYOUTS;
	if (s->old.kind == RG_SIDE_FILES && s->fresh.kind == RG_SIDE_FILES)
		return rg_error_new(RG_E_USAGE,
				    "'%s' is in the working tree, which is the other side, too; "
				    "after '--' it is compared with HEAD",
				    s->old.text);
	return rg_side_is_in_git(&s->old) || rg_side_is_in_git(&s->fresh)
		       ? rg_flow_need_worktree(f->flow)
		       : NULL;
}

static rg_error *check_kind(const finder *f)
{
	const rg_sides *s = f->sides;
	bool old_folder = s->old.kind == RG_SIDE_ARCHIVE || rg_is_folder(s->old.text);
	bool new_folder = s->fresh.kind == RG_SIDE_ARCHIVE || rg_is_folder(s->fresh.text);

	if (s->merge_base && s->kind != RG_SIDES_IN_GIT)
		return rg_error_new(RG_E_USAGE, "a merge base is one of two revisions");
	if (s->kind != RG_SIDES_PATHS)
		return NULL;
	if (s->part_count || f->options->no_renames)
		return rg_error_new(
			RG_E_USAGE,
			"two paths are compared as they are; leave out --no-renames and "
			"what comes after '--'");
	if (old_folder != new_folder && !access(s->old.text, F_OK) && !access(s->fresh.text, F_OK))
		return rg_error_new(RG_E_USAGE,
				    "the two sides are two files or two folders, not one of each");
	return NULL;
}

/* --- what they are called --- */

static rg_error *label(rg_sides *sides, const rg_side_name *name, const char **out)
{
	rg_run_name run;
	*out = name->kind == RG_SIDE_INDEX   ? "the index"
	       : name->kind == RG_SIDE_FILES ? "the working tree"
					     : name->text;
	if (name->kind != RG_SIDE_RUN)
		return NULL;
	RG_TRY(rg_run_name_parse(&run, name->text));
	*out = rg_arena_textf(&sides->arena, run.job ? "job %llu" : "run %llu",
			      (unsigned long long)(run.job ? run.job : run.id));
	rg_run_name_release(&run);
	return NULL;
}

static rg_error *find(finder *f)
{
	const rg_side_options *o = f->options;
	size_t named = o->operand_count - (o->dashes ? o->after_dashes : 0);
	rg_sides *s = f->sides;

	if (o->alone)
		return use_alone(s, o->alone);
	RG_TRY(check_options(o, named));
	RG_TRY(use_options(f));
	RG_TRY(use_operands(f, named));
	RG_TRY(settle_kind(f));
	RG_TRY(check_kind(f));
	RG_TRY(label(s, &s->old, &s->old_label));
	if (s->merge_base)
		s->old_label = "the merge base";
	return label(s, &s->fresh, &s->new_label);
}

rg_error *rg_sides_find(rg_sides *out, const rg_flow *flow, const rg_side_options *options)
{
	finder f = {out, flow, options, rg_config_get(flow->config, "regild.root")};
	*out = (rg_sides){0};
	rg_arena_init(&out->arena);
	return find(&f);
}

void rg_sides_release(rg_sides *sides)
{
	rg_arena_release(&sides->arena);
}
