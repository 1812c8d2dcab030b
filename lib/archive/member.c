/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/member.h"

#include "base/path.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

rg_zip_limits rg_zip_limits_default(void)
{
	return (rg_zip_limits){.members = 100000,
			       .member_size = (uint64_t)1 << 30,
			       .total_size = (uint64_t)32 << 30,
			       .ratio = 1100,
			       .ratio_floor = (uint64_t)1 << 20,
			       .depth = 2};
}

rg_error_code rg_refused_code(rg_refused refused)
{
	switch (refused) {
	case RG_REFUSED_LIMIT:
		return RG_E_LIMIT;
	case RG_REFUSED_ENCRYPTED:
	case RG_REFUSED_METHOD:
	case RG_REFUSED_BROKEN:
		return RG_E_PARSE;
	default:
		return RG_E_UNSAFE;
	}
}

rg_refused rg_member_check_name(const char *name, char why[static RG_MEMBER_WHY])
{
	const char *fault = rg_path_fault(name);
	if (fault) {
		snprintf(why, RG_MEMBER_WHY, "its name %s", fault);
		return RG_REFUSED_NAME;
	}
	/* Old tools write names in the machine's code page, which is not known. */
	for (size_t left = strlen(name), one; left; name += one, left -= one) {
		one = rg_utf8_length(name, left);
		if (!one) {
			snprintf(why, RG_MEMBER_WHY, "its name is not UTF-8");
			return RG_REFUSED_ENCODING;
		}
	}
	return RG_REFUSED_NOT;
}

rg_refused rg_member_check_size(uint64_t size, const rg_zip_limits *limits,
				char why[static RG_MEMBER_WHY])
{
	if (size <= limits->member_size)
		return RG_REFUSED_NOT;
	snprintf(why, RG_MEMBER_WHY,
		 "%" PRIu64 " bytes are more than the limit of %" PRIu64 " (regild.maxFile)", size,
		 limits->member_size);
	return RG_REFUSED_LIMIT;
}

rg_error *rg_member_check_count(uint64_t count, const rg_zip_limits *limits)
{
	if (count <= limits->members)
		return NULL;
	return rg_error_new(RG_E_LIMIT,
			    "%" PRIu64 " members are more than the limit of %" PRIu64
			    " (regild.maxMembers)",
			    count, limits->members);
}

rg_error *rg_member_check_room(uint64_t size, uint64_t unpacked, const rg_zip_limits *limits)
{
	if (size <= limits->total_size && unpacked <= limits->total_size - size)
		return NULL;
	return rg_error_new(RG_E_LIMIT,
			    "with its %" PRIu64
			    " bytes the archive would unpack to more than %" PRIu64
			    " (regild.maxTotal)",
			    size, limits->total_size);
}

rg_error *rg_member_check_ratio(uint64_t size, uint64_t packed, const rg_zip_limits *limits)
{
	if (!limits->ratio || size <= limits->ratio_floor || size / limits->ratio <= packed)
		return NULL;
	return rg_error_new(RG_E_LIMIT,
			    "%" PRIu64 " bytes packed into %" PRIu64
			    " are more than the limit of %" PRIu64 " to 1 (regild.maxRatio)",
			    size, packed, limits->ratio);
}
