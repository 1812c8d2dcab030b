/* For sched_getaffinity and pthread_attr_setaffinity_np. */
#define _GNU_SOURCE

#include "base/thread.h"

#include <unistd.h>

#ifdef __GLIBC__

#include <sched.h>
#include <stdlib.h>

typedef struct {
	void *(*run)(void *argument);
	void *argument;
	cpu_set_t cores; /* of the process: the thread's too, once it runs */
} start;

size_t rg_cores(void)
{
	cpu_set_t cores;

	/* A machine of more cores than the set has room for. */
	if (sched_getaffinity(0, sizeof(cores), &cores)) {
		long online = sysconf(_SC_NPROCESSORS_ONLN);

		return online > 1 ? (size_t)online : 1;
	}
	return (size_t)CPU_COUNT(&cores);
}

static void *run_unbound(void *argument)
{
	start s = *(start *)argument;

	free(argument);
	/* Bound to the other cores it works as well, only not as evenly. */
	(void)sched_setaffinity(0, sizeof(s.cores), &s.cores);
	return s.run(s.argument);
}

/* Asks for the cores of the process but the caller's; false where there are none. */
static bool ask_for_others(pthread_attr_t *attributes, cpu_set_t *all)
{
	int here = sched_getcpu();
	cpu_set_t others;

	if (here < 0 || sched_getaffinity(0, sizeof(*all), all))
		return false;
	others = *all;
	CPU_CLR((size_t)here, &others);
	return CPU_COUNT(&others) &&
	       !pthread_attr_setaffinity_np(attributes, sizeof(others), &others);
}

static bool start_elsewhere(pthread_t *out, void *(*run)(void *argument), void *argument)
{
	start *s = malloc(sizeof(*s));
	pthread_attr_t attributes;
	bool started;

	if (!s || pthread_attr_init(&attributes)) {
		free(s);
		return false;
	}
	s->run = run;
	s->argument = argument;
	started = ask_for_others(&attributes, &s->cores) &&
		  !pthread_create(out, &attributes, run_unbound, s);
	pthread_attr_destroy(&attributes);
	if (!started)
		free(s);
	return started;
}

bool rg_thread_start(pthread_t *out, void *(*run)(void *argument), void *argument)
{
	return start_elsewhere(out, run, argument) || !pthread_create(out, NULL, run, argument);
}

#else

size_t rg_cores(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	return online > 1 ? (size_t)online : 1;
}

bool rg_thread_start(pthread_t *out, void *(*run)(void *argument), void *argument)
{
	return !pthread_create(out, NULL, run, argument);
}

#endif
