/* SPDX-License-Identifier: Apache-2.0 */
#include "update/update_log.h"

#include "base/memory.h"
#include "base/path.h"
#include "update/safe_tree.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_SHOWN = 10 };

typedef struct {
	rg_journal *journal;
	const rg_record *record;
} undone;

static rg_error *give_old(void *context, size_t index, rg_buf *out)
{
	const undone *u = context;
	return rg_journal_old_bytes(u->journal, u->record, index, out);
}

/* The record turned round; `strange` gets the names of the files that are not as it left them.
 * `index` NULL: the record has not touched it. */
static rg_error *turn_round(rg_journal *journal, rg_worktree *worktree, const rg_index *index,
			    const rg_record *record, rg_record *done, rg_buf *strange)
{
	size_t count = 0;
	for (size_t i = 0; i < record->count; i++) {
		const rg_entry *entry = &record->entries[i];
		rg_entry *back;
		rg_side now;

		RG_TRY(rg_tree_check(rg_journal_tree(journal), "", entry->path));
		RG_TRY(rg_journal_look(journal, entry->path, &now));
		back = rg_record_add(done, entry->path);
		back->old = now;
		back->new_side = entry->old;
		if (!rg_side_equal(&now, &entry->new_side) && count++ < NAMES_SHOWN)
			rg_buf_printf(strange, "%s%s", strange->length ? ", " : "", entry->path);
		/* The record's own part of the index, where it has been left alone since. */
		if (index && entry->index.known && rg_index_is_as_file(index, worktree, back->path))
			back->index = rg_index_look(index, back->path);
	}
	if (count > NAMES_SHOWN)
		rg_buf_printf(strange, " and %zu more", count - NAMES_SHOWN);
	return rg_buf_check(strange, "names");
}

rg_error *rg_undo(rg_journal *journal, rg_worktree *worktree, const rg_record *record,
		  rg_record *done)
{
	undone u = {journal, record};
	RG_AUTO_PTR(rg_index) index = NULL;
	RG_AUTO(rg_buf) strange = rg_buf_of(RG_BUF_TEXT);

	done->kind = RG_RECORD_UNDO;
	done->of = record->id;
	if (worktree && rg_record_touches_index(record))
		RG_TRY(rg_index_open(&index, worktree));
	RG_TRY(turn_round(journal, worktree, index, record, done, &strange));
	if (strange.length)
		return rg_error_new(RG_E_CONFLICT, "%s %llu cannot be undone: changed since: %s",
				    rg_record_kind_text(record->kind),
				    (unsigned long long)record->id, strange.data);
	return rg_journal_apply(journal, done, give_old, &u);
}

rg_error *rg_undo_index(rg_worktree *worktree, const rg_record *record, const rg_record *done,
			size_t *count)
{
	RG_AUTO_FREE rg_index_change *changes = rg_calloc(done->count + 1, sizeof(*changes));
	size_t wanted = 0;

	*count = 0;
	for (size_t i = 0; i < done->count && i < record->count; i++) {
		const rg_entry *before = &record->entries[i], *entry = &done->entries[i];
		if (entry->index.known && before->index.known && !strcmp(before->path, entry->path))
			changes[wanted++] =
				(rg_index_change){entry->path, entry->index, before->index};
	}
	rg_error *err = rg_worktree_restage(worktree, changes, wanted, count);
	return rg_error_wrap(err, "the files are put back, but not the index; use 'git restore "
				  "--staged'");
}

rg_error *rg_update_log_read(rg_update_log *out, rg_journal *journal)
{
	RG_AUTO_FREE uint64_t *ids = NULL;
	size_t count;

	*out = (rg_update_log){0};
	RG_TRY(rg_journal_list(journal, &ids, &count));
	out->records = rg_calloc(count + 1, sizeof(*out->records));
	out->undone = rg_calloc(count + 1, sizeof(*out->undone));
	for (size_t i = 0; i < count; i++) {
		rg_record_init(&out->records[i]);
		out->count++;
		rg_error *err = rg_journal_load(journal, ids[i], &out->records[i]);
		if (err) {
			rg_update_log_release(out);
			return err;
		}
	}
	for (size_t i = 0; i < count; i++) {
		if (out->undone[i] || out->records[i].kind != RG_RECORD_UNDO)
			continue;
		for (size_t j = i + 1; j < count; j++)
			if (out->records[j].id == out->records[i].of)
				out->undone[j] = true;
	}
	return NULL;
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
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_TREE_FILE_MAX);

	*out = false;
	RG_TRY(rg_index_hidden_work(index, worktree, path, id));
	if (!*id)
		return NULL;
	RG_TRY(rg_worktree_blob(worktree, id, &bytes));
	RG_TRY(rg_sha256_hex(bytes.data, bytes.length, sha256));
	*out = !rg_update_log_wrote(update_log, path, sha256);
	return NULL;
}
