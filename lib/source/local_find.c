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
 * A path is one of these. The first that fits counts:
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

static bool is_wanted(const rg_local *local, const char *name)
{
	const rg_rules *rules = &local->options.settings->rules;
	bool wanted;

	rg_select_wants(&wanted, name, rules->patterns, rules->pattern_count);
	return wanted;
}

/* The artifact that a member of a folder or an archive belongs to. */
typedef struct {
	bool mine;         /* something asks for it */
	const char *child; /* the folder that is its artifact; NULL: what holds it all is */
	size_t length;
	const char *member; /* its path in the artifact */
} member_spot;

/* The folder may be as deep as `depth`. `path` may end with "!…". */
static member_spot place_member(const rg_local *local, const char *path, unsigned depth)
{
	const char *start = path, *slash;
	member_spot spot = {.member = path, .mine = is_wanted(local, path)};
	for (; depth && (slash = strchr(start, '/')) != NULL; depth--, start = slash + 1) {
		size_t length = (size_t)(slash - start);
		/* Both, where a pattern crosses folders: the name decides. */
		if (is_wanted(local, slash + 1) &&
		    (!spot.mine || fits_artifact(local, start, length)))
			spot = (member_spot){true, start, length, slash + 1};
	}
	return spot;
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
} unpack_state;

/* The artifact of a member, whose path may end with "!…"; *name is its path in that. */
static rg_local_artifact *artifact_of(const unpack_state *u, const char *path, const char **name)
{
	rg_local *local = u->local;
	const member_spot spot = place_member(local, path, RG_LOCAL_DEPTH);
	RG_AUTO_FREE char *called = spot.child ? rg_strndup(spot.child, spot.length)
					       : rg_strdup(u->name);
	rg_local_artifact *found = NULL;

	for (size_t i = u->first; !found && i < local->count; i++)
		if (!strcmp(local->artifacts[i].name, called))
			found = &local->artifacts[i];
	if (!found) {
		found = rg_local_add(local, RG_LOCAL_PACKED, called, u->path);
		found->check = u->check;
	}
	*name = spot.member;
	note_member(local, found, *name);
	return found;
}

static void keep_refusals(const unpack_state *u, rg_selection *selection)
{
	for (size_t i = 0; i < selection->count; i++) {
		rg_refusal *refusal = &selection->refusals[i];
		const char *name;

		if (!refusal->wanted)
			continue;
		rg_local_artifact *artifact = artifact_of(u, refusal->name, &name);
		*RG_PUSH(artifact->refusals, artifact->refusal_count, artifact->refusal_capacity) =
			(rg_refusal){.name = rg_arena_text(&u->local->arena, name),
				     .err = RG_TAKE(refusal->err)};
	}
}

/* Keeps what is wrong with an archive, and so with what it holds; what comes before that stays. */
static rg_error *keep_error(const unpack_state *u, rg_error *wrong)
{
	RG_AUTO_PTR(rg_error) err = wrong;
	if (rg_take_is_fatal(err))
		return rg_error_wrap(RG_TAKE(err), "%s", u->path);
	rg_local_add(u->local, RG_LOCAL_BROKEN, u->name, u->path)->fault =
		rg_arena_text(&u->local->arena, rg_error_message(err));
	return NULL;
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
	unpack_state u = {.local = local, .path = place, .name = name, .first = local->count};
	rg_members *members = &local->members;
	RG_AUTO(rg_selection) selection = {0};
	rg_archive_kind kind;

	RG_TRY(rg_archive_kind_read(&kind, reader));
	RG_TRY(rg_error_wrap(check_kind(kind), "%s", place));
	/* A tar has no checksums of what is in it. */
	u.check = kind == RG_ARCHIVE_ZIP ? "crc32" : NULL;
	size_t i = members->count;
	rg_error *err = rg_members_select(members, &selection, reader, kind,
					  (const char *const *)local->patterns,
					  local->pattern_count, &local->options.settings->limits);
	for (; i < members->count; i++) {
		const rg_member *member = &members->items[i];
		const bool inner = *member->via != '\0';
		const char *path;
		rg_local_artifact *artifact =
			artifact_of(&u, inner ? member->via : member->path, &path);
		rg_local_add_file(local, artifact, inner ? member->path : path, inner ? path : "",
				  member->packed.size)
			->member = i;
	}
	if (err)
		return keep_error(&u, err);
	keep_refusals(&u, &selection);
	return NULL;
}

static rg_error *find_in_archive(rg_local *local, const char *path, const char *name)
{
	RG_AUTO(rg_reader_file) file = {0};
	RG_TRY(rg_reader_file_open(&file, path));
	return find_in_reader(local, &file.reader, path, name);
}

/* --- archives elsewhere --- */

/* An archive at an address: of a zip only the directory and the goldens move. */
typedef struct {
	rg_local *local;
	const char *url;
} fetch_state;

static rg_error *locate(void *context, char **url)
{
	const fetch_state *f = context;
	return rg_plain_url_locate(url, f->local->options.http, f->url);
}

static void moved(void *context, uint64_t bytes)
{
	const fetch_state *f = context;
	f->local->moved += bytes;
}

_Static_assert(RG_REMOTE_START >= RG_ARCHIVE_KIND_BYTES, "the start tells the kind");

static rg_error *look(void *context, const void *start)
{
	(void)context;
	return check_kind(rg_archive_kind_of(start, RG_REMOTE_START));
}

static rg_error *fetch(fetch_state *f, const char *shown)
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
	RG_AUTO_PTR(rg_remote) remote = NULL;

	RG_TRY(rg_remote_open(&remote, f->local->options.http, &options));
	RG_AUTO_FREE char *name = rg_strdup(rg_path_name(shown));
	size_t stem = archive_stem(name);
	if (stem)
		name[stem] = '\0';
	return find_in_reader(f->local, rg_remote_reader(remote), shown, name);
}

static rg_error *find_at_url(rg_local *local, const char *url)
{
	fetch_state f = {local, url};
	RG_AUTO_FREE char *shown = NULL;

	RG_TRY(rg_url_shown(&shown, url));
	rg_error *err = rg_error_drop_subject(fetch(&f, shown), "the archive");
	return rg_error_wrap(rg_error_drop_subject(err, shown), "%s", shown);
}

/* --- folders --- */

/* A folder on its way. */
typedef struct {
	rg_local *local;
	const char *path, *name;
	size_t first; /* of its artifacts */
	size_t own;   /* that of the folder itself, plus 1; 0: none yet */
} find_state;

/* The artifact that is a folder in the folder. The paths of each come one after the other, so that
 * the last one is looked at, but for `any` order. */
static rg_local_artifact *child_artifact(const find_state *s, const char *name, size_t length,
					 bool any)
{
	rg_local *local = s->local;

	for (size_t i = local->count; i > s->first; i--) {
		rg_local_artifact *found = &local->artifacts[i - 1];
		if (i == s->own)
			continue;
		if (strlen(found->name) == length && !memcmp(found->name, name, length))
			return found;
		if (!any)
			break;
	}
	RG_AUTO_FREE char *place = rg_textf("%s/%.*s", s->path, (int)length, name);
	return rg_local_add(local, RG_LOCAL_FOLDER, place + strlen(s->path) + 1, place);
}

/* A file or, `other`, what looks like one and will be refused. */
static void look_at(find_state *s, const char *path, bool other)
{
	const member_spot spot = place_member(s->local, path, 1);
	rg_local_artifact *artifact;

	if (!spot.mine)
		return;
	if (spot.child) {
		artifact = child_artifact(s, spot.child, spot.length, other);
	} else {
		if (!s->own) {
			rg_local_add(s->local, RG_LOCAL_FOLDER, s->name, s->path);
			s->own = s->local->count;
		}
		artifact = &s->local->artifacts[s->own - 1];
	}
	rg_local_add_listed(s->local, artifact, spot.member, spot.member);
	note_member(s->local, artifact, spot.member);
}

/* An archive right in the folder that is not itself a golden, or around some. */
static rg_error *look_into(const find_state *s, const char *path)
{
	size_t stem = strchr(path, '/') ? 0 : archive_stem(path), before = s->local->count;

	if (!stem || is_wanted(s->local, path))
		return NULL;
	RG_AUTO_FREE char *whole = rg_path_join(s->path, path);
	RG_AUTO_FREE char *name = rg_strndup(path, stem);
	RG_AUTO_PTR(rg_error) err = find_in_archive(s->local, whole, name);
	bool not_one = err && rg_error_get_code(err) == RG_E_USAGE;
	if (err && !not_one)
		return RG_TAKE(err);
	if (!not_one && s->local->count > before)
		return NULL;
	rg_local_artifact *artifact = rg_local_add(s->local, RG_LOCAL_BROKEN, name, whole);
	if (not_one)
		artifact->fault = "it is called like an archive, and is none";
	else
		artifact->empty = true;
	return NULL;
}

/* A folder that is called as artifacts are, and in which nothing is asked for. */
static void look_at_folder(const find_state *s, const char *name)
{
	if (!fits_artifact(s->local, name, strlen(name)))
		return;
	for (size_t i = s->first; i < s->local->count; i++)
		if (!strcmp(s->local->artifacts[i].name, name))
			return;
	child_artifact(s, name, strlen(name), true)->empty = true;
}

static rg_error *look_at_folders(const find_state *s)
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

/* The name that a folder's own artifact has: of "." and "..", the one that it has elsewhere. */
static rg_error *name_of(char **out, const char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	RG_AUTO_FREE char *whole = rg_strndup(path, length);
	const char *name = rg_path_name(whole);
	if (!strcmp(name, ".") || !strcmp(name, "..")) {
		free(whole);
		whole = realpath(path, NULL);
		if (!whole)
			return rg_error_io(errno, "%s", path);
		name = rg_path_name(whole);
	}
	*out = rg_strdup(name);
	return NULL;
}

static rg_error *find_in_folder(rg_local *local, const char *path, const char *name)
{
	find_state s = {.local = local, .path = path, .name = name, .first = local->count};
	RG_AUTO(rg_tree) tree = {0};
	bool is_tree;

	local->has_folder = true;
	RG_TRY(rg_local_find_in_tree(local, path, &is_tree));
	if (is_tree)
		return NULL;
	RG_TRY(rg_tree_list_all(&tree, path));
	for (size_t i = 0; i < tree.count; i++)
		look_at(&s, tree.paths[i], false);
	for (size_t i = 0; i < tree.other_count; i++)
		look_at(&s, tree.others[i], true);
	for (size_t i = 0; i < tree.count; i++)
		RG_TRY(look_into(&s, tree.paths[i]));
	RG_TRY(look_at_folders(&s));
	if (local->count > s.first)
		qsort(local->artifacts + s.first, local->count - s.first, sizeof(*local->artifacts),
		      compare_artifacts);
	return NULL;
}

rg_error *rg_local_find(rg_local *local, const char *path)
{
	RG_AUTO_FREE char *name = NULL;
	struct stat st;

	if (rg_is_plain_url(path))
		return find_at_url(local, path);
	if (stat(path, &st))
		return rg_error_io(errno, "%s", path);
	RG_TRY(name_of(&name, path));
	if (S_ISDIR(st.st_mode))
		return find_in_folder(local, path, name);
	size_t stem = archive_stem(name);
	if (stem)
		name[stem] = '\0';
	return find_in_archive(local, path, name);
}
