#ifndef REGILD_CMD_BUNDLE_FILE_H
#define REGILD_CMD_BUNDLE_FILE_H

#include "base/map.h"
#include "command.h"
#include "golden/bpte.h"

/* A bundled program, mapped. */
typedef struct {
	rg_map map;
	rg_bundle bundle; /* borrows the map */
} bundle_file;

/* Errors name the file. Released whatever comes back. */
RG_CHECKED rg_error *bundle_file_open(bundle_file *file, const char *path);
void bundle_file_release(bundle_file *file);

/* "METHOD/CASE/output_0.npy": what `extract` writes and `verify-outputs` reads. *out is the
 * caller's to free. */
RG_CHECKED rg_error *bundle_file_name(char **out, const rg_bundle_value *value,
				      const char *extension);

#endif
