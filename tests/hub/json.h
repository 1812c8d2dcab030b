/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_JSON_H
#define REGILD_TESTS_HUB_JSON_H

#include "base/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* A member of a JSON object, or what stands in for it. */
const char *json_text(const cJSON *json, const char *key, const char *fallback);
uint64_t json_count(const cJSON *json, const char *key, uint64_t fallback);
bool json_flag(const cJSON *json, const char *key, bool fallback);

void json_add_text(cJSON *json, const char *key, const char *format, ...) RG_PRINTF(3, 4);
void json_add_text_or_null(cJSON *json, const char *key, const char *text);
void json_add_number(cJSON *json, const char *key, uint64_t number);

#endif
