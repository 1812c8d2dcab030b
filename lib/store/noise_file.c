/* SPDX-License-Identifier: Apache-2.0 */
#include "store/noise_file.h"

#include "base/json.h"
#include "golden/records.h"
#include "golden/series_bytes.h"
#include "golden/series_text.h"
#include "store/history_kept.h"
#include "store/sqlite.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MAX ((size_t)1 << 30)
#define STEP_MAX  ((int64_t)1 << 53) /* whole numbers that a double holds */

/* Described in man/regild-history.5. */
static const rg_sqlite_kind noise_kind = {
	.application_id = RG_NOISE_FILE_ID,
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

/* ---- writing ---- */

/* The scores and what is usual; nothing where all are 0, as most are. */
static rg_error *append_scores(rg_buf *out, const rg_noise_series *series)
{
	const size_t count = series->run_count + 1;
	RG_AUTO_FREE double *numbers = rg_calloc(count + 1, sizeof(*numbers));
	const double *row = numbers;
	bool any = false;
	memcpy(numbers, series->scores, count * sizeof(*numbers));
	numbers[count] = series->usual;
	for (size_t i = 0; i <= count; i++)
		any |= numbers[i] != 0;
	return any ? rg_rows_pack(out, &row, 1, count + 1) : NULL;
}

static rg_error *write_series(rg_sqlite *db, const rg_noise_model *model,
			      const rg_noise_series *series, int64_t key)
{
	const rg_noise_content *content = &series->content;
	const rg_metric counted = {.steps = content->steps, .count = series->count};
	RG_AUTO(rg_buf) scores = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) steps = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) records = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO_FREE char *runs = rg_calloc(model->run_count + 1, 1);
	memset(runs, '0', model->run_count);
	for (size_t i = 0; i < series->run_count; i++)
		runs[series->runs[i]] = '1';
	if (series->scores)
		RG_TRY(append_scores(&scores, series));
	if (content->records)
		rg_history_add_records(&records, content->records);
	rg_steps_pack(&steps, &counted);
	RG_TRY(rg_buf_check(&records, "the records"));
	RG_TRY(rg_buf_check(&steps, "the steps"));
	const rg_sqlite_value none = rg_sqlite_text(NULL);
	const rg_sqlite_value row[] = {rg_sqlite_integer(key),
				       rg_sqlite_text(series->file),
				       rg_sqlite_text(series->metric),
				       rg_sqlite_text(series->group),
				       rg_sqlite_text(series->regime_from),
				       rg_sqlite_text(runs),
				       rg_sqlite_integer((int64_t)series->count),
				       rg_sqlite_integer(series->drifts),
				       series->scores ? rg_sqlite_blob(scores.data, scores.length)
						      : none};
	const rg_sqlite_value values[] = {row[0], rg_sqlite_integer(content->steps[0]),
					  rg_sqlite_text(steps.length ? steps.data : ""),
					  content->records ? rg_sqlite_text(records.data) : none,
					  rg_sqlite_blob(content->packed, content->packed_size)};
	RG_TRY(rg_sqlite_run(db, "INSERT INTO contents VALUES (?1, ?2, ?3, ?4, ?5)", values, 5,
			     NULL, NULL));
	return rg_sqlite_run(db, "INSERT INTO series VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
			     row, 9, NULL, NULL);
}

static rg_error *write_all(rg_sqlite *db, const rg_noise_model *model)
{
	const rg_tolerance_options *tolerance = &model->tolerance;
	const rg_sqlite_value audit[] = {
		rg_sqlite_text(rg_audit_grouping_names[model->grouping]),
		rg_sqlite_real(tolerance->fail_rate), rg_sqlite_real(tolerance->multiplier),
		rg_sqlite_integer(tolerance->start_step), rg_sqlite_real(model->error_rate)};
	RG_TRY(rg_sqlite_run(db, "INSERT INTO audit VALUES (?1, ?2, ?3, ?4, ?5)", audit, 5, NULL,
			     NULL));
	for (size_t i = 0; i < model->run_count; i++) {
		const rg_audit_run *run = &model->runs[i];
		const rg_sqlite_value row[] = {rg_sqlite_integer((int64_t)i),
					       rg_sqlite_text(run->id), rg_sqlite_text(run->when),
					       rg_sqlite_text(run->branch),
					       rg_sqlite_text(run->commit)};
		RG_TRY(rg_sqlite_run(db, "INSERT INTO runs VALUES (?1, ?2, ?3, ?4, ?5)", row, 5,
				     NULL, NULL));
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
	if (size > BYTES_MAX / 16 * 15)
		return rg_error_new(RG_E_LIMIT, "the noise model would have over 1 GiB; audit "
						"fewer goldens (--only) or fewer runs");
	RG_TRY(rg_sqlite_make(&db, "the noise model", &noise_kind));
	RG_TRY(rg_sqlite_begin(db));
	RG_TRY(rg_sqlite_end(db, write_all(db, model)));
	const void *bytes = rg_sqlite_bytes(db, &size);
	return write(context, bytes, size);
}

/* ---- reading ---- */

typedef struct {
	rg_sqlite *db;
	pthread_mutex_t lock; /* holds the connection */
	/* While the model is read. */
	rg_noise_model *model;
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
	return rg_error_new(RG_E_PARSE, "%s of the noise model are not as regild writes them",
			    what);
}

static rg_error *take_audit(void *context, sqlite3_stmt *row)
{
	size_t length, word = 0;
	const char *text = rg_sqlite_column(row, 0, &length);
	while (word < RG_GROUPINGS && strcmp(text, rg_audit_grouping_names[word]) != 0)
		word++;
	((noise_file *)context)->model->grouping = (rg_audit_grouping)word;
	return word < RG_GROUPINGS ? NULL : wrong("the settings");
}

static rg_error *take_run(void *context, sqlite3_stmt *row)
{
	noise_file *file = context;
	const char *texts[4];
	for (int i = 0; i < 4; i++)
		texts[i] = rg_sqlite_column_text(row, i + 1, &file->model->arena);
	*RG_PUSH(file->runs, file->model->run_count, file->run_capacity) =
		(rg_audit_run){texts[0], texts[1], texts[2], texts[3]};
	file->model->runs = file->runs;
	return NULL;
}

/* A digit for each run of the model: 1 where the series has it. */
static bool read_runs(rg_noise_series *out, rg_noise_model *model, const char *text, size_t length)
{
	size_t *runs = rg_arena_alloc(&model->arena, (length + 1) * sizeof(*runs));
	for (size_t i = 0; i < length; i++)
		if (text[i] == '1')
			runs[out->run_count++] = i;
	out->runs = runs;
	return out->run_count && length == model->run_count;
}

static bool read_scores(rg_noise_series *out, rg_noise_model *model, const void *bytes,
			size_t length)
{
	const size_t count = out->run_count + 2;
	double *scores = rg_arena_alloc(&model->arena, count * sizeof(*scores));
	RG_AUTO_PTR(rg_error)
	err = length ? rg_series_bytes_unpack(scores, count, bytes, length) : NULL;
	for (size_t i = 0; !err && i < count; i++)
		if (isnan(scores[i]))
			return false;
	out->scores = scores;
	out->usual = scores[count - 1];
	return !err && out->usual >= 0;
}

static rg_error *take_series(void *context, sqlite3_stmt *row)
{
	noise_file *file = context;
	rg_noise_model *model = file->model;
	size_t length;
	rg_noise_series added = {.key = sqlite3_column_int64(row, 0),
				 .file = rg_sqlite_column_text(row, 1, &model->arena),
				 .metric = rg_sqlite_column_text(row, 2, &model->arena),
				 .group = rg_sqlite_column_text(row, 3, &model->arena),
				 .regime_from = rg_sqlite_column_text(row, 4, &model->arena),
				 .count = (size_t)sqlite3_column_int64(row, 6),
				 .drifts = sqlite3_column_int64(row, 7) != 0};
	const char *runs = rg_sqlite_column(row, 5, &length);
	if (sqlite3_column_int64(row, 6) < 1 || !read_runs(&added, model, runs, length))
		return wrong("the runs or steps");
	const void *scores = rg_sqlite_column(row, 8, &length);
	if (sqlite3_column_type(row, 8) != SQLITE_NULL &&
	    !read_scores(&added, model, scores, length))
		return wrong("the scores");
	*RG_PUSH(model->series, model->count, file->series_capacity) = added;
	return NULL;
}

/* ---- contents ---- */

typedef struct {
	const rg_noise_series *series;
	rg_arena *arena;
	rg_noise_content *out;
} content_state;

static rg_error *read_records(const content_state *c, const cJSON *list)
{
	const cJSON *item;
	const char **names = rg_arena_alloc(c->arena, (c->series->count + 1) * sizeof(*names));
	rg_records *records;
	size_t count = 0;
	cJSON_ArrayForEach(item, list)
	{
		if (count == c->series->count || !cJSON_IsString(item))
			return wrong("the records");
		names[count++] = rg_arena_text(c->arena, item->valuestring);
	}
	if (count != c->series->count)
		return wrong("the records");
	RG_TRY(rg_records_new(&records, c->arena, names, count));
	c->out->records = records;
	return NULL;
}

static rg_error *take_content(void *context, sqlite3_stmt *row)
{
	const content_state *c = context;
	const int64_t first = sqlite3_column_int64(row, 0);
	const size_t count = c->series->count;
	size_t length, size;
	const char *text = rg_sqlite_column(row, 1, &length);
	const void *values = rg_sqlite_column(row, 3, &size);
	/* More than these bytes can be are refused before there is room for them. */
	if (!rg_series_bytes_may_hold(size, count) || first < -STEP_MAX)
		return wrong("the values");
	int64_t *steps = rg_arena_alloc(c->arena, count * sizeof(*steps));
	RG_TRY(rg_steps_unpack(steps, count, first, text));
	if (steps[count - 1] > STEP_MAX)
		return wrong("the steps");
	*c->out = (rg_noise_content){.steps = steps,
				     .packed = rg_arena_copy(c->arena, values, size),
				     .packed_size = size};
	if (sqlite3_column_type(row, 2) == SQLITE_NULL)
		return NULL;
	cJSON *list;
	text = rg_sqlite_column(row, 2, &length);
	RG_TRY(rg_json_parse_bytes(&list, text, length));
	rg_error *err = read_records(c, list);
	cJSON_Delete(list);
	return err;
}

static rg_error *read_content(void *source, const rg_noise_series *series, rg_arena *arena,
			      rg_noise_content *out)
{
	noise_file *file = source;
	content_state c = {series, arena, out};
	const rg_sqlite_value key = rg_sqlite_integer(series->key);

	pthread_mutex_lock(&file->lock);
	rg_error *err = rg_sqlite_run(
		file->db,
		"SELECT first_step, steps, records, \"values\" FROM contents WHERE series = ?1",
		&key, 1, take_content, &c);
	pthread_mutex_unlock(&file->lock);
	return err || out->packed ? err : wrong("the values");
}

static rg_error *read_model(noise_file *file)
{
	rg_noise_model *out = file->model;
	rg_sqlite *db = file->db;
	/* One lock for all that is read. */
	RG_TRY(rg_sqlite_run(db, "BEGIN", NULL, 0, NULL, NULL));
	RG_TRY(rg_sqlite_run(db, "SELECT group_by FROM audit", NULL, 0, take_audit, file));
	RG_TRY(rg_sqlite_run(db, "SELECT * FROM runs ORDER BY run", NULL, 0, take_run, file));
	rg_error *err = rg_sqlite_run(db, "SELECT * FROM series ORDER BY series", NULL, 0,
				      take_series, file);
	if (out->series)
		rg_arena_adopt(&out->arena, out->series);
	return err ? err : rg_noise_model_order(out);
}

rg_error *rg_noise_file_open(rg_noise_model *out, const char *path)
{
	noise_file *file = rg_calloc(1, sizeof(*file));

	*out = (rg_noise_model){.read = read_content, .source = file, .close = close_file};
	file->model = out;
	if (pthread_mutex_init(&file->lock, NULL))
		rg_out_of_memory();
	rg_error *err = rg_sqlite_open_foreign(&file->db, path, &noise_kind);
	if (!err)
		err = read_model(file);
	if (!err || rg_error_get_code(err) != RG_E_PARSE)
		return err;
	RG_AUTO_PTR(rg_error) why = err;
	return rg_error_new(RG_E_PARSE, "%s; write it again with 'regild audit --model FILE'",
			    rg_error_message(why));
}
