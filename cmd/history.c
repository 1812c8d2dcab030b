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

static const option_group no_groups[] = {{0}};
static const option_group json_groups[] = {{.title = "Options", .options = json_options}, {0}};
static const option_group export_groups[] = {{.title = "Options", .options = export_options}, {0}};
static const option_group prune_groups[] = {{.title = "Options", .options = prune_options}, {0}};
static const option_group ddl_groups[] = {{.title = "Options", .options = layout_options}, {0}};
static const option_group init_groups[] = {{.title = "Options", .options = layout_options},
					   {.title = "Where", .options = host_options},
					   {0}};

#define PART .arguments_size = sizeof(history_arguments), .flags = COMMAND_MAY_USE_WORKTREE

static const command
	list = {PART,
		.name = "history list",
		.summary = "list the runs whose series 'regild audit' has kept; the default",
		.description =
			"Lists the runs of the history: what they are of, when they were, and how\n"
			"many goldens they have.",
		.examples = "regild history list",
		.groups = json_groups,
		.run = history_list},
	show = {PART,
		.name = "history show",
		.summary = "show what a run has: each step of each series",
		.operands = "RUN [FILE]",
		.operands_min = 1,
		.missing = "show: name a run by its number",
		.operands_max = 2,
		.description = "Prints each step of each series of a run, or of FILE alone: a "
			       "golden's path,\n"
			       "or the end of it.",
		.examples = "regild history show 22651183945",
		.groups = json_groups,
		.run = history_show},
	check = {PART,
		 .name = "history check",
		 .summary = "count what is here of each run: a server's replica may be behind",
		 .description = "Counts the rows of each run, and names the runs that lack some.",
		 .examples = "regild history check",
		 .groups = no_groups,
		 .run = history_check},
	merge = {PART,
		 .name = "history merge",
		 .summary = "take the runs of other history files in",
		 .operands = "FILE...",
		 .operands_min = 1,
		 .missing = "merge: which history? 'regild history merge FILE'",
		 .operands_max = -1,
		 .description = "Takes the runs of other history files in; of two of one run, the "
				"later one\n"
				"or the one with more.",
		 .examples = "regild history merge kept/history.db",
		 .groups = no_groups,
		 .run = history_merge},
	export = {PART,
		  .name = "history export",
		  .summary = "write a file a day that other programs read",
		  .operands = "DIR",
		  .operands_min = 1,
		  .missing = "export: which folder? 'regild history export DIR'",
		  .operands_max = 1,
		  .description = "Writes the runs into DIR, a file a day; regild-export(5) says "
				 "what is in them.",
		  .examples = "regild history export exported --format csv",
		  .groups = export_groups,
		  .run = history_export},
	import = {PART,
		  .name = "history import",
		  .summary = "take the runs of exported files in",
		  .operands = "FILE...",
		  .operands_min = 1,
		  .missing = "import: which files? 'regild history import FILE'",
		  .operands_max = -1,
		  .description = "Takes the runs of files in that 'regild history export' wrote.",
		  .examples = "regild history import exported/*.jsonl",
		  .groups = no_groups,
		  .run = history_import},
	prune = {PART,
		 .name = "history prune",
		 .summary = "remove the runs older than --keep",
		 .description = "Removes the runs older than --keep; those without a time stay.",
		 .examples = "regild history prune --keep 400d --dry-run",
		 .groups = prune_groups,
		 .run = history_prune},
	push = {PART,
		.name = "history push",
		.summary = "put the local runs into the shared history (regild.history)",
		.description = "Puts the runs of the local history into the shared one, which "
			       "regild.history\n"
			       "or REGILD_HISTORY names.",
		.examples = "regild history push",
		.groups = no_groups,
		.run = history_push},
	pull = {PART,
		.name = "history pull",
		.summary = "take the shared history's runs into the local one",
		.description = "Takes the runs of the shared history, which regild.history or "
			       "REGILD_HISTORY\n"
			       "names, into the local one.",
		.examples = "regild history pull",
		.groups = no_groups,
		.run = history_pull},
	ddl = {PART,
	       .name = "history ddl",
	       .summary = "print the statements that make a shared history's tables on ClickHouse",
	       .description =
		       "Prints the statements that make a shared history's tables on ClickHouse.",
	       .examples = "regild history ddl --cluster ci",
	       .groups = ddl_groups,
	       .run = history_ddl},
	init = {PART,
		.name = "history init",
		.summary = "make these tables on the server",
		.description = "Carries out the statements that 'regild history ddl' prints, on "
			       "the server of\n"
			       "the shared history.",
		.examples = "regild history init --cluster ci",
		.groups = init_groups,
		.run = history_init};

static const command *const parts[] = {&list,  &show, &check, &merge, &export, &import,
				       &prune, &push, &pull,  &ddl,   &init,   NULL};

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
		    "regild history merge kept/history.db\n"
		    "regild history export exported --format csv\n"
		    "regild history prune --keep 400d --dry-run\n"
		    "regild history ddl --cluster ci",
	.groups = json_groups,
	.run = history_list,
};
