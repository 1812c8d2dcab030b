/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/log.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
	rg_log_level level;
	char *text;
} last_line;

static void keep(void *context, rg_log_level level, const char *text)
{
	last_line *last = context;

	free(last->text);
	last->text = strdup(text);
	last->level = level;
}

TEST(say)
{
	last_line last = {0};
	rg_log log = {keep, &last};
	char name[2000];

	rg_log_say(&log, RG_LOG_DETAIL, "%s: %d", "a", 1);
	assert_string_equal(last.text, "a: 1");
	assert_int_equal(last.level, RG_LOG_DETAIL);
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	rg_log_say(&log, RG_LOG_WARNING, "%s!", name);
	assert_int_equal(strlen(last.text), sizeof(name));
	assert_int_equal(last.text[sizeof(name) - 1], '!');
	free(last.text);
}

TEST(silence)
{
	rg_log none = {0};

	rg_log_say(NULL, RG_LOG_WARNING, "nobody listens");
	rg_log_say(&none, RG_LOG_WARNING, "nobody listens");
}
