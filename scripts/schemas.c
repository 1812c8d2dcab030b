/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: schemas FOLDER
 * Writes the JSON Schema of each document that regild writes into the folder, made of the tables
 * that write the documents themselves.
 */
#include "base/file.h"
#include "flow/documents.h"
#include "json_schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rg_error *write_schema(const char *folder, const rg_json_document_kind *document)
{
	rg_buf text;
	char *path = rg_textf("%s/%s.json", folder, document->name + strlen("regild-"));

	rg_buf_init(&text, RG_BUF_TEXT);
	json_schema_write(&text, document);
	rg_error *err = rg_buf_check(&text, path);
	if (!err)
		err = rg_file_write_output(path, text.data, text.length);
	rg_buf_release(&text);
	free(path);
	return err;
}

int main(int argc, char **argv)
{
	rg_error *err = NULL;
	for (size_t i = 0; argc == 2 && !err && rg_documents[i].name; i++)
		err = write_schema(argv[1], &rg_documents[i]);
	if (err)
		fprintf(stderr, "schemas: %s\n", rg_error_message(err));
	bool failed = argc != 2 || err;
	rg_error_free(err);
	return failed;
}
