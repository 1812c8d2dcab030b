/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A noise model's file in which one series is anything. The fields of the input end with a byte
 * 255: the runs, the scores, the steps, the records and the values; before them, a byte each, how
 * many steps there are and the first of them. Whatever they are, the model is read or refused, and
 * what is read can be judged by.
 */
#include "require.h"

#include "audit/verdict.h"
#include "store/noise_file.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[64];
static sqlite3 *db;

static void forget(void)
{
	sqlite3_close(db);
	unlink(path);
}

static rg_error *write_file(void *context, const void *bytes, size_t length)
{
	const int fd = mkstemp(path);
	(void)context;
	require(fd >= 0 && write(fd, bytes, length) == (ssize_t)length && !close(fd),
		"a file that cannot be written");
	return NULL;
}

/* A file without series. */
static void make_file(void)
{
	static const rg_audit_run runs[] = {{"1", "", "", ""}, {"2", "", "", ""}};
	const rg_noise_model model = {.runs = runs, .run_count = 2};

	snprintf(path, sizeof(path), "/tmp/fuzz-noise-XXXXXX");
	require(!rg_noise_file_write(&model, write_file, NULL), "a model that cannot be written");
	require(sqlite3_open(path, &db) == SQLITE_OK, "a file that cannot be opened");
	atexit(forget);
}

static void judge(const rg_noise_model *model)
{
	static const double values[] = {10.4, 2};
	static const int64_t steps[] = {1, 5};
	const rg_metric metric = {.name = "lm loss",
				  .kind = RG_METRIC_SERIES,
				  .count = 2,
				  .steps = steps,
				  .values = values};
	const rg_noise_judge_context with = {.model = model, .level = 0.1};
	rg_verdict verdict;
	rg_arena arena;

	rg_arena_init(&arena);
	rg_error_free(rg_noise_judge(&verdict, &arena, &with, "a/b/golden.json", &metric, &metric,
				     RG_NEAR_ZERO));
	rg_arena_release(&arena);
}

static void run(const char *sql, const uint8_t *data, size_t size, int fields)
{
	sqlite3_stmt *statement;

	require(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, "no statement");
	for (int at = 1; size && at <= 2; at++, data++, size--)
		sqlite3_bind_int(statement, at, (int8_t)*data);
	for (int at = 3; at < fields + 3; at++) {
		const uint8_t *end = size ? memchr(data, 255, size) : NULL;
		const size_t length = end ? (size_t)(end - data) : size;
		if (at == 4 || at == 7)
			sqlite3_bind_blob(statement, at, data ? (const char *)data : "",
					  (int)length, SQLITE_STATIC);
		else
			sqlite3_bind_text(statement, at, data ? (const char *)data : "",
					  (int)length, SQLITE_STATIC);
		data = end ? end + 1 : data + length;
		size -= end ? length + 1 : length;
	}
	require(sqlite3_step(statement) == SQLITE_DONE, "a row that cannot be put");
	sqlite3_finalize(statement);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	rg_noise_model model;

	if (!db)
		make_file();
	run("DELETE FROM series", NULL, 0, 0);
	run("DELETE FROM contents", NULL, 0, 0);
	run("INSERT INTO series SELECT 1, 'a/b/golden.json', 'lm loss', 'all', NULL, ?3, "
	    "coalesce(?1, 1), 0, nullif(?4, x'30')",
	    data, size, 2);
	run("INSERT INTO contents SELECT 1, coalesce(?2, 0), ?5, nullif(?6, ''), ?7", data, size,
	    5);
	rg_error *err = rg_noise_file_open(&model, path);
	if (!err)
		judge(&model);
	rg_noise_model_release(&model);
	rg_error_free(err);
	return 0;
}
