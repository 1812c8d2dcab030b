/* SPDX-License-Identifier: Apache-2.0 */
/* The dashboard for Grafana has the members that Grafana knows, and asks the history's questions in
 * their own words. */
#include "support/schema.h"
#include "unit/unit.h"

#include "base/file.h"
#include "base/json.h"
#include "base/templates.h"

#include <string.h>

static cJSON *dashboard, *schema;

static cJSON *read_json(const char *path)
{
	cJSON *out;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	assert_success(rg_file_read(&text, path));
	assert_success(rg_json_parse(&out, text.data, text.length));
	return out;
}

FIXTURE(start)
{
	dashboard = read_json("examples/grafana/goldens.json");
	schema = read_json("tests/schema/grafana.json");
	return 0;
}

FIXTURE(stop)
{
	cJSON_Delete(dashboard);
	cJSON_Delete(schema);
	return 0;
}

TEST_GROUP(start, stop);

TEST(its_members)
{
	const cJSON *panel;
	rg_buf message;

	rg_buf_init(&message, RG_BUF_TEXT);
	if (!schema_fits(schema, dashboard, &message))
		fail_msg("%s", message.data);
	rg_buf_release(&message);
	/* A row has 24 places. */
	cJSON_ArrayForEach(panel, rg_json_member(dashboard, "panels"))
	{
		const cJSON *place = rg_json_member(panel, "gridPos");

		assert_in_range(rg_json_member(place, "x")->valueint +
					rg_json_member(place, "w")->valueint,
				1, 24);
	}
}

/* The question as the dashboard has it: its values are variables, and the days those that are to be
 * seen. */
static void fill_in(rg_buf *out, const char *sql)
{
	while (!strncmp(sql, "-- ", 3))
		sql = strchr(sql, '\n') + 1;
	for (; *sql; sql++) {
		size_t length = strcspn(sql, "}");

		if (*sql != '{') {
			rg_buf_char(out, *sql);
			continue;
		}
		if (!strncmp(sql, "{since}", 7))
			rg_buf_str(out, "'${__from:date:YYYY-MM-DD}'");
		else
			rg_buf_printf(out, "${%.*s:sqlstring}", (int)length - 1, sql + 1);
		sql += length;
	}
	rg_buf_truncate(out, out->length - 1);
}

static bool is_asked(const char *sql)
{
	const cJSON *panel;
	bool found = false;

	cJSON_ArrayForEach(panel, rg_json_member(dashboard, "panels"))
	{
		const cJSON *target = cJSON_GetArrayItem(rg_json_member(panel, "targets"), 0);

		found |= strstr(rg_json_member(target, "rawSql")->valuestring, sql) != NULL;
	}
	return found;
}

static bool has_variable(const char *name)
{
	const cJSON *variable;
	bool found = false;

	cJSON_ArrayForEach(variable,
			   rg_json_member(rg_json_member(dashboard, "templating"), "list"))
	{
		const char *other = rg_json_member(variable, "name")->valuestring;

		found |= !strncmp(name, other, strlen(other)) && name[strlen(other)] == ':';
	}
	return found;
}

TEST(every_question_is_asked)
{
	size_t questions = 0;

	for (const struct rg_template *t = rg_templates; t->name; t++) {
		const char *ending = strrchr(t->name, '.');
		rg_buf sql;

		if (!ending || strcmp(ending, ".sql") != 0)
			continue;
		questions++;
		rg_buf_init(&sql, RG_BUF_TEXT);
		fill_in(&sql, t->text);
		if (!is_asked(sql.data))
			fail_msg("no panel asks %s:\n%s", t->name, sql.data);
		for (const char *at = sql.data; (at = strstr(at, "${")) != NULL; at++)
			assert_true(!strncmp(at + 2, "__from:", 7) || has_variable(at + 2));
		rg_buf_release(&sql);
	}
	assert_int_equal(questions, cJSON_GetArraySize(rg_json_member(dashboard, "panels")));
}
