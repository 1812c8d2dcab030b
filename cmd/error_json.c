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

void error_tell_json(const rg_error *err, const char *command_line, const char *name, int exit_code,
		     int argc, char *const *argv)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	RG_AUTO(rg_facts) facts;
	rg_error_facts said;

	rg_facts_init(&facts, command_line);
	if (!is_asked_for(argc, argv) || terminal_has_json())
		return;
	rg_error_facts_of(&said, err);
	if (exit_code == EXIT_USAGE && name) {
		/* "history ask" is two words. */
		const size_t first = strcspn(name, " ");
		rg_facts_can(&facts, "shows the options", "help",
			     rg_arena_copy(&facts.arena, name, first),
			     name[first] ? name + first + 1 : NULL, NULL);
	}
	facts.exit_code = (size_t)exit_code;
	RG_AUTO_PTR(rg_error) lost = rg_facts_write(&facts, &text, "regild-error", &said);
	if (!lost) /* what is wrong is on stderr, too */
		lost = write_json("-", &text);
}
