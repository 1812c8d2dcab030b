#include "net/curl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* By the name of its binary interface, which has been this one since 2006. */
#ifdef __APPLE__
static const char library_name[] = "libcurl.4.dylib";
#else
static const char library_name[] = "libcurl.so.4";
#endif

rg_curl_functions rg_curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *missing; /* what was not found; NULL: all is there */

static void find(void *library, const char *name, void *out)
{
	void *function = library ? dlsym(library, name) : NULL;

	if (!function)
		missing = name;
	/* POSIX has pointers to functions and to data alike, C does not: as bytes. */
	memcpy(out, &function, sizeof(function));
}

#define FIND(name) find(library, "curl_" #name, &rg_curl.name);

static void load(void)
{
	/* Never closed: it would have to be used by nobody. */
	void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);

	RG_CURL_FUNCTIONS(FIND)
	if (!library)
		missing = library_name;
}

rg_error *rg_curl_load(void)
{
	pthread_once(&once, load);
	if (missing)
		return rg_error_new(RG_E_NET, "%s: is not there or too old; install libcurl",
				    missing);
	return NULL;
}
