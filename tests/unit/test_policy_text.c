/* SPDX-License-Identifier: Apache-2.0 */
/* Recommended tolerances as text: where the block goes in a .regild, and what is not written. */

#include "unit.h"

#include "flow/policy_text.h"
#include "audit_runs.h"

#include <math.h>
#include <stdio.h>

#define BEGIN "# regild audit: measured tolerances begin (made by --write-policy)"
#define END   "# regild audit: measured tolerances end"

static const double five_runs[] = {3, 4, 5, 4, 4};

/* Audits runs of some metrics with one step each. */
static rg_audit audit_of(const double *values, size_t count, size_t metrics)
{
	number_runs runs = make_runs(values, count, metrics, 1);
	rg_audit_source source = source_of(&runs);
	rg_audit audit;

	assert_null(rg_audit_make(&audit, &source, &usual_options));
	free_runs(&runs);
	return audit;
}

static void expect_text(const rg_audit *audit, const char *config, const char *wanted)
{
	rg_policy_written written;

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_null(
		rg_policy_write(&out, &written, config, strlen(config), audit, 0, "2026-04-02"));
	assert_string_equal(out.data, wanted);
}

static void expect_refusal(const rg_audit *audit, const char *config, const char *wanted)
{
	rg_policy_written written;
	rg_error *err;

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	err = rg_policy_write(&out, &written, config, strlen(config), audit, 0, "2026-04-02");
	assert_non_null(err);
	assert_string_equal(rg_error_message(err), wanted);
	rg_error_free(err);
}

#define ENTRY(eol)                                                                       \
	"[metric \"a\"]" eol "\t# 5 runs of 1 file, 2026-04-02: largest deviation 0.25 " \
	"by step" eol "\tkind = combined" eol "\trtol = 0.375" eol "\tatol = 1e-06" eol

TEST(block_goes_behind_or_replaces)
{
	rg_audit audit = audit_of(five_runs, 5, 1);

	expect_text(&audit, "", BEGIN "\n" ENTRY("\n") END "\n");
	expect_text(&audit, "[regild]\n\troot = x",
		    "[regild]\n\troot = x\n" BEGIN "\n" ENTRY("\n") END "\n");
	expect_text(&audit, "a\n" BEGIN "\nold\n" END "\nb\n",
		    "a\n" BEGIN "\n" ENTRY("\n") END "\nb\n");
	expect_text(&audit, BEGIN "\nold\n" END, BEGIN "\n" ENTRY("\n") END "\n");
	/* Two, as a merge may leave them, become one. */
	expect_text(&audit, BEGIN "\nold\n" END "\nb\n" BEGIN "\nolder\n" END "\nc\n",
		    BEGIN "\n" ENTRY("\n") END "\nb\nc\n");
	rg_audit_release(&audit);
}

/* Levels of the same metric's own section would count in another unit. */
TEST(levels_of_the_same_section_are_set_anew)
{
	rg_audit audit = audit_of(five_runs, 5, 1);
	rg_policy *policy;

	policy = rg_policy_new();
	audit.options.policy = policy;
	assert_null(rg_policy_set_default(policy, false, "a", "flag", "1e-3"));
	assert_null(rg_policy_set(policy, "*", "fail", "0.5"));
	assert_null(rg_policy_set(policy, "a", "steps", "5.."));
	expect_text(&audit, "", BEGIN "\n" ENTRY("\n") END "\n");
	assert_null(rg_policy_set(policy, "a", "fail", "0.5"));
	expect_text(&audit, "", BEGIN "\n" ENTRY("\n") "\tfail = 1\n" END "\n");
	assert_null(rg_policy_set(policy, "a", "flag", "0.25"));
	assert_null(rg_policy_set(policy, "a", "noise", "0.125"));
	expect_text(&audit, "",
		    BEGIN "\n" ENTRY("\n") "\tnoise = 0\n\tflag = 1\n\tfail = 1\n" END "\n");
	audit.options.policy = NULL;
	rg_policy_free(policy);
	rg_audit_release(&audit);
}

TEST(line_ends_stay)
{
	rg_audit audit = audit_of(five_runs, 5, 1);

	expect_text(&audit, "[regild]\r\n\troot = x\r\n",
		    "[regild]\r\n\troot = x\r\n" BEGIN "\r\n" ENTRY("\r\n") END "\r\n");
	expect_text(&audit, "a\r\n" BEGIN "\r\nold\r\n" END "\r\nb\r\n",
		    "a\r\n" BEGIN "\r\n" ENTRY("\r\n") END "\r\nb\r\n");
	expect_text(&audit, "a\r\nb", "a\r\nb\r\n" BEGIN "\r\n" ENTRY("\r\n") END "\r\n");
	rg_audit_release(&audit);
}

TEST(markers_are_whole_lines)
{
	rg_audit audit = audit_of(five_runs, 5, 1);

	expect_text(&audit, "# " BEGIN "\n# " END "\n",
		    "# " BEGIN "\n# " END "\n" BEGIN "\n" ENTRY("\n") END "\n");
	expect_text(&audit, END "\n", END "\n" BEGIN "\n" ENTRY("\n") END "\n");
	expect_refusal(&audit, "a\n" BEGIN "\nold\n",
		       "the block of measured tolerances has lost its end; remove it");
	expect_refusal(&audit, BEGIN "\nold\n" BEGIN "\nold\n" END "\n",
		       "the block of measured tolerances has lost its end; remove it");
	rg_audit_release(&audit);
}

/* What libgit2 would take for more of the value above, whatever blank lines and comments stand
 * between. */
TEST(a_value_that_goes_on_is_refused)
{
	static const char wanted[] =
		"line 2 ends in a backslash, which would make what is written after it a part of "
		"its value; complete the line";
	static const char *const open[] = {
		"[regild]\nroot = x\\",
		"[regild]\nroot = x\\\n",
		"[regild]\r\nroot = x\\\r\n",
		"[regild]\nroot = x\\ \t\n",
		"[regild]\nroot = \"x\\\n",
		"[regild]\nroot = x \"# \\\n",
		"[regild]\nroot = x\\\\\\\n",
		"[regild]\nroot = x \\# y\\\n",
		"[regild]\nroot = x\\\n\n\t# more\\\n",
		"[regild]\nroot = x\\\n" BEGIN "\nold\n" END "\n",
	};
	static const char *const closed[] = {
		"[regild]\nroot = x\\\n y\n",     "[regild]\nroot = x\\\\\n",
		"[regild]\nroot = x # y\\\n",     "; c\\\n",
		"[regild]\nroot = \"x # y\\\"\n", "[regild]\nroot = \"x\\\ny\" # z\\\n",
		"[regild]\nroot = \"x\n# y\\\n",
	};
	rg_audit audit = audit_of(five_runs, 5, 1);
	char expected[600];
	rg_error *err;
	size_t i;

	for (i = 0; i < sizeof(open) / sizeof(*open); i++) {
		expect_refusal(&audit, open[i], wanted);
		err = rg_policy_check(open[i], strlen(open[i]));
		assert_non_null(err);
		rg_error_free(err);
	}
	for (i = 0; i < sizeof(closed) / sizeof(*closed); i++) {
		snprintf(expected, sizeof(expected), "%s" BEGIN "\n" ENTRY("\n") END "\n",
			 closed[i]);
		expect_text(&audit, closed[i], expected);
		assert_null(rg_policy_check(closed[i], strlen(closed[i])));
		expect_text(&audit, expected, expected);
	}
	rg_audit_release(&audit);
}

/* A run that is not finite measures nothing. */
TEST(what_is_not_measured_is_not_written)
{
	const double one_finite[] = {NAN, NAN, 3, NAN}, none[] = {NAN, NAN};
	const double both[] = {3, NAN, 4, 7, 5, NAN, 4, NAN, 4, NAN};
	rg_audit audit = audit_of(one_finite, 4, 1);

	expect_refusal(&audit, "",
		       "metric 'a': 1 run has finite values in the steps that count, and a "
		       "tolerance needs 5");
	rg_audit_release(&audit);
	audit = audit_of(none, 2, 1);
	expect_refusal(
		&audit, "",
		"metric 'a': 0 runs have finite values in the steps that count, and a tolerance "
		"needs 5");
	rg_audit_release(&audit);
	/* Beside one that is measured, it is said. */
	audit = audit_of(both, 5, 2);
	expect_text(&audit, "",
		    BEGIN "\n" ENTRY("\n") "# metric 'b': 1 run has finite values in the steps "
					   "that count, and a tolerance needs 5\n" END "\n");
	rg_audit_release(&audit);
}

/* Names that no section can have are said in a comment, which they do not end. */
TEST(names_that_no_section_can_have)
{
	char long_name[1000], expected[2500], *pattern;
	const char *const names[] = {"", long_name, "a", "b\n[regild]\tc"};
	const double values[] = {3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4};
	number_runs runs = make_runs(values, 5, 4, 1);
	rg_audit_source source = source_of(&runs);
	rg_policy_written written;
	rg_audit audit;
	rg_buf out;

	/* With "metric." and ".aggregate" 1,000 bytes; each '*' is escaped. */
	memset(long_name, '*', sizeof(long_name));
	long_name[491] = 'x';
	long_name[492] = '\0';
	assert_null(rg_policy_pattern(&pattern, long_name));
	assert_int_equal(strlen(pattern), 1000 - strlen("metric..aggregate"));
	free(pattern);
	runs.names = names;
	assert_null(rg_audit_make(&audit, &source, &usual_options));
	rg_buf_init(&out, RG_BUF_TEXT);
	assert_null(rg_policy_write(&out, &written, "", 0, &audit, 0, "2026-04-02"));
	assert_int_equal(written.metrics, 3);
	assert_int_equal(written.left_out, 1);
	assert_non_null(strstr(out.data, "\n[metric \"\"]\n"));
	assert_non_null(strstr(out.data, "*x\"]\n"));
	assert_non_null(strstr(out.data, "\n# metric 'b\\x0a[regild]\\x09c': no section of .regild "
					 "can have a line end in its name\n"));
	rg_audit_release(&audit);
	/* One byte more. */
	memcpy(long_name + 491, "xx", 3);
	snprintf(expected, sizeof(expected),
		 "\n# metric '%s': its name is too long for a section of .regild\n", long_name);
	assert_null(rg_audit_make(&audit, &source, &usual_options));
	rg_buf_clear(&out);
	assert_null(rg_policy_write(&out, &written, "", 0, &audit, 0, "2026-04-02"));
	assert_int_equal(written.metrics, 2);
	assert_int_equal(written.left_out, 2);
	assert_non_null(strstr(out.data, expected));
	rg_buf_release(&out);
	rg_audit_release(&audit);
	free_runs(&runs);
}

TEST(no_metric_at_all)
{
	const double value[] = {1};
	rg_audit audit = audit_of(value, 1, 0);

	expect_refusal(&audit, "", "no metric has a series to take a tolerance from");
	rg_audit_release(&audit);
}

/* What the audit derives from a golden's requests is not a metric that compare has. */
TEST(derived_metrics_get_no_entry)
{
	static const char *const names[] = {"0/latency", "1/latency"};
	const double values[] = {3, 3, 4, 4, 5, 5, 4, 4, 4, 4};
	number_runs runs = make_runs(values, 5, 2, 1);
	rg_audit_source source = source_of(&runs);
	rg_policy_written written;
	rg_audit audit;
	rg_buf out;

	runs.names = names;
	assert_null(rg_audit_make(&audit, &source, &usual_options));
	assert_int_equal(audit.metric_count, 3);
	rg_buf_init(&out, RG_BUF_TEXT);
	assert_null(rg_policy_write(&out, &written, "", 0, &audit, 0, "2026-04-02"));
	assert_int_equal(written.metrics, 2);
	assert_non_null(strstr(out.data, "[metric \"1/latency\"]"));
	assert_null(strstr(out.data, "[metric \"latency\"]"));
	rg_buf_release(&out);
	rg_audit_release(&audit);
	free_runs(&runs);
}

/* Zeros have no deviation, and are measured anyway. */
TEST(zeros_are_measured)
{
	const double zeros[] = {0, 0, 0, 0, 0};
	rg_audit audit = audit_of(zeros, 5, 1);

	expect_text(&audit, "",
		    BEGIN "\n[metric \"a\"]\n\t# 5 runs of 1 file, 2026-04-02: largest deviation "
			  "0.0 by step\n\tkind = combined\n\trtol = 0.001\n\tatol = 1e-06\n" END
			  "\n");
	rg_audit_release(&audit);
}
