/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as the JSON of a triage: no name in it breaks the table that is made of it. */
#include "require.h"

#include "flow/triage.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require_table(const char *table)
{
	for (const char *line = table; *line; line = strchr(line, '\n') + 1)
		require(*line == '|' || *line == '\n' || !strncmp(line, "…", strlen("…")),
			"a line is a row");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	rg_triage triage;
	rg_error *err = rg_triage_parse(&triage, (const char *)data, size);

	if (!err) {
		rg_buf text;
		rg_buf_init(&text, 1 << 22);
		err = rg_triage_markdown(&text, &triage, 4096);
		const char *table = strstr(text.data, "\n| conclusion");
		require(err || !table == !triage.count, "lines make a table");
		if (!err && table)
			require_table(table + 1);
		rg_buf_release(&text);
	}
	rg_error_free(err);
	rg_triage_release(&triage);
	return 0;
}
