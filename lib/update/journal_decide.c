/* SPDX-License-Identifier: Apache-2.0 */
/* Deciding on a record: all old and new bytes are put on disk, then one rename makes it count. */

#include "base/file.h"
#include "update/journal_state.h"
#include "update/safe_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
	rg_buf bytes;
	pack p;

	rg_buf_init(&bytes, RG_TREE_FILE_MAX);
	rg_error *err = pack_open(&p, journal->preparing, "old");
	for (size_t i = 0; i < record->count && !err; i++) {
		rg_entry *entry = &record->entries[i];
		err = rg_tree_read_again(journal->tree, entry->path, &bytes, &entry->old);
		if (!err && entry->old.exists)
			err = pack_add(&p, &entry->old, &bytes);
	}
	err = pack_close(&p, err);
	rg_buf_release(&bytes);
	return err;
}

static rg_error *keep_new(rg_journal *journal, rg_record *record, rg_entry_bytes_fn *give,
			  void *context)
{
	rg_buf bytes;
	pack p;

	rg_buf_init(&bytes, RG_TREE_FILE_MAX);
	rg_error *err = pack_open(&p, journal->preparing, "new");
	for (size_t i = 0; i < record->count && !err; i++) {
		if (!record->entries[i].new_side.exists)
			continue;
		rg_buf_clear(&bytes);
		err = give(context, i, &bytes);
		if (!err)
			err = pack_add(&p, &record->entries[i].new_side, &bytes);
	}
	err = pack_close(&p, err);
	rg_buf_release(&bytes);
	return err;
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
