/* SPDX-License-Identifier: Apache-2.0 */
/* Manifests, journals and plans: whatever the bytes, they are refused, or written back and read
 * again they are the same. */
#include "source/manifest.h"
#include "update/plan_file.h"
#include "update/record.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void same(const rg_buf *a, const rg_buf *b)
{
	if (a->length != b->length || memcmp(a->data, b->data, a->length) != 0)
		__builtin_trap();
}

/* Reads a text and writes it; false where it is refused. */
static bool copy_manifest(const char *text, size_t length, rg_buf *out)
{
	rg_manifest manifest;
	rg_error *err;
	bool fine;

	rg_manifest_init(&manifest);
	err = rg_manifest_parse(&manifest, text, length);
	if (!err)
		err = rg_manifest_write(&manifest, out);
	fine = !err;
	rg_error_free(err);
	rg_manifest_release(&manifest);
	return fine;
}

static bool copy_record(const char *text, size_t length, rg_buf *out)
{
	rg_record record;
	rg_error *err;
	bool fine;

	rg_record_init(&record);
	err = rg_record_parse(&record, text, length);
	if (!err)
		err = rg_record_write(&record, out);
	fine = !err;
	rg_error_free(err);
	rg_record_release(&record);
	return fine;
}

static bool copy_plan(const char *text, size_t length, rg_buf *out)
{
	rg_plan_file file;
	rg_plan_file_init(&file);
	rg_error *err = rg_plan_file_parse(&file, text, length);
	if (!err)
		err = rg_plan_file_write(&file, out);
	bool fine = !err;
	rg_error_free(err);
	rg_plan_file_release(&file);
	return fine;
}

static void twice(bool (*copy)(const char *, size_t, rg_buf *), const char *text, size_t length)
{
	RG_AUTO(rg_buf) once = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) again = rg_buf_of(RG_BUF_TEXT);
	if (copy(text, length, &once)) {
		if (!copy(once.data, once.length, &again))
			__builtin_trap();
		same(&once, &again);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	twice(copy_manifest, (const char *)data, size);
	twice(copy_record, (const char *)data, size);
	twice(copy_plan, (const char *)data, size);
	return 0;
}
