/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a template. What is rendered stays within its bound, and twice the same. */

#include "report/markdown.h"
#include "report/mustache.h"

#include <stdint.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char view_text[] =
	"{\"a\": \"x|`<\", \"b\": [{\"c\": 1}, {\"c\": 0.5}], \"d\": {\"e\": true, \"f\": []},"
	" \"run\": null, \"metrics\": {\"items\": [{\"metric\": \"lm loss\", \"n\": 2}]}}";

static void render(rg_buf *out, const char *text, const cJSON *view)
{
	const rg_mustache_limits limits = {.items = {0, 1, 1, 1}, .text = 2};

	rg_error_free(rg_mustache_render(out, text, view, &rg_markdown_style, &limits));
	if (out->length > out->max)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cJSON *view = cJSON_Parse(view_text);
	char *text = malloc(size + 1);
	rg_buf first, second;

	if (!view)
		abort();
	rg_mustache_cut(cJSON_GetObjectItem(view, "b"), RG_MUSTACHE_LIST);
	memcpy(text, data, size);
	text[size] = '\0';
	rg_buf_init(&first, 1 << 16);
	rg_buf_init(&second, 1 << 16);
	render(&first, text, view);
	render(&second, text, view);
	if (first.length != second.length || memcmp(first.data, second.data, first.length) != 0)
		abort();
	rg_buf_release(&second);
	rg_buf_release(&first);
	free(text);
	cJSON_Delete(view);
	return 0;
}
