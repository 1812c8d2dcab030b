/* SPDX-License-Identifier: Apache-2.0 */
/* The line of a transfer on a terminal and, off one, the plain lines: one each ten seconds. */
#include "unit/unit.h"

/* The display itself: its clock is set here. */
#include "progress.c"

/* The terminal's, without -v. */
bool terminal_shows(rg_log_level level)
{
	return level <= RG_LOG_INFO;
}

size_t terminal_columns(FILE *stream)
{
	(void)stream;
	return 80;
}

static char lines[1024];
static pthread_mutex_t lines_lock = PTHREAD_MUTEX_INITIALIZER;

static void keep(void *context, rg_log_level level, const char *text)
{
	size_t length;

	(void)context;
	pthread_mutex_lock(&lines_lock);
	length = strlen(lines);
	snprintf(lines + length, sizeof(lines) - length, "%s%s\n",
		 level == RG_LOG_INFO ? "" : "not as news: ", text);
	pthread_mutex_unlock(&lines_lock);
}

static bool are_there(const char *expected)
{
	bool there;

	pthread_mutex_lock(&lines_lock);
	there = !strcmp(lines, expected);
	pthread_mutex_unlock(&lines_lock);
	return there;
}

/* Within a minute, which is ample on the slowest machine. */
static void assert_come(const char *expected)
{
	const struct timespec moment = {.tv_nsec = 20000000};

	for (int i = 0; i < 3000 && !are_there(expected); i++)
		nanosleep(&moment, NULL);
	if (!are_there(expected))
		fail_msg("what came is '%s', not '%s'", lines, expected);
}

TEST(says_a_line_each_ten_seconds)
{
	progress_display d = {.log = {keep, NULL}, .line_at = 100};

	lines[0] = '\0';
	d.state = (rg_progress_state){
		.done = 1, .total = 3, .bytes_moved = 1024, .bytes_total = 4096};
	print_line(&d, 109.9);
	assert_string_equal(lines, "");
	print_line(&d, 110);
	assert_string_equal(lines, "1 of 3 artifacts, 1.0 KiB of 4.0 KiB moved\n");
	print_line(&d, 119.9);
	d.state.done = 2;
	print_line(&d, 125);
	print_line(&d, 134.9);
	assert_string_equal(lines, "1 of 3 artifacts, 1.0 KiB of 4.0 KiB moved\n"
				   "2 of 3 artifacts, 1.0 KiB of 4.0 KiB moved\n");
}

static void move_last_line(progress_display *d, double seconds)
{
	pthread_mutex_lock(&d->lock);
	d->line_at += seconds;
	pthread_mutex_unlock(&d->lock);
}

/* By itself, among what is logged meanwhile; never before it is known how much there is to do. */
TEST(says_it_while_it_runs)
{
	const common_arguments common = {0};
	command_context env = {.common = &common, .flow = {.log = {keep, NULL}}};
	const rg_progress_state moved = {
		.done = 2, .total = 8, .bytes_moved = 5, .current = "logs"};
	progress_display *d;

	lines[0] = '\0';
	setenv("TERM", "dumb", 1);
	assert_success(progress_open(&d, &env));
	move_last_line(d, -1000);
	rg_log_say(&env.flow.log, RG_LOG_INFO, "found");
	env.flow.progress.waiting(env.flow.progress.context, "busy", 3);
	env.flow.progress.waiting(env.flow.progress.context, NULL, 0);
	assert_string_equal(lines, "found\n");
	env.flow.progress.update(env.flow.progress.context, &moved);
	assert_come("found\n2 of 8 artifacts, 5 B of 0 B moved\n");
	progress_close(d);
	assert_ptr_equal(env.flow.log.write, keep);
	assert_null(env.flow.progress.update);
	progress_close(NULL);
}

/* Debug messages come by the dozen: a line that goes for each of them flickers. */
TEST(keeps_the_line_where_nothing_is_shown)
{
	progress_display d = {.log = {keep, NULL}, .drawn = 5};

	lines[0] = '\0';
	rg_buf_init(&d.line, 100);
	rg_buf_str(&d.line, "1 of 3");
	pthread_mutex_init(&d.lock, NULL);
	on_log(&d, RG_LOG_DEBUG, "GET /");
	assert_int_equal(d.drawn, 5);
	on_log(&d, RG_LOG_INFO, "found");
	assert_int_equal(d.drawn, 0);
	assert_string_equal(d.line.data, "");
	assert_string_equal(lines, "found\n");
	rg_buf_release(&d.line);
	pthread_mutex_destroy(&d.lock);
}

static void assert_line(const progress_facts *facts, size_t width, const char *expected)
{
	size_t taken;

	RG_AUTO(rg_buf) line = rg_buf_of(LINE_BYTES);
	taken = progress_line(&line, facts, width);
	assert_string_equal(line.data, expected);
	assert_true(taken <= width);
}

static const progress_facts under_way = {
	.state = {.done = 12,
		  .total = 126,
		  .bytes_moved = 1258291,
		  .bytes_total = 66060288,
		  .current = "logs-moe_mcore_tp1_pp4_vp2-22651183945-63d47f"},
	.rate = 358400,
	.seconds = 12,
};

/* What does not fit is left out from the end; the name is what is shortened. */
TEST(fits_its_line_to_the_width)
{
	assert_line(&under_way, 120,
		    " 12 of 126 artifacts,    1.2 MiB of 63.0 MiB,  350.0 KiB/s, 2 min left, "
		    "logs-moe_mcore_tp1_pp4_vp2-22651183945-63d47f");
	assert_line(&under_way, 100,
		    " 12 of 126 artifacts,    1.2 MiB of 63.0 MiB,  350.0 KiB/s, 2 min left, "
		    "logs-m…p2-22651183945-63d47f");
	assert_line(&under_way, 75,
		    " 12 of 126 artifacts,    1.2 MiB of 63.0 MiB,  350.0 KiB/s, 2 min left");
	assert_line(&under_way, 50, " 12 of 126 artifacts,    1.2 MiB of 63.0 MiB");
	assert_line(&under_way, 20, " 12 of 126 artifacts");
	assert_line(&under_way, 5, "");
}

/* The wait comes before the figures, so that it is seen in a narrow window too. */
TEST(says_what_it_waits_for)
{
	progress_facts facts = under_way;

	facts.waiting = "GitHub's rate limit\x1b[2J";
	facts.waiting_seconds = 200;
	assert_line(&facts, 100,
		    " 12 of 126 artifacts, waiting 3 min 20 s: GitHub's rate limit\\x1b[2J,    "
		    "1.2 MiB of 63.0 MiB");
	assert_line(&facts, 59, " 12 of 126 artifacts, waiting 3 min 20 s: GitH…limit\\x1b[2J");
	facts.state = (rg_progress_state){0};
	assert_line(&facts, 60, "waiting 3 min 20 s: GitHub's rate limit\\x1b[2J");
	facts.waiting = NULL;
	assert_line(&facts, 60, "");
	facts.state.current = "the run's jobs and artifacts";
	assert_line(&facts, 60, "waiting for the run's jobs and artifacts");
}

/* By artifacts: of most of them few bytes are moved. */
TEST(guesses_the_time_left)
{
	static const struct {
		uint64_t done, total;
		double seconds;
		const char *text;
	} cases[] = {
		{0, 10, 5, ""},
		{10, 10, 5, ""},
		{1, 2, 0, ""},
		{5, 10, 5, "6 s left"},
		{1, 61, 1, "1 min left"},
		{1, 2, 3599, "60 min left"},
		{1, 2, 5400, "1.5 h left"},
		{1, 1000000, 100, ""},
	};
	char text[RG_SIZE_TEXT];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const progress_facts facts = {
			.state = {.done = cases[i].done, .total = cases[i].total},
			.seconds = cases[i].seconds};

		time_left(text, sizeof(text), &facts);
		assert_string_equal(text, cases[i].text);
	}
}

/* A wait that ends takes nobody else's from the line, and one too short to read is not shown. */
TEST(shows_the_longest_wait)
{
	progress_display d = {.log = {keep, NULL}};

	pthread_mutex_init(&d.lock, NULL);
	on_waiting(&d, "pacing requests", 0.5);
	assert_null(facts_now(&d, rg_clock_monotonic()).waiting);
	on_waiting(&d, "GitHub's rate limit", 1000);
	on_waiting(&d, "busy", 10);
	on_waiting(&d, NULL, 0);
	assert_string_equal(facts_now(&d, rg_clock_monotonic()).waiting, "GitHub's rate limit");
	assert_null(facts_now(&d, rg_clock_monotonic() + 1001).waiting);
	pthread_mutex_destroy(&d.lock);
}
