/* SPDX-License-Identifier: Apache-2.0 */
/* Doing what a record says once it is decided on: place, swap, finish; and taking it back. */

#include "update/journal.h"

#include "base/memory.h"
#include "base/cancel.h"
#include "base/file.h"
#include "update/journal_state.h"
#include "update/safe_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TEMPORARY_NAME = 64, NAMES_SHOWN = 10, BATCH = 32 };

static void temporary_name(const rg_record *record, size_t index, char out[static TEMPORARY_NAME])
{
	snprintf(out, TEMPORARY_NAME, ".regild-%llu-%zu.tmp", (unsigned long long)record->id,
		 index);
}

/* A name that only the lock's holder uses: a file that is there is a crash's leftover. */
static int open_temporary(int folder, const char *name, mode_t mode)
{
	static const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(folder, name, flags, mode);

	if (fd < 0 && errno == EEXIST && !unlinkat(folder, name, 0))
		fd = openat(folder, name, flags, mode);
	return fd;
}

/* Temporaries that are written and not yet synced. Syncing many in a row costs the file system one
 * commit where syncing each after its write costs one a file. */
typedef struct {
	int fds[BATCH];
	const char *paths[BATCH]; /* of their targets, for messages */
	size_t count;
} batch;

/* Syncs and closes all; after `err` it only closes. The first failure comes back. */
static rg_error *batch_finish(batch *b, rg_error *err)
{
	for (size_t i = 0; i < b->count; i++) {
		if (!err && fsync(b->fds[i]))
			err = rg_error_io(errno, "%s", b->paths[i]);
		if (close(b->fds[i]) && !err)
			err = rg_error_io(errno, "%s", b->paths[i]);
	}
	b->count = 0;
	return err;
}

/* Puts a side's bytes beside the target; the batch's end syncs them. */
static rg_error *place(rg_journal *journal, const rg_record *record, size_t index,
		       const rg_side *side, const rg_buf *bytes, batch *b)
{
	const rg_entry *entry = &record->entries[index];
	const rg_side *other = side == &entry->new_side ? &entry->old : &entry->new_side;
	/* git's own modes for a file that appears go through the umask; others are kept. */
	bool exact = (side->mode != 0666 && side->mode != 0777) ||
		     (other->exists && other->mode == side->mode);
	char temporary[TEMPORARY_NAME];
	RG_AUTO(rg_fd) folder = -1;
	const char *name;

	if (b->count >= rg_descriptors_allow(BATCH, 1))
		RG_TRY(batch_finish(b, NULL));
	RG_TRY(rg_tree_folder(journal->tree, entry->path, true, &folder, &name));
	temporary_name(record, index, temporary);
	int fd = open_temporary(folder, temporary, side->mode & 0777);
	if (fd < 0)
		return rg_error_io(errno, "%s", entry->path);
	b->fds[b->count] = fd;
	b->paths[b->count++] = entry->path;
	RG_TRY(rg_write_all(fd, bytes->data, bytes->length, entry->path));
	if (exact && fchmod(fd, side->mode))
		return rg_error_io(errno, "%s", entry->path);
	return NULL;
}

/* Makes the side the file: the temporary takes its name, or the name goes. */
static rg_error *swap(rg_journal *journal, const rg_record *record, size_t index,
		      const rg_side *side)
{
	const rg_entry *entry = &record->entries[index];
	char temporary[TEMPORARY_NAME];
	RG_AUTO(rg_fd) folder = -1;
	const char *name;

	RG_TRY(rg_tree_folder(journal->tree, entry->path, false, &folder, &name));
	if (folder < 0)
		return side->exists ? rg_error_io(ENOENT, "%s", entry->path) : NULL;
	temporary_name(record, index, temporary);
	if (side->exists ? renameat(folder, temporary, folder, name)
			 : (unlinkat(folder, name, 0) && errno != ENOENT))
		return rg_error_io(errno, "%s", entry->path);
	return NULL;
}

static bool same_folder(const char *a, const char *b)
{
	const char *left = strrchr(a, '/'), *right = strrchr(b, '/');
	size_t length = left ? (size_t)(left - a) : 0;

	return length == (right ? (size_t)(right - b) : 0) && !strncmp(a, b, length);
}

/* Syncs the folders of all entries, each once where its entries are neighbours. */
static rg_error *sync_folders(rg_journal *journal, const rg_record *record)
{
	for (size_t i = 0; i < record->count; i++) {
		const char *path = record->entries[i].path, *name;
		RG_AUTO(rg_fd) folder = -1;

		if (i && same_folder(path, record->entries[i - 1].path))
			continue;
		RG_TRY(rg_tree_folder(journal->tree, path, false, &folder, &name));
		if (folder >= 0 && fsync(folder) && errno != EINVAL)
			return rg_error_io(errno, "%s", path);
	}
	return NULL;
}

/* Removes the folders that a file leaves empty, as git does. Some of those that were to be made for
 * it may be missing. */
static void remove_empty_folders(rg_journal *journal, const char *path)
{
	RG_AUTO_FREE char *copy = rg_strdup(path);
	char *slash;
	bool gone = true;

	while (gone && (slash = strrchr(copy, '/')) != NULL) {
		RG_AUTO(rg_fd) folder = -1;
		const char *name;

		*slash = '\0';
		RG_AUTO_PTR(rg_error)
		err = rg_tree_folder(journal->tree, copy, false, &folder, &name);
		if (err)
			return; /* an empty folder that stays does no harm */
		if (folder >= 0)
			gone = !unlinkat(folder, name, AT_REMOVEDIR) || errno == ENOENT;
	}
}

/* Puts all new bytes that are not in the tree yet beside their targets, and syncs them. */
static rg_error *place_all(rg_journal *journal, const rg_record *record, const bool *skip)
{
	rg_error *err = NULL;
	batch b = {.count = 0};
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_TREE_FILE_MAX);
	for (size_t i = 0; i < record->count && !err; i++) {
		const rg_side *fresh = &record->entries[i].new_side;
		if ((skip && skip[i]) || !fresh->exists)
			continue;
		err = rg_cancel_check();
		if (!err)
			err = rg_journal_side_bytes(journal->pending, "new", fresh, skip != NULL,
						    &bytes);
		if (!err)
			err = place(journal, record, i, fresh, &bytes, &b);
	}
	return batch_finish(&b, err);
}

static void remove_temporary(rg_journal *journal, const rg_record *record, size_t index)
{
	char temporary[TEMPORARY_NAME];
	const char *name;
	RG_AUTO(rg_fd) folder = -1;
	RG_AUTO_PTR(rg_error)
	err = rg_tree_folder(journal->tree, record->entries[index].path, false, &folder, &name);

	if (!err && folder >= 0) {
		temporary_name(record, index, temporary);
		unlinkat(folder, temporary, 0); /* mostly there is none */
	}
}

/*
 * From «pending» to every file in place. `skip` marks the entries that are there already; NULL: the
 * record was decided on a moment ago, by this process.
 */
static rg_error *go_forward(rg_journal *journal, const rg_record *record, const bool *skip)
{
	RG_TRY(place_all(journal, record, skip));
	for (size_t i = 0; i < record->count; i++) {
		if (skip && skip[i]) {
			/* An abort may have been killed when it was about to take this one back. */
			remove_temporary(journal, record, i);
			continue;
		}
		if (!skip)
			RG_TRY(rg_tree_check_untouched(journal->tree, record->entries[i].path,
						       &record->entries[i].old));
		RG_TRY(swap(journal, record, i, &record->entries[i].new_side));
	}
	RG_TRY(sync_folders(journal, record));
	for (size_t i = 0; i < record->count; i++)
		if (!record->entries[i].new_side.exists)
			remove_empty_folders(journal, record->entries[i].path);
	return NULL;
}

/* Gives one file its old bytes back where it has the new ones. */
static rg_error *take_back(rg_journal *journal, const rg_record *record, size_t index,
			   rg_buf *bytes)
{
	const rg_entry *entry = &record->entries[index];
	batch b = {.count = 0};
	rg_side now;

	RG_TRY(rg_journal_look(journal, entry->path, &now));
	if (!rg_side_equal(&now, &entry->new_side) && now.exists)
		return NULL; /* old already, or not ours */
	if (rg_side_equal(&now, &entry->old))
		return NULL;
	if (entry->old.exists) {
		RG_TRY(rg_journal_side_bytes(journal->pending, "old", &entry->old, true, bytes));
		RG_TRY(batch_finish(&b, place(journal, record, index, &entry->old, bytes, &b)));
	}
	return swap(journal, record, index, &entry->old);
}

/* From «pending» back to how it was. */
static rg_error *go_back(rg_journal *journal, const rg_record *record)
{
	rg_error *err = NULL;
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_TREE_FILE_MAX);
	for (size_t i = 0; i < record->count && !err; i++)
		err = take_back(journal, record, i, &bytes);
	for (size_t i = 0; i < record->count; i++) {
		remove_temporary(journal, record, i);
		if (!record->entries[i].old.exists)
			remove_empty_folders(journal, record->entries[i].path);
	}
	if (!err)
		err = sync_folders(journal, record);
	return err ? err : rg_journal_undecide(journal);
}

/* «pending» becomes «updates/ID». After the rename nothing can fail any more: the new bytes are in
 * the tree, and what is left of them here is only space. */
static rg_error *finish(rg_journal *journal, const rg_record *record)
{
	RG_AUTO_FREE char *dir = rg_journal_record_dir(journal, record->id);
	RG_AUTO_FREE char *leftover = rg_path_join(dir, "new");
	char reason[RG_ERRNO_TEXT];

	RG_TRY(rg_make_parent_dirs(dir, 0777));
	RG_TRY(rg_journal_rename(journal->pending, dir));
	if (unlink(leftover) && errno != ENOENT)
		rg_log_say(journal->log, RG_LOG_DETAIL, "%s stays: %s", leftover,
			   rg_errno_text(errno, reason));
	return NULL;
}

rg_error *rg_journal_apply(rg_journal *journal, rg_record *record, rg_entry_bytes_fn *bytes,
			   void *context)
{
	RG_TRY(rg_journal_next_id(journal, &record->id));
	record->time = (int64_t)time(NULL);
	RG_TRY(rg_journal_decide(journal, record, bytes, context));
	rg_error *err = go_forward(journal, record, NULL);
	if (!err)
		err = finish(journal, record);
	if (err) {
		/* The tree becomes what it was, or the error says how to get there. */
		RG_AUTO_PTR(rg_error) second = go_back(journal, record);
		if (!second)
			return err;
		return rg_error_wrap(
			err,
			"taking the update back failed as well (%s); mend the cause, "
			"then run 'regild update --abort' or '--continue'; what failed "
			"first",
			rg_error_message(second));
	}
	rg_journal_prune(journal);
	return NULL;
}

/* RG_E_CONFLICT with the names of the files that are neither as before nor as after nor gone;
 * `there` gets which are as after. */
static rg_error *look_at_all(rg_journal *journal, const rg_record *record, bool *there)
{
	RG_AUTO(rg_buf) names = rg_buf_of(RG_BUF_ANY);
	size_t strange = 0;

	for (size_t i = 0; i < record->count; i++) {
		const rg_entry *entry = &record->entries[i];
		rg_side now;

		RG_TRY(rg_journal_look(journal, entry->path, &now));
		there[i] = rg_side_equal(&now, &entry->new_side);
		if (there[i] || !now.exists || rg_side_equal(&now, &entry->old))
			continue;
		if (strange++ < NAMES_SHOWN)
			rg_buf_printf(&names, "%s%s", names.length ? ", " : "", entry->path);
	}
	if (strange > NAMES_SHOWN)
		rg_buf_printf(&names, " and %zu more", strange - NAMES_SHOWN);
	if (strange)
		return rg_error_new(RG_E_CONFLICT,
				    "changed since the interruption: %s; move them away, then try "
				    "again",
				    names.data);
	return NULL;
}

static rg_error *load_pending(rg_journal *journal, rg_record *record, bool **there)
{
	struct stat st;
	if (lstat(journal->pending, &st) && errno == ENOENT)
		return rg_error_new(RG_E_NOTFOUND, "no update was interrupted; nothing to do");
	RG_TRY(rg_error_wrap(
		rg_record_load(record, journal->pending),
		"what is kept of the interrupted update cannot be read; remove '%s' to "
		"leave the goldens as they are",
		journal->pending));
	*there = rg_calloc(record->count + 1, sizeof(**there));
	return look_at_all(journal, record, *there);
}

rg_error *rg_journal_continue(rg_journal *journal, rg_record *done)
{
	RG_AUTO_FREE bool *there = NULL;
	RG_TRY(load_pending(journal, done, &there));
	RG_TRY(go_forward(journal, done, there));
	RG_TRY(finish(journal, done));
	rg_journal_prune(journal);
	return NULL;
}

rg_error *rg_journal_abort(rg_journal *journal, rg_record *done)
{
	RG_AUTO_FREE bool *there = NULL;
	RG_TRY(load_pending(journal, done, &there));
	return go_back(journal, done);
}
