/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_ZIP_FIXTURE_H
#define REGILD_TESTS_ZIP_FIXTURE_H

#include "unit.h"

#include "archive/zip.h"

#include "support/memory_reader.h"
#include "support/zipmaker.h"

/* A zip in memory, opened. */
typedef struct {
	rg_buf bytes;
	rg_reader reader;
	rg_zip *zip;
} opened;

static rg_error *open_maker(opened *o, zipmaker *maker, const rg_zip_limits *limits)
{
	rg_buf_init(&o->bytes, SIZE_MAX / 4);
	zipmaker_write(maker, &o->bytes);
	o->reader = memory_reader("a.zip", o->bytes.data, o->bytes.length);
	return rg_zip_open(&o->zip, &o->reader, limits, NULL);
}

static void close_opened(opened *o, zipmaker *maker)
{
	rg_zip_free(o->zip);
	rg_buf_release(&o->bytes);
	zipmaker_release(maker);
}

static void extracts(rg_zip *zip, size_t index, const void *bytes, size_t size)
{
	rg_buf out;

	rg_buf_init(&out, SIZE_MAX / 4);
	assert_success(rg_zip_extract(zip, index, rg_zip_append, &out));
	assert_int_equal(out.length, size);
	assert_memory_equal(out.data, bytes, size);
	rg_buf_release(&out);
}

static void extract_fails(rg_zip *zip, size_t index, rg_error_code code, const char *message)
{
	rg_buf out;

	rg_buf_init(&out, SIZE_MAX / 4);
	assert_error(rg_zip_extract(zip, index, rg_zip_append, &out), code, message);
	rg_buf_release(&out);
}

#endif
