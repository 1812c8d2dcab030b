/* SPDX-License-Identifier: Apache-2.0 */
#include "source/api_json.h"

#include "source/source.h"

rg_error *rg_api_parse(cJSON **out, const char *service, const char *text, size_t length)
{
	return rg_error_wrap(rg_json_parse(out, text, length),
			     "the answer is not that of %s's API; check its address", service);
}

rg_error *rg_api_parse_object(cJSON **out, const char *service, const char *text, size_t length)
{
	RG_TRY(rg_api_parse(out, service, text, length));
	if (cJSON_IsObject(*out))
		return NULL;
	cJSON_Delete(*out);
	*out = NULL;
	return rg_error_new(RG_E_PARSE, "the answer is JSON, but not an object");
}

rg_error *rg_api_check_id(const rg_json_in *in, const cJSON *object, uint64_t id)
{
	return id ? NULL : rg_json_wrong(in, object, "id", "is 0");
}

rg_error *rg_api_get_time(const rg_json_in *in, const cJSON *object, const char *key, int64_t *out)
{
	const cJSON *value = rg_json_member(object, key);
	const char *text = cJSON_GetStringValue(value);

	*out = RG_TIME_NONE;
	if (value && (!text || !rg_time_parse(text, out)))
		return rg_json_wrong(in, object, key, "is not a time");
	return NULL;
}
