/* SPDX-License-Identifier: Apache-2.0 */
#include "net/curl_memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local bool memory_failed;

static void *note(void *memory, size_t size)
{
	memory_failed |= !memory && size;
	return memory;
}

static void *allocate(size_t size)
{
	return note(malloc(size), size);
}

static void *reallocate(void *memory, size_t size)
{
	return note(realloc(memory, size), size);
}

static void *allocate_zeroed(size_t count, size_t size)
{
	return note(calloc(count, size), count && size);
}

static char *duplicate(const char *text)
{
	return note(strdup(text), 1);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CURLcode started;

static void start(void)
{
	started = curl_global_init_mem(CURL_GLOBAL_DEFAULT, allocate, free, reallocate, duplicate,
				       allocate_zeroed);
}

CURLcode rg_curl_start(void)
{
	pthread_once(&once, start);
	return started;
}

bool rg_curl_memory_failed(void)
{
	bool failed = memory_failed;
	memory_failed = false;
	return failed;
}
