/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/yaml_scalar.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

/* Each of the words has a '|' on both sides. */
static bool is_one_of(const char *text, const char *words)
{
	char word[8];
	const int length = snprintf(word, sizeof(word), "|%s|", text);
	return length < (int)sizeof(word) && !strchr(text, '|') && strstr(words, word);
}

/* ".inf", "-.INF", "+.inf" and ".nan". */
static bool read_special(const char *text, double *out)
{
	const bool no_number = is_one_of(text, "|.nan|.NaN|.NAN|");
	*out = no_number ? (double)NAN : *text == '-' ? -(double)INFINITY : (double)INFINITY;
	return no_number || is_one_of(text + (*text == '-' || *text == '+'), "|.inf|.Inf|.INF|");
}

/* Digits of that base, at least one, and nothing else. */
static bool read_based(const char *p, int base, double *out)
{
	static const char digits[] = "0123456789abcdef";
	const char *first = p, *at;
	for (*out = 0; *p; p++) {
		at = strchr(digits, *p >= 'A' && *p <= 'F' ? *p | 0x20 : *p);
		if (!at || at - digits >= base)
			return false;
		*out = *out * base + (double)(at - digits);
	}
	return p > first;
}

/* No number begins with a letter. */
static bool read_1_2(const char *text, double *out)
{
	const char first = text[*text == '-' || *text == '+'];
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'o'))
		return read_based(text + 2, text[1] == 'x' ? 16 : 8, out);
	return read_special(text, out) ||
	       (first && strchr(DIGITS ".", first) && rg_double_parse(text, strlen(text), out));
}

/* "190:20:30", of which only the first has more than two digits; the last may have a fraction. */
static bool read_sixties(const char *p, double *out)
{
	*out = strtod(p, NULL);
	for (p += strspn(p, DIGITS); *p == ':'; p += strspn(p, DIGITS)) {
		const size_t count = strspn(++p, DIGITS);
		if (!count || count > 2 || (count == 2 && *p > '5'))
			return false;
		*out = *out * 60 + strtod(p, NULL);
	}
	return !p[*p == '.' ? 1 + strspn(p + 1, DIGITS) : 0];
}

/* By `p`, the text without its sign, and `plain`, which is that without '_'. PyYAML wants a point
 * in what has an exponent, and a sign in that. */
static bool read_unsigned(const char *p, const char *plain, double *out)
{
	const char *rest = p + strspn(p, DIGITS "_");
	const bool zero = *p == '0', is_whole = !*rest;

	if (zero && (p[1] == 'b' || p[1] == 'x'))
		return read_based(plain + 2, p[1] == 'x' ? 16 : 2, out);
	if (zero && is_whole)
		return read_based(plain, 8, out);
	if (*rest == ':')
		return strcspn(rest, "_") >= strcspn(rest, ".") && (!zero || strchr(rest, '.')) &&
		       read_sixties(plain, out);
	if (*rest == '.') {
		rest += 1 + strspn(rest + 1, DIGITS "_");
		if ((*rest | 0x20) == 'e' && (rest[1] == '+' || rest[1] == '-') && rest[2])
			rest += 2 + strspn(rest + 2, DIGITS);
	}
	*out = strtod(plain, NULL);
	return !*rest;
}

static bool read_1_1(const char *text, double *out)
{
	const char *p = text + (*text == '-' || *text == '+');
	size_t length = 0;

	if (read_special(text, out))
		return true;
	if (!*p || !strchr(DIGITS ".", *p) || (*p == '.' && (p > text || p[1] < '0' || p[1] > '9')))
		return false;
	RG_AUTO_FREE char *plain = rg_strdup(p);
	for (const char *from = p; *from; from++)
		if (*from != '_')
			plain[length++] = *from;
	plain[length] = '\0';
	const bool is_number = read_unsigned(p, plain, out);
	if (*text == '-') /* a whole number's zero has no sign */
		*out = strchr(p, '.') ? -*out : 0 - *out;
	return is_number;
}

cJSON *rg_yaml_scalar_read(const char *text, bool as_1_2)
{
	double value;
	cJSON *made;
	if (is_one_of(text, "||~|null|Null|NULL|"))
		made = cJSON_CreateNull();
	else if (is_one_of(text, "|true|True|TRUE|") ||
		 (!as_1_2 && is_one_of(text, "|yes|Yes|YES|on|On|ON|")))
		made = cJSON_CreateTrue();
	else if (is_one_of(text, "|false|False|FALSE|") ||
		 (!as_1_2 && is_one_of(text, "|no|No|NO|off|Off|OFF|")))
		made = cJSON_CreateFalse();
	else if (!(as_1_2 ? read_1_2 : read_1_1)(text, &value))
		made = cJSON_CreateString(text);
	else if (isnan(value))
		made = cJSON_CreateString(RG_JSON_NAN);
	else
		made = cJSON_CreateNumber(value);
	if (!made)
		rg_out_of_memory();
	/* The digits, as rg_json_parse keeps them. */
	if (cJSON_IsNumber(made) && strlen(text) >= RG_JSON_DIGITS &&
	    !text[strspn(text, "+-" DIGITS)] && (as_1_2 || text[strspn(text, "+-")] != '0'))
		made->valuestring = rg_strdup(text);
	return made;
}
