/* SPDX-License-Identifier: Apache-2.0 */
#include "store/question.h"

#include <string.h>

static const char *find_value(const rg_question *question, const char *name, size_t length)
{
	for (size_t i = 0; i < question->count; i++)
		if (strlen(question->values[i].name) == length &&
		    !memcmp(question->values[i].name, name, length))
			return question->values[i].value;
	return "";
}

void rg_question_write(rg_buf *sql, const rg_question *question,
		       void (*quote)(rg_buf *sql, const char *text))
{
	for (const char *at = question->sql; *at;) {
		size_t length = strcspn(at, "{");
		rg_buf_add(sql, at, length);
		at += length;
		if (!*at)
			return;
		length = strcspn(++at, "}");
		quote(sql, find_value(question, at, length));
		at += length + (at[length] != '\0');
	}
}
