/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What comes before any comparison, alone: finds the goldens that differ from HEAD in the working
 * tree and reads both sides of each, on all cores, as `regild compare` does. Nothing is parsed,
 * compared or written, so that what is left of a comparison's time is its own.
 *
 * usage: sides ROOT   in a repository; ends with 1 where something could not be read
 */
#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"
#include "golden/golden.h"
#include "worktree/worktree.h"

#include <stdatomic.h>
#include <stdio.h>
#include <pthread.h>
#include <stdlib.h>

enum { THREADS_MAX = 16, FILE_MAX = 256 << 20 };

typedef struct {
	rg_worktree *worktree;
	rg_change_list changes;
	atomic_size_t next;
} work;

typedef struct {
	work *work;
	rg_worktree *own; /* a handle is for one thread; NULL: the work's */
	pthread_t thread;
	rg_error *err;
} reader;

static rg_error *read_change(rg_worktree *worktree, const rg_change *change, rg_buf *bytes)
{
	rg_blob blob;
	rg_error *err;
	char *path;

	if (change->kind != RG_CHANGE_MODIFIED)
		return NULL;
	RG_TRY(rg_blob_open(&blob, worktree, change->old_id, FILE_MAX));
	rg_blob_release(&blob);
	path = rg_textf("%s%s", rg_worktree_root(worktree), change->path);
	rg_buf_clear(bytes);
	err = rg_file_read(bytes, path);
	free(path);
	return err;
}

static void *run(void *argument)
{
	reader *self = argument;
	work *w = self->work;
	rg_buf bytes;
	size_t i;

	rg_buf_init(&bytes, FILE_MAX);
	while (!self->err && (i = atomic_fetch_add(&w->next, 1)) < w->changes.count)
		self->err = read_change(self->own ? self->own : w->worktree, &w->changes.items[i],
					&bytes);
	rg_buf_release(&bytes);
	return NULL;
}

static rg_error *read_all(work *w)
{
	size_t wanted = rg_cores() < THREADS_MAX ? rg_cores() : THREADS_MAX, count = 1, i;
	reader readers[THREADS_MAX] = {{.work = w}};
	rg_error *err = NULL;

	for (; !err && count < wanted; count++) {
		readers[count].work = w;
		err = rg_worktree_open_again(&readers[count].own, w->worktree);
		if (!err && pthread_create(&readers[count].thread, NULL, run, &readers[count]))
			break;
	}
	run(&readers[0]);
	err = rg_error_first(err, readers[0].err);
	for (i = 1; i < count; i++) {
		pthread_join(readers[i].thread, NULL);
		err = rg_error_first(err, readers[i].err);
		rg_worktree_free(readers[i].own);
	}
	return err;
}

int main(int argc, char **argv)
{
	const rg_change_query query = {
		.root = argc > 1 ? argv[1] : NULL,
		.files = "golden_values*.json",
		.unsure = true,
	};
	work w = {0};
	rg_error *err = rg_worktree_open(&w.worktree, NULL);
	bool failed;

	if (!err)
		err = rg_worktree_changes(w.worktree, &query, &w.changes);
	if (!err)
		err = read_all(&w);
	if (err)
		fprintf(stderr, "sides: %s\n", rg_error_message(err));
	failed = err != NULL;
	rg_error_free(err);
	rg_change_list_release(&w.changes);
	rg_worktree_free(w.worktree);
	return failed;
}
