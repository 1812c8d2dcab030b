#include "commands.h"
#include "terminal.h"
#include "update.h"
#include "update/reset.h"

#include <string.h>

typedef struct {
	bool yes, dry_run;
} reset_arguments;

static const option options[] = {
	{'y', "yes", NULL, OPTION_FLAG, offsetof(reset_arguments, yes), "do not ask", NULL, 0, 0},
	{'n', "dry-run", NULL, OPTION_FLAG, offsetof(reset_arguments, dry_run),
	 "list what would be done and stop", NULL, 0, 0},
	{0},
};
static const option_group groups[] = {{"Options", options, 0}, {0}};

static void print_item(const rg_reset_item *item)
{
	printf("%-10s ", item->why ? "left alone" : item->new.exists ? "restore" : "remove");
	terminal_print_safe(stdout, item->path);
	if (item->why) {
		fputs(": ", stdout);
		terminal_print_safe(stdout, item->why);
	}
	putchar('\n');
}

/* Asks where there is a terminal; elsewhere --yes is the answer. */
static rg_error *confirm(const reset_arguments *given, size_t count, bool *yes)
{
	char question[128];

	*yes = given->yes;
	if (given->yes)
		return NULL;
	if (!terminal_is_interactive())
		return usage_error(
			"this discards what is in %zu golden%s; say --yes where there is "
			"no terminal to ask on",
			count, count == 1 ? "" : "s");
	fflush(stdout);
	if (count == 1)
		snprintf(question, sizeof(question), "Reset this golden to HEAD?");
	else
		snprintf(question, sizeof(question), "Reset these %zu goldens to HEAD?", count);
	return terminal_confirm(question, yes);
}

static rg_error *apply(environment *env, rg_reset *reset, rg_journal *journal)
{
	rg_record done;
	rg_error *err;

	rg_record_init(&done);
	err = rg_reset_apply(reset, journal, &done);
	if (!err) {
		env->changed = true;
		update_miss(env, rg_reset_index(env->worktree, &done));
		printf("%zu golden%s as in HEAD; 'regild undo %llu' takes that back\n", done.count,
		       done.count == 1 ? " is" : "s are", (unsigned long long)done.id);
		if (reset->left_alone)
			env->exit_code = EXIT_PARTIAL;
	}
	rg_record_release(&done);
	return err;
}

static rg_error *reset_goldens(environment *env, const reset_arguments *given, rg_journal *journal,
			       rg_reset *reset)
{
	rg_reset_options wanted = {.root = rg_config_get(env->config, "regild.root"),
				   .files = rg_config_get(env->config, "regild.files"),
				   .target = rg_config_get(env->config, "jobs.target"),
				   .pattern = env->operand_count ? env->operands[0] : NULL};
	size_t i;
	bool yes;

	RG_TRY(rg_reset_plan(reset, env->worktree, journal, &wanted));
	for (i = 0; i < reset->count; i++)
		print_item(&reset->items[i]);
	if (reset->count == reset->left_alone) {
		puts("nothing to reset");
		env->exit_code = reset->left_alone ? EXIT_PARTIAL : EXIT_DONE;
		return NULL;
	}
	if (given->dry_run)
		return NULL;
	RG_TRY(confirm(given, reset->count - reset->left_alone, &yes));
	if (!yes) {
		puts("nothing is changed");
		return NULL;
	}
	return apply(env, reset, journal);
}

static rg_error *run_reset(environment *env, void *arguments)
{
	const reset_arguments *given = arguments;
	rg_reset reset = {0};
	rg_journal *journal;
	rg_error *err;

	RG_TRY(update_open_journal(env, !given->dry_run, &journal));
	err = reset_goldens(env, given, journal, &reset);
	rg_reset_release(&reset);
	rg_journal_close(journal);
	return err;
}

const command command_reset = {
	.name = "reset",
	.summary = "bring goldens back to HEAD",
	.operands = "[PATTERN]",
	.operands_max = 1,
	.description = "Brings the goldens under regild.root back to HEAD and removes untracked "
		       "ones, after\n"
		       "listing them and asking. PATTERN names tests or files. 'regild undo' takes "
		       "it back.",
	.groups = groups,
	.arguments_size = sizeof(reset_arguments),
	.flags = COMMAND_NEEDS_WORKTREE | COMMAND_HANDLES_PENDING,
	.run = run_reset,
};
