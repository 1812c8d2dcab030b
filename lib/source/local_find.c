/* SPDX-License-Identifier: Apache-2.0 */
#include "base/order.h"
#include "source/local_parts.h"

#include "base/memory.h"
#include "archive/select.h"
#include "base/path.h"
#include "base/temporary.h"
#include "base/tree.h"
#include "net/remote_file.h"
#include "net/url.h"
#include "source/plain_url.h"
#include "source/taken.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
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
 * local_tree.c has the first two. What begins with https:// is an archive elsewhere.
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

static void wants(const rg_local *local, const char *name, bool *out)
{
	const rg_rules *rules = &local->options.settings->rules;
	rg_select_wants(out, name, rules->patterns, rules->pattern_count);
}

/* Whose a member of a folder or an archive is. */
typedef struct {
	bool mine;         /* something asks for it */
	const char *child; /* the folder that is its artifact; NULL: what holds it all is */
	size_t length;
	const char *member; /* its path in the artifact */
} member_spot;

/* The folder may be as deep as `depth`. `path` may end with "!…". */
static void place_member(const rg_local *local, const char *path, unsigned depth, member_spot *out)
{
	const char *start = path, *slash;
	*out = (member_spot){.member = path};
	wants(local, path, &out->mine);
	for (; depth && (slash = strchr(start, '/')) != NULL; depth--, start = slash + 1) {
		bool below;
		wants(local, slash + 1, &below);
		/* Both, where a pattern crosses folders: the name decides. */
		if (!below || (out->mine && !fits_artifact(local, start, (size_t)(slash - start))))
			continue;
		*out = (member_spot){true, start, (size_t)(slash - start), slash + 1};
	}
}

/* Takes down what an artifact's member says about it: `name` is its path in the artifact. */
static void note_member(rg_local *local, rg_local_artifact *artifact, const char *name)
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
		return;
	artifact->member_folder = rg_arena_copy(&local->arena, folder->start, folder->length);
}

/* --- archives --- */

/* An archive is read once, from front to back where it is a tar: its goldens are kilobytes, and are
 * wanted one artifact at a time. */

static const char *const endings[] = {".zip",     ".tar",  ".tar.gz", ".tgz",
				      ".tar.zst", ".tzst", ".tar.xz", ".txz"};

/* The name without what says that it is an archive; 0: it does not say so. */
static size_t archive_stem(const char *name)
{
	size_t length = strlen(name);
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		size_t end = strlen(endings[i]);
		if (length > end && !strcasecmp(name + length - end, endings[i]))
			return length - end;
	}
	return 0;
}

/* An archive on its way. */
typedef struct {
	rg_local *local;
	const char *path, *name;
	const char *check;
	size_t first; /* of its artifacts */
} unpacking;

static void add_artifact(unpacking *u, const char *name, size_t length, rg_local_artifact **out)
{
	rg_local *local = u->local;
	for (size_t i = u->first; i < local->count; i++) {
		*out = &local->artifacts[i];
		if (strlen((*out)->name) == length && !memcmp((*out)->name, name, length))
			return;
	}
	char *copy = rg_strndup(name, length);
	rg_local_add(local, RG_LOCAL_PACKED, copy, u->path, out);
	free(copy);
	(*out)->check = u->check;
}

/* The artifact of a member, whose path may end with "!…"; *name is its path in that. */
static void artifact_of(unpacking *u, const char *path, rg_local_artifact **out, const char **name)
{
	member_spot spot;
	place_member(u->local, path, RG_LOCAL_DEPTH, &spot);
	if (spot.child)
		add_artifact(u, spot.child, spot.length, out);
	else
		add_artifact(u, u->name, strlen(u->name), out);
	*name = spot.member;
	note_member(u->local, *out, *name);
}

static void add_member(unpacking *u, size_t index)
{
	const rg_member *member = &u->local->members.items[index];
	const bool inner = *member->via != '\0';
	rg_local_artifact *artifact;
	rg_local_file *file;
	const char *name;

	artifact_of(u, inner ? member->via : member->path, &artifact, &name);
	rg_local_add_file(u->local, artifact, inner ? member->path : name, inner ? name : "",
			  member->packed.size, &file);
	file->member = index;
}

static void keep_refusals(unpacking *u, const rg_selection *selection)
{
	rg_arena *arena = &u->local->arena;
	for (size_t i = 0; i < selection->count; i++) {
		rg_refusal refusal = selection->refusals[i];
		rg_local_artifact *artifact;
		const char *name;

		if (!refusal.wanted)
			continue;
		artifact_of(u, refusal.name, &artifact, &name);
		rg_grow(&artifact->refusals, &artifact->refusal_capacity,
			artifact->refusal_count + 1, sizeof(*artifact->refusals));
		refusal.name = rg_arena_text(arena, name);
		refusal.reason = rg_arena_text(arena, refusal.reason);
		artifact->refusals[artifact->refusal_count++] = refusal;
	}
}

/* What is wrong with an archive is so of what it holds; what comes before that stays. */
static rg_error *keep_error(unpacking *u, rg_error *err)
{
	rg_local_artifact *artifact;
	if (rg_take_is_fatal(err))
		return rg_error_wrap(err, "%s", u->path);
	rg_local_add(u->local, RG_LOCAL_BROKEN, u->name, u->path, &artifact);
	artifact->fault = rg_arena_text(&u->local->arena, rg_error_message(err));
	rg_error_free(err);
	return NULL;
}

static rg_error *unpack(unpacking *u, const rg_reader *reader, rg_archive_kind kind)
{
	rg_local *local = u->local;
	rg_members *members = &local->members;
	rg_selection selection;

	rg_selection_init(&selection);
	size_t i = members->count;
	rg_error *err = rg_members_select(members, &selection, reader, kind,
					  (const char *const *)local->patterns,
					  local->pattern_count, &local->options.settings->limits);
	for (; i < members->count; i++)
		add_member(u, i);
	if (err)
		err = keep_error(u, err);
	else
		keep_refusals(u, &selection);
	rg_selection_release(&selection);
	return err;
}

/* RG_E_USAGE for what is no archive; the caller says what it is of. */
static rg_error *check_kind(rg_archive_kind kind)
{
	if (kind != RG_ARCHIVE_NONE)
		return NULL;
	return rg_error_new(RG_E_USAGE, "is neither a folder nor an archive (zip, tar, tar.gz, "
					"tar.zst, tar.xz)");
}

/* `place` is for messages; `name` is what its artifact is called where it holds just one. */
static rg_error *find_in_reader(rg_local *local, const rg_reader *reader, const char *place,
				const char *name)
{
	unpacking u = {.local = local, .path = place, .name = name, .first = local->count};
	rg_archive_kind kind;

	RG_TRY(rg_archive_kind_read(&kind, reader));
	RG_TRY(rg_error_wrap(check_kind(kind), "%s", place));
	/* A tar has no checksums of what is in it. */
	u.check = kind == RG_ARCHIVE_ZIP ? "crc32" : NULL;
	return unpack(&u, reader, kind);
}

static rg_error *find_in_archive(rg_local *local, const char *path, const char *name)
{
	rg_reader_file file;
	rg_error *err = rg_reader_file_open(&file, path);

	if (!err)
		err = find_in_reader(local, &file.reader, path, name);
	rg_reader_file_release(&file);
	return err;
}

/* --- archives elsewhere --- */

/* An archive at an address: of a zip only the directory and the goldens move. */
typedef struct {
	rg_local *local;
	const char *url;
} fetching;

static rg_error *locate(void *context, char **url)
{
	const fetching *f = context;
	return rg_plain_url_locate(url, f->local->options.http, f->url);
}

static void moved(void *context, uint64_t bytes)
{
	const fetching *f = context;
	f->local->moved += bytes;
}

_Static_assert(RG_REMOTE_START >= RG_ARCHIVE_KIND_BYTES, "the start tells the kind");

static rg_error *look(void *context, const void *start)
{
	(void)context;
	return check_kind(rg_archive_kind_of(start, RG_REMOTE_START));
}

static rg_error *fetch(fetching *f, const char *shown)
{
	const rg_settings *settings = f->local->options.settings;
	const rg_remote_options options = {
		.name = shown,
		.size_max = settings->artifact_max,
		.folder = rg_temporary_folder(),
		.locate = locate,
		.look = look,
		.moved = moved,
		.context = f,
	};
	rg_remote *remote;

	RG_TRY(rg_remote_open(&remote, f->local->options.http, &options));
	char *name = rg_strdup(rg_path_name(shown));
	size_t stem = archive_stem(name);
	if (stem)
		name[stem] = '\0';
	rg_error *err = find_in_reader(f->local, rg_remote_reader(remote), shown, name);
	free(name);
	rg_remote_free(remote);
	return err;
}

static rg_error *find_at_url(rg_local *local, const char *url)
{
	fetching f = {local, url};
	char *shown;

	RG_TRY(rg_url_shown(&shown, url));
	rg_error *err = rg_error_drop_subject(fetch(&f, shown), "the archive");
	err = rg_error_drop_subject(err, shown);
	err = rg_error_wrap(err, "%s", shown);
	free(shown);
	return err;
}

/* --- folders --- */

/* A folder on its way. */
typedef struct {
	rg_local *local;
	const char *path, *name;
	size_t first; /* of its artifacts */
	size_t own;   /* that of the folder itself, plus 1; 0: none yet */
} search;

static void own_artifact(search *s, rg_local_artifact **out)
{
	if (!s->own) {
		rg_local_add(s->local, RG_LOCAL_FOLDER, s->name, s->path, out);
		s->own = s->local->count;
	}
	*out = &s->local->artifacts[s->own - 1];
}

/* The artifact that is a folder in the folder. The paths of each come one after the other, so that
 * the last one is looked at, but for `any` order. */
static void child_artifact(search *s, const char *name, size_t length, bool any,
			   rg_local_artifact **out)
{
	rg_local *local = s->local;
	char *place;

	for (size_t i = local->count; i > s->first; i--) {
		*out = &local->artifacts[i - 1];
		if (i != s->own && strlen((*out)->name) == length &&
		    !memcmp((*out)->name, name, length))
			return;
		if (!any && i != s->own)
			break;
	}
	place = rg_textf("%s/%.*s", s->path, (int)length, name);
	rg_local_add(local, RG_LOCAL_FOLDER, place + strlen(s->path) + 1, place, out);
	free(place);
}

/* A file or, `other`, what looks like one and will be refused. */
static void look_at(search *s, const char *path, bool other)
{
	rg_local_artifact *artifact;
	member_spot spot;

	place_member(s->local, path, 1, &spot);
	if (!spot.mine)
		return;
	if (spot.child)
		child_artifact(s, spot.child, spot.length, other, &artifact);
	else
		own_artifact(s, &artifact);
	rg_local_add_listed(s->local, artifact, spot.member, spot.member);
	note_member(s->local, artifact, spot.member);
}

/* An archive right in the folder that is not itself a golden, or around some. */
static rg_error *look_into(search *s, const char *path)
{
	size_t stem = strchr(path, '/') ? 0 : archive_stem(path), before = s->local->count;
	rg_local_artifact *artifact;
	bool wanted;

	if (!stem)
		return NULL;
	wants(s->local, path, &wanted);
	if (wanted)
		return NULL;
	char *whole = rg_path_join(s->path, path);
	char *name = rg_strndup(path, stem);
	rg_error *err = find_in_archive(s->local, whole, name);
	bool not_one = err && rg_error_get_code(err) == RG_E_USAGE;
	if (not_one || (!err && s->local->count == before)) {
		rg_error_free(err);
		err = NULL;
		rg_local_add(s->local, RG_LOCAL_BROKEN, name, whole, &artifact);
		if (not_one)
			artifact->fault = "it is called like an archive, and is none";
		else
			artifact->empty = true;
	}
	free(name);
	free(whole);
	return err;
}

/* A folder that is called as artifacts are, and in which nothing is asked for. */
static void look_at_folder(search *s, const char *name)
{
	size_t length = strlen(name);
	rg_local_artifact *artifact;

	if (!fits_artifact(s->local, name, length))
		return;
	for (size_t i = s->first; i < s->local->count; i++)
		if (!strcmp(s->local->artifacts[i].name, name))
			return;
	child_artifact(s, name, length, true, &artifact);
	artifact->empty = true;
}

static rg_error *look_at_folders(search *s)
{
	struct dirent *entry;
	DIR *entries = opendir(s->path);

	if (!entries)
		return rg_error_io(errno, "%s", s->path);
	while ((errno = 0, entry = readdir(entries)) != NULL) {
		struct stat st;
		if (entry->d_name[0] != '.' &&
		    !fstatat(dirfd(entries), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
		    S_ISDIR(st.st_mode))
			look_at_folder(s, entry->d_name);
	}
	int failed = errno;
	closedir(entries);
	return failed ? rg_error_io(failed, "%s", s->path) : NULL;
}

RG_ORDER(compare_artifacts, rg_local_artifact, RG_BY_TEXT(name) || RG_BY_TEXT(place));

static rg_error *look_around(search *s, const rg_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		look_at(s, tree->paths[i], false);
	for (size_t i = 0; i < tree->other_count; i++)
		look_at(s, tree->others[i], true);
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
	rg_error *err = NULL;

	while (length > 1 && path[length - 1] == '/')
		length--;
	*out = rg_strndup(path, length);
	if (strcmp(rg_path_name(*out), ".") != 0 && strcmp(rg_path_name(*out), "..") != 0) {
		whole = rg_strdup(rg_path_name(*out));
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
		return find_at_url(local, path);
	if (stat(path, &st))
		return rg_error_io(errno, "%s", path);
	RG_TRY(name_of(&name, path));
	if (S_ISDIR(st.st_mode)) {
		err = find_in_folder(local, path, name);
	} else {
		stem = archive_stem(name);
		if (stem)
			name[stem] = '\0';
		err = find_in_archive(local, path, name);
	}
	free(name);
	return err;
}
