/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_NOISE_FILE_H
#define REGILD_STORE_NOISE_FILE_H

#include "audit/model.h"

/*
 * A noise model as a file of SQLite's, which regild-history(5) describes. The series of a golden
 * are beside each other, with the scores that a comparison needs if the golden did not change;
 * their values are read when they are asked for.
 */

typedef rg_error *rg_noise_write_fn(void *context, const void *bytes, size_t length);
/* Hands all bytes of the file to `write`. RG_E_LIMIT for over 1 GiB. */
RG_CHECKED rg_error *rg_noise_file_write(const rg_noise_model *model, rg_noise_write_fn *write,
					 void *context);

/* Nothing in the file is trusted: RG_E_PARSE, RG_E_MISMATCH or RG_E_CONFLICT say what is wrong.
 * `out` is released whatever comes back. */
RG_CHECKED rg_error *rg_noise_file_open(rg_noise_model *out, const char *path);

#endif
