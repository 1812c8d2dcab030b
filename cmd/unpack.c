#include "artifact_source.h"
#include "commands.h"
#include "terminal.h"

#include "base/cancel.h"
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
	const char *output;
} unpack_arguments;

static const option unpack_options[] = {
	{'o', "output", "DIR", OPTION_TEXT, offsetof(unpack_arguments, output),
	 "the folder to make (default: the zip's name without .zip)", NULL, 0, 0},
	{0},
};

static const option_group groups[] = {{"Options", unpack_options, 0}, {0}};

static rg_error *write_member(artifact_source *source, size_t index, const char *folder)
{
	rg_bytes bytes;
	rg_error *err;
	char *path;

	/* The archive refused such names already; this one is going to be a path. */
	RG_TRY(rg_path_check(source->files.names[index]));
	RG_TRY(artifact_read(source, index, &bytes));
	RG_TRY(rg_path_join(&path, folder, source->files.names[index]));
	err = rg_make_parent_dirs(path, 0777);
	if (!err)
		err = rg_file_replace(path, bytes.data, bytes.size, 0666);
	free(path);
	return err;
}

/* All files into a folder beside the target, which then takes its name: all or nothing. *made: it
 * has, whatever fails behind that. */
static rg_error *write_all(artifact_source *source, const char *target, bool *made)
{
	char name[64], *temporary;
	rg_error *err = NULL;
	size_t i;

	snprintf(name, sizeof(name), ".tmp-regild-%ld", (long)getpid());
	RG_TRY(rg_path_sibling(&temporary, target, name));
	if (mkdir(temporary, 0777)) {
		/* The folder, where there is one, is another's. */
		err = rg_error_io(errno, "%s", errno == EEXIST ? temporary : target);
		free(temporary);
		return err;
	}
	for (i = 0; !err && i < source->files.count; i++) {
		err = rg_cancel_check();
		if (!err)
			err = write_member(source, i, temporary);
	}
	if (!err && rename(temporary, target))
		err = rg_error_io(errno, "%s", target);
	*made = !err;
	if (!err)
		err = rg_sync_parent_dir(target);
	else
		rg_error_free(rg_remove_tree(temporary));
	free(temporary);
	return err;
}

/* *out is the caller's to free. */
static rg_error *target_of(char **out, const char *zip, const char *given)
{
	const char *base = rg_path_name(zip);
	size_t length = strlen(base);
	struct stat st;

	if (!given && (length <= 4 || !rg_ends_with(base, ".zip")))
		return usage_error("-o DIR is needed: '%s' does not end in .zip", base);
	RG_TRY(given ? rg_strdup(out, given) : rg_strndup(out, base, length - 4));
	length = strlen(*out);
	while (length > 1 && (*out)[length - 1] == '/')
		(*out)[--length] = '\0';
	if (!lstat(*out, &st)) {
		rg_error *err = rg_error_new(RG_E_CONFLICT,
					     "%s: exists already; name another with -o", *out);

		free(*out);
		*out = NULL;
		return err;
	}
	return NULL;
}

static rg_error *run(environment *env, void *arguments)
{
	const unpack_arguments *given = arguments;
	artifact_source source;
	rg_error *err;
	char *target;

	if (env->operand_count != 1)
		return usage_error("which zip? 'regild unpack ZIP'");
	if (given->output && !*given->output)
		return usage_error("-o: the folder has no name");
	RG_TRY(target_of(&target, env->operands[0], given->output));
	err = artifact_open_zip(&source, env->operands[0]);
	if (!err && !source.files.count)
		err = rg_error_new(RG_E_NOTFOUND, "%s: nothing to unpack", env->operands[0]);
	if (!err)
		err = write_all(&source, target, &env->changed);
	if (!err && source.refused)
		env->exit_code = EXIT_PARTIAL;
	if (!err && !env->common->quiet) {
		printf("%zu file%s in ", source.files.count, source.files.count == 1 ? "" : "s");
		terminal_print_safe(stdout, target);
		if (source.refused)
			printf(", %zu refused", source.refused);
		putchar('\n');
	}
	artifact_release(&source);
	free(target);
	return err;
}

const command command_unpack = {
	.name = "unpack",
	.summary = "unpack a zip of ExecuTorch goldens, flows kept apart",
	.operands = "ZIP",
	.operands_max = 1,
	.description = "Unpacks into a new folder: all of it, or nothing is made. A zip inside the "
		       "artifact's\nzip is opened too. Unsafe names are refused.",
	.groups = groups,
	.arguments_size = sizeof(unpack_arguments),
	.run = run,
};
