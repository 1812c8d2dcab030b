/* SPDX-License-Identifier: Apache-2.0 */
#include "history.h"

#include "commands.h"

#include "base/nearest.h"

#include <limits.h>
#include <string.h>

/* The options that not every verb takes. */
enum {
	TAKES_JSON = 1,
	TAKES_FORMAT = 2,
	TAKES_KEEP = 4,
	TAKES_DRY_RUN = 8,
	TAKES_CLUSTER = 16,
	TAKES_HOST = 32
};

typedef struct {
	const char *name;
	int least, most;     /* operands after it */
	const char *missing; /* what to say where there are fewer */
	unsigned takes;
	history_verb_fn *run;
} history_verb;

static const history_verb verbs[] = {
	{"list", 0, 0, NULL, TAKES_JSON, history_list},
	{"check", 0, 0, NULL, 0, history_check},
	{"show", 1, 2, "name a run by its number", TAKES_JSON, history_show},
	{"merge", 1, INT_MAX, "which history? 'regild history merge FILE'", 0, history_merge},
	{"export", 1, 1, "which folder? 'regild history export DIR'", TAKES_FORMAT, history_export},
	{"import", 1, INT_MAX, "which files? 'regild history import FILE'", 0, history_import},
	{"prune", 0, 0, NULL, TAKES_KEEP | TAKES_DRY_RUN | TAKES_HOST, history_prune},
	{"push", 0, 0, NULL, 0, history_push},
	{"pull", 0, 0, NULL, 0, history_pull},
	{"ddl", 0, 0, NULL, TAKES_CLUSTER, history_ddl},
	{"init", 0, 0, NULL, TAKES_CLUSTER | TAKES_HOST, history_init},
};
enum { VERBS = sizeof(verbs) / sizeof(*verbs) };

static rg_error *check_options(const history_verb *verb, const history_arguments *arguments)
{
	const struct {
		const char *name;
		unsigned takes;
		bool given;
	} options[] = {
		{"json", TAKES_JSON, arguments->json != NULL},
		{"format", TAKES_FORMAT, arguments->format != NULL},
		{"keep", TAKES_KEEP, arguments->keep != NULL},
		{"dry-run", TAKES_DRY_RUN, arguments->dry_run},
		{"cluster", TAKES_CLUSTER, arguments->cluster != NULL},
		{"replicated", TAKES_CLUSTER, arguments->replicated},
		{"host", TAKES_HOST, arguments->hosts.count > 0},
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (options[i].given && !(verb->takes & options[i].takes))
			return usage_error("%s: does not take --%s", verb->name, options[i].name);
	return NULL;
}

static rg_error *run_verb(const history_verb *verb, command_context *context,
			  const history_arguments *arguments)
{
	int count = context->operand_count ? context->operand_count - 1 : 0;
	if (count < verb->least)
		return usage_error("%s: %s", verb->name, verb->missing);
	if (count > verb->most)
		return usage_error("unexpected argument '%s'", context->operands[verb->most + 1]);
	RG_TRY(check_options(verb, arguments));
	return verb->run(context, arguments, context->operands + 1, count);
}

/* Of a run's number, too: one types it after the command. */
static rg_error *refuse(const char *name, const char *nearest)
{
	if (*name && !name[strspn(name, "0123456789")])
		return usage_error("history has no '%s'; did you mean 'show %s'?", name, name);
	if (nearest)
		return usage_error("history has no '%s'; did you mean '%s'?", name, nearest);
	return usage_error("history has no '%s'", name);
}

static rg_error *run_history(command_context *context, void *arguments)
{
	const char *name = context->operand_count ? context->operands[0] : "list";
	rg_nearest nearest;

	rg_nearest_init(&nearest, name);
	for (size_t i = 0; i < VERBS; i++) {
		if (!strcmp(name, verbs[i].name))
			return run_verb(&verbs[i], context, arguments);
		rg_nearest_offer(&nearest, verbs[i].name);
	}
	return refuse(name, rg_nearest_name(&nearest));
}

/* clang-format off */
static const option own_options[] = {
	{.name = "json", .argument = "FILE", OPTION_FIELD(history_arguments, json),
	 .help = "list, show: write it as JSON instead ('-': stdout)"},
	{.name = "format", .argument = "FORMAT", .choices = "jsonl|csv",
	 OPTION_FIELD(history_arguments, format), .help = "export: jsonl (the default) or csv"},
	{.name = "keep", .argument = "DAYS", OPTION_FIELD(history_arguments, keep),
	 .help = "prune: remove the runs that are older; 400d"},
	{.letter = 'n', .name = "dry-run", OPTION_FIELD(history_arguments, dry_run),
	 .help = "prune: only say what would be removed"},
	{.name = "cluster", .argument = "NAME", OPTION_FIELD(history_arguments, cluster),
	 .help = "ddl, init: spread the tables over this cluster of ClickHouse's"},
	{.name = "replicated", OPTION_FIELD(history_arguments, replicated),
	 .help = "ddl, init: of a cluster whose shards have replicas (not tested)"},
	{.name = "host", .argument = "HOST[:PORT]", OPTION_FIELD(history_arguments, hosts),
	 .help = "init, prune: a host of the cluster; may be repeated (default: those it names)"},
	{0},
};
/* clang-format on */

static const option_group groups[] = {
	{"What is shown, written or removed", own_options, 0},
	{0},
};

const command command_history = {
	.name = "history",
	.summary = "show and share the runs that audits have kept",
	.operands = "[list | show RUN [FILE] | check | merge FILE... | export DIR | import FILE... "
		    "| prune "
		    "| push | pull | ddl | init]",
	.operands_max = -1,
	.description =
		"  list     the runs whose series 'regild audit' has kept; the default\n"
		"  show     what a run has: each step of each series, or FILE's alone (a golden's\n"
		"           path, or the end of it)\n"
		"  check    count what is here of each run: a server's replica may be behind\n"
		"  merge    take the runs of other history files in\n"
		"  export   write a file a day that other programs read\n"
		"  import   take the runs of such files in\n"
		"  prune    remove the runs older than --keep\n"
		"  push     put the local runs into the shared history (regild.history)\n"
		"  pull     take the shared history's runs into the local one\n"
		"  ddl      print the statements that make a shared history's tables on "
		"ClickHouse\n"
		"  init     carry them out",
	.examples = "regild history\n"
		    "regild history show 22651183945\n"
		    "regild history merge kept/history.db\n"
		    "regild history export exported --format csv\n"
		    "regild history prune --keep 400d --dry-run\n"
		    "regild history ddl --cluster ci",
	.groups = groups,
	.arguments_size = sizeof(history_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE,
	.run = run_history,
};
