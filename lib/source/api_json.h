/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_API_JSON_H
#define REGILD_SOURCE_API_JSON_H

#include "base/json.h"

/* The answers of all APIs have this in common. RG_E_PARSE as base/json.h has it. */

/* An answer's JSON, with nothing else around it; *out is the caller's to cJSON_Delete. `service` is
 * whose API it should be. */
RG_CHECKED rg_error *rg_api_parse(cJSON **out, const char *service, const char *text,
				  size_t length);
/* The same of an answer that is one object. */
RG_CHECKED rg_error *rg_api_parse_object(cJSON **out, const char *service, const char *text,
					 size_t length);
/* An id is not 0. */
RG_CHECKED rg_error *rg_api_check_id(const rg_json_in *in, const cJSON *object, uint64_t id);
/* A time in epoch seconds; absent or null it is RG_TIME_NONE. */
RG_CHECKED rg_error *rg_api_get_time(const rg_json_in *in, const cJSON *object, const char *key,
				     int64_t *out);

#endif
