/* SPDX-License-Identifier: Apache-2.0 */
/* Noise models as files: what is written is read back, and whatever else is there is refused. */
#include "audit_runs.h"
#include "noise_model.h"

#include <math.h>
#include <sqlite3.h>

enum { RUNS = 4 };
static const double values[RUNS][2] = {{10.25, 20}, {10.5, 21}, {10.25, 20}, {10.75, 20.5}};

static void make_file(void)
{
	number_runs runs = make_runs(&values[0][0], RUNS, 1, 2);
	rg_audit_source source = source_of(&runs);
	rg_audit audit;

	assert_success(rg_audit_make(&audit, &source, &usual_options));
	write_noise(&audit);
	rg_audit_release(&audit);
	free_runs(&runs);
}

static void change(const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(noise_path(), &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* Opens the file and reads its first series. */
static rg_error *read_file(void)
{
	rg_noise_model model;
	rg_noise_content content;
	double *read;
	rg_arena arena;

	rg_arena_init(&arena);
	rg_error *err = rg_noise_file_open(&model, noise_path());
	if (!err)
		err = rg_noise_read(&content, &read, 0, &arena, &model, &model.series[0]);
	rg_noise_model_release(&model);
	rg_arena_release(&arena);
	return err;
}

static void assert_refused(const char *sql, const char *why)
{
	make_file();
	if (sql)
		change(sql);
	RG_AUTO_PTR(rg_error) err = read_file();
	if (!err || !strstr(rg_error_message(err), why))
		fail_msg("'%s' does not say '%s'", err ? rg_error_message(err) : "no error", why);
	assert_int_equal(unlink(noise_path()), 0);
}

TEST(what_is_written_is_read)
{
	rg_noise_content content;
	rg_noise_model model;
	double *read;
	rg_arena arena;

	make_file();
	rg_arena_init(&arena);
	assert_success(rg_noise_file_open(&model, noise_path()));
	assert_int_equal(model.run_count, RUNS);
	assert_int_equal(model.count, 1);
	const rg_noise_series *series = &model.series[0];
	assert_string_equal(series->file, "a/golden.json");
	assert_string_equal(series->metric, "a");
	assert_int_equal(series->run_count, RUNS);
	assert_int_equal(series->runs[3], 3);
	/* Two runs are equal, so that a golden that does not change has a score in each run. */
	assert_non_null(series->scores);
	assert_true(series->scores[3] > series->scores[0]);
	assert_true(series->scores[RUNS] == series->scores[0] && series->usual > 0);
	assert_success(rg_noise_read(&content, &read, 1, &arena, &model, series));
	assert_memory_equal(read, values, sizeof(values));
	assert_true(read[(size_t)2 * RUNS] == 0);
	assert_int_equal(content.steps[1], content.steps[0] + 1);
	rg_noise_model_release(&model);
	rg_arena_release(&arena);
	assert_int_equal(unlink(noise_path()), 0);
}

TEST(hostile_files_are_refused)
{
	assert_refused("UPDATE audit SET group_by = 'x'", "the settings of the noise model");
	assert_refused("UPDATE series SET n_steps = 0", "the runs or steps of the noise model");
	assert_refused("UPDATE series SET n_steps = -1", "the runs or steps of the noise model");
	assert_refused("UPDATE series SET n_steps = 'x'", "the runs or steps of the noise model");
	assert_refused("UPDATE series SET runs = '111'", "the runs or steps of the noise model");
	assert_refused("UPDATE series SET runs = '0000'", "the runs or steps of the noise model");
	assert_refused("UPDATE series SET runs = x'31'", "the runs or steps of the noise model");
	assert_refused("UPDATE series SET scores = x'0102'", "damaged");
	assert_refused("INSERT INTO series SELECT 2, file, metric, runs_of, regime_from, runs, "
		       "n_steps, drifts, scores FROM series",
		       "'a' of a/golden.json appears twice");
	/* Room for so many would be taken before anybody knows whether they are there. */
	assert_refused("UPDATE series SET n_steps = 4000000000000000000",
		       "the noise model's values of 'a' in a/golden.json: the values of");
	assert_refused("UPDATE series SET n_steps = 3", "damaged");
	assert_refused("UPDATE contents SET \"values\" = zeroblob(40)", "damaged");
	assert_refused("UPDATE contents SET \"values\" = zeroblob(0)", "the values of");
	assert_refused("UPDATE contents SET steps = x'2a'", "damaged");
	assert_refused("UPDATE contents SET steps = '9223372036854775807'", "the steps of");
	assert_refused("UPDATE contents SET first_step = -9223372036854775807", "the steps of");
	assert_refused("UPDATE contents SET records = '[\"a\"]'", "not 2 texts");
	assert_refused("UPDATE contents SET records = '[\"a\", 2]'", "not 2 texts");
	assert_refused("UPDATE contents SET records = '{'", "not JSON");
	assert_refused("DELETE FROM contents", "the values of the noise model");
	assert_refused("CREATE TABLE more (a)", "does not have the tables that regild makes");
	assert_refused("PRAGMA user_version = 2", "was written by a newer regild");
	assert_refused("PRAGMA application_id = 7", "is another program's database");
}

TEST(a_file_that_is_cut_is_refused)
{
	make_file();
	assert_int_equal(truncate(noise_path(), 4096), 0);
	RG_AUTO_PTR(rg_error) err = read_file();
	assert_non_null(err);
	assert_int_equal(unlink(noise_path()), 0);
}
