/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as .regild-rejected: what is read of it are digests, paths and texts that regild could
 * have written there. */
#include "require.h"

#include "base/path.h"
#include "update/rejected.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const rg_rejections *rejections, const rg_rejection *item)
{
	rg_error *err = rg_path_check(item->path);
	if (!err)
		err = rg_rejection_check(RG_E_USAGE, item->path, item->why);
	require(!err, "it could have been written");
	require(strlen(item->sha256) == 64, "it has a digest");
	require(rg_rejections_find(rejections, item->path, item->sha256) != NULL, "it is found");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	rg_rejections rejections;
	rg_error *err = rg_rejections_parse(&rejections, (const char *)data, size);

	for (size_t i = 0; !err && i < rejections.count; i++)
		check(&rejections, &rejections.items[i]);
	rg_error_free(err);
	rg_rejections_release(&rejections);
	return 0;
}
