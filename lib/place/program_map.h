/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_PLACE_PROGRAM_MAP_H
#define REGILD_PLACE_PROGRAM_MAP_H

#include "archive/zip.h"
#include "base/map.h"

/* Maps an ExecuTorch program that is in a zip, as rg_program_read needs it: in the zip itself where
 * it is stored, else through a file without a name, of which the data after the program's head are
 * a hole. Its CRC-32 is not looked at. */
RG_CHECKED rg_error *rg_program_map(rg_map *out, const rg_zip_packed *packed);

#endif
