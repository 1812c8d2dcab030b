/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Appends the name of a unit test that starts a thread, or a process, which may start some, to the
 * file UNIT_THREADS: CI runs those under the thread sanitizer. Unit tests are linked with these
 * instead of what they call (--wrap).
 */
#ifdef __linux__

#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
			  void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
			  void *argument);
pid_t __real_fork(void);
pid_t __wrap_fork(void);
int __real_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attributes, char *const words[],
			char *const environment[]);
int __wrap_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attributes, char *const words[],
			char *const environment[]);

static void append_name(void)
{
	const char *list = getenv("UNIT_THREADS"), *name = getenv("UNIT_NAME");
	FILE *file = list && name ? fopen(list, "a") : NULL;

	if (!file)
		return;
	fprintf(file, "%s\n", name);
	fclose(file);
}

static void note(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, append_name);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
			  void *argument)
{
	note();
	return __real_pthread_create(thread, attributes, run, argument);
}

pid_t __wrap_fork(void)
{
	note();
	return __real_fork();
}

int __wrap_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attributes, char *const words[],
			char *const environment[])
{
	note();
	return __real_posix_spawnp(pid, file, actions, attributes, words, environment);
}

#endif
