/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history.h"

#include "base/memory.h"
#include "base/path.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SCHEME_MAX = 40 }; /* characters of it that are shown */

rg_error *rg_history_path(char **out)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	*out = NULL;
	/* The specification has relative ones ignored. */
	if (data && *data == '/') {
		*out = rg_textf("%s/regild/history.db", data);
		return NULL;
	}
	if (home && *home) {
		*out = rg_textf("%s/.local/share/regild/history.db", home);
		return NULL;
	}
	return rg_error_new(RG_E_IO, "the history of runs has no place: set XDG_DATA_HOME or HOME");
}

bool rg_history_is_remote(const char *address)
{
	static const char plain[] = "clickhouse://", secure[] = "clickhouses://";
	return !strncasecmp(address, plain, strlen(plain)) ||
	       !strncasecmp(address, secure, strlen(secure));
}

rg_error *rg_history_check_address(const char *address)
{
	size_t length = strcspn(address, ":/");
	if (address[length] != ':' || rg_history_is_remote(address))
		return NULL;
	length += strspn(address + length, ":/");
	return rg_error_new(RG_E_USAGE,
			    "no history can be at '%.*s'; its address is "
			    "clickhouses://HOST[:PORT]/DATABASE, clickhouse:// or a file's path "
			    "(./FILE where its name has a colon)",
			    (int)(length < SCHEME_MAX ? length : SCHEME_MAX), address);
}

rg_error *rg_history_open(rg_history_store **out, const char *address,
			  const rg_history_access *access)
{
	const rg_history_access usual = {.http = rg_http_options_default()};
	const rg_history_access *own = access ? access : &usual;
	RG_AUTO_FREE char *path = NULL;

	*out = NULL;
	if (address)
		RG_TRY(rg_history_check_address(address));
	if (address && rg_history_is_remote(address))
		return rg_history_clickhouse_open(out, address, own);
	if (!address)
		RG_TRY(rg_history_path(&path));
	*out = rg_history_sqlite_open(address ? address : path, RG_HISTORY_KEPT, own->http.log);
	return NULL;
}

rg_error *rg_history_open_foreign(rg_history_store **out, const char *path)
{
	*out = NULL;
	RG_TRY(rg_history_check_address(path));
	*out = rg_history_sqlite_open(path, RG_HISTORY_FOREIGN, NULL);
	return NULL;
}

void rg_history_open_scratch(rg_history_store **out, const char *path)
{
	*out = rg_history_sqlite_open(path, RG_HISTORY_SCRATCH, NULL);
}

rg_error *rg_history_migrate_file(const char *path, bool *done)
{
	RG_AUTO_FREE char *own = NULL;

	*done = false;
	if (!path)
		RG_TRY(rg_history_path(&own));
	return rg_history_sqlite_migrate(path ? path : own, done);
}

bool rg_history_is_far(const rg_history_store *history)
{
	return history->driver->far;
}

void rg_history_close(rg_history_store *history)
{
	if (history)
		history->driver->close(history);
}

rg_error *rg_history_expect(rg_history_store *history, const rg_history_run *runs, size_t count)
{
	return history->driver->expect ? history->driver->expect(history, runs, count) : NULL;
}

rg_error *rg_history_begin(rg_history_put **out, rg_history_store *history,
			   const rg_history_run *run, rg_history_run *there)
{
	return history->driver->begin(out, history, run, there);
}

rg_error *rg_history_add(rg_history_put *put, const char *path,
			 const char sha256[static RG_SHA256_HEX], uint64_t bytes,
			 const rg_golden *golden)
{
	RG_TRY(rg_path_check(path));
	return put->driver->add(put, path, sha256, bytes, golden);
}

rg_error *rg_history_clear(rg_history_put *put)
{
	return put->driver->clear(put);
}

rg_error *rg_history_commit(rg_history_put *put, bool complete)
{
	return put->driver->commit(put, complete);
}

rg_error *rg_history_gather(rg_history_put *put, bool complete, bool *full)
{
	return put->driver->gather(put, complete, full);
}

rg_error *rg_history_flush(rg_history_store *history)
{
	return history->driver->flush(history);
}

void rg_history_abandon(rg_history_put *put)
{
	if (put)
		put->driver->abandon(put);
}

rg_error *rg_history_remove(rg_history_store *history, const rg_history_run *runs, size_t count,
			    bool dry_run, uint64_t *freed)
{
	return history->driver->remove(history, runs, count, dry_run, freed);
}

rg_error *rg_history_ask(rg_history_store *history, const rg_question *question,
			 const rg_reply_taker *taker)
{
	RG_AUTO(rg_buf) sql = rg_buf_of(RG_BUF_TEXT);

	rg_question_write(&sql, question, history->driver->sql->quote);
	RG_TRY(rg_buf_check(&sql, question->name));
	return history->driver->ask(history, question->name, sql.data, taker);
}
