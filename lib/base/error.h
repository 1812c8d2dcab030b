/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_ERROR_H
#define REGILD_BASE_ERROR_H

#include "base/attributes.h"
#include "base/cleanup.h"

/*
 * The one error type of the library.
 *
 * A fallible function returns `rg_error *`: NULL on success, else an error that the caller owns
 * and either returns (after adding its subject in front with rg_error_wrap) or frees. A lower
 * message is never replaced. Nothing in lib/ prints or exits.
 *
 * Messages start lower-case, name the subject first and, where there is something to do, say
 * what: "artifact 'logs-a': expired on 2026-03-01; re-run the job to make it again".
 */

typedef enum {
	RG_E_USAGE = 1, /* the call itself was wrong: flags, arguments, configuration */
	RG_E_IO,        /* a file operation failed; rg_error_errno says how */
	RG_E_PARSE,     /* input that should be JSON, a zip, a tensor … is not */
	RG_E_LIMIT,     /* a configured or fixed bound was passed */
	RG_E_UNSAFE,    /* a hostile name or path, refused and never repaired */
	RG_E_NOTFOUND,  /* a run, revision, file or repository does not exist */
	RG_E_AUTH,      /* no token, a bad one, or one without the scope */
	RG_E_GONE,      /* it existed and expired (410), or is not in this clone */
	RG_E_NET,       /* the network or the server failed, after the retries */
	RG_E_MISMATCH,  /* a checksum does not fit */
	RG_E_CONFLICT,  /* two things claim the same place, or somebody else holds the lock */
	RG_E_GIT,       /* libgit2 refused */
	RG_E_CANCELLED, /* the user pressed Ctrl-C */
} rg_error_code;

typedef struct rg_error rg_error;

/* Makes an error. Never returns NULL. */
RG_CHECKED RG_NEVER_NULL rg_error *rg_error_new(rg_error_code code, const char *format, ...)
	RG_PRINTF(2, 3);

/* RG_E_IO with errno's text after the message: "NAME: No space left on device". `saved_errno` is
 * kept for rg_error_errno. */
RG_CHECKED RG_NEVER_NULL rg_error *rg_error_io(int saved_errno, const char *format, ...)
	RG_PRINTF(2, 3);

/* Puts "FORMATTED: " in front of the message and returns the error (the same code and errno).
 * NULL stays NULL, so that `return rg_error_wrap(f(), "while …")` works on success too. */
RG_CHECKED rg_error *rg_error_wrap(rg_error *err, const char *format, ...) RG_PRINTF(2, 3);

/* Takes "SUBJECT: " off the front of the message, where the caller's own caller names the thing by
 * another name. Returns the error; NULL stays NULL, and another beginning as it is. */
RG_CHECKED rg_error *rg_error_drop_subject(rg_error *err, const char *subject);

/* Keeps the first of two errors and frees the second: for close and cleanup paths. */
RG_CHECKED rg_error *rg_error_first(rg_error *first, rg_error *second);

rg_error_code rg_error_get_code(const rg_error *err);
/* The errno of an RG_E_IO error, else 0. */
int rg_error_errno(const rg_error *err);
/* Whole message, without a newline. Owned by the error. */
const char *rg_error_message(const rg_error *err);
/* NULL is allowed. */
void rg_error_free(rg_error *err);
RG_FREE_AT(rg_error)

/* Writes the meaning of errno's number into `out`, and returns it. Safe for several threads, which
 * strerror is not. */
#define RG_ERRNO_TEXT 128
const char *rg_errno_text(int number, char out[static RG_ERRNO_TEXT]);

#if defined(__clang_analyzer__) && !defined(RG_ERROR_IMPLEMENTATION)
/* clang's analyser does not read returns_nonnull; without this it follows paths on which a failed
 * call returned success. */
static inline rg_error *rg_analyzed_error(rg_error *err)
{
	if (!err)
		__builtin_unreachable();
	return err;
}
#define rg_error_new(...) rg_analyzed_error(rg_error_new(__VA_ARGS__))
#define rg_error_io(...)  rg_analyzed_error(rg_error_io(__VA_ARGS__))
#endif

/* Returns from the calling function where `call` fails and nothing needs cleaning up. */
#define RG_TRY(call)                            \
	do {                                    \
		rg_error *rg_try_err_ = (call); \
		if (rg_try_err_)                \
			return rg_try_err_;     \
	} while (0)

#endif
