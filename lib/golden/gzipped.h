/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_GZIPPED_H
#define REGILD_GOLDEN_GZIPPED_H

#include "golden/golden.h"

/*
 * Goldens that are packed with gzip: "x.csv.gz" is read as what it holds, called "x.csv".
 */

/* The first bytes of what is packed, for bids. */
typedef struct {
	rg_input in; /* its data is in `bytes`, its name the caller's to free with the rest */
	char *name;
	char bytes[RG_PROBE_BYTES];
} rg_gzip_probe;

/* False, with nothing to release, where it is not called .gz or not packed with gzip. */
bool rg_gzip_probe_open(rg_gzip_probe *out, const rg_input *in);
void rg_gzip_probe_release(rg_gzip_probe *probe);

/* Unpacks it: its name and data are the caller's to free, whatever comes back. RG_E_PARSE where it
 * is cut off or its checksum is wrong, RG_E_LIMIT past RG_UNPACKED_MAX. */
RG_CHECKED rg_error *rg_gzip_unpack(rg_input *out, char **name, char **data, const rg_input *in);

#endif
