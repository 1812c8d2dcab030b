/* SPDX-License-Identifier: Apache-2.0 */
/* The plain lines of a transfer off a terminal: one each ten seconds. */
#include "unit/unit.h"

/* The display itself: its clock is set here. */
#include "progress.c"

/* The terminal's, without -v. */
bool terminal_shows(rg_log_level level)
{
	return level <= RG_LOG_INFO;
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

static void says_a_line_each_ten_seconds(void **state)
{
	progress_display d = {.log = {keep, NULL}, .line_at = 100};

	(void)state;
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
static void says_it_while_it_runs(void **state)
{
	const common_arguments common = {0};
	command_context env = {.common = &common, .flow = {.log = {keep, NULL}}};
	const rg_progress_state moved = {
		.done = 2, .total = 8, .bytes_moved = 5, .current = "logs"};
	progress_display *d;

	(void)state;
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
static void keeps_the_line_where_nothing_is_shown(void **state)
{
	progress_display d = {.log = {keep, NULL}, .drawn = 5};

	(void)state;
	lines[0] = '\0';
	pthread_mutex_init(&d.lock, NULL);
	on_log(&d, RG_LOG_DEBUG, "GET /");
	assert_int_equal(d.drawn, 5);
	on_log(&d, RG_LOG_INFO, "found");
	assert_int_equal(d.drawn, 0);
	assert_string_equal(lines, "found\n");
	pthread_mutex_destroy(&d.lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_a_line_each_ten_seconds),
		cmocka_unit_test(says_it_while_it_runs),
		cmocka_unit_test(keeps_the_line_where_nothing_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
