#include "update/undo.h"

#include "update/tree.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_SHOWN = 10 };

static void mark_undone(rg_history *history)
{
	size_t i, j;

	for (i = 0; i < history->count; i++) {
		if (history->undone[i] || history->records[i].kind != RG_RECORD_UNDO)
			continue;
		for (j = i + 1; j < history->count; j++)
			if (history->records[j].id == history->records[i].of)
				history->undone[j] = true;
	}
}

rg_error *rg_history_read(rg_history *out, rg_journal *journal)
{
	uint64_t *ids;
	rg_error *err;
	size_t count, i;

	*out = (rg_history){0};
	RG_TRY(rg_journal_list(journal, &ids, &count));
	out->records = calloc(count + 1, sizeof(*out->records));
	out->undone = calloc(count + 1, sizeof(*out->undone));
	err = out->records && out->undone ? NULL : rg_error_nomem();
	for (i = 0; i < count && !err; i++) {
		rg_record_init(&out->records[i]);
		out->count++;
		err = rg_journal_load(journal, ids[i], &out->records[i]);
	}
	free(ids);
	if (err)
		rg_history_release(out);
	else
		mark_undone(out);
	return err;
}

void rg_history_release(rg_history *history)
{
	size_t i;

	for (i = 0; i < history->count; i++)
		rg_record_release(&history->records[i]);
	free(history->records);
	free(history->undone);
	*history = (rg_history){0};
}

const rg_record *rg_history_latest(const rg_history *history)
{
	size_t i;

	for (i = 0; i < history->count; i++)
		if (!history->undone[i] && history->records[i].kind != RG_RECORD_UNDO)
			return &history->records[i];
	return NULL;
}

static int compare_entry(const void *path, const void *entry)
{
	return rg_path_compare(path, ((const rg_entry *)entry)->path);
}

bool rg_history_wrote(const rg_history *history, const char *path, const char *sha256)
{
	size_t i;

	for (i = 0; i < history->count; i++) {
		const rg_record *record = &history->records[i];
		const rg_entry *entry = record->count
						? bsearch(path, record->entries, record->count,
							  sizeof(*entry), compare_entry)
						: NULL;

		if (record->kind == RG_RECORD_UPDATE && entry && entry->new.exists &&
		    !strcmp(entry->new.sha256, sha256))
			return true;
	}
	return false;
}

rg_error *rg_history_hides_work(const rg_history *history, const rg_index *index,
				rg_worktree *worktree, const char *path, bool *out)
{
	char id[41], sha256[RG_SHA256_HEX];
	rg_error *err;
	rg_buf bytes;

	*out = false;
	RG_TRY(rg_index_hidden_work(index, worktree, path, id));
	if (!*id)
		return NULL;
	rg_buf_init(&bytes, RG_TREE_FILE_MAX);
	err = rg_worktree_blob(worktree, id, &bytes);
	if (!err)
		err = rg_sha256_hex(bytes.data, bytes.length, sha256);
	rg_buf_release(&bytes);
	if (!err)
		*out = !rg_history_wrote(history, path, sha256);
	return err;
}

typedef struct {
	rg_journal *journal;
	const rg_record *record;
} undone;

static rg_error *give_old(void *context, size_t index, rg_buf *out)
{
	const undone *u = context;

	return rg_journal_old_bytes(u->journal, u->record, index, out);
}

/* The record turned round; `strange` gets the names of the files that are not as it left them. */
static rg_error *turn_round(rg_journal *journal, const rg_record *record, rg_record *done,
			    rg_buf *strange)
{
	size_t i, count = 0;

	for (i = 0; i < record->count; i++) {
		const rg_entry *entry = &record->entries[i];
		rg_entry *back;
		rg_side now;

		RG_TRY(rg_tree_check(rg_journal_tree(journal), "", entry->path));
		RG_TRY(rg_journal_look(journal, entry->path, &now));
		RG_TRY(rg_record_add(done, entry->path, &back));
		back->old = now;
		back->new = entry->old;
		if (!rg_side_equal(&now, &entry->new) && count++ < NAMES_SHOWN)
			rg_buf_printf(strange, "%s%s", strange->length ? ", " : "", entry->path);
	}
	if (count > NAMES_SHOWN)
		rg_buf_printf(strange, " and %zu more", count - NAMES_SHOWN);
	return rg_buf_check(strange, "names");
}

rg_error *rg_undo(rg_journal *journal, const rg_record *record, rg_record *done)
{
	undone u = {journal, record};
	rg_error *err;
	rg_buf strange;

	rg_buf_init(&strange, RG_BUF_TEXT);
	done->kind = RG_RECORD_UNDO;
	done->of = record->id;
	err = turn_round(journal, record, done, &strange);
	if (!err && strange.length)
		err = rg_error_new(RG_E_CONFLICT, "%s %llu cannot be undone: changed since: %s",
				   rg_record_kind_text(record->kind),
				   (unsigned long long)record->id, strange.data);
	if (!err)
		err = rg_journal_apply(journal, done, give_old, &u);
	rg_buf_release(&strange);
	return err;
}
