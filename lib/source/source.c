#include "source/source.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void rg_run_init(rg_run *run)
{
	*run = (rg_run){0};
	rg_arena_init(&run->arena);
	rg_arena_init(&run->artifact_arena);
}

void rg_run_release(rg_run *run)
{
	free(run->jobs);
	free(run->earlier);
	free(run->artifacts);
	rg_arena_release(&run->artifact_arena);
	rg_arena_release(&run->arena);
	rg_run_init(run);
}

bool rg_run_is_finished(const rg_run *run)
{
	return run->status && !strcmp(run->status, "completed");
}

/* Exactly `count` digits. */
static bool take_digits(const char **p, int count, int *out)
{
	int value = 0;

	for (; count; count--, ++*p) {
		if (**p < '0' || **p > '9')
			return false;
		value = value * 10 + (**p - '0');
	}
	*out = value;
	return true;
}

static bool take_char(const char **p, char wanted)
{
	if (**p != wanted)
		return false;
	++*p;
	return true;
}

/* "Z", "+01:00" or "-0700"; the offset in seconds. */
static bool take_zone(const char **p, int *offset)
{
	int sign = **p == '-' ? -1 : 1, hours, minutes;

	*offset = 0;
	if (take_char(p, 'Z') || take_char(p, 'z'))
		return true;
	if (!take_char(p, '+') && !take_char(p, '-'))
		return false;
	if (!take_digits(p, 2, &hours))
		return false;
	take_char(p, ':');
	if (!take_digits(p, 2, &minutes) || hours > 23 || minutes > 59)
		return false;
	*offset = sign * (hours * 3600 + minutes * 60);
	return true;
}

static int days_of(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return days[month - 1] + (month == 2 && leap ? 1 : 0);
}

bool rg_time_parse(const char *text, int64_t *out)
{
	const char *p = text;
	struct tm tm = {0};
	int year, month, offset;

	if (!take_digits(&p, 4, &year) || !take_char(&p, '-') || !take_digits(&p, 2, &month) ||
	    !take_char(&p, '-') || !take_digits(&p, 2, &tm.tm_mday) ||
	    !(take_char(&p, 'T') || take_char(&p, 't') || take_char(&p, ' ')) ||
	    !take_digits(&p, 2, &tm.tm_hour) || !take_char(&p, ':') ||
	    !take_digits(&p, 2, &tm.tm_min) || !take_char(&p, ':') ||
	    !take_digits(&p, 2, &tm.tm_sec))
		return false;
	if (take_char(&p, '.'))
		p += strspn(p, "0123456789");
	if (!take_zone(&p, &offset) || *p || month < 1 || month > 12 || tm.tm_mday < 1 ||
	    tm.tm_mday > days_of(year, month) || tm.tm_hour > 23 || tm.tm_min > 59 ||
	    tm.tm_sec > 60)
		return false;
	tm.tm_year = year - 1900;
	tm.tm_mon = month - 1;
	*out = (int64_t)timegm(&tm) - offset;
	return true;
}
