/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs shell commands in turn, ROUNDS times each (A B A B …, so that whatever slows the machine
 * down meets all of them), their output thrown away, after one round that counts for memory alone.
 * 0 rounds are that one.
 *
 * usage: measure ROUNDS COMMAND…
 *   prints a line a command: median seconds, least seconds, largest resident set in KiB (of the
 *   command or a process that it waited for). Ends with 1 where a command ended with 2 or more or
 * by a signal: 1 and 4 are answers of regild.
 */
#include "base/number.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS_MAX = 8, ROUNDS_MAX = 200 };

typedef struct {
	double seconds[ROUNDS_MAX];
	long resident;
} samples;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void become(const char *command)
{
	int nowhere = open("/dev/null", O_WRONLY);

	if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0)
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static int run_once(const char *command, double *seconds, long *resident)
{
	double start = now();
	struct rusage usage;
	pid_t child = fork();
	int status;

	if (child == 0)
		become(command);
	if (child < 0 || wait4(child, &status, 0, &usage) != child)
		return 1;
	*seconds = now() - start;
	if (usage.ru_maxrss > *resident)
		*resident = usage.ru_maxrss;
	if (WIFEXITED(status) && (WEXITSTATUS(status) <= 1 || WEXITSTATUS(status) == 4))
		return 0;
	fprintf(stderr, "measure: it failed: %s\n", command);
	return 1;
}

static int compare_seconds(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return left < right ? -1 : left > right;
}

int main(int argc, char **argv)
{
	static samples all[COMMANDS_MAX];
	int commands = argc - 2, i;
	uint64_t rounds;
	size_t round;

	if (commands < 1 || commands > COMMANDS_MAX ||
	    !rg_uint64_parse(argv[1], strlen(argv[1]), &rounds) || rounds > ROUNDS_MAX) {
		fprintf(stderr, "usage: measure ROUNDS COMMAND…\n");
		return 2;
	}
	for (round = 0; round <= rounds; round++)
		for (i = 0; i < commands; i++)
			if (run_once(argv[i + 2], &all[i].seconds[round ? round - 1 : 0],
				     &all[i].resident))
				return 1;
	for (i = 0; i < commands; i++) {
		qsort(all[i].seconds, (size_t)rounds, sizeof(double), compare_seconds);
		printf("%.6f %.6f %ld\n", all[i].seconds[rounds / 2], all[i].seconds[0],
		       all[i].resident);
	}
	return 0;
}
