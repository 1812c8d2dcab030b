/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/executorch/backend_report.h"

#include "base/json.h"
#include "golden/unread_json.h"
#include "base/number.h"

#include <string.h>

/* Reports of backend tests as pytest-json-report writes them. */

static const char *text_of(const cJSON *value, char number[static RG_DOUBLE_REPR_SIZE])
{
	if (cJSON_IsString(value))
		return strcmp(value->valuestring, RG_JSON_NAN) ? value->valuestring : "nan";
	if (cJSON_IsBool(value))
		return cJSON_IsTrue(value) ? "True" : "False";
	if (!cJSON_IsNumber(value))
		return "";
	rg_json_take(value);
	/* Subtests are numbers here and "0" in CSV. */
	rg_double_repr(value->valuedouble, number);
	if (strlen(number) > 2 && !strcmp(number + strlen(number) - 2, ".0"))
		number[strlen(number) - 2] = '\0';
	return number;
}

/* {op: count}, as fields COLUMN/OP. */
static void add_counts(rg_case_list *list, rg_case *c, const cJSON *counts)
{
	char number[RG_DOUBLE_REPR_SIZE];
	const cJSON *count;

	cJSON_ArrayForEach(count, counts)
	{
		const char *column =
			rg_arena_textf(&list->arena, "%s/%s", counts->string, count->string);
		rg_case_add_field(list, c, column, text_of(count, number));
	}
}

static size_t count_fields(const cJSON *subtest)
{
	const cJSON *value;
	size_t n = 0;

	cJSON_ArrayForEach(value, subtest)
	{
		n += cJSON_IsObject(value) ? (size_t)cJSON_GetArraySize(value) : 1;
	}
	return n;
}

static rg_error *read_subtest(rg_case_list *list, const cJSON *subtest, rg_case *c)
{
	char number[RG_DOUBLE_REPR_SIZE];
	const cJSON *value;

	cJSON_ArrayForEach(value, subtest)
	{
		int known = rg_case_column(value->string);
		if (cJSON_IsNull(value))
			continue;
		if (known >= 0) {
			RG_TRY(rg_case_set(list, c, known, text_of(value, number)));
		} else if (cJSON_IsObject(value)) {
			add_counts(list, c, value);
		} else {
			const char *column = rg_arena_text(&list->arena, value->string);
			rg_case_add_field(list, c, column, text_of(value, number));
		}
	}
	return NULL;
}

/* pytest's own word on a test; also what a subtest without a result has. */
static rg_case_result result_of_outcome(const cJSON *test)
{
	const char *text = cJSON_GetStringValue(rg_json_member(test, "outcome"));
	if (!text)
		return RG_CASE_FAIL;
	if (!strcmp(text, "passed") || !strcmp(text, "xpassed"))
		return RG_CASE_PASS;
	return !strcmp(text, "skipped") || !strcmp(text, "xfailed") ? RG_CASE_SKIP : RG_CASE_FAIL;
}

/* pytest-xdist's own key for what a process left when it died. */
static const cJSON *crash_of(const cJSON *test)
{
	return rg_json_member(test, "???");
}

/* Gives pytest's own error of a test that wrote no subtests; "": there is none. */
static const char *error_of(const cJSON *test)
{
	const cJSON *const stages[] = {crash_of(test), rg_json_member(test, "call"),
				       rg_json_member(test, "setup")};

	for (size_t i = 0; i < sizeof(stages) / sizeof(*stages); i++) {
		const char *text = cJSON_GetStringValue(rg_json_member(stages[i], "longrepr"));
		if (text && *text)
			return text;
	}
	return "";
}

/* The tester's own name of a test out of pytest's: what is after the file's. */
static const char *own_name(const char *nodeid)
{
	const char *bracket = strchr(nodeid, '['), *name = nodeid, *at = nodeid;
	while ((at = strstr(at, "::")) != NULL && (!bracket || at < bracket))
		name = at += 2;
	return name;
}

/* Part of a text, where nothing better is known. */
static void set_part(rg_case_list *list, const char **field, const char *from, size_t length)
{
	if (**field || !length)
		return;
	*field = rg_arena_copy(&list->arena, from, length);
}

/* Takes from "CASE[FLOW-PARAMETERS]" the parts that no column has. */
static void name_parts(rg_case_list *list, rg_case *c)
{
	const char *inside = strchr(c->test_id, '[');
	size_t length = strlen(c->test_id);

	if (!inside || c->test_id[length - 1] != ']')
		return;
	set_part(list, &c->test_case, c->test_id, (size_t)(inside - c->test_id));
	inside++;
	length -= (size_t)(inside - c->test_id) + 1;
	size_t flow = strcspn(inside, "-");
	set_part(list, &c->flow, inside, flow < length ? flow : length);
	flow = strlen(c->flow);
	if (length >= flow && !memcmp(inside, c->flow, flow) &&
	    (length == flow || inside[flow] == '-')) {
		flow += length > flow;
		inside += flow;
		length -= flow;
	}
	set_part(list, &c->params, inside, length);
}

static rg_error *add_test_case(rg_case_list *list, const cJSON *test, const cJSON *subtest)
{
	const char *nodeid = cJSON_GetStringValue(rg_json_member(test, "nodeid"));

	if (!nodeid || (subtest && !cJSON_IsObject(subtest)))
		return rg_error_new(RG_E_PARSE, "a test without nodeid, or a broken subtest");
	rg_case *c = rg_case_new(list, count_fields(subtest));
	c->result = result_of_outcome(test);
	if (subtest) {
		RG_TRY(rg_error_wrap(read_subtest(list, subtest, c), "test '%s'", nodeid));
	} else { /* its process crashed, or it did not get that far */
		if (crash_of(test))
			c->detail = RG_CASE_CRASH;
		c->error = rg_arena_text(&list->arena, error_of(test));
	}
	if (!*c->test_id)
		c->test_id = rg_arena_text(&list->arena, nodeid);
	if (*own_name(c->test_id))
		c->test_id = own_name(c->test_id);
	name_parts(list, c);
	list->count++;
	return NULL;
}

static rg_error *add_document(rg_case_list *list, const cJSON *document)
{
	const cJSON *tests = rg_json_member(document, "tests"), *test, *subtest;
	if (!cJSON_IsArray(tests))
		return rg_error_new(RG_E_PARSE, "not a report of backend tests: no list 'tests'");
	cJSON_ArrayForEach(test, tests)
	{
		const cJSON *metadata = rg_json_member(test, "metadata");
		const cJSON *subtests = rg_json_member(metadata, "subtests");

		if (!cJSON_IsArray(subtests) || !subtests->child) {
			RG_TRY(add_test_case(list, test, NULL));
			continue;
		}
		cJSON_ArrayForEach(subtest, subtests)
		{
			RG_TRY(add_test_case(list, test, subtest));
		}
	}
	return NULL;
}

rg_error *rg_case_list_add_json(rg_case_list *list, const void *data, size_t size)
{
	cJSON *document;
	RG_TRY(rg_json_parse(&document, data, size));
	rg_error *err = add_document(list, document);
	rg_unread_json(&list->unread, &list->arena, "", document);
	cJSON_Delete(document);
	return err;
}
