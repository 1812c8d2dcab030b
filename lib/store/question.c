/* SPDX-License-Identifier: Apache-2.0 */
#include "store/question.h"

#include <string.h>

void rg_question_write(rg_buf *sql, const rg_question *question,
		       void (*quote)(rg_buf *sql, const char *text))
{
	for (const char *at = question->sql; *at;) {
		const char *value = "";
		size_t length = strcspn(at, "{");

		rg_buf_add(sql, at, length);
		at += length;
		if (!*at)
			return;
		length = strcspn(++at, "}");
		for (size_t i = 0; i < question->count; i++)
			if (strlen(question->values[i].name) == length &&
			    !memcmp(question->values[i].name, at, length))
				value = question->values[i].value;
		quote(sql, value);
		at += length + (at[length] != '\0');
	}
}
