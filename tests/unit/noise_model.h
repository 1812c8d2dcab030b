/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_UNIT_NOISE_MODEL_H
#define REGILD_TESTS_UNIT_NOISE_MODEL_H

#include "unit.h"

#include "base/file.h"
#include "store/noise_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static rg_error *append_bytes(void *to, const void *bytes, size_t length)
{
	rg_buf_add(to, bytes, length);
	return NULL;
}

/* A file's name in the temporary folder. */
static const char *noise_path(void)
{
	static char path[256];
	const char *folder = getenv("TMPDIR");

	snprintf(path, sizeof(path), "%s/regild-noise-%ld.db", folder ? folder : "/tmp",
		 (long)getpid());
	return path;
}

/* Writes an audit's noise model to noise_path. */
static void write_noise(const rg_audit *audit)
{
	rg_noise_model model;

	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_BUF_ANY);
	rg_noise_model_of_audit(&model, audit);
	assert_success(rg_noise_file_write(&model, append_bytes, &bytes));
	rg_noise_model_release(&model);
	assert_success(rg_file_replace(noise_path(), bytes.data, bytes.length, 0600));
}

#endif
