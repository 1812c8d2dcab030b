#include "base/json_out.h"

#include "base/number.h"
#include "base/utf8.h"

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

static void put_text(rg_buf *out, const char *text)
{
	size_t left = strlen(text);

	rg_buf_char(out, '"');
	while (left) {
		size_t length = rg_utf8_length(text, left);

		if (*text == '"' || *text == '\\') {
			rg_buf_char(out, '\\');
			rg_buf_char(out, *text);
		} else if ((unsigned char)*text < 0x20 || *text == 0x7f) {
			rg_buf_printf(out, "\\u%04x", (unsigned)(unsigned char)*text);
		} else {
			rg_utf8_add_valid(out, text, length ? length : 1);
		}
		text += length ? length : 1;
		left -= length ? length : 1;
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
