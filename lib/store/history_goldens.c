/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_goldens.h"

#include "base/memory.h"
#include "base/json.h"
#include "golden/records.h"
#include "golden/series_bytes.h"
#include "golden/series_summary.h"
#include "golden/series_text.h"
#include "store/history_kept.h"

enum { BLOB_MAX = 1000000000 }; /* as SQLite has it */

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
