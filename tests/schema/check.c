/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: schema-check SCHEMAS FILE…
 * Holds each file, a document that regild wrote, against the schema in the folder SCHEMAS that it
 * names itself. A FILE of "-" is stdin, which is copied to stdout.
 */
#include "support/schema.h"

#include "base/memory.h"
#include "base/file.h"
#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rg_error *read_all(rg_buf *out, const char *name)
{
	char block[65536];
	size_t got;

	if (strcmp(name, "-") != 0)
		return rg_file_read(out, name);
	while ((got = fread(block, 1, sizeof(block), stdin)) > 0) {
		rg_buf_add(out, block, got);
		fwrite(block, 1, got, stdout);
	}
	return rg_buf_check(out, "stdin");
}

static rg_error *parse_file(cJSON **out, const char *name)
{
	rg_error *err;
	rg_buf text;

	*out = NULL;
	rg_buf_init(&text, (size_t)1 << 30);
	err = read_all(&text, name);
	if (!err)
		err = rg_json_parse(out, text.data, text.length);
	rg_buf_release(&text);
	return err;
}

static rg_error *find_schema(cJSON **out, const char *folder, const cJSON *document)
{
	const char *name = cJSON_GetStringValue(rg_json_member(document, "schema"));
	rg_error *err;
	char *path;

	*out = NULL;
	if (!name || strncmp(name, "regild-", 7) != 0)
		return rg_error_new(RG_E_PARSE, "it does not name its schema");
	path = rg_textf("%s/%s.json", folder, name + 7);
	err = parse_file(out, path);
	free(path);
	return err;
}

static rg_error *check_file(const char *folder, const char *name)
{
	cJSON *document, *schema = NULL;
	rg_error *err = parse_file(&document, name);
	rg_buf message;

	rg_buf_init(&message, RG_BUF_TEXT);
	if (!err)
		err = find_schema(&schema, folder, document);
	if (!err && !schema_fits(schema, document, &message))
		err = rg_error_new(RG_E_PARSE, "%s", message.data);
	rg_buf_release(&message);
	cJSON_Delete(schema);
	cJSON_Delete(document);
	return err;
}

int main(int argc, char **argv)
{
	int i, status = 0;

	for (i = 2; i < argc; i++) {
		rg_error *err = check_file(argv[1], argv[i]);

		if (err) {
			fprintf(stderr, "schema-check: %s: %s\n", argv[i], rg_error_message(err));
			status = 1;
		}
		rg_error_free(err);
	}
	return status;
}
