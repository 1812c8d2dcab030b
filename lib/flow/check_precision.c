/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/check_precision.h"

#include <stdlib.h>

/* Is a file there that the check asks? */
static rg_error *is_known_test(bool *out, const rg_checks_check *check, rg_check_folder *folder)
{
	size_t i;

	*out = false;
	if (check->listed.file)
		RG_TRY(rg_check_folder_has(folder, check->listed.file, out));
	for (i = 0; i < check->unless_count && !*out; i++)
		RG_TRY(rg_check_folder_has(folder, check->unless[i].file, out));
	return NULL;
}

/* `applies`: the metrics that the check looks at. */
static bool rounds_one(const rg_checks_check *check, const rg_golden *golden, const bool *applies)
{
	rg_checks_limits limits;
	size_t i;

	for (i = 0; i < golden->count; i++) {
		if (!applies[i] || golden->metrics[i].precision == RG_PRECISION_NOT_SAID)
			continue;
		rg_checks_resolve(check, golden->metrics[i].name, &limits);
		if (rg_checks_limits_are_exact(&limits) && limits.decimals >= 0)
			return true;
	}
	return false;
}

static rg_error *ask(bool *out, const rg_checks_check *check, const rg_golden *golden,
		     rg_check_folder *folder, const rg_checks_beside *beside)
{
	bool known, any, *applies;
	rg_error *err;

	*out = false;
	if (!check->exact)
		return NULL;
	RG_TRY(is_known_test(&known, check, folder));
	if (!known)
		return NULL;
	applies = calloc(golden->count + 1, sizeof(*applies));
	if (!applies)
		return rg_error_nomem();
	err = rg_checks_select(check, golden, beside, applies, &any);
	*out = !err && any && rounds_one(check, golden, applies);
	free(applies);
	return err;
}

rg_error *rg_check_wants_precision(bool *out, const rg_checks *checks, const rg_golden *golden,
				   const rg_check_place *place)
{
	rg_check_folder folder;
	rg_checks_beside beside;
	rg_error *err = NULL;
	size_t i;

	*out = false;
	rg_check_folder_open(&folder, place, &beside);
	for (i = 0; !err && !*out && i < checks->count; i++)
		err = ask(out, &checks->items[i], golden, &folder, &beside);
	rg_check_folder_release(&folder);
	return err;
}
