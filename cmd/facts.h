/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_FACTS_H
#define REGILD_CMD_FACTS_H

#include "command.h"
#include "flow/facts.h"

/* A row of a command's options. '-' is stdout, where nothing else goes then. */
#define JSON_OPTION(type, member)                                                               \
	{                                                                                       \
		.name = "json", .unsaid = true, .argument = "FILE", OPTION_FIELD(type, member), \
		.help = "write the result as JSON; '-' is stdout"                               \
	}

/* The facts of this call; the calls that follow it are made where it was. They are released by one
 * of the functions that finish them. */
rg_facts facts_of(const command_context *context);
/* The same if the paths of the calls that follow are from the repository's root. */
rg_facts facts_at_root(const command_context *context);

/* Writes the document (`file` NULL: nowhere), and releases the facts even if that fails. The exit
 * code is the command's by now. */
RG_CHECKED rg_error *facts_finish(rg_facts *facts, const command_context *context, const char *file,
				  const char *schema, const void *from);

/* Appends them to a document that another has made, and writes it; takes `err`, what went wrong
 * with that, and releases the facts and the document. */
RG_CHECKED rg_error *facts_finish_document(rg_facts *facts, const command_context *context,
					   const char *file, rg_buf *document, rg_error *err);

/* The same for a document that is too large to hold: it is written as it is made. */
typedef rg_error *facts_make(rg_buf *out, const void *from);
RG_CHECKED rg_error *facts_finish_large(rg_facts *facts, const command_context *context,
					const char *file, facts_make *make, const void *from);

/* NEXT on stdout: each call that can follow, and a few words on what it does. */
void facts_show_next(const rg_facts *facts, const command_context *context);

#endif
