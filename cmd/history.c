/* SPDX-License-Identifier: Apache-2.0 */
#include "history.h"

#include "commands.h"

#define FIELD(member) OPTION_FIELD(history_arguments, member)

/* clang-format off */
static const option json_options[] = {
	{.name = "json", .argument = "FILE", FIELD(json),
	 .help = "write it as JSON instead ('-': stdout)"},
	{0},
};

static const option ask_options[] = {
	{.name = "csv", .argument = "FILE", FIELD(csv),
	 .help = "write it as CSV instead ('-': stdout)"},
	{.name = "json", .argument = "FILE", FIELD(json),
	 .help = "write it as JSON instead ('-': stdout)"},
	{0},
};

static const option export_options[] = {
	{.name = "format", .argument = "FORMAT", .choices = "jsonl|csv", FIELD(format),
	 .help = "jsonl (the default) or csv"},
	{0},
};

static const option prune_options[] = {
	{.name = "keep", .argument = "DAYS", .needed = true, FIELD(keep),
	 .help = "remove the runs that are older; 400d (required)"},
	{.letter = 'n', .name = "dry-run", FIELD(dry_run),
	 .help = "only say what would be removed"},
	{.name = "host", .argument = "HOST[:PORT]", FIELD(hosts),
	 .help = "a host of ClickHouse's cluster; may be repeated (default: those it names)"},
	{0},
};

static const option layout_options[] = {
	{.name = "cluster", .argument = "NAME", FIELD(cluster),
	 .help = "spread the tables over this cluster of ClickHouse's"},
	{.name = "replicated", FIELD(replicated),
	 .help = "of a cluster whose shards have replicas (not tested)"},
	{0},
};

static const option host_options[] = {
	{.name = "host", .argument = "HOST[:PORT]", FIELD(hosts),
	 .help = "a host of the cluster; may be repeated (default: those it names)"},
	{0},
};
/* clang-format on */

/* What all of them have. */
#define PART .arguments_size = sizeof(history_arguments), .flags = COMMAND_MAY_USE_WORKTREE

/* clang-format off */
static const command *const parts[] = {
	&(const command){PART, .run = history_list, .groups = OPTIONS(json_options),
		.name = "history list",
		.summary = "list the runs whose series 'regild audit' has kept; the default"},
	&(const command){PART, .run = history_show, .groups = OPTIONS(json_options),
		.name = "history show",
		.summary = "show what a run has: each step of each series",
		.operands = "RUN [FILE]", .operands_min = 1, .operands_max = 2,
		.missing = "show: name a run by its number",
		.description = "Shows each step of each series of a run, or of FILE alone: a golden's path, or the\n"
			       "end of it.",
		.examples = "regild history show 22651183945"},
	&(const command){PART, .run = history_check, .groups = NO_OPTIONS,
		.name = "history check",
		.summary = "count what is here of each run: a server's replica may be behind",
		.examples = "regild history check"},
	&(const command){PART, .run = history_ask, .groups = OPTIONS(ask_options),
		.name = "history ask",
		.summary = "ask it: a metric's curve or drift, what a commit measured, what is flaky",
		.operands = "[QUESTION [NAME=VALUE...]]", .operands_max = -1,
		.description = "Asks one of the questions of regild-history(7) and prints a table; without one, lists\n"
			       "them with their values.",
		.examples = "regild history ask flaky metric='%loss%'"},
	&(const command){PART, .run = history_merge, .groups = NO_OPTIONS,
		.name = "history merge",
		.summary = "take the runs of other history files in",
		.operands = "FILE...", .operands_min = 1, .operands_max = -1,
		.missing = "merge: which history? 'regild history merge FILE'",
		.examples = "regild history merge kept/history.db"},
	&(const command){PART, .run = history_export, .groups = OPTIONS(export_options),
		.name = "history export",
		.summary = "write a file a day that other programs read",
		.operands = "DIR", .operands_min = 1, .operands_max = 1,
		.missing = "export: which folder? 'regild history export DIR'",
		.examples = "regild history export exported --format csv"},
	&(const command){PART, .run = history_import, .groups = NO_OPTIONS,
		.name = "history import",
		.summary = "take the runs of exported files in",
		.operands = "FILE...", .operands_min = 1, .operands_max = -1,
		.missing = "import: which files? 'regild history import FILE'"},
	&(const command){PART, .run = history_prune, .groups = OPTIONS(prune_options),
		.name = "history prune",
		.summary = "remove the runs older than --keep",
		.description = "Removes the runs older than --keep; those without a time stay.",
		.examples = "regild history prune --keep 400d --dry-run"},
	&(const command){PART, .run = history_push, .groups = NO_OPTIONS,
		.name = "history push",
		.summary = "put the local runs into the shared history (regild.history)"},
	&(const command){PART, .run = history_pull, .groups = NO_OPTIONS,
		.name = "history pull",
		.summary = "take the shared history's runs into the local one"},
	&(const command){PART, .run = history_ddl, .groups = OPTIONS(layout_options),
		.name = "history ddl",
		.summary = "print the statements that make a shared history's tables on ClickHouse",
		.examples = "regild history ddl --cluster ci"},
	&(const command){PART, .run = history_init,
		.groups = (const option_group[]){{.title = "Tables", .options = layout_options},
						 {.title = "Where", .options = host_options}, {0}},
		.name = "history init",
		.summary = "make these tables on the server of the shared history"},
	NULL,
};
/* clang-format on */

const command command_history = {
	PART,
	.name = "history",
	.summary = "show and share the runs that audits have kept",
	.parts = parts,
	.operands = "[COMMAND]",
	.stray = "a command comes first: 'regild history show RUN'",
	.description =
		"The runs whose series 'regild audit' has kept. 'regild history COMMAND --help'\n"
		"shows a command's options; without one, the runs are listed.",
	.examples = "regild history\n"
		    "regild history show 22651183945\n"
		    "regild history ask flaky metric='%loss%'\n"
		    "regild history merge kept/history.db\n"
		    "regild history export exported --format csv\n"
		    "regild history prune --keep 400d --dry-run\n"
		    "regild history ddl --cluster ci",
	.groups = OPTIONS(json_options),
	.run = history_list,
};
