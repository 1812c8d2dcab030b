#ifndef REGILD_GOLDEN_JSON_TEXT_H
#define REGILD_GOLDEN_JSON_TEXT_H

#include "base/error.h"

#include <cjson/cJSON.h>
#include <stddef.h>

/*
 * JSON as Python writes it: what cJSON takes, and the bare literals NaN, Infinity and -Infinity,
 * which are not JSON. Nesting is bounded, the text must be UTF-8, and no string holds a NUL, so
 * that every C string that comes out is whole.
 */

/* A bare NaN comes out as this string, which no file can hold (one with the same string in it
 * beside a bare NaN is refused). Infinities come out as infinite numbers. */
#define RG_JSON_NAN "\x01NaN"

/*
 * Parses the whole text. *out is the caller's, freed with cJSON_Delete. RG_E_PARSE says where:
 * "not JSON: line 3, at '}, }'".
 */
RG_CHECKED rg_error *rg_json_parse(cJSON **out, const char *text, size_t size, size_t depth_max);

#endif
