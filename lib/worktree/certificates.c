/* For RTLD_NEXT. */
#define _GNU_SOURCE

#include "worktree/internal.h"

#include <dlfcn.h>
#include <string.h>

/*
 * Where libgit2 has its TLS from mbedTLS (Debian's has), its start reads all certificates that the
 * system trusts, which takes longer than comparing a hundred goldens. It never gets to the network
 * here: libcurl does that, with a TLS of its own. The program's symbol goes before the library's,
 * so this one is called instead, and leaves libgit2 with nobody to trust; everybody else's calls
 * are passed on.
 */
int mbedtls_x509_crt_parse_file(void *chain, const char *path);

/* MBEDTLS_ERR_X509_FILE_IO_ERROR of mbedtls/x509.h. */
enum { FILE_IO_ERROR = -0x2900 };

static _Thread_local bool skipped;

void rg_git_skip_certificates(bool skip)
{
	skipped = skip;
}

int mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
	int (*next)(void *chain, const char *path) = NULL;
	void *symbol;

	if (skipped)
		return 0;
	symbol = dlsym(RTLD_NEXT, "mbedtls_x509_crt_parse_file");
	/* POSIX has pointers to functions and to data alike, C does not: as bytes. */
	memcpy(&next, &symbol, sizeof(next));
	return next ? next(chain, path) : FILE_IO_ERROR;
}
