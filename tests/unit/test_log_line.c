/* SPDX-License-Identifier: Apache-2.0 */
/* A job's log as its lines, without what servers put around them. */
#include "unit/unit.h"

#include "source/log_scan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "NUMBER:TEXT\n" of each, with '!' where it is cut. */
static rg_error *note(void *context, const rg_log_line *line)
{
	rg_buf *out = context;

	rg_buf_printf(out, "%" PRIu64 "%s:", line->number, line->cut ? "!" : "");
	rg_buf_add(out, line->text, line->length);
	rg_buf_char(out, '\n');
	return NULL;
}

/* The log comes `step` bytes at a time. */
static void read_log(rg_buf *out, const char *log, size_t length, size_t step)
{
	rg_log_lines lines;
	size_t at;

	rg_buf_clear(out);
	rg_log_lines_init(&lines, note, out);
	for (at = 0; at < length; at += step)
		assert_success(rg_log_lines_add(&lines, log + at,
						length - at < step ? length - at : step));
	assert_success(rg_log_lines_end(&lines));
	rg_log_lines_release(&lines);
}

static void expect(const char *log, const char *wanted)
{
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	read_log(&out, log, strlen(log), strlen(log) + 1);
	assert_string_equal(out.data, wanted);
	read_log(&out, log, strlen(log), 1);
	assert_string_equal(out.data, wanted);
}

TEST(times_are_taken_off)
{
	expect("\xef\xbb\xbf"
	       "2026-08-21T21:30:21.1234567Z a\n"
	       "2026-08-21T21:30:21.1234567Z \n"
	       "2026-08-21T21:30:21.1234567Z\n"
	       "2026-08-21T21:30:21.1234567Z   b 2026-08-21T21:30:21.1234567Z c\n",
	       "1:a\n2:\n3:\n4:  b 2026-08-21T21:30:21.1234567Z c\n");
	/* Once; and what a job itself prints is not the server's. */
	expect("2026-08-21T21:30:21.1234567Z 2026-08-21T21:30:21.1234567Z a\n",
	       "1:2026-08-21T21:30:21.1234567Z a\n");
	expect("2026-08-21T21:30:21Z a\n2026-08-21T21:30:21.123Z "
	       "b\n2026-08-21T21:30:21.1234567Zc\n",
	       "1:2026-08-21T21:30:21Z a\n2:2026-08-21T21:30:21.123Z b\n"
	       "3:2026-08-21T21:30:21.1234567Zc\n");
}

/* A runner with FF_TIMESTAMPS writes what a job prints in several pieces on lines of their own. */
TEST(pieces_are_put_together)
{
	expect("2026-08-21T21:30:21.123456Z 01O loss: 10.\n"
	       "2026-08-21T21:30:21.223456Z 01O+875\n"
	       "2026-08-21T21:30:21.323456Z 01E next\n",
	       "1:loss: 10.875\n3:next\n");
	expect("2026-08-21T21:30:21.123456Z 01O+first\n", "1:first\n");
	expect("2026-08-21T21:30:21.123456Z 01X a\n", "1:2026-08-21T21:30:21.123456Z 01X a\n");
}

TEST(colours_are_taken_off)
{
	expect("\033[32;1mgreen\033[0;m \033[1;31mred\033[m\n", "1:green red\n");
	expect("a\033(Bb\033]8;;http://x\033\\c\033]0;t\ad\033[?25le\033Mf\n", "1:abcdef\n");
	/* What is cut or broken takes nothing with it. */
	expect("a\033\nb\033[\nc\033[3\nd\033]0;t\ne\033[3\001f\n", "1:a\n2:b\n3:c\n4:d0;t\n"
								    "5:e\001f\n");
}

TEST(sections_are_taken_off)
{
	expect("section_start:1560896352:my_section[collapsed=true]\r\033[0KHeader\n"
	       "section_end:1560896353:my_section\r\033[0K\n"
	       "a section_start:1560896352:x\r\033[0Ksection_start:1:y\r\033[0Kb\n"
	       "section_start:here section_end:1 sections\n",
	       "1:Header\n2:\n3:a b\n4:section_start:here section_end:1 sections\n");
	expect("2026-08-21T21:30:21.123456Z 00O section_start:1560896352:prepare\n"
	       "2026-08-21T21:30:21.123456Z 00O+\033[0K\033[0KPreparing\n",
	       "1:Preparing\n");
}

TEST(line_ends)
{
	expect("a\r\nb\r\r\nc\rd\n\n", "1:a\n2:b\n3:c\rd\n4:\n");
	expect("a\nb", "1:a\n2!:b\n");
	expect("", "");
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	read_log(&out, "a\0b\n", 4, 4);
	assert_int_equal(out.length, 6);
	assert_memory_equal(out.data, "1:a\0b\n", 6);
}

static rg_error *measure(void *context, const rg_log_line *line)
{
	size_t *lengths = context;

	assert_true(line->number <= 2);
	lengths[line->number - 1] = line->cut ? line->length : 0;
	return NULL;
}

TEST(long_lines_are_cut)
{
	static char block[1 << 20];
	size_t lengths[2] = {0}, i;
	rg_log_lines lines;

	memset(block, 'x', sizeof(block));
	rg_log_lines_init(&lines, measure, lengths);
	for (i = 0; i < 40; i++)
		assert_success(rg_log_lines_add(&lines, block, sizeof(block)));
	assert_success(rg_log_lines_add(&lines, "\nshort\n", 7));
	assert_success(rg_log_lines_end(&lines));
	assert_int_equal(lengths[0], RG_LOG_LINE_MAX);
	assert_int_equal(lengths[1], 0);
	rg_log_lines_release(&lines);
}

static rg_error *refuse(void *context, const rg_log_line *line)
{
	(void)context;
	return rg_error_new(RG_E_PARSE, "line %" PRIu64, line->number);
}

TEST(errors_end_it)
{
	rg_log_lines lines;

	rg_log_lines_init(&lines, refuse, NULL);
	assert_error(rg_log_lines_add(&lines, "a\nb\nc\n", 6), RG_E_PARSE, "line 1");
	rg_log_lines_release(&lines);
}
