/* SPDX-License-Identifier: Apache-2.0 */
#include "error_json.h"

#include "exit.h"
#include "flow/facts.h"
#include "terminal.h"

#include <stdint.h>
#include <string.h>

static bool is_asked_for(int argc, char *const *argv)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (!strcmp(argv[i], "--json=-") ||
		    (!strcmp(argv[i], "--json") && i + 1 < argc && !strcmp(argv[i + 1], "-")))
			return true;
	return false;
}

/* "history ask" is two words. */
static void add_help(rg_facts *facts, const char *name)
{
	const size_t first = strcspn(name, " ");
	rg_facts_can(facts, "shows the options", "help", rg_arena_copy(&facts->arena, name, first),
		     name[first] ? name + first + 1 : NULL, NULL);
}

void error_tell_json(const rg_error *err, const char *command_line, const char *name, int exit_code,
		     int argc, char *const *argv)
{
	rg_error_facts said;
	rg_facts facts;
	rg_buf text;

	if (!is_asked_for(argc, argv) || terminal_has_json())
		return;
	rg_facts_init(&facts, command_line);
	rg_error_facts_of(&said, err);
	if (exit_code == EXIT_USAGE && name)
		add_help(&facts, name);
	facts.exit_code = (size_t)exit_code;
	rg_buf_init(&text, RG_BUF_ANY);
	rg_error *lost = rg_facts_write(&facts, &text, "regild-error", &said);
	if (!lost)
		lost = write_json("-", &text);
	rg_error_free(lost); /* what is wrong is on stderr, too */
	rg_buf_release(&text);
	rg_facts_release(&facts);
}
