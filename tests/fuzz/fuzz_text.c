/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text from outside in what is written: any bytes, in every kind of document, stay text there. What
 * has a reader is read back.
 */
#include "require.h"

#include "base/json.h"
#include "base/utf8.h"
#include "golden/csv_reader.h"
#include "report/cells.h"
#include "report/html_text.h"
#include "report/markdown.h"

#include <cJSON.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_json(const char *text, rg_buf *out)
{
	rg_json_out json;
	cJSON *read;

	RG_AUTO(rg_buf) valid = rg_buf_of(RG_BUF_TEXT);
	rg_utf8_add_valid(&valid, text, strlen(text));
	rg_buf_clear(out);
	rg_json_out_init(&json, out);
	rg_json_open(&json, '{');
	rg_json_key_text(&json, text, text);
	rg_json_close(&json, '}');
	read = cJSON_ParseWithLengthOpts(out->data, out->length + 1, NULL, true);
	require(read && read->child && !read->child->next, "JSON with one member");
	require(!strcmp(read->child->string, valid.data) &&
			!strcmp(cJSON_GetStringValue(read->child), valid.data),
		"another text in JSON");
	cJSON_Delete(read);
}

static void check_csv(const char *text, rg_buf *out)
{
	rg_csv_reader reader;
	bool more;

	rg_buf_clear(out);
	rg_csv_field(out, true, "x", 1);
	rg_csv_field(out, false, text, strlen(text));
	rg_csv_field(out, false, text, strlen(text));
	rg_csv_end(out);
	rg_csv_reader_init(&reader, out->data, out->length);
	require(!rg_csv_next(&reader, &more) && more && reader.count == 3, "three cells");
	require(!strcmp(rg_csv_cell(&reader, 1), text) && !strcmp(rg_csv_cell(&reader, 2), text),
		"another text in CSV");
	require(!rg_csv_next(&reader, &more) && !more, "one record");
	rg_csv_reader_release(&reader);
}

static void check_html(const char *text, rg_buf *out)
{
	size_t i;

	rg_buf_clear(out);
	rg_html_text(out, text, strlen(text));
	require(!strpbrk(out->data, "<>\"'"), "a tag, or an attribute's end");
	for (i = 0; i < out->length; i++)
		require((unsigned char)out->data[i] >= ' ', "a control character in HTML");
	rg_buf_clear(out);
	rg_html_code(out, text, strlen(text));
	require(!strncmp(out->data, "<code>", 6) &&
			strcspn(out->data + 6, "<>\"'") == out->length - 13 &&
			!strcmp(out->data + out->length - 7, "</code>"),
		"a tag in code");
}

static void check_markdown(const char *text, rg_buf *out)
{
	rg_buf_clear(out);
	rg_markdown_text(out, text, strlen(text));
	require(!strpbrk(out->data, "\n\r"), "a line end in markdown");
	rg_buf_clear(out);
	rg_markdown_code(out, text, strlen(text));
	require(!strpbrk(out->data, "\n\r"), "a line end in code");
}

/* What the terminal gets: no control character, well-formed, at most two columns a character, and
 * the same when it is made safe once more. */
static void check_terminal(const char *text, rg_buf *out)
{
	size_t width, at, length, characters = 0;

	rg_buf_clear(out);
	width = rg_utf8_add_safe(out, text, strlen(text));
	for (at = 0; at < out->length; at += length, characters++) {
		length = rg_utf8_length(out->data + at, out->length - at);
		require(length && !rg_utf8_is_control(out->data + at), "what moves the cursor");
	}
	require(width <= 2 * characters, "the width");
	RG_AUTO(rg_buf) again = rg_buf_of(RG_BUF_TEXT);
	require(rg_utf8_add_safe(&again, out->data, out->length) == width &&
			again.length == out->length && !memcmp(again.data, out->data, out->length),
		"a safe text is changed");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	require(text != NULL, "no memory");
	memcpy(text, data, size);
	text[size] = '\0';
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	check_json(text, &out);
	check_csv(text, &out);
	check_html(text, &out);
	check_markdown(text, &out);
	check_terminal(text, &out);
	free(text);
	return 0;
}
