/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/pipeline.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { RUN_NAME = 32 };

static char scratch[64], regild[4096];

static rg_error *cannot(const char *what)
{
	return rg_error_io(errno, "%s", what);
}

rg_error *pipeline_open(const char *program)
{
	snprintf(scratch, sizeof(scratch), "/tmp/regild-simulate-XXXXXX");
	if (!realpath(program, regild))
		return cannot(program);
	if (!mkdtemp(scratch) || chdir(scratch) != 0)
		return cannot(scratch);
	return NULL;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
	(void)status, (void)kind, (void)place;
	return remove(path);
}

void pipeline_close(void)
{
	if (*scratch)
		nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Goldens of 1, 2, 3 … steps. */
static rg_error *write_golden(const char *path, const made_up *m, const double *values)
{
	FILE *file = fopen(path, "w");
	if (!file)
		return cannot(path);
	for (size_t i = 0; i < m->series; i++) {
		fprintf(file, "%s\"m%02zu\": {\"start_step\": 1, \"end_step\": %zu, ",
			i ? ", " : "{", i, m->steps);
		fprintf(file, "\"step_interval\": 1, \"values\": {");
		for (size_t s = 0; s < m->steps; s++)
			fprintf(file, "%s\"%zu\": %.17g", s ? ", " : "", s + 1,
				values[i * m->steps + s]);
		fprintf(file, "}}");
	}
	fprintf(file, "}\n");
	return fclose(file) ? cannot(path) : NULL;
}

static rg_error *write_run(const char *folder, const made_up *m, const double *values)
{
	char path[64];
	mkdir(folder, 0755);
	for (size_t i = 0; i < m->files; i++) {
		snprintf(path, sizeof(path), "%s/t%03u", folder, (unsigned)i % 1000);
		mkdir(path, 0755);
		snprintf(path, sizeof(path), "%s/t%03u/" MADE_UP_NAME, folder, (unsigned)i % 1000);
		RG_TRY(write_golden(path, m, values + i * m->series * m->steps));
	}
	return NULL;
}

/* Its exit code, 0 or 1. */
static rg_error *call(int *code, char *const *arguments)
{
	posix_spawn_file_actions_t actions;
	pid_t child;
	int status;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, 1, 2);
	int failed = posix_spawn(&child, regild, &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (failed || waitpid(child, &status, 0) != child)
		return cannot(regild);
	*code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	if (*code < 0 || *code > 1)
		return rg_error_new(RG_E_CONFLICT, "regild %s: exit code %d", arguments[1], *code);
	return NULL;
}

static rg_error *audit(const made_up *runs)
{
	char names[MADE_UP_RUNS][RUN_NAME];
	char *arguments[MADE_UP_RUNS + 8] = {"regild",  "audit",    "-q",
					     "--model", "model.db", "--from"};
	int code;

	for (size_t r = 0; r < runs->runs; r++) {
		snprintf(names[r], sizeof(names[r]), "run-%02u", (unsigned)r % 100);
		RG_TRY(write_run(names[r], runs, runs->values[r]));
		arguments[6 + r] = names[r];
	}
	RG_TRY(call(&code, arguments));
	return code ? rg_error_new(RG_E_CONFLICT, "regild audit: exit code %d", code) : NULL;
}

static rg_error *parse_report(cJSON **out)
{
	RG_AUTO(rg_buf) text = rg_buf_of(SIZE_MAX / 4);
	rg_error *err = rg_file_read(&text, "report.json");
	if (!err)
		err = rg_json_parse_document(out, text.data, text.length, "regild-compare");
	return err;
}

static const char *text_of(const cJSON *object, const char *key)
{
	const cJSON *item = rg_json_member(object, key);
	return cJSON_IsString(item) ? item->valuestring : "";
}

/* Does the report say the same as its parts? */
static bool is_as_expected(const cJSON *report, const made_up_verdict *expected)
{
	const rg_run_test *fresh = &expected->run.fresh, *golden = &expected->run.golden;
	const cJSON *run = rg_json_member(report, "run"), *item;
	size_t outside = 0;

	cJSON_ArrayForEach(item, rg_json_member(report, "rows"))
		outside += !strcmp(text_of(item, "verdict"), "outside");
	return outside == expected->outside &&
	       !strcmp(text_of(run, "answer"), rg_answer_names[fresh->answer]) &&
	       !strcmp(text_of(rg_json_member(run, "golden"), "answer"),
		       rg_answer_names[golden->answer]);
}

static rg_error *hold(const made_up_verdict *expected, int code)
{
	cJSON *report = NULL;
	RG_TRY(parse_report(&report));
	bool same = is_as_expected(report, expected);
	cJSON_Delete(report);
	if (!same)
		return rg_error_new(RG_E_CONFLICT,
				    "the program's report in %s is not what its parts say",
				    scratch);
	if ((code == 1) != (expected->stand_out > 0))
		return rg_error_new(RG_E_CONFLICT, "the gate's exit code is %d", code);
	return NULL;
}

rg_error *pipeline_check(const made_up_verdict *expected, const made_up *runs, const double *golden,
			 const double *fresh, double level)
{
	char gate[64];
	char *const arguments[] = {"regild", "compare", "-q",          "--old",    "old",
				   "--new",  "new",     "--noise",     "model.db", "--fail-on",
				   gate,     "--json",  "report.json", NULL};
	int code;

	snprintf(gate, sizeof(gate), "changed-beyond-noise=%g", level);
	RG_TRY(audit(runs));
	RG_TRY(write_run("old", runs, golden));
	RG_TRY(write_run("new", runs, fresh));
	RG_TRY(call(&code, arguments));
	return hold(expected, code);
}
