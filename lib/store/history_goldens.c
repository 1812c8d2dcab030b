/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_goldens.h"

#include "base/memory.h"
#include "base/json.h"
#include "golden/records.h"
#include "golden/series_bytes.h"
#include "golden/series_summary.h"
#include "golden/series_text.h"
#include "store/history_kept.h"

#include <stdlib.h>
#include <string.h>

enum { BLOB_MAX = 1000000000 }; /* as SQLite has it */

/* ---- putting ---- */

/* Where the metrics of a golden go. */
typedef struct {
	rg_sqlite *db;
	int64_t golden, count;
	rg_buf steps, values;
} golden_put;

static rg_error *put_series(golden_put *put, const rg_metric *metric)
{
	int64_t count = (int64_t)metric->count;
	rg_series_summary summary;
	rg_sqlite_value row[12];

	rg_buf_clear(&put->steps);
	rg_buf_clear(&put->values);
	rg_steps_pack(&put->steps, metric);
	RG_TRY(rg_series_bytes_pack(&put->values, metric));
	RG_TRY(rg_series_summarise(&summary, metric));
	RG_TRY(rg_buf_check(&put->steps, "a series"));
	RG_TRY(rg_buf_check(&put->values, "a series"));
	row[0] = rg_sqlite_integer(put->golden);
	row[1] = rg_sqlite_text(metric->name);
	row[2] = rg_sqlite_integer(count);
	row[3] = rg_sqlite_integer(count ? rg_metric_step(metric, 0) : 0);
	row[4] = rg_sqlite_integer(count ? rg_metric_step(metric, metric->count - 1) : 0);
	row[5] = rg_sqlite_integer((int64_t)summary.not_finite);
	row[6] = rg_sqlite_real(summary.mean);
	row[7] = rg_sqlite_real(summary.minimum);
	row[8] = rg_sqlite_real(summary.maximum);
	row[9] = rg_sqlite_real(summary.last);
	row[10] = rg_sqlite_text(put->steps.data);
	row[11] = rg_sqlite_blob(put->values.data, put->values.length);
	return rg_sqlite_run(put->db,
			     "INSERT INTO series VALUES "
			     "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
			     row, 12, NULL, NULL);
}

static rg_error *put_metric(void *context, const rg_metric *metric)
{
	golden_put *put = context;
	const rg_sqlite_value row[] = {rg_sqlite_integer(put->golden), rg_sqlite_text(metric->name),
				       rg_sqlite_text(metric->text)};

	put->count++;
	if (metric->kind == RG_METRIC_SERIES)
		return put_series(put, metric);
	return rg_sqlite_run(put->db, "INSERT INTO texts VALUES (?1, ?2, ?3)", row, 3, NULL, NULL);
}

static rg_error *put_metrics(rg_sqlite *db, int64_t id, const rg_golden *golden)
{
	golden_put put = {.db = db, .golden = id};
	rg_sqlite_value counted[2];

	rg_buf_init(&put.steps, BLOB_MAX);
	rg_buf_init(&put.values, BLOB_MAX);
	rg_error *err = rg_history_keep(golden, put_metric, &put);
	rg_buf_release(&put.steps);
	rg_buf_release(&put.values);
	counted[0] = rg_sqlite_integer(id);
	counted[1] = rg_sqlite_integer(put.count);
	return err ? err
		   : rg_sqlite_run(db, "UPDATE goldens SET metrics = ?2 WHERE golden = ?1", counted,
				   2, NULL, NULL);
}

static void write_records(rg_buf *out, const rg_records *records)
{
	rg_json_out json;
	rg_json_out_init(&json, out);
	rg_json_open_flat(&json, '[');
	for (size_t i = 0; i < records->count; i++)
		rg_json_path(&json, records->names[i]);
	rg_json_close(&json, ']');
}

rg_error *rg_history_put_golden(rg_sqlite *db, int64_t run, const char *path,
				const char sha256[static RG_SHA256_HEX], uint64_t bytes,
				const rg_golden *golden)
{
	rg_sqlite_value row[] = {rg_sqlite_integer(run), rg_sqlite_text(path),
				 rg_sqlite_text(sha256), rg_sqlite_integer((int64_t)bytes),
				 rg_sqlite_text(NULL)};
	rg_error *err;
	rg_buf names;

	RG_TRY(rg_sqlite_run(db, "INSERT OR IGNORE INTO files (path) VALUES (?2)", row, 2, NULL,
			     NULL));
	RG_TRY(rg_sqlite_run(db,
			     "DELETE FROM goldens WHERE run = ?1 AND file = "
			     "(SELECT file FROM files WHERE path = ?2)",
			     row, 2, NULL, NULL));
	rg_buf_init(&names, BLOB_MAX);
	if (golden->records)
		write_records(&names, golden->records);
	err = rg_buf_check(&names, "the records' names");
	if (golden->records)
		row[4] = rg_sqlite_text(names.data);
	if (!err)
		err = rg_sqlite_run(
			db,
			"INSERT INTO goldens (run, file, sha256, bytes, records, metrics) "
			"SELECT ?1, file, ?3, ?4, ?5, 0 FROM files WHERE path = ?2",
			row, 5, NULL, NULL);
	rg_buf_release(&names);
	return err ? err : put_metrics(db, rg_sqlite_last_id(db), golden);
}

/* ---- getting ---- */

typedef struct {
	rg_golden *golden;
	rg_metric *metrics;
	size_t capacity;
} golden_get;

static rg_error *name_records(rg_golden *golden, const cJSON *list)
{
	size_t count = 0, size = (size_t)cJSON_GetArraySize(list);
	const char **names = rg_arena_alloc(&golden->arena, (size + 1) * sizeof(*names));
	const cJSON *item;
	rg_records *records;
	cJSON_ArrayForEach(item, list)
	{
		if (!cJSON_IsString(item))
			return rg_history_damaged("a table");
		names[count++] = rg_arena_text(&golden->arena, item->valuestring);
	}
	RG_TRY(rg_records_new(&records, &golden->arena, names, count));
	golden->records = records;
	return NULL;
}

/* `text`: a JSON list of names. */
static rg_error *get_records(rg_golden *golden, const char *text, size_t length)
{
	cJSON *list = NULL;
	rg_error *err = rg_json_parse_bytes(&list, text, length);

	if (!err)
		err = cJSON_IsArray(list) ? name_records(golden, list)
					  : rg_history_damaged("a table");
	cJSON_Delete(list);
	if (!err || rg_error_get_code(err) != RG_E_PARSE)
		return err;
	rg_error_free(err);
	return rg_history_damaged("a table");
}

static rg_error *get_series(rg_metric *metric, rg_arena *arena, int64_t first, const char *steps,
			    const char *bytes, size_t size)
{
	double *values = rg_arena_alloc(arena, metric->count * sizeof(*values) + 1);
	int64_t *numbers;

	metric->kind = RG_METRIC_SERIES;
	metric->values = values;
	if (*steps || first) {
		numbers = rg_arena_alloc(arena, metric->count * sizeof(*numbers) + 1);
		metric->steps = numbers;
		RG_TRY(rg_steps_unpack(numbers, metric->count, first, steps));
	}
	return rg_series_bytes_unpack(values, metric->count, bytes, size);
}

/* Columns: metric, n_steps (NULL for a text), first_step, steps, values or text. */
static rg_error *get_row(void *context, sqlite3_stmt *row)
{
	golden_get *get = context;
	rg_arena *arena = &get->golden->arena;
	size_t size, length;
	const char *steps = rg_sqlite_column(row, 3, &length);
	const char *bytes = rg_sqlite_column(row, 4, &size);
	int64_t count = sqlite3_column_int64(row, 1);

	rg_grow(&get->metrics, &get->capacity, get->golden->count + 1, sizeof(*get->metrics));
	rg_metric *metric = &get->metrics[get->golden->count++];
	metric->name = rg_sqlite_column_text(row, 0, arena);
	/* A name with a NUL in it may look like another one. */
	if (get->golden->count > 1 && strcmp(metric[-1].name, metric->name) >= 0)
		return rg_history_damaged("a golden");
	if (sqlite3_column_type(row, 1) == SQLITE_NULL) {
		metric->kind = rg_history_text_kind(metric->name);
		metric->count = size;
		metric->text = rg_sqlite_column_text(row, 4, arena);
		return NULL;
	}
	if (count < 0 || !rg_series_bytes_may_hold(size, (uint64_t)count))
		return rg_history_damaged("a series");
	metric->count = (size_t)count;
	RG_TRY(get_series(metric, arena, sqlite3_column_int64(row, 2), steps, bytes, size));
	metric->records = get->golden->records;
	return !metric->records || rg_history_are_places(metric) ? NULL
								 : rg_history_damaged("a series");
}

static rg_error *get_metrics(golden_get *get, rg_sqlite *db, int64_t golden)
{
	const rg_sqlite_value value = rg_sqlite_integer(golden);
	RG_TRY(rg_sqlite_run(
		db,
		"SELECT metric, n_steps, first_step, steps, \"values\" FROM series "
		"WHERE golden = ?1 UNION ALL SELECT metric, NULL, 0, NULL, text FROM texts "
		"WHERE golden = ?1 ORDER BY metric",
		&value, 1, get_row, get));
	if (get->metrics)
		rg_arena_adopt(&get->golden->arena, get->metrics);
	get->golden->metrics = get->metrics;
	get->metrics = NULL;
	return NULL;
}

typedef struct {
	int64_t id; /* 0: there is none */
	uint64_t metrics;
	uint64_t bytes_max;
	rg_history_golden *out;
	rg_golden *golden;
} golden_row;

static rg_error *find_golden(void *context, sqlite3_stmt *row)
{
	golden_row *found = context;
	size_t length;

	found->id = sqlite3_column_int64(row, 0);
	found->out->bytes = (uint64_t)sqlite3_column_int64(row, 1);
	found->metrics = (uint64_t)sqlite3_column_int64(row, 4);
	const char *sha256 = rg_sqlite_column(row, 3, &length);
	if (!rg_history_digest_take(found->out->sha256, sha256, length))
		return rg_history_damaged("a digest");
	if (found->out->bytes > found->bytes_max || sqlite3_column_type(row, 2) == SQLITE_NULL)
		return NULL;
	const char *records = rg_sqlite_column(row, 2, &length);
	return get_records(found->golden, records, length);
}

static rg_error *get_golden(golden_get *get, rg_sqlite *db, int64_t run, const char *path,
			    golden_row *found)
{
	const rg_sqlite_value values[] = {rg_sqlite_integer(run), rg_sqlite_text(path)};
	RG_TRY(rg_sqlite_run(db,
			     "SELECT golden, bytes, records, sha256, metrics FROM goldens JOIN "
			     "files USING (file) "
			     "WHERE run = ?1 AND path = ?2",
			     values, 2, find_golden, found));
	if (found->out->bytes > found->bytes_max)
		return rg_error_new(RG_E_LIMIT, "%llu bytes, more than the limit of %llu",
				    (unsigned long long)found->out->bytes,
				    (unsigned long long)found->bytes_max);
	if (found->id)
		RG_TRY(get_metrics(get, db, found->id));
	return get->golden->count == found->metrics ? NULL : rg_history_incomplete();
}

rg_error *rg_history_get_golden(rg_sqlite *db, int64_t run, const char *path, uint64_t bytes_max,
				rg_history_golden *out)
{
	golden_get get = {.golden = rg_calloc(1, sizeof(*get.golden))};
	golden_row found = {.bytes_max = bytes_max, .out = out, .golden = get.golden};
	get.golden->format = RG_HISTORY_FORMAT;
	rg_arena_init(&get.golden->arena);
	rg_error *err = get_golden(&get, db, run, path, &found);
	if (!err && found.id) {
		out->golden = get.golden;
		return NULL;
	}
	free(get.metrics);
	rg_golden_free(get.golden);
	return err;
}
