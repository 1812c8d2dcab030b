/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/side.h"

#include "archive/kind.h"
#include "base/path.h"
#include "base/memory.h"
#include "source/run_url.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *prefix, *what;
	rg_side_kind kind;
} prefixes[] = {
	{"run:", "run", RG_SIDE_RUN},      {"latest:", "branch", RG_SIDE_LATEST},
	{"zip:", "file", RG_SIDE_ARCHIVE}, {"rev:", "revision", RG_SIDE_REVISION},
	{"path:", "path", RG_SIDE_PATH},
};

static rg_error *check_run(const char *text)
{
	rg_run_name run;
	RG_TRY(rg_run_name_parse(&run, text));
	rg_run_name_release(&run);
	return NULL;
}

rg_error *rg_side_parse(rg_side_name *out, const char *text)
{
	*out = (rg_side_name){RG_SIDE_PLAIN, text};
	if (!*text)
		return rg_error_new(RG_E_USAGE, "'' names no side; a side is a revision or a path");
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		size_t length = strlen(prefixes[i].prefix);
		if (strncmp(text, prefixes[i].prefix, length) != 0)
			continue;
		*out = (rg_side_name){prefixes[i].kind, text + length};
		if (!*out->text)
			return rg_error_new(RG_E_USAGE, "'%s' names no %s", text, prefixes[i].what);
	}
	return out->kind == RG_SIDE_RUN ? check_run(out->text) : NULL;
}

void rg_side_split(rg_side_range *out, const char *text)
{
	const char *dots = strstr(text, "..");
	*out = (rg_side_range){0};
	if (!dots || !strcmp(text, ".."))
		return;
	const char *rest = dots + (dots[2] == '.' ? 3 : 2);
	if (*rest == '/') /* no revision begins so, and "../goldens" is a path */
		return;
	out->merge_base = dots[2] == '.';
	if (dots == text)
		out->old = rg_strdup("HEAD");
	else
		out->old = rg_strndup(text, (size_t)(dots - text));
	out->fresh = rg_strdup(*rest ? rest : "HEAD");
}

void rg_side_range_release(rg_side_range *range)
{
	free(range->fresh);
	free(range->old);
	*range = (rg_side_range){0};
}

bool rg_side_is_in_git(const rg_side_name *name)
{
	return name->kind == RG_SIDE_REVISION || name->kind == RG_SIDE_INDEX ||
	       name->kind == RG_SIDE_FILES;
}

bool rg_side_is_on_disk(const rg_side_name *name)
{
	return name->kind == RG_SIDE_PATH || name->kind == RG_SIDE_ARCHIVE;
}

bool rg_side_is_zip(const char *path)
{
	rg_archive_kind kind = RG_ARCHIVE_NONE;
	rg_reader_file file;

	if (!rg_ends_with(path, ".zip"))
		return false;
	rg_error *err = rg_reader_file_open(&file, path);
	if (!err)
		err = rg_archive_kind_read(&kind, &file.reader);
	rg_reader_file_release(&file);
	rg_error_free(err); /* whoever reads it says what is wrong */
	return kind == RG_ARCHIVE_ZIP;
}
