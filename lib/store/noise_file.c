/* SPDX-License-Identifier: Apache-2.0 */
#include "store/noise_file.h"

#include "golden/records.h"
#include "golden/series_bytes.h"
#include "golden/series_text.h"
#include "store/sqlite.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define INSERT(db, sql, ...)                                                                    \
	rg_sqlite_run(db, sql, (const rg_sqlite_value[]){__VA_ARGS__},                          \
		      sizeof((const rg_sqlite_value[]){__VA_ARGS__}) / sizeof(rg_sqlite_value), \
		      NULL, NULL)
#define STEP_MAX ((int64_t)1 << 53) /* whole numbers that a double holds */

/* Described in man/regild-history.5. */
static const rg_sqlite_kind noise_kind = {
	.application_id = 0x72676e6d, /* "rgnm" */
	.version = 1,
	.session = "PRAGMA journal_mode = OFF; PRAGMA cache_size = -256",
	.schema = "CREATE TABLE audit (group_by TEXT NOT NULL, fail_rate REAL NOT NULL,"
		  " multiplier REAL NOT NULL, start_step INTEGER NOT NULL,"
		  " error_rate REAL NOT NULL);"
		  "CREATE TABLE runs (run INTEGER PRIMARY KEY, id TEXT NOT NULL,"
		  " \"when\" TEXT NOT NULL, branch TEXT NOT NULL, commit_id TEXT NOT NULL);"
		  "CREATE TABLE series (series INTEGER PRIMARY KEY, file TEXT NOT NULL,"
		  " metric TEXT NOT NULL, runs_of TEXT NOT NULL, regime_from TEXT,"
		  " runs TEXT NOT NULL, n_steps INTEGER NOT NULL, drifts INTEGER NOT NULL,"
		  " scores BLOB);"
		  "CREATE TABLE contents (series INTEGER PRIMARY KEY,"
		  " first_step INTEGER NOT NULL, steps TEXT NOT NULL, records TEXT,"
		  " \"values\" BLOB NOT NULL);",
	.checked = true,
};

static rg_error *write_series(rg_sqlite *db, const rg_noise_model *model,
			      const rg_noise_series *series, int64_t key)
{
	const rg_noise_content *content = &series->content;
	RG_AUTO(rg_buf) scores = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) steps = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) records = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO_FREE char *runs = rg_calloc(model->run_count + 1, 1);
	memset(runs, '0', model->run_count);
	for (size_t i = 0; i < series->run_count; i++)
		runs[series->runs[i]] = '1';
	RG_TRY(rg_noise_scores_pack(&scores, series));
	if (content->records)
		rg_records_write(&records, content->records);
	rg_steps_pack(&steps, &(rg_metric){.steps = content->steps, .count = series->count});
	RG_TRY(rg_buf_check(&records, "the records"));
	RG_TRY(rg_buf_check(&steps, "the steps"));
	const rg_sqlite_value none = rg_sqlite_text(NULL), id = rg_sqlite_integer(key);
	RG_TRY(INSERT(db, "INSERT INTO contents VALUES (?1, ?2, ?3, ?4, ?5)", id,
		      rg_sqlite_integer(content->steps[0]),
		      rg_sqlite_text(steps.length ? steps.data : ""),
		      content->records ? rg_sqlite_text(records.data) : none,
		      rg_sqlite_blob(content->packed, content->packed_size)));
	return INSERT(db, "INSERT INTO series VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)", id,
		      rg_sqlite_text(series->file), rg_sqlite_text(series->metric),
		      rg_sqlite_text(series->group), rg_sqlite_text(series->regime_from),
		      rg_sqlite_text(runs), rg_sqlite_integer((int64_t)series->count),
		      rg_sqlite_integer(series->drifts),
		      series->scores ? rg_sqlite_blob(scores.data, scores.length) : none);
}

static rg_error *write_all(rg_sqlite *db, const rg_noise_model *model)
{
	const rg_tolerance_options *tolerance = &model->tolerance;
	RG_TRY(INSERT(db, "INSERT INTO audit VALUES (?1, ?2, ?3, ?4, ?5)",
		      rg_sqlite_text(rg_audit_grouping_names[model->grouping]),
		      rg_sqlite_real(tolerance->fail_rate), rg_sqlite_real(tolerance->multiplier),
		      rg_sqlite_integer(tolerance->start_step), rg_sqlite_real(model->error_rate)));
	for (size_t i = 0; i < model->run_count; i++) {
		const rg_audit_run *run = &model->runs[i];
		RG_TRY(INSERT(db, "INSERT INTO runs VALUES (?1, ?2, ?3, ?4, ?5)",
			      rg_sqlite_integer((int64_t)i), rg_sqlite_text(run->id),
			      rg_sqlite_text(run->when), rg_sqlite_text(run->branch),
			      rg_sqlite_text(run->commit)));
	}
	for (size_t i = 0; i < model->count; i++)
		RG_TRY(write_series(db, model, &model->series[i], (int64_t)i + 1));
	return NULL;
}

rg_error *rg_noise_file_write(const rg_noise_model *model, rg_noise_write_fn *write, void *context)
{
	RG_AUTO_PTR(rg_sqlite) db = NULL;
	size_t size = 0;
	for (size_t i = 0; i < model->count; i++)
		size += model->series[i].content.packed_size + 1024;
	if (size > 900000000)
		return rg_error_new(RG_E_LIMIT, "the noise model would have over 900 MB; audit "
						"fewer goldens (--only) or fewer runs");
	RG_TRY(rg_sqlite_make(&db, "the noise model", &noise_kind));
	RG_TRY(rg_sqlite_begin(db));
	RG_TRY(rg_sqlite_end(db, write_all(db, model)));
	const void *bytes = rg_sqlite_bytes(db, &size);
	return write(context, bytes, size);
}

/* ---- reading ---- */

typedef struct {
	pthread_mutex_t lock; /* holds what follows */
	rg_sqlite *db;
	const rg_noise_series *series; /* whose content is read */
	rg_arena *arena;
	rg_noise_content *out;
	rg_noise_model *model; /* while it is read */
	rg_audit_run *runs;
	size_t run_capacity, series_capacity;
} noise_file;

static void close_file(void *source)
{
	noise_file *file = source;
	rg_sqlite_free(file->db);
	pthread_mutex_destroy(&file->lock);
	free(file->runs);
	free(file);
}

static rg_error *wrong(const char *what)
{
	return rg_error_new(RG_E_PARSE, "%s of the noise model are not regild's", what);
}

/* A damaged file may have anything anywhere. */
static char *text_at(sqlite3_stmt *row, int column, rg_arena *arena)
{
	size_t length;
	const char *text = rg_sqlite_column(row, column, &length);
	return rg_arena_copy(arena, text, length);
}

static rg_error *take_audit(void *context, sqlite3_stmt *row)
{
	rg_noise_model *model = ((noise_file *)context)->model;
	const char *text = text_at(row, 0, &model->arena);
	size_t word = 0;
	while (word < RG_GROUPINGS && strcmp(text, rg_audit_grouping_names[word]) != 0)
		word++;
	model->grouping = (rg_audit_grouping)word;
	return word < RG_GROUPINGS ? NULL : wrong("the settings");
}

static rg_error *take_run(void *context, sqlite3_stmt *row)
{
	noise_file *file = context;
	rg_arena *arena = &file->model->arena;
	*RG_PUSH(file->runs, file->model->run_count, file->run_capacity) =
		(rg_audit_run){text_at(row, 1, arena), text_at(row, 2, arena),
			       text_at(row, 3, arena), text_at(row, 4, arena)};
	file->model->runs = file->runs;
	return NULL;
}

static rg_error *take_series(void *context, sqlite3_stmt *row)
{
	noise_file *file = context;
	rg_noise_model *model = file->model;
	size_t length;
	rg_noise_series added = {.key = sqlite3_column_int64(row, 0),
				 .file = text_at(row, 1, &model->arena),
				 .metric = text_at(row, 2, &model->arena),
				 .group = text_at(row, 3, &model->arena),
				 .regime_from = rg_sqlite_column_text(row, 4, &model->arena),
				 .count = (size_t)sqlite3_column_int64(row, 6),
				 .drifts = sqlite3_column_int64(row, 7) != 0};
	/* A digit for each run of the model: 1 where the series has it. */
	const char *digits = rg_sqlite_column(row, 5, &length);
	size_t *runs = rg_arena_alloc(&model->arena, (model->run_count + 1) * sizeof(*runs));
	for (size_t i = 0; i < length && length == model->run_count; i++)
		if (digits[i] == '1')
			runs[added.run_count++] = i;
	added.runs = runs;
	if (!added.run_count || sqlite3_column_int64(row, 6) < 1)
		return wrong("the runs or steps");
	const void *scores = rg_sqlite_column(row, 8, &length);
	if (sqlite3_column_type(row, 8) != SQLITE_NULL)
		RG_TRY(rg_noise_scores_unpack(&added, &model->arena, scores, length));
	*RG_PUSH(model->series, model->count, file->series_capacity) = added;
	return NULL;
}

static rg_error *take_content(void *context, sqlite3_stmt *row)
{
	const noise_file *c = context;
	const int64_t first = sqlite3_column_int64(row, 0);
	const size_t count = c->series->count;
	size_t length, size;
	const void *values = rg_sqlite_column(row, 3, &size);
	/* More than these bytes can be are refused before there is room for them. */
	if (!rg_series_bytes_may_hold(size, count))
		return wrong("the values");
	int64_t *steps = rg_arena_alloc(c->arena, count * sizeof(*steps));
	RG_TRY(rg_steps_unpack(steps, count, first, text_at(row, 1, c->arena)));
	if (first < -STEP_MAX || steps[count - 1] > STEP_MAX)
		return wrong("the steps");
	*c->out = (rg_noise_content){.steps = steps,
				     .packed = rg_arena_copy(c->arena, values, size),
				     .packed_size = size};
	if (sqlite3_column_type(row, 2) == SQLITE_NULL)
		return NULL;
	rg_records *records;
	const char *text = rg_sqlite_column(row, 2, &length);
	RG_TRY(rg_records_read(&records, c->arena, text, length, count));
	c->out->records = records;
	for (size_t i = 0; i < count; i++)
		steps[i] = (int64_t)i;
	return NULL;
}

static rg_error *read_content(void *source, const rg_noise_series *series, rg_arena *arena,
			      rg_noise_content *out)
{
	static const char sql[] =
		"SELECT first_step, steps, records, \"values\" FROM contents WHERE series = ?1";
	noise_file *file = source;
	const rg_sqlite_value key = rg_sqlite_integer(series->key);
	pthread_mutex_lock(&file->lock);
	file->series = series;
	file->arena = arena;
	file->out = out;
	rg_error *err = rg_sqlite_run(file->db, sql, &key, 1, take_content, file);
	pthread_mutex_unlock(&file->lock);
	return err || out->packed ? err : wrong("the values");
}

static rg_error *read_model(noise_file *file)
{
	rg_sqlite *db = file->db;
	/* One lock for all that is read. */
	RG_TRY(rg_sqlite_run(db, "BEGIN", NULL, 0, NULL, NULL));
	RG_TRY(rg_sqlite_run(db, "SELECT group_by FROM audit", NULL, 0, take_audit, file));
	RG_TRY(rg_sqlite_run(db, "SELECT * FROM runs ORDER BY run", NULL, 0, take_run, file));
	rg_error *err = rg_sqlite_run(db, "SELECT * FROM series ORDER BY series", NULL, 0,
				      take_series, file);
	if (file->model->series)
		rg_arena_adopt(&file->model->arena, file->model->series);
	return err ? err : rg_noise_model_order(file->model);
}

rg_error *rg_noise_file_open(rg_noise_model *out, const char *path)
{
	noise_file *file = rg_calloc(1, sizeof(*file));

	*out = (rg_noise_model){.read = read_content, .source = file, .close = close_file};
	file->model = out;
	pthread_mutex_init(&file->lock, NULL);
	rg_error *err = rg_sqlite_open_foreign(&file->db, path, &noise_kind);
	return err ? err : read_model(file);
}
