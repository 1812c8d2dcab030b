/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_sqlite_read.h"

#include "base/json.h"
#include "base/memory.h"
#include "golden/series_bytes.h"
#include "golden/series_text.h"
#include "store/history_kept.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps_of, values_of, texts_of: what is packed, as RowBinary has arrays; NULL where it is
 * damaged; and pairs_of and real_of, for values_long ---- */

enum { ARRAY_MAX = 1000000000 }; /* bytes; as SQLite has it */

static void result_bytes(sqlite3_context *out, rg_buf *bytes, rg_error *err)
{
	if (!err)
		err = rg_buf_check(bytes, "an array");
	if (!err)
		sqlite3_result_blob64(out, bytes->data, bytes->length, SQLITE_TRANSIENT);
	rg_error_free(err);
}

static void result_numbers(sqlite3_context *out, const void *numbers, size_t count, rg_error *err)
{
	RG_AUTO(rg_buf) bytes = rg_buf_of(ARRAY_MAX);
	if (!err) {
		rg_row_length(&bytes, count);
		rg_row_numbers(&bytes, numbers, count);
	}
	result_bytes(out, &bytes, err);
}

static rg_error *unpack_steps(int64_t **out, sqlite3_value **n_steps, sqlite3_value *packed)
{
	int64_t count = sqlite3_value_int64(n_steps[0]), first = sqlite3_value_int64(n_steps[1]);
	const char *text = (const char *)sqlite3_value_text(packed);

	*out = NULL;
	if (count < 0 || count > ARRAY_MAX / 8 || (count && !text))
		return rg_history_damaged("a series");
	*out = rg_calloc((size_t)count + 1, sizeof(**out));
	return count ? rg_steps_unpack(*out, (size_t)count, first, text) : NULL;
}

static rg_error *unpack_values(double **out, sqlite3_value *n_steps, sqlite3_value *packed)
{
	int64_t count = sqlite3_value_int64(n_steps);
	const void *bytes = sqlite3_value_blob(packed);
	size_t size = (size_t)sqlite3_value_bytes(packed);

	*out = NULL;
	if (count < 0 || !rg_series_bytes_may_hold(size, (uint64_t)count))
		return rg_history_damaged("a series");
	*out = rg_calloc((size_t)count + 1, sizeof(**out));
	return sqlite3_value_type(n_steps) == SQLITE_NULL
		       ? NULL
		       : rg_series_bytes_unpack(*out, (size_t)count, bytes, size);
}

/* (n_steps, first_step, steps) */
static void steps_of(sqlite3_context *out, int argc, sqlite3_value **arguments)
{
	RG_AUTO_FREE int64_t *steps = NULL;
	rg_error *err = unpack_steps(&steps, arguments, arguments[2]);

	(void)argc;
	result_numbers(out, steps, (size_t)sqlite3_value_int64(arguments[0]), err);
}

/* (n_steps, values) */
static void values_of(sqlite3_context *out, int argc, sqlite3_value **arguments)
{
	RG_AUTO_FREE double *values = NULL;
	rg_error *err = unpack_values(&values, arguments[0], arguments[1]);

	(void)argc;
	result_numbers(out, values, (size_t)sqlite3_value_int64(arguments[0]), err);
}

/* (n_steps, first_step, steps, values): {"step": the bits of its value, …} */
static void pairs_of(sqlite3_context *out, int argc, sqlite3_value **arguments)
{
	int64_t count = sqlite3_value_int64(arguments[0]), bits;
	RG_AUTO_FREE int64_t *steps = NULL;
	RG_AUTO_FREE double *values = NULL;
	RG_AUTO(rg_buf) json = rg_buf_of(ARRAY_MAX);

	(void)argc;
	RG_AUTO_PTR(rg_error) err = unpack_values(&values, arguments[0], arguments[3]);
	if (!err)
		err = unpack_steps(&steps, arguments, arguments[2]);
	for (int64_t i = 0; !err && values && steps && i < count; i++) {
		memcpy(&bits, &values[i], sizeof(bits));
		rg_buf_printf(&json, "%s\"%lld\":%lld", i ? "," : "{", (long long)steps[i],
			      (long long)bits);
	}
	rg_buf_str(&json, count ? "}" : "{}");
	if (!err)
		err = rg_buf_check(&json, "a series");
	if (err)
		sqlite3_result_error(out, rg_error_message(err), -1);
	else
		sqlite3_result_text64(out, json.data, json.length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void real_of(sqlite3_context *out, int argc, sqlite3_value **arguments)
{
	int64_t bits = sqlite3_value_int64(arguments[0]);
	double value;

	(void)argc;
	memcpy(&value, &bits, sizeof(value));
	sqlite3_result_double(out, value);
}

static bool append_texts(rg_buf *bytes, const cJSON *list)
{
	const cJSON *item;
	if (!cJSON_IsArray(list))
		return false;
	rg_row_length(bytes, (uint64_t)cJSON_GetArraySize(list));
	cJSON_ArrayForEach(item, list)
	{
		if (!cJSON_IsString(item))
			return false;
		rg_row_text(bytes, item->valuestring);
	}
	return true;
}

/* (records), a JSON list of texts, or NULL, which is an array without any. */
static void texts_of(sqlite3_context *out, int argc, sqlite3_value **arguments)
{
	const char *text = (const char *)sqlite3_value_text(arguments[0]);
	size_t length = (size_t)sqlite3_value_bytes(arguments[0]);
	RG_AUTO(rg_buf) bytes = rg_buf_of(ARRAY_MAX);
	cJSON *list = NULL;

	(void)argc;
	rg_error *err = text ? rg_json_parse_bytes(&list, text, length) : NULL;
	if (!text)
		rg_row_length(&bytes, 0);
	else if (!err && !append_texts(&bytes, list))
		err = rg_history_damaged("a table");
	result_bytes(out, &bytes, err);
	cJSON_Delete(list);
}

static const rg_sqlite_function functions[] = {
	{"steps_of", 3, steps_of}, {"values_of", 2, values_of}, {"texts_of", 1, texts_of},
	{"pairs_of", 4, pairs_of}, {"real_of", 1, real_of},     {0}};

/* ---- the views: of this connection alone, so that the file stays what it is ---- */

#define OF_RUN                                                                            \
	" r.repository, r.id AS run, r.commit_id AS \"commit\", r.branch, r.\"when\" AS " \
	"when_text,"                                                                      \
	" f.path AS file,"
#define GOLDENS                                        \
	" FROM runs r JOIN goldens g ON g.run = r.run" \
	" JOIN files f ON f.file = g.file"
#define OF_METRIC " r.run AS batch, g.sha256, g.bytes, NULL AS records, 0 AS metrics,"

static const char views[] =
	"CREATE TEMP VIEW IF NOT EXISTS stored_runs AS"
	" SELECT *, run AS batch, commit_id AS \"commit\", \"when\" AS when_text, 0 AS removed "
	"FROM runs;"
	/* A golden itself, its series, its texts. */
	"CREATE TEMP VIEW IF NOT EXISTS stored_series AS SELECT" OF_RUN
	" r.run AS batch, g.sha256, g.bytes, g.records, g.metrics, 0 AS kind, '' AS metric,"
	" NULL AS n_steps, 0 AS first_step, '' AS steps, '' AS \"values\","
	" CASE WHEN g.records IS NULL THEN '' ELSE '" RG_ROW_TABLE "' END AS text" GOLDENS
	" UNION ALL SELECT" OF_RUN OF_METRIC
	" 1, s.metric, s.n_steps, s.first_step, s.steps, s.\"values\", ''" GOLDENS
	" JOIN series s ON s.golden = g.golden"
	" UNION ALL SELECT" OF_RUN OF_METRIC " 2, t.metric, NULL, 0, '', '', t.text" GOLDENS
	" JOIN texts t ON t.golden = g.golden;"
	"CREATE TEMP VIEW IF NOT EXISTS packed_series AS SELECT" OF_RUN " s.*" GOLDENS
	" JOIN series s ON s.golden = g.golden;"
	"CREATE TEMP VIEW IF NOT EXISTS current_series AS"
	" SELECT repository, run, \"commit\", branch, when_text, file, metric, n_steps, first_step,"
	" last_step, not_finite, mean, minimum, maximum, last_value FROM packed_series;"
	"CREATE TEMP VIEW IF NOT EXISTS values_long AS"
	" SELECT repository, run, \"commit\", branch, when_text, file, metric,"
	" CAST(v.key AS INTEGER) AS step, real_of(v.value) AS value FROM packed_series p"
	" JOIN json_each(pairs_of(p.n_steps, p.first_step, p.steps, p.\"values\")) v;"
	"CREATE TEMP VIEW IF NOT EXISTS last_verdicts AS SELECT * FROM verdicts;"
	"CREATE TEMP VIEW IF NOT EXISTS last_breaks AS SELECT * FROM breaks"
	" WHERE (repository, file, metric, runs_of, made) IN"
	" (SELECT repository, file, metric, runs_of, made FROM verdicts);"
	"PRAGMA case_sensitive_like = ON";

rg_error *rg_history_sqlite_prepare(rg_sqlite *db)
{
	return rg_sqlite_extend(db, functions, views);
}

/* ---- selecting ---- */

static void quote(rg_buf *sql, const char *text)
{
	rg_buf_char(sql, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			rg_buf_char(sql, '\'');
		rg_buf_char(sql, *text);
	}
	rg_buf_char(sql, '\'');
}

#define COLUMNS_OF                                                                        \
	"batch, kind, file, sha256, bytes, records, metric, n_steps, first_step, steps, " \
	"\"values\", "                                                                    \
	"text, metrics, when_text, run"

/* LIMIT keeps what is packed so until it is sorted. */
const rg_store_sql rg_history_sqlite_sql = {
	.quote = quote,
	.runs = "stored_runs",
	.newest = "",
	.count = "SELECT batch, (SELECT count(*) FROM goldens WHERE run = batch) + "
		 "(SELECT count(*) FROM goldens JOIN series USING (golden) WHERE run = batch) + "
		 "(SELECT count(*) FROM goldens JOIN texts USING (golden) WHERE run = batch), "
		 "rows FROM stored_runs WHERE ",
	.count_end = "",
	.files = "SELECT DISTINCT file FROM stored_series WHERE kind = 0 AND ",
	.goldens = "SELECT batch, kind, file, sha256, bytes, texts_of(records), metric, "
		   "steps_of(n_steps, first_step, steps), values_of(n_steps, \"values\"), text, "
		   "metrics FROM (SELECT " COLUMNS_OF " FROM stored_series WHERE ",
	.by_path = "replace(file, '/', char(0))",
	.by_metric = "kind > 0, metric",
	.goldens_end = " LIMIT -1)",
	/* A later audit's findings stay: a merge may bring those of an earlier one. */
	.verdicts = "INSERT OR REPLACE INTO verdicts (repository, file, metric, "
		    "runs_of, made, verdict, runs, spread, tolerance, "
		    "failed_today, failed_recommended, breaks) SELECT ?1, ?2, "
		    "?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 WHERE NOT EXISTS "
		    "(SELECT 1 FROM verdicts WHERE repository = ?1 AND file = ?2 AND "
		    "metric = ?3 AND runs_of = ?4 AND made > ?5)",
	.breaks = "INSERT OR REPLACE INTO breaks (repository, file, metric, "
		  "runs_of, made, run, \"commit\", when_text, before, after, "
		  "shift, p) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, "
		  "?11, ?12 WHERE NOT EXISTS (SELECT 1 FROM breaks WHERE repository = ?1 "
		  "AND file = ?2 AND metric = ?3 AND runs_of = ?4 AND run = ?6 AND made > ?5)",
	.last_verdicts = RG_LAST_VERDICTS("NULL"),
	.last_breaks = RG_LAST_BREAKS("NULL"),
	.place = "instr(',",
	.place_end = ",', ',' || batch || ',')",
};

static rg_error *select_row(void *context, sqlite3_stmt *row)
{
	const rg_row_reader *reader = context;
	rg_row_cell cells[RG_ROW_CELLS];

	for (int i = 0; reader->types[i]; i++) {
		const char type[] = {reader->types[i], '\0'};
		rg_row_cell parts[RG_ROW_CELLS] = {{0}}, *cell = &parts[0];

		if (strchr("bdq", *type)) {
			cell->number = (uint64_t)sqlite3_column_int64(row, i);
		} else if (*type == 'f') { /* its bits */
			double value = sqlite3_column_type(row, i) == SQLITE_NULL
					       ? NAN
					       : sqlite3_column_double(row, i);
			memcpy(&cell->number, &value, sizeof(value));
		} else {
			cell->bytes = (const unsigned char *)rg_sqlite_column(row, i, &cell->size);
			cell->number = cell->size;
			/* An array is read as a row of its own. */
			const unsigned char *at = cell->bytes;
			if (*type != 's' && !rg_row_read(&at, at + cell->size, type, parts))
				*cell = (rg_row_cell){0};
		}
		cells[i] = *cell;
	}
	return reader->row(reader->context, cells);
}

rg_error *rg_history_sqlite_select(rg_sqlite *db, const char *sql, const rg_row_reader *reader)
{
	rg_row_reader own = *reader;
	return rg_sqlite_select(db, sql, NULL, select_row, &own);
}

/* ---- asking ---- */

static rg_error *name_columns(void *context, sqlite3_stmt *statement)
{
	const rg_reply_taker *taker = context;
	const char *names[RG_REPLY_COLUMNS];
	size_t count = (size_t)sqlite3_column_count(statement);

	for (size_t i = 0; i < count; i++)
		names[i] = sqlite3_column_name(statement, (int)i);
	return taker->columns(taker->context, names, count);
}

static rg_error *hand_out(void *context, sqlite3_stmt *row)
{
	static const rg_reply_kind kinds[] = {[SQLITE_INTEGER] = RG_REPLY_WHOLE,
					      [SQLITE_FLOAT] = RG_REPLY_REAL,
					      [SQLITE_TEXT] = RG_REPLY_TEXT,
					      [SQLITE_BLOB] = RG_REPLY_TEXT,
					      [SQLITE_NULL] = RG_REPLY_NAN};
	const rg_reply_taker *taker = context;
	rg_reply_cell cells[RG_REPLY_COLUMNS];
	int count = sqlite3_column_count(row);

	for (int i = 0; i < count; i++) {
		cells[i].kind = kinds[sqlite3_column_type(row, i)];
		if (cells[i].kind == RG_REPLY_REAL)
			cells[i].real = sqlite3_column_double(row, i);
		else
			cells[i].text = rg_sqlite_column(row, i, &(size_t){0});
	}
	return taker->row(taker->context, cells, (size_t)count);
}

rg_error *rg_history_sqlite_ask(rg_sqlite *db, const char *sql, const rg_reply_taker *taker)
{
	rg_reply_taker own = *taker;
	return rg_sqlite_select(db, sql, name_columns, hand_out, &own);
}
