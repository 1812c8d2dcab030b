#include "base/json_out.h"

#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void rg_json_out_init(rg_json_out *json, rg_buf *out)
{
	*json = (rg_json_out){.out = out, .first = true};
}

static void new_line(rg_json_out *json)
{
	unsigned i;

	if (json->flat) {
		if (!json->first)
			rg_buf_char(json->out, ' ');
		return;
	}
	rg_buf_char(json->out, '\n');
	for (i = 0; i < json->depth; i++)
		rg_buf_char(json->out, ' ');
}

/* What stands in front of every value and key. */
static void lead(rg_json_out *json)
{
	if (json->keyed) {
		json->keyed = false;
		return;
	}
	if (!json->depth)
		return;
	if (!json->first)
		rg_buf_char(json->out, ',');
	new_line(json);
	json->first = false;
}

void rg_json_open(rg_json_out *json, char bracket)
{
	lead(json);
	rg_buf_char(json->out, bracket);
	json->depth++;
	json->first = true;
}

void rg_json_open_flat(rg_json_out *json, char bracket)
{
	rg_json_open(json, bracket);
	if (!json->flat)
		json->flat = json->depth;
}

void rg_json_close(rg_json_out *json, char bracket)
{
	bool was_flat = json->flat != 0;

	if (json->flat == json->depth)
		json->flat = 0;
	json->depth--;
	if (!was_flat && !json->first)
		new_line(json);
	rg_buf_char(json->out, bracket);
	json->first = false;
	if (!json->depth)
		rg_buf_char(json->out, '\n');
}

/* The length of the well-formed UTF-8 character at `p` (Unicode 15, table 3-7), or 0. */
static size_t utf8_length(const unsigned char *p)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t more, i;

	if (*p < 0x80)
		return 1;
	if (*p < 0xc2 || *p > 0xf4)
		return 0;
	more = *p < 0xe0 ? 1 : *p < 0xf0 ? 2 : 3;
	if (*p == 0xe0)
		low = 0xa0;
	else if (*p == 0xed)
		high = 0x9f;
	else if (*p == 0xf0)
		low = 0x90;
	else if (*p == 0xf4)
		high = 0x8f;
	for (i = 1; i <= more; i++, low = 0x80, high = 0xbf)
		if (p[i] < low || p[i] > high)
			return 0;
	return more + 1;
}

static void put_text(rg_buf *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	rg_buf_char(out, '"');
	while (*p) {
		size_t length = utf8_length(p);

		if (*p == '"' || *p == '\\') {
			rg_buf_char(out, '\\');
			rg_buf_char(out, (char)*p);
		} else if (*p < 0x20 || *p == 0x7f) {
			rg_buf_printf(out, "\\u%04x", *p);
		} else if (length) {
			rg_buf_add(out, p, length);
		} else {
			rg_buf_str(out, "\xef\xbf\xbd");
		}
		p += length ? length : 1;
	}
	rg_buf_char(out, '"');
}

void rg_json_key(rg_json_out *json, const char *key)
{
	lead(json);
	put_text(json->out, key);
	rg_buf_str(json->out, ": ");
	json->keyed = true;
}

void rg_json_text(rg_json_out *json, const char *text)
{
	lead(json);
	if (text)
		put_text(json->out, text);
	else
		rg_buf_str(json->out, "null");
}

void rg_json_number(rg_json_out *json, double value)
{
	char text[RG_DOUBLE_REPR_SIZE];

	lead(json);
	if (isfinite(value)) {
		size_t length = rg_double_repr(value, text);

		rg_buf_add(json->out, text, length);
	} else {
		rg_buf_str(json->out, "null");
	}
}

void rg_json_count(rg_json_out *json, uint64_t value)
{
	lead(json);
	rg_buf_printf(json->out, "%" PRIu64, value);
}

void rg_json_integer(rg_json_out *json, int64_t value)
{
	lead(json);
	rg_buf_printf(json->out, "%" PRId64, value);
}

void rg_json_truth(rg_json_out *json, bool value)
{
	lead(json);
	rg_buf_str(json->out, value ? "true" : "false");
}

void rg_json_key_text(rg_json_out *json, const char *key, const char *text)
{
	rg_json_key(json, key);
	rg_json_text(json, text);
}

void rg_json_key_number(rg_json_out *json, const char *key, double value)
{
	rg_json_key(json, key);
	rg_json_number(json, value);
}

void rg_json_key_count(rg_json_out *json, const char *key, uint64_t value)
{
	rg_json_key(json, key);
	rg_json_count(json, value);
}

void rg_json_key_truth(rg_json_out *json, const char *key, bool value)
{
	rg_json_key(json, key);
	rg_json_truth(json, value);
}
