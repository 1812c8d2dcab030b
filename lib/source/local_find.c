/* SPDX-License-Identifier: Apache-2.0 */
#include "source/local_parts.h"

#include "archive/select.h"
#include "base/path.h"
#include "base/tree.h"
#include "source/plain_url.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * What a path is. The first that fits counts:
 *
 * 1. A folder with manifest.json and files/ in it is a staging folder: its goldens, its run.
 * 2. A folder with .git, or with regild.root, in it is a checkout: the goldens below its root are
 *    taken as they are, each for its own path.
 * 3. Any other folder holds artifacts. A golden right in it (as regild.files and jobs.members name
 *    it) is of an artifact that is called as the folder is; one in a folder in it is of an artifact
 *    that is called as that folder is, as `gh run download` leaves them. An archive in it is an
 *    artifact that is called as the archive is, without ".zip" or ".tar.gz".
 * 4. A file is an archive, by its first bytes: it holds what such a folder of its name would hold,
 *    and there may be one more folder around all of it.
 *
 * local_tree.c has the first two, local_archive.c the last. What begins with https:// is an archive
 * elsewhere (local_url.c).
 */

/* Could an artifact be called so? */
static bool fits_artifact(const rg_local *local, const char *name, size_t length)
{
	char copy[NAME_MAX + 1];
	if (length > NAME_MAX)
		return false;
	memcpy(copy, name, length);
	copy[length] = '\0';
	return rg_rules_of(&local->options.settings->rules, copy, NULL) != 0;
}

static rg_error *wants(const rg_local *local, const char *name, bool *out)
{
	const rg_rules *rules = &local->options.settings->rules;
	return rg_select_wants(out, name, rules->patterns, rules->pattern_count);
}

rg_error *rg_local_place(const rg_local *local, const char *path, unsigned depth,
			 rg_local_spot *out)
{
	const char *start = path, *slash;
	*out = (rg_local_spot){.member = path};
	RG_TRY(wants(local, path, &out->mine));
	for (; depth && (slash = strchr(start, '/')) != NULL; depth--, start = slash + 1) {
		bool below;
		RG_TRY(wants(local, slash + 1, &below));
		/* Both, where a pattern crosses folders: the name decides. */
		if (!below || (out->mine && !fits_artifact(local, start, (size_t)(slash - start))))
			continue;
		*out = (rg_local_spot){true, start, (size_t)(slash - start), slash + 1};
	}
	return NULL;
}

rg_error *rg_local_note_member(rg_local *local, rg_local_artifact *artifact, const char *name)
{
	const rg_rule *jobs = rg_rules_jobs(&local->options.settings->rules);
	const rg_member_round round = {0};
	rg_name_fields fields = {0};
	const rg_field_value *folder = &fields.fields[RG_FIELD_FOLDER];
	rg_member_kind kind = RG_MEMBER_NAMED;

	if (jobs)
		kind = rg_member_kind_of(&round, &jobs->members, &(rg_member_owner){0}, name,
					 &fields);
	artifact->named |= kind == RG_MEMBER_NAMED || kind == RG_MEMBER_NONE;
	if (artifact->named || artifact->member_folder || !folder->start)
		return NULL;
	artifact->member_folder = rg_arena_copy(&local->arena, folder->start, folder->length);
	return artifact->member_folder ? NULL : rg_error_nomem();
}

/* A folder on its way. */
typedef struct {
	rg_local *local;
	const char *path, *name;
	size_t first; /* of its artifacts */
	size_t own;   /* that of the folder itself, plus 1; 0: none yet */
} search;

static rg_error *own_artifact(search *s, rg_local_artifact **out)
{
	if (!s->own) {
		RG_TRY(rg_local_add(s->local, RG_LOCAL_FOLDER, s->name, s->path, out));
		s->own = s->local->count;
	}
	*out = &s->local->artifacts[s->own - 1];
	return NULL;
}

/* The artifact that is a folder in the folder. The paths of each come one after the other, so that
 * the last one is looked at, but for `any` order. */
static rg_error *child_artifact(search *s, const char *name, size_t length, bool any,
				rg_local_artifact **out)
{
	rg_local *local = s->local;
	char *place;

	for (size_t i = local->count; i > s->first; i--) {
		*out = &local->artifacts[i - 1];
		if (i != s->own && strlen((*out)->name) == length &&
		    !memcmp((*out)->name, name, length))
			return NULL;
		if (!any && i != s->own)
			break;
	}
	RG_TRY(rg_textf(&place, "%s/%.*s", s->path, (int)length, name));
	rg_error *err =
		rg_local_add(local, RG_LOCAL_FOLDER, place + strlen(s->path) + 1, place, out);
	free(place);
	return err;
}

/* A file or, `other`, what looks like one and will be refused. */
static rg_error *look_at(search *s, const char *path, bool other)
{
	rg_local_artifact *artifact;
	rg_local_spot spot;

	RG_TRY(rg_local_place(s->local, path, 1, &spot));
	if (!spot.mine)
		return NULL;
	if (spot.child)
		RG_TRY(child_artifact(s, spot.child, spot.length, other, &artifact));
	else
		RG_TRY(own_artifact(s, &artifact));
	RG_TRY(rg_local_add_listed(s->local, artifact, spot.member, spot.member));
	return rg_local_note_member(s->local, artifact, spot.member);
}

/* An archive right in the folder that is not itself a golden, or around some. */
static rg_error *look_into(search *s, const char *path)
{
	size_t stem = strchr(path, '/') ? 0 : rg_local_archive_stem(path), before = s->local->count;
	rg_local_artifact *artifact;
	char *whole, *name = NULL;
	bool wanted;

	if (!stem)
		return NULL;
	RG_TRY(wants(s->local, path, &wanted));
	if (wanted)
		return NULL;
	RG_TRY(rg_path_join(&whole, s->path, path));
	rg_error *err = rg_strndup(&name, path, stem);
	if (!err)
		err = rg_local_find_in_archive(s->local, whole, name);
	bool not_one = err && rg_error_get_code(err) == RG_E_USAGE;
	if (not_one || (!err && s->local->count == before)) {
		rg_error_free(err);
		err = rg_local_add(s->local, RG_LOCAL_BROKEN, name, whole, &artifact);
		if (!err && not_one)
			artifact->fault = "it is called like an archive, and is none";
		else if (!err)
			artifact->empty = true;
	}
	free(name);
	free(whole);
	return err;
}

/* A folder that is called as artifacts are, and in which nothing is asked for. */
static rg_error *look_at_folder(search *s, const char *name)
{
	size_t length = strlen(name);
	rg_local_artifact *artifact;

	if (!fits_artifact(s->local, name, length))
		return NULL;
	for (size_t i = s->first; i < s->local->count; i++)
		if (!strcmp(s->local->artifacts[i].name, name))
			return NULL;
	RG_TRY(child_artifact(s, name, length, true, &artifact));
	artifact->empty = true;
	return NULL;
}

static rg_error *look_at_folders(search *s)
{
	struct dirent *entry;
	rg_error *err = NULL;
	DIR *entries = opendir(s->path);

	if (!entries)
		return rg_error_io(errno, "%s", s->path);
	while (!err && (errno = 0, entry = readdir(entries)) != NULL) {
		struct stat st;
		if (entry->d_name[0] != '.' &&
		    !fstatat(dirfd(entries), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
		    S_ISDIR(st.st_mode))
			err = look_at_folder(s, entry->d_name);
	}
	int failed = err ? 0 : errno;
	closedir(entries);
	return failed ? rg_error_io(failed, "%s", s->path) : err;
}

static int compare_artifacts(const void *a, const void *b)
{
	const rg_local_artifact *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : strcmp(x->place, y->place);
}

static rg_error *look_around(search *s, const rg_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		RG_TRY(look_at(s, tree->paths[i], false));
	for (size_t i = 0; i < tree->other_count; i++)
		RG_TRY(look_at(s, tree->others[i], true));
	for (size_t i = 0; i < tree->count; i++)
		RG_TRY(look_into(s, tree->paths[i]));
	RG_TRY(look_at_folders(s));
	if (s->local->count > s->first)
		qsort(s->local->artifacts + s->first, s->local->count - s->first,
		      sizeof(*s->local->artifacts), compare_artifacts);
	return NULL;
}

/* The name that a folder's own artifact has: of "." and "..", the one that it has elsewhere. */
static rg_error *name_of(char **out, const char *path)
{
	size_t length = strlen(path);
	char *whole = NULL;
	rg_error *err;

	while (length > 1 && path[length - 1] == '/')
		length--;
	RG_TRY(rg_strndup(out, path, length));
	if (strcmp(rg_path_name(*out), ".") != 0 && strcmp(rg_path_name(*out), "..") != 0) {
		err = rg_strdup(&whole, rg_path_name(*out));
	} else {
		whole = realpath(path, NULL);
		err = whole ? NULL : rg_error_io(errno, "%s", path);
		if (whole)
			memmove(whole, rg_path_name(whole), strlen(rg_path_name(whole)) + 1);
	}
	free(*out);
	*out = whole;
	return err;
}

static rg_error *find_in_folder(rg_local *local, const char *path, const char *name)
{
	search s = {.local = local, .path = path, .name = name, .first = local->count};
	rg_tree tree = {0};
	bool is_tree;

	local->has_folder = true;
	RG_TRY(rg_local_find_in_tree(local, path, &is_tree));
	if (is_tree)
		return NULL;
	rg_error *err = rg_tree_list_all(&tree, path);
	if (!err)
		err = look_around(&s, &tree);
	rg_tree_release(&tree);
	return err;
}

rg_error *rg_local_find(rg_local *local, const char *path)
{
	struct stat st;
	rg_error *err;
	size_t stem;
	char *name;

	if (rg_is_plain_url(path))
		return rg_local_find_at_url(local, path);
	if (stat(path, &st))
		return rg_error_io(errno, "%s", path);
	RG_TRY(name_of(&name, path));
	if (S_ISDIR(st.st_mode)) {
		err = find_in_folder(local, path, name);
	} else {
		stem = rg_local_archive_stem(name);
		if (stem)
			name[stem] = '\0';
		err = rg_local_find_in_archive(local, path, name);
	}
	free(name);
	return err;
}
