#include "artifact_source.h"
#include "commands.h"
#include "terminal.h"

#include "archive/zip_writer.h"
#include "base/file.h"
#include "base/number.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
	const char *output;
} pack_arguments;

static const option pack_options[] = {
	{'o', "output", "ZIP", OPTION_TEXT | OPTION_NEEDED, offsetof(pack_arguments, output),
	 "the zip to write (needed)", NULL, 0, 0},
	{0},
};

static const option_group groups[] = {{"Options", pack_options, 0}, {0}};

/* A zip that unpack and verify would refuse is none to keep. */
static rg_error *check_limits(artifact_source *source)
{
	const rg_zip_limits limits = artifact_limits();
	uint64_t members = 0, total = 0, size;
	size_t i;

	for (i = 0; i < source->files.count; i++) {
		if (!rg_artifact_is_part(source->files.names[i]))
			continue;
		RG_TRY(source->files.size(source->files.context, i, &size));
		members++;
		total += size;
		if (members > limits.members || size > limits.total_size ||
		    total > limits.total_size)
			return rg_error_new(RG_E_LIMIT,
					    "%s: with it, a zip would be beyond the limits of "
					    "%" PRIu64 " members and %" PRIu64 " bytes unpacked",
					    source->files.names[i], limits.members,
					    limits.total_size);
	}
	return NULL;
}

static rg_error *fill_zip(artifact_source *source, const rg_artifact_check *check, rg_buf *zip)
{
	rg_zip_writer *writer;
	rg_error *err;
	rg_bytes bytes;
	size_t i;

	RG_TRY(rg_zip_writer_new(&writer, zip));
	err = NULL;
	for (i = 0; !err && i < source->files.count; i++) {
		if (!check->part[i])
			continue;
		err = artifact_read(source, i, &bytes);
		if (!err)
			err = rg_zip_writer_add(writer, source->files.names[i], bytes.data,
						bytes.size);
	}
	if (!err)
		err = rg_zip_writer_finish(writer);
	rg_zip_writer_free(writer);
	return err;
}

/* What is in the folder and no part of a golden is said, so that nobody misses it in the zip. */
static void say_left_out(const environment *env, const artifact_source *source,
			 const rg_artifact_check *check)
{
	size_t i;

	for (i = 0; i < source->files.count; i++)
		if (!check->part[i])
			rg_log_say(&env->log, RG_LOG_WARNING, "%s: left out: no program, no tensor",
				   source->files.names[i]);
	if (source->links)
		rg_log_say(&env->log, RG_LOG_WARNING, "%zu symbolic link%s left out", source->links,
			   source->links == 1 ? "" : "s");
}

static rg_error *write_zip(environment *env, artifact_source *source,
			   const rg_artifact_check *check, const char *output)
{
	char size[RG_SIZE_TEXT];
	rg_error *err;
	rg_buf zip;

	rg_buf_init(&zip, SIZE_MAX / 4);
	err = fill_zip(source, check, &zip);
	if (!err)
		err = rg_file_write_output(output, zip.data, zip.length);
	env->changed = !err;
	if (!err && !env->common->quiet) {
		artifact_print_counts(check, stdout);
		rg_size_text(zip.length, size);
		printf(" in ");
		terminal_print_safe(stdout, output);
		printf(" (%s)\n", size);
	}
	rg_buf_release(&zip);
	return err;
}

static rg_error *run(environment *env, void *arguments)
{
	const pack_arguments *given = arguments;
	rg_artifact_check check = {0};
	artifact_source source;
	rg_error *err;

	if (env->operand_count != 1)
		return usage_error("which folder? 'regild pack DIR -o ZIP'");
	if (!given->output)
		return usage_error("-o ZIP is needed");
	if (!*given->output)
		return usage_error("-o: the file has no name");
	if (is_stdout(given->output))
		return usage_error("a zip does not go to stdout; -o names its file");
	err = artifact_open_folder(&source, env->operands[0]);
	if (!err)
		err = check_limits(&source);
	if (!err)
		err = artifact_check(&source, &check);
	if (!err && check.problem_count)
		err = rg_error_new(RG_E_PARSE, "%s: %zu problem%s; nothing was packed",
				   env->operands[0], check.problem_count,
				   check.problem_count == 1 ? "" : "s");
	if (!err) {
		say_left_out(env, &source, &check);
		err = write_zip(env, &source, &check, given->output);
	}
	rg_artifact_check_release(&check);
	artifact_release(&source);
	return err;
}

const command command_pack = {
	.name = "pack",
	.summary = "package ExecuTorch goldens as a deterministic zip",
	.operands = "DIR",
	.operands_max = 1,
	.description = "Packages FLOW/MODEL.pte with its inputs and expected outputs (.bin), flows "
		       "kept.\nThe same goldens make the same bytes. A golden that is not whole is "
		       "refused.",
	.groups = groups,
	.arguments_size = sizeof(pack_arguments),
	.run = run,
};
