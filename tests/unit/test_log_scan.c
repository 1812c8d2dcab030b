/* SPDX-License-Identifier: Apache-2.0 */
/* Values and lines out of a job's log, and the golden that they become. */
#include "unit/unit.h"

#include "base/file.h"
#include "golden/golden.h"
#include "source/log_scan.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lives as long as the test. */
static rg_arena patterns;

#define LOSSES "step: *{step} *loss: *{value}"
#define TIME   "2026-08-21T21:30:21.1234567Z "
#define HEAD   "{\n    \"lm loss\": {\n        "
#define TAIL   "\n        }\n    }\n}\n"
#define STEPS(a, b, i)                                                                        \
	"\"start_step\": " a ",\n        \"end_step\": " b ",\n        \"step_interval\": " i \
	",\n        \"values\": {\n"
#define STEP(s, v) "            \"" s "\": " v

static rg_error *scan(const rg_log_format *format, const char *log, rg_buf *golden)
{
	const rg_buf *out;
	rg_log_scan *s;
	rg_error *err;
	bool found;

	rg_buf_clear(golden);
	s = rg_log_scan_new(format);
	err = rg_log_scan_add(s, log, strlen(log));
	if (!err)
		err = rg_log_scan_end(s, &out, &found);
	if (!err) {
		assert_int_equal(found, out->length > 0);
		rg_buf_add(golden, out->data, out->length);
	}
	rg_log_scan_free(s);
	return err;
}

static rg_error *scan_values(const char *pattern, const char *log, rg_buf *golden)
{
	rg_log_format format = {.metric = "lm loss", .max = 100000};
	rg_line_pattern *match;
	rg_error *err;

	assert_success(rg_line_pattern_new(&match, &patterns, pattern));
	format.match = match;
	err = scan(&format, log, golden);
	return err;
}

static void expect_values(const char *pattern, const char *log, const char *wanted)
{
	RG_AUTO(rg_buf) golden = rg_buf_of(RG_BUF_TEXT);
	assert_success(scan_values(pattern, log, &golden));
	assert_string_equal(golden.data, wanted);
}

static void refuse_values(const char *log, rg_error_code code, const char *message)
{
	RG_AUTO(rg_buf) golden = rg_buf_of(RG_BUF_TEXT);
	assert_error(scan_values(LOSSES, log, &golden), code, message);
}

/* As torchtitan prints them. */
TEST(values_become_a_series)
{
	expect_values(
		LOSSES,
		TIME
		"[rank0]:\033[32mstep:  1  loss:  8.049097061157227 \033[0m memory: 2.3GiB\n" TIME
		"[rank0]:step: 20  loss: -1.5e-07\r\n" TIME "nothing\n" TIME
		"[rank0]:step: 10  loss: 7.50\n",
		HEAD STEPS("1", "20", "1") STEP("1", "8.049097061157227,\n") STEP("10", "7.50,\n")
			STEP("20", "-1.5e-07") TAIL);
	expect_values(LOSSES,
		      "step: 5 loss: 1\n"
		      "step: 15 loss: 2\n"
		      "step: 35 loss: 3\n",
		      HEAD STEPS("5", "35", "10") STEP("5", "1,\n") STEP("15", "2,\n")
			      STEP("35", "3") TAIL);
	expect_values(LOSSES, "step: 0 loss: 1\n", HEAD STEPS("0", "0", "1") STEP("0", "1") TAIL);
	expect_values(LOSSES, "no step, no loss\nstep: 1\nloss: 3\n", "");
}

/* What JSON has no words for. */
TEST(numbers_that_are_no_json)
{
	expect_values(LOSSES,
		      "step: 1 loss: nan\nstep: 2 loss: -Infinity\nstep: 3 loss: +1.50\n"
		      "step: 4 loss: .5\nstep: 5 loss: 1e999\nstep: 6 loss: 1.090E+01\n",
		      HEAD STEPS("1", "6", "1") STEP("1", "\"nan\",\n") STEP("2", "\"-inf\",\n")
			      STEP("3", "1.5,\n") STEP("4", "0.5,\n") STEP("5", "\"inf\",\n")
				      STEP("6", "1.090E+01") TAIL);
}

/* What torchtitan keeps: a step and its loss a line, as they were printed. */
TEST(values_become_a_list)
{
	rg_log_format format = {.max = 100000};
	rg_line_pattern *match;

	assert_success(rg_line_pattern_new(&match, &patterns, LOSSES));
	format.match = match;
	RG_AUTO(rg_buf) golden = rg_buf_of(RG_BUF_TEXT);
	assert_success(scan(&format,
			    TIME "step: 10  loss: 2.70\n" TIME
				 "step:  1  loss:  8.049097061157227 \033[0m memory: 2.3GiB\n"
				 "step: 2 loss: nan\n",
			    &golden));
	assert_string_equal(golden.data, "1 8.049097061157227\n2 nan\n10 2.70\n");
	assert_success(scan(&format, "nothing\n", &golden));
	assert_int_equal(golden.length, 0);
}

static void expect_printed(const char *path)
{
	rg_log_format format = {.max = 100000};
	rg_line_pattern *match;
	const char *line;

	RG_AUTO(rg_buf) list = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) log = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) golden = rg_buf_of(RG_BUF_TEXT);
	assert_success(rg_file_read(&list, path));
	for (line = list.data; *line; line += strcspn(line, "\n") + 1)
		rg_buf_printf(&log, TIME "[rank0]:[titan] step: %.*s  loss: %.*s  grad_norm: 1.5\n",
			      (int)strcspn(line, " "), line,
			      (int)(strcspn(line, "\n") - strcspn(line, " ") - 1),
			      line + strcspn(line, " ") + 1);
	assert_success(rg_line_pattern_new(&match, &patterns, LOSSES));
	format.match = match;
	assert_success(scan(&format, log.data, &golden));
	assert_string_equal(golden.data, list.data);
}

/* Every list that torchtitan has committed is what its losses, printed, become. */
TEST(lists_of_torchtitan)
{
	glob_t found;
	size_t i;

	if (glob("../shared/corpus/tables/torchtitan-*/*/tests/assets/losses/*.txt", 0, NULL,
		 &found))
		skip();
	for (i = 0; i < found.gl_pathc; i++)
		expect_printed(found.gl_pathv[i]);
	globfree(&found);
}

/* The reader of goldens has them. */
TEST(the_golden_is_read)
{
	rg_golden *read;
	rg_input in = {.name = "losses.json"};

	RG_AUTO(rg_buf) golden = rg_buf_of(RG_BUF_TEXT);
	assert_success(scan_values(LOSSES, "step: 7 loss: 0.5\nstep: 8 loss: nan\n", &golden));
	in.data = golden.data;
	in.size = golden.length;
	assert_success(rg_golden_read(&read, &in, NULL));
	assert_int_equal(read->count, 1);
	assert_string_equal(read->metrics[0].name, "lm loss");
	assert_int_equal(read->metrics[0].count, 2);
	assert_true(read->metrics[0].values[0] == 0.5);
	rg_golden_free(read);
}

static bool fits(const char *pattern, const char *line, rg_line_match *out)
{
	rg_line_pattern *compiled;
	bool found;

	assert_success(rg_line_pattern_new(&compiled, &patterns, pattern));
	found = rg_line_pattern_match(compiled, line, strlen(line), out);
	return found;
}

static void expect_fit(const char *pattern, const char *line, int64_t step, const char *value)
{
	rg_line_match match;

	if (!fits(pattern, line, &match))
		fail_msg("'%s' does not fit '%s'", line, pattern);
	assert_false(match.masked);
	assert_int_equal(match.step, step);
	assert_int_equal(match.value_length, strlen(value));
	assert_memory_equal(match.value, value, strlen(value));
}

static void expect_no_fit(const char *pattern, const char *line)
{
	rg_line_match match;

	if (fits(pattern, line, &match))
		fail_msg("'%s' fits '%s': %.*s", line, pattern, (int)match.value_length,
			 match.value);
}

TEST(numbers_are_whole)
{
	expect_fit("iteration *{step}/*lm loss: {value} |",
		   " iteration        3/      50 | lm loss: 1.087559E+01 |", 3, "1.087559E+01");
	expect_fit("{step},{value}", "12,1.5", 12, "1.5");
	expect_fit("step{step}=*{value}s", "step-3=  4.5s", -3, "4.5");
	expect_fit("{step} {value}%", "1 93.2%", 1, "93.2");
	expect_fit(LOSSES, "step: x step: 5 loss: v2 n3 (3.5).", 5, "3.5");
	expect_no_fit(LOSSES, "step: 1.5 loss: 2");
	expect_no_fit(LOSSES, "step: 1 loss: 2GB");
	expect_no_fit(LOSSES, "step: 1 loss: 1,234");
	expect_no_fit(LOSSES, "step: 1 loss: 1.2.3");
	expect_no_fit(LOSSES, "step: 1 loss: gpt-3");
	expect_no_fit(LOSSES, "step: 1 loss: nano");
	expect_no_fit(LOSSES, "step: 1 loss: 0x1p3");
	expect_no_fit(LOSSES, "step: 1 loss: .");
	expect_no_fit(LOSSES, "Step: 1 Loss: 1");
	expect_no_fit(LOSSES, "step: 99999999999999999999 loss: 1");
	expect_no_fit(LOSSES, "loss: 1 step: 1");
	expect_no_fit(LOSSES, "");
}

static void refuse_pattern(const char *text, const char *message)
{
	rg_line_pattern *pattern;

	assert_error(rg_line_pattern_new(&pattern, &patterns, text), RG_E_USAGE, message);
	assert_null(pattern);
}

TEST(patterns_that_make_no_sense)
{
	char many[200] = "";
	rg_line_pattern *pattern;

	refuse_pattern("step {step}", "'step {step}': {value} is missing");
	refuse_pattern("", "'': {step} is missing");
	refuse_pattern("{step} {value} {step}", "'{step} {value} {step}': {step} appears twice");
	refuse_pattern("{step}{value}",
		       "'{step}{value}': no text before {value} tells where it begins");
	refuse_pattern("{steps}", "'{steps}': {steps} is not one of its fields: {step}, {value}");
	refuse_pattern("{step", "'{step': a '{' without '}'");
	while (strlen(many) < 140)
		snprintf(many + strlen(many), sizeof(many) - strlen(many), "a*");
	assert_fails_with(rg_line_pattern_new(&pattern, &patterns, many), RG_E_USAGE);
}

TEST(masked_values_are_refused)
{
	static const char message[] =
		"line 2: the step or the value is masked, as a secret; print it in another form";

	refuse_values("a\nstep: 1 loss: ***\n", RG_E_PARSE, message);
	refuse_values("a\nstep: 1 loss: 10.***7\n", RG_E_PARSE, message);
	refuse_values("a\nstep: *** loss: 1\n", RG_E_PARSE, message);
	refuse_values("a\nstep: 1 loss: [MASKED].5\n", RG_E_PARSE, message);
	/* What is masked elsewhere does not matter. */
	expect_values(LOSSES, "*** step: 1 by *** loss: 2 ***\n",
		      HEAD STEPS("1", "1", "1") STEP("1", "2") TAIL);
}

TEST(steps_that_come_twice)
{
	expect_values(LOSSES,
		      "step: 1 loss: 1.5\nstep: 1 loss: 1.50\nstep: 2 loss: nan\n"
		      "step: 1 loss: 1.5\nstep: 2 loss: NaN\n",
		      HEAD STEPS("1", "2", "1") STEP("1", "1.5,\n") STEP("2", "\"nan\"") TAIL);
	refuse_values("step: 1 loss: 1.5\nstep: 2 loss: 1\nstep: 1 loss: 1.6\n", RG_E_PARSE,
		      "step 1 has two values: 1.5 in line 1, 1.6 in line 3");
}

TEST(cut_logs_are_refused)
{
	refuse_values("step: 1 loss: 1.5\nstep: 2 loss: 1.", RG_E_PARSE,
		      "line 2: is cut where the number is, whose last digits may be missing");
	refuse_values("step: 1 loss: 1.5\n\033[33;1mJob's log exceeded limit of 4194304 bytes.\n"
		      "Job execution will continue but no more output will be collected.\n",
		      RG_E_PARSE,
		      "line 2: the log is cut here, because it is over the runner's limit");
	expect_values(LOSSES, "step: 1 loss: 1.5 |",
		      HEAD STEPS("1", "1", "1") STEP("1", "1.5") TAIL);
}

TEST(progress_bars_print_lines)
{
	expect_values(LOSSES, "10% step: 1 loss: 2\r20% step: 2 loss: 3\r30%\n",
		      HEAD STEPS("1", "2", "1") STEP("1", "2,\n") STEP("2", "3") TAIL);
}

static rg_error *scan_lines(const char *log, rg_buf *golden)
{
	const rg_log_format format = {.begin = "--- LOSSES", .end = "---", .max = 40};

	return scan(&format, log, golden);
}

static void expect_lines(const char *log, const char *wanted)
{
	RG_AUTO(rg_buf) golden = rg_buf_of(RG_BUF_TEXT);
	assert_success(scan_lines(log, &golden));
	assert_string_equal(golden.data, wanted);
}

static void refuse_lines(const char *log, rg_error_code code, const char *message)
{
	RG_AUTO(rg_buf) golden = rg_buf_of(RG_BUF_TEXT);
	assert_error(scan_lines(log, &golden), code, message);
}

TEST(lines_between)
{
	expect_lines("x\n" TIME "\033[1m--- LOSSES \033[0m\r\n" TIME "1 8.5\r\n" TIME "\n" TIME
		     "  2 7.5 \n" TIME " ---\ny\n",
		     "1 8.5\n\n  2 7.5 \n");
	/* What only names the first line, as a shell that shows its commands, is not it. */
	expect_lines("+ echo '--- LOSSES'\n---\n", "");
	expect_lines("--- LOSSES\na\n---\n--- LOSSES\na\n---\nb\n", "a\n");
	expect_lines("--- LOSSES\na\n---", "a\n");
}

TEST(lines_that_are_refused)
{
	static const char differs[] =
		"line 4: begins the golden again, and what follows is not the same";

	refuse_lines("--- LOSSES\na\n", RG_E_PARSE,
		     "the log is cut: no line ends what line 1 begins");
	refuse_lines("--- LOSSES\na\n--", RG_E_PARSE,
		     "the log is cut: no line ends what line 1 begins");
	refuse_lines("--- LOSSES\n---\n", RG_E_PARSE, "nothing is between the lines 1 and 2");
	refuse_lines("--- LOSSES\na\n--- LOSSES\n", RG_E_PARSE,
		     "line 3: begins the golden, which line 1 began already and nothing has ended");
	refuse_lines("--- LOSSES\na\n---\n--- LOSSES\nb\n---\n", RG_E_PARSE, differs);
	refuse_lines("--- LOSSES\na\n---\n--- LOSSES\na\nb\n---\n", RG_E_PARSE, differs);
	refuse_lines("--- LOSSES\na\n---\n--- LOSSES\n---\n", RG_E_PARSE, differs);
	refuse_lines("--- LOSSES\na\n---\n--- LOSSES\nab\n---\n", RG_E_PARSE, differs);
	refuse_lines("--- LOSSES\n1 ***\n---\n", RG_E_PARSE,
		     "line 2: a part of it is masked, as a secret; print it in another form");
	refuse_lines("--- LOSSES\n0123456789012345678901234567890123456789\n---\n", RG_E_LIMIT,
		     "it: more than 40 bytes");
	refuse_lines("--- LOSSES\na\nJob's log exceeded limit of 4 bytes.\n", RG_E_PARSE,
		     "line 3: the log is cut here, because it is over the runner's limit");
}

/* A log of any length takes the memory of its golden. */
TEST(there_is_a_limit)
{
	const rg_log_format values = {.metric = "m", .max = 5};
	rg_log_format format = values;
	rg_line_pattern *match;

	RG_AUTO(rg_buf) golden = rg_buf_of(RG_BUF_TEXT);
	assert_success(rg_line_pattern_new(&match, &patterns, LOSSES));
	format.match = match;
	assert_error(scan(&format, "step: 1 loss: 123\nstep: 2 loss: 123\n", &golden), RG_E_LIMIT,
		     "its values: more than 5 bytes");
}

TEST(values_are_bounded)
{
	rg_line_match match = {.value = "5", .value_length = 1, .number = 5};
	rg_log_series series;
	rg_error *err = NULL;
	size_t i;

	rg_log_series_init(&series, 4 * RG_LOG_STEPS_MAX);
	/* All ranks print all steps, in any order. */
	for (i = 0; i < 2 * RG_LOG_STEPS_MAX; i++) {
		match.step = (int64_t)(i % 3);
		assert_success(rg_log_series_add(&series, &match, i));
	}
	assert_true(series.count <= RG_LOG_STEPS_MAX);
	assert_success(rg_log_series_settle(&series));
	assert_int_equal(series.count, 3);
	for (i = 0; !err && i < 2 * RG_LOG_STEPS_MAX; i++) {
		match.step = (int64_t)i;
		err = rg_log_series_add(&series, &match, i);
	}
	assert_error(err, RG_E_LIMIT, "line 1048573: more than 524288 steps");
	rg_log_series_release(&series);
}
