/* SPDX-License-Identifier: Apache-2.0 */
/* JSON written and read back: base/json.h. The parser's errors are in test_json.c. */
#include "unit/unit.h"

#include "base/fields.h"

#include <math.h>
#include <string.h>

typedef struct {
	const char *name, *path, *note;
	uint64_t size;
	char sha256[RG_SHA256_HEX];
} sample;

static const rg_json_field fields[] = {
	RG_JSON_FIELD_TEXT(sample, name),
	{.key = "path", .kind = RG_JSON_PATH, RG_JSON_AT(sample, path)},
	RG_JSON_FIELD(sample, note),
	RG_JSON_FIELD_AS("bytes", sample, size),
	RG_JSON_FIELD(sample, sha256),
	{0},
};

#define SHA "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

TEST(reads_what_it_writes)
{
	const sample written = {"a \"b\"\n\xc2\x9b", "x/y", NULL, UINT64_MAX, SHA};
	const double *numbers;
	size_t count;
	rg_json_out json;
	rg_arena arena;
	sample back;
	rg_json_in in;
	cJSON *root;

	rg_arena_init(&arena);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_json_document(&json, &text, "regild-sample");
	rg_json_put_fields(&json, fields, &written, NULL);
	rg_json_key_open_flat(&json, "numbers", '[');
	rg_json_number(&json, 0.1);
	rg_json_number(&json, NAN);
	rg_json_number(&json, INFINITY);
	rg_json_number(&json, -INFINITY);
	rg_json_integer(&json, -7);
	rg_json_close(&json, ']');
	rg_json_close(&json, '}');
	assert_string_equal(text.data, "{\n \"schema\": \"regild-sample\",\n \"version\": 1,\n"
				       " \"name\": \"a \\\"b\\\"\\u000a\\u009b\",\n"
				       " \"path\": \"x/y\",\n \"note\": null,\n"
				       " \"bytes\": \"18446744073709551615\",\n"
				       " \"sha256\": \"" SHA "\",\n"
				       " \"numbers\": [0.1, \"nan\", \"inf\", \"-inf\", -7]\n}\n");
	assert_success(rg_json_parse(&root, text.data, text.length));
	in = (rg_json_in){root, &arena};
	assert_success(rg_json_get_head(&in, "regild-sample"));
	assert_success(rg_json_get_fields(&in, root, fields, &back));
	assert_string_equal(back.name, written.name);
	assert_string_equal(back.path, written.path);
	assert_null(back.note);
	assert_true(back.size == UINT64_MAX);
	assert_string_equal(back.sha256, SHA);
	assert_success(rg_json_get_numbers(&in, root, "numbers", &numbers, &count));
	assert_int_equal(count, 5);
	assert_true(numbers[0] == 0.1 && isnan(numbers[1]) && numbers[4] == -7);
	assert_true(numbers[2] == INFINITY && numbers[3] == -INFINITY);
	cJSON_Delete(root);
	rg_arena_release(&arena);
}

/* Names of files are bytes; in all other texts they become U+FFFD. */
TEST(keeps_the_bytes_of_paths_alone)
{
	rg_json_out json;
	cJSON *root;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_json_out_init(&json, &text);
	rg_json_open_flat(&json, '[');
	rg_json_text(&json, "\xe9");
	rg_json_path(&json, "\xe9");
	rg_json_close(&json, ']');
	assert_string_equal(text.data, "[\"\xef\xbf\xbd\", \"\xe9\"]\n");
	assert_error(rg_json_parse(&root, text.data, text.length), RG_E_PARSE,
		     "not UTF-8: byte 9 is 0xe9");
	assert_success(rg_json_parse_bytes(&root, text.data, text.length));
	assert_string_equal(cJSON_GetArrayItem(root, 1)->valuestring, "\xe9");
	cJSON_Delete(root);
}

TEST(names_the_place)
{
	static const char document[] =
		"{\"schema\": \"regild-x\", \"version\": 2, \"list\": [{}, {\"path\": \"../x\", "
		"\"name\": 7, \"size\": -1, \"sha256\": \"x\", \"inner\": {\"truth\": \"yes\"}}], "
		"\"numbers\": [1, \"x\"], \"large\": 18446744073709551615, \"word\": \"c\", "
		"\"texts\": [\"a\"]}";
	static const char *const words[] = {"a", "b"};
	const cJSON *item, *inner, *list;
	const double *numbers;
	const char *text;
	uint64_t number;
	rg_arena arena;
	size_t count;
	rg_json_in in;
	cJSON *root;
	bool truth;
	sample s;

	rg_arena_init(&arena);
	assert_success(rg_json_parse(&root, document, strlen(document)));
	in = (rg_json_in){root, &arena};
	assert_error(rg_json_get_head(&in, "regild-y"), RG_E_PARSE, "'schema' is not 'regild-y'");
	assert_error(rg_json_get_head(&in, "regild-x"), RG_E_PARSE,
		     "'version' is 2, but this regild reads version 1");
	assert_success(rg_json_get_objects(&in, root, "list", &list, &count));
	item = list->child->next;
	assert_error(rg_json_get_fields(&in, list->child, fields, &s), RG_E_PARSE,
		     "'list[0].name' is missing");
	assert_error(rg_json_get_text(&in, item, "name", &text), RG_E_PARSE,
		     "'list[1].name' is not a text");
	assert_error(rg_json_get_optional(&in, item, "name", &text), RG_E_PARSE,
		     "'list[1].name' is not a text");
	assert_error(rg_json_get_path(&in, item, "path", &text), RG_E_UNSAFE,
		     "'list[1].path': unsafe name '../x': it has a '..' part");
	assert_error(rg_json_get_count(&in, item, "size", 9, &number), RG_E_PARSE,
		     "'list[1].size' is not a whole number from 0 to 9");
	assert_error(rg_json_get_count(&in, root, "large", UINT64_MAX, &number), RG_E_PARSE,
		     "'large' is not a whole number");
	assert_success(rg_json_get_object(&in, item, "inner", &inner));
	assert_error(rg_json_get_truth(&in, inner, "truth", &truth), RG_E_PARSE,
		     "'list[1].inner.truth' is not true or false");
	assert_error(rg_json_get_object(&in, root, "list", &inner), RG_E_PARSE,
		     "'list' is not an object");
	assert_error(rg_json_get_objects(&in, root, "texts", &list, &count), RG_E_PARSE,
		     "'texts' is not a list of objects");
	assert_error(rg_json_get_numbers(&in, root, "numbers", &numbers, &count), RG_E_PARSE,
		     "'numbers' is not a list of numbers");
	assert_error(rg_json_get_word(&in, root, "word", words, 2, &count), RG_E_PARSE,
		     "'word' is 'c', which is not known");
	cJSON_Delete(root);
	rg_arena_release(&arena);
}
