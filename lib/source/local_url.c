/* SPDX-License-Identifier: Apache-2.0 */
#include "source/local_parts.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/temporary.h"
#include "net/remote_file.h"
#include "net/url.h"
#include "source/plain_url.h"

#include <stdlib.h>
#include <string.h>

/* An archive at an address: of a zip only the directory and the goldens move. */
typedef struct {
	rg_local *local;
	const char *url;
} fetching;

static rg_error *locate(void *context, char **url)
{
	const fetching *f = context;
	return rg_plain_url_locate(url, f->local->options.http, f->url);
}

static void moved(void *context, uint64_t bytes)
{
	const fetching *f = context;
	f->local->moved += bytes;
}

_Static_assert(RG_REMOTE_START >= RG_ARCHIVE_KIND_BYTES, "the start tells the kind");

static rg_error *look(void *context, const void *start)
{
	(void)context;
	return rg_local_check_kind(rg_archive_kind_of(start, RG_REMOTE_START));
}

static rg_error *unpack(fetching *f, const char *shown)
{
	const rg_settings *settings = f->local->options.settings;
	const rg_remote_options options = {
		.name = shown,
		.size_max = settings->artifact_max,
		.folder = rg_temporary_folder(),
		.locate = locate,
		.look = look,
		.moved = moved,
		.context = f,
	};
	char *name;
	size_t stem;
	rg_remote *remote;
	rg_error *err;

	RG_TRY(rg_remote_open(&remote, f->local->options.http, &options));
	name = rg_strdup(rg_path_name(shown));
	err = NULL;
	stem = rg_local_archive_stem(name);
	if (stem)
		name[stem] = '\0';
	err = rg_local_unpack(f->local, rg_remote_reader(remote), shown, name);
	free(name);
	rg_remote_free(remote);
	return err;
}

rg_error *rg_local_find_at_url(rg_local *local, const char *url)
{
	fetching f = {local, url};
	char *shown;

	RG_TRY(rg_url_shown(&shown, url));
	rg_error *err = rg_error_drop_subject(unpack(&f, shown), "the archive");
	err = rg_error_drop_subject(err, shown);
	err = rg_error_wrap(err, "%s", shown);
	free(shown);
	return err;
}
