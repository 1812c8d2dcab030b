/* SPDX-License-Identifier: Apache-2.0 */
#include "update/journal.h"

#include "base/memory.h"
#include "base/counts.h"
#include "base/file.h"
#include "base/number.h"
#include "base/order.h"
#include "update/journal_state.h"
#include "update/safe_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum { LOCK_TRIES = 5 };

rg_error *rg_journal_open(rg_journal **out, const char *root, const char *git_dir,
			  const rg_log *log)
{
	rg_journal *journal = rg_calloc(1, sizeof(*journal));
	*out = NULL;
	journal->tree = journal->lock = -1;
	journal->log = log;
	journal->root = rg_strdup(root);
	journal->dir = rg_path_join(git_dir, "regild");
	journal->preparing = rg_path_join(journal->dir, "preparing");
	journal->pending = rg_path_join(journal->dir, "pending");
	rg_error *err = rg_tree_open(&journal->tree, root);
	if (err) {
		rg_journal_close(journal);
		return err;
	}
	*out = journal;
	return NULL;
}

void rg_journal_close(rg_journal *journal)
{
	if (!journal)
		return;
	if (journal->lock >= 0) {
		/* Empty: let go in order. Failing, it is only taken for a stale one. */
		if (ftruncate(journal->lock, 0))
			rg_log_say(journal->log, RG_LOG_DEBUG, "the lock could not be emptied");
		close(journal->lock);
	}
	if (journal->tree >= 0)
		close(journal->tree);
	free(journal->pending);
	free(journal->preparing);
	free(journal->dir);
	free(journal->root);
	free(journal);
}

int rg_journal_tree(const rg_journal *journal)
{
	return journal->tree;
}

/* The process id in the lock file, 0 for none. */
static long read_holder(int fd)
{
	char text[32];
	ssize_t length = pread(fd, text, sizeof(text) - 1, 0);
	int64_t pid = 0;

	if (length <= 0)
		return 0;
	text[length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return rg_int64_parse(text, strlen(text), &pid) ? (long)pid : 0;
}

/* A process that only looks whether something is pending has the lock for a moment, too. */
static bool lock_soon(int fd)
{
	static const struct timespec pause = {0, 20 * 1000000};
	int tries = LOCK_TRIES;

	while (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK || !--tries)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

static rg_error *take_lock(const rg_journal *journal, int fd, const char *path)
{
	char text[32];
	bool taken = lock_soon(fd);

	if (!taken && errno != EWOULDBLOCK)
		return rg_error_io(errno, "%s", path);
	long holder = read_holder(fd);
	if (!taken && !holder)
		return rg_error_new(RG_E_CONFLICT, "another regild is changing the goldens of this "
						   "working tree; wait until it has ended");
	if (!taken)
		return rg_error_new(
			RG_E_CONFLICT,
			"process %ld is changing the goldens of this working tree; wait "
			"until it has ended",
			holder);
	if (holder)
		rg_log_say(journal->log, RG_LOG_INFO,
			   "process %ld ended without letting its lock go; taking it over", holder);
	int length = snprintf(text, sizeof(text), "%ld\n", (long)getpid());
	if (ftruncate(fd, 0))
		return rg_error_io(errno, "%s", path);
	return rg_write_all(fd, text, (size_t)length, path);
}

rg_error *rg_journal_lock(rg_journal *journal)
{
	RG_TRY(rg_make_dirs(journal->dir, 0777));
	RG_AUTO_FREE char *path = rg_path_join(journal->dir, "lock");
	RG_AUTO(rg_fd) fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0)
		return rg_error_io(errno, "%s", path);
	RG_TRY(take_lock(journal, fd, path));
	journal->lock = fd;
	fd = -1;
	return NULL;
}

static rg_error *is_there(const rg_journal *journal, bool *out)
{
	struct stat st;
	*out = !lstat(journal->pending, &st);
	return *out || errno == ENOENT || errno == ENOTDIR
		       ? NULL
		       : rg_error_io(errno, "%s", journal->pending);
}

rg_error *rg_journal_pending(rg_journal *journal, bool *out, size_t *entries)
{
	RG_AUTO_FREE char *path = rg_path_join(journal->dir, "lock");
	RG_AUTO(rg_fd) lock = -1;

	if (entries)
		*entries = 0;
	RG_TRY(is_there(journal, out));
	if (!*out)
		return NULL;
	/* Is a live process at work? Where none is, none begins before the lock is closed; -1:
	 * nobody ever locked. */
	if (journal->lock < 0)
		lock = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	bool held = lock >= 0 && flock(lock, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
	RG_TRY(is_there(journal, out));
	*out = *out && !held;
	if (*out && entries) {
		/* 0 where the record cannot be read: --continue and --abort say so. */
		RG_AUTO(rg_record) record = {0};
		RG_AUTO_PTR(rg_error) err = rg_record_load(&record, journal->pending);
		*entries = err ? 0 : record.count;
	}
	return NULL;
}

char *rg_journal_record_dir(const rg_journal *journal, uint64_t id)
{
	return rg_textf("%s/updates/%llu", journal->dir, (unsigned long long)id);
}

RG_ORDER(newest_first, uint64_t, RG_BY(*y, *x));

rg_error *rg_journal_list(rg_journal *journal, uint64_t **out, size_t *count)
{
	RG_AUTO_FREE char *path = rg_path_join(journal->dir, "updates");
	RG_AUTO_FREE uint64_t *ids = NULL;
	size_t found = 0, capacity = 0;
	struct dirent *entry;

	*out = NULL;
	*count = 0;
	DIR *folder = opendir(path);
	if (!folder)
		return errno == ENOENT ? NULL : rg_error_io(errno, "%s", path);
	while ((errno = 0, entry = readdir(folder)) != NULL) {
		uint64_t id;
		if (rg_uint64_parse(entry->d_name, strlen(entry->d_name), &id) && id)
			*RG_PUSH(ids, found, capacity) = id;
	}
	int failed = errno;
	closedir(folder);
	if (failed)
		return rg_error_io(failed, "%s", path);
	if (found)
		qsort(ids, found, sizeof(*ids), newest_first);
	*count = found;
	*out = RG_TAKE(ids);
	return NULL;
}

rg_error *rg_journal_next_id(rg_journal *journal, uint64_t *out)
{
	RG_AUTO_FREE uint64_t *ids = NULL;
	size_t count;

	RG_TRY(rg_journal_list(journal, &ids, &count));
	*out = count ? ids[0] + 1 : 1;
	return NULL;
}

void rg_journal_prune(rg_journal *journal)
{
	RG_AUTO_FREE uint64_t *ids = NULL;
	size_t count = 0;
	RG_AUTO_PTR(rg_error) err = rg_journal_list(journal, &ids, &count);

	for (size_t i = RG_JOURNAL_KEPT; i < count && !err; i++) {
		/* By one rename, so that no part of a record is left. */
		RG_AUTO_FREE char *dir = rg_journal_record_dir(journal, ids[i]);
		err = rg_remove_tree(journal->preparing);
		if (!err)
			err = rg_journal_rename(dir, journal->preparing);
		if (!err)
			err = rg_remove_tree(journal->preparing);
	}
	if (err)
		rg_log_say(journal->log, RG_LOG_WARNING, "old updates stay: %s",
			   rg_error_message(err));
}

rg_error *rg_journal_load(rg_journal *journal, uint64_t id, rg_record *out)
{
	RG_AUTO_FREE char *dir = rg_journal_record_dir(journal, id);
	struct stat st;

	if (lstat(dir, &st) && errno == ENOENT)
		return rg_error_new(RG_E_NOTFOUND,
				    "update %llu is not kept; 'regild undo --list' shows the last "
				    "%d",
				    (unsigned long long)id, RG_JOURNAL_KEPT);
	return rg_error_wrap(rg_record_load(out, dir),
			     "what is kept of update %llu cannot be read; remove '%s' to go "
			     "on without it",
			     (unsigned long long)id, dir);
}

rg_error *rg_journal_side_bytes(const char *dir, const char *file, const rg_side *side, bool check,
				rg_buf *out)
{
	RG_AUTO_FREE char *path = rg_path_join(dir, file);
	char sha256[RG_SHA256_HEX];

	rg_buf_clear(out);
	RG_AUTO(rg_fd) fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return rg_error_io(errno, "%s", path);
	if (side->size > RG_TREE_FILE_MAX || !rg_buf_reserve(out, (size_t)side->size))
		rg_out_of_memory();
	out->length = (size_t)side->size;
	out->data[out->length] = '\0';
	RG_TRY(rg_read_at(fd, side->offset, out->data, out->length, path));
	if (!check)
		return NULL;
	rg_count_up(RG_COUNT_HASHED);
	RG_TRY(rg_sha256_hex(out->data, out->length, sha256));
	if (strcmp(sha256, side->sha256) != 0)
		return rg_error_new(RG_E_MISMATCH, "%s: the kept bytes are damaged", path);
	return NULL;
}

rg_error *rg_journal_old_bytes(rg_journal *journal, const rg_record *record, size_t index,
			       rg_buf *out)
{
	RG_AUTO_FREE char *dir = rg_journal_record_dir(journal, record->id);
	return rg_journal_side_bytes(dir, "old", &record->entries[index].old, true, out);
}

rg_error *rg_journal_look(rg_journal *journal, const char *path, rg_side *out)
{
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_TREE_FILE_MAX);
	return rg_tree_read(journal->tree, path, &bytes, out);
}

/* --- deciding on a record: all bytes are put on disk, then one rename makes it count --- */

/* The file that all bytes of one side are written to, one after the other. */
typedef struct {
	int fd;
	uint64_t offset;
	char *path;
} pack;

static rg_error *pack_open(pack *p, const char *dir, const char *file)
{
	*p = (pack){-1, 0, NULL};
	p->path = rg_path_join(dir, file);
	p->fd = open(p->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return p->fd < 0 ? rg_error_io(errno, "%s", p->path) : NULL;
}

static rg_error *pack_add(pack *p, rg_side *side, const rg_buf *bytes)
{
	side->offset = p->offset;
	p->offset += bytes->length;
	return rg_write_all(p->fd, bytes->data, bytes->length, p->path);
}

/* Syncs unless something failed already, closes, and gives the first failure back. */
static rg_error *pack_close(pack *p, rg_error *err)
{
	if (!err && fsync(p->fd))
		err = rg_error_io(errno, "%s", p->path);
	if (p->fd >= 0 && close(p->fd) && !err)
		err = rg_error_io(errno, "%s", p->path);
	free(p->path);
	return err;
}

static rg_error *keep_old(rg_journal *journal, rg_record *record)
{
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_TREE_FILE_MAX);
	pack p;
	rg_error *err = pack_open(&p, journal->preparing, "old");
	for (size_t i = 0; i < record->count && !err; i++) {
		rg_entry *entry = &record->entries[i];
		err = rg_tree_read_again(journal->tree, entry->path, &bytes, &entry->old);
		if (!err && entry->old.exists)
			err = pack_add(&p, &entry->old, &bytes);
	}
	return pack_close(&p, err);
}

static rg_error *keep_new(rg_journal *journal, rg_record *record, rg_entry_bytes_fn *give,
			  void *context)
{
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_TREE_FILE_MAX);
	pack p;
	rg_error *err = pack_open(&p, journal->preparing, "new");
	for (size_t i = 0; i < record->count && !err; i++) {
		if (!record->entries[i].new_side.exists)
			continue;
		rg_buf_clear(&bytes);
		err = give(context, i, &bytes);
		if (!err)
			err = pack_add(&p, &record->entries[i].new_side, &bytes);
	}
	return pack_close(&p, err);
}

rg_error *rg_journal_rename(const char *from, const char *to)
{
	return rename(from, to) ? rg_error_io(errno, "%s", to) : NULL;
}

rg_error *rg_journal_undecide(rg_journal *journal)
{
	RG_TRY(rg_remove_tree(journal->preparing));
	RG_TRY(rg_journal_rename(journal->pending, journal->preparing));
	RG_TRY(rg_sync_parent_dir(journal->pending));
	return rg_remove_tree(journal->preparing);
}

rg_error *rg_journal_decide(rg_journal *journal, rg_record *record, rg_entry_bytes_fn *give,
			    void *context)
{
	RG_TRY(rg_remove_tree(journal->preparing));
	RG_TRY(rg_make_dirs(journal->preparing, 0777));
	rg_error *err = keep_old(journal, record);
	if (!err)
		err = keep_new(journal, record, give, context);
	if (!err)
		err = rg_record_save(record, journal->preparing);
	if (!err)
		err = rg_sync_parent_dir(journal->dir);
	if (!err)
		err = rg_journal_rename(journal->preparing, journal->pending);
	if (err)
		return rg_error_first(err, rg_remove_tree(journal->preparing));
	err = rg_sync_parent_dir(journal->pending);
	return err ? rg_error_first(err, rg_journal_undecide(journal)) : NULL;
}
