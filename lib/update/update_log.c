/* SPDX-License-Identifier: Apache-2.0 */
#include "update/update_log.h"

#include "base/memory.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

static void mark_undone(rg_update_log *update_log)
{
	for (size_t i = 0; i < update_log->count; i++) {
		if (update_log->undone[i] || update_log->records[i].kind != RG_RECORD_UNDO)
			continue;
		for (size_t j = i + 1; j < update_log->count; j++)
			if (update_log->records[j].id == update_log->records[i].of)
				update_log->undone[j] = true;
	}
}

rg_error *rg_update_log_read(rg_update_log *out, rg_journal *journal)
{
	uint64_t *ids;
	size_t count;

	*out = (rg_update_log){0};
	RG_TRY(rg_journal_list(journal, &ids, &count));
	out->records = rg_calloc(count + 1, sizeof(*out->records));
	out->undone = rg_calloc(count + 1, sizeof(*out->undone));
	rg_error *err = NULL;
	for (size_t i = 0; i < count && !err; i++) {
		rg_record_init(&out->records[i]);
		out->count++;
		err = rg_journal_load(journal, ids[i], &out->records[i]);
	}
	free(ids);
	if (err)
		rg_update_log_release(out);
	else
		mark_undone(out);
	return err;
}

void rg_update_log_release(rg_update_log *update_log)
{
	for (size_t i = 0; i < update_log->count; i++)
		rg_record_release(&update_log->records[i]);
	free(update_log->records);
	free(update_log->undone);
	*update_log = (rg_update_log){0};
}

const rg_record *rg_update_log_latest(const rg_update_log *update_log)
{
	for (size_t i = 0; i < update_log->count; i++)
		if (!update_log->undone[i] && update_log->records[i].kind != RG_RECORD_UNDO)
			return &update_log->records[i];
	return NULL;
}

static int compare_entry(const void *path, const void *entry)
{
	return rg_path_compare(path, ((const rg_entry *)entry)->path);
}

bool rg_update_log_wrote(const rg_update_log *update_log, const char *path, const char *sha256)
{
	for (size_t i = 0; i < update_log->count; i++) {
		const rg_record *record = &update_log->records[i];
		const rg_entry *entry = record->count
						? bsearch(path, record->entries, record->count,
							  sizeof(*entry), compare_entry)
						: NULL;

		if (record->kind == RG_RECORD_UPDATE && entry && entry->new_side.exists &&
		    !strcmp(entry->new_side.sha256, sha256))
			return true;
	}
	return false;
}

rg_error *rg_update_log_hides_work(const rg_update_log *update_log, const rg_index *index,
				   rg_worktree *worktree, const char *path, bool *out)
{
	char id[41], sha256[RG_SHA256_HEX];
	rg_buf bytes;

	*out = false;
	RG_TRY(rg_index_hidden_work(index, worktree, path, id));
	if (!*id)
		return NULL;
	rg_buf_init(&bytes, RG_TREE_FILE_MAX);
	rg_error *err = rg_worktree_blob(worktree, id, &bytes);
	if (!err)
		err = rg_sha256_hex(bytes.data, bytes.length, sha256);
	rg_buf_release(&bytes);
	if (!err)
		*out = !rg_update_log_wrote(update_log, path, sha256);
	return err;
}
