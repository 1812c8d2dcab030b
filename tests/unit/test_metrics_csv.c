/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "by_step.h"
#include "format_reader.h"

static const char log_text[] = "epoch,step, train_loss ,val_loss\n"
			       "0,49,0.61,\n"
			       "0,49,,0.55\n"
			       "1,99.0,0.5,oom\n";

TEST(reads_log)
{
	rg_golden *g = golden_of("lightning_logs/version_0/metrics.csv", log_text);

	assert_string_equal(g->format, "metrics-csv");
	assert_true(value_at(g, "train_loss", 49) == 0.61 && value_at(g, "train_loss", 99) == 0.5);
	assert_int_equal(metric_of(g, "val_loss")->count, 1);
	assert_string_equal(text_at(g, "val_loss (texts)", 99), "oom");
	assert_true(value_at(g, "epoch", 99) == 1);
	/* What both lines of a step say is no contradiction. */
	assert_int_equal(metric_of(g, "epoch")->duplicate_keys, 0);
	assert_null(g->records);
	rg_golden_free(g);
}

/* A table of records has the same columns where [table] says so, or without one of them. */
TEST(tables_stay_tables)
{
	static const char *const keys[] = {"step"};
	static const rg_table_rule rule = {.pattern = "*", .keys = keys, .key_count = 1};
	static const rg_table_rule columns = {.pattern = "*", .columns = "loss"};
	static const char text[] = "epoch,step,loss,lr\n0,1,2,3\n";
	rg_golden *g = golden_of("a.csv", "step,loss\n1,2\n");

	assert_string_equal(g->format, "table");
	rg_golden_free(g);
	assert_success(read_as(&g, "a.csv", text, strlen(text), &rule));
	assert_non_null(g->records);
	rg_golden_free(g);
	assert_success(read_as(&g, "a.csv", text, strlen(text), &columns));
	assert_int_equal(g->count, 1);
	assert_true(value_at(g, "loss", 1) == 2);
	rg_golden_free(g);
}

static rg_input csv(const char *text)
{
	return (rg_input){.name = "metrics.csv", .data = text, .size = strlen(text)};
}

TEST(refuses)
{
	assert_refused(&rg_format_metrics_csv, csv("epoch,step,a\n0,x,1\n"), RG_E_PARSE,
		       "line 2: 'x' is not a step");
	assert_refused(&rg_format_metrics_csv, csv("epoch,step,a\n0,1e300,1\n"), RG_E_PARSE,
		       "line 2: '1e300' is not a step");
	assert_refused(&rg_format_metrics_csv, csv("epoch,step,a,a\n0,1,1,1\n"), RG_E_PARSE,
		       "two columns are both 'a'");
	assert_refused(&rg_format_metrics_csv, csv("epoch,a\n"), RG_E_PARSE, "no column 'step'");
	assert_survives(&rg_format_metrics_csv, csv(log_text));
}
