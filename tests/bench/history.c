/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts runs into a history as a push does, each of 20 goldens, or as many, with 5 metrics of 50
 * steps: their JSON is made, read and put. What is put depends on nothing but the arguments.
 *
 * usage: history ADDRESS FROM TO [GOLDENS]
 *   puts runs FROM … TO - 1, one in seven hours; with "-" writes the goldens' JSON to the standard
 *   output instead.
 */
#include "golden_text.h"

#include "base/number.h"
#include "source/settings.h"
#include "store/history.h"

#include <string.h>
#include <time.h>

enum { STEPS = 50, APART = 7 * 60 * 60, GOLDEN_MAX = 1 << 20 };

static uint64_t goldens = 20;

static rg_error *add(rg_history_put *put, const char *path, const rg_buf *text)
{
	const rg_input in = {.name = path, .data = text->data, .size = text->length};
	char sha256[RG_SHA256_HEX];
	rg_golden *golden;
	rg_error *err;

	RG_TRY(rg_sha256_hex(text->data, text->length, sha256));
	RG_TRY(rg_golden_read(&golden, &in, NULL));
	err = rg_history_add(put, path, sha256, text->length, golden);
	rg_golden_free(golden);
	return err;
}

/* Without `put` to the standard output. */
static rg_error *add_goldens(rg_history_put *put, uint64_t run)
{
	rg_error *err = NULL;
	size_t index;
	rg_buf text;

	rg_buf_init(&text, GOLDEN_MAX);
	for (index = 0; !err && index < goldens; index++) {
		char path[256];

		rg_buf_clear(&text);
		add_golden(&text, index, run, STEPS);
		golden_path(path, sizeof(path), index);
		err = rg_buf_check(&text, path);
		if (!err && put)
			err = add(put, path, &text);
		else if (!err)
			fwrite(text.data, 1, text.length, stdout);
	}
	rg_buf_release(&text);
	return err;
}

static rg_error *put_run(rg_history_store *history, const char *settings, uint64_t id)
{
	const time_t when = 1700000000 + (time_t)id * APART;
	rg_history_run run = {.repository = "github.com/NVIDIA/Megatron-LM",
			      .source = "github",
			      .settings = settings,
			      .id = id,
			      .attempt = 1,
			      .commit = "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
			      .branch = "main",
			      .event = "schedule"},
		       there;
	char text[32];
	rg_history_put *put;
	rg_error *err;
	struct tm tm;
	bool full;

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&when, &tm));
	run.when = text;
	RG_TRY(rg_history_begin(&put, history, &run, &there));
	err = add_goldens(put, id);
	if (err) {
		rg_history_abandon(put);
		return err;
	}
	RG_TRY(rg_history_gather(put, true, &full));
	return full ? rg_history_flush(history) : NULL;
}

static rg_error *fill(const char *address, uint64_t from, uint64_t to)
{
	char settings[RG_LAYOUT_KEY_SIZE];
	rg_history_store *history;
	rg_config *config;
	rg_error *err;
	uint64_t id;

	RG_TRY(rg_config_load(&config, NULL));
	err = rg_settings_layout_key(settings, config);
	rg_config_free(config);
	RG_TRY(err);
	RG_TRY(rg_history_open(&history, address, NULL));
	for (id = from; !err && id < to; id++)
		err = strcmp(address, "-") != 0 ? put_run(history, settings, id)
						: add_goldens(NULL, id);
	if (!err)
		err = rg_history_flush(history);
	rg_history_close(history);
	return err;
}

int main(int argc, char **argv)
{
	uint64_t from, to;
	rg_error *err;

	if (argc < 4 || argc > 5 || !rg_uint64_parse(argv[2], strlen(argv[2]), &from) ||
	    !rg_uint64_parse(argv[3], strlen(argv[3]), &to) ||
	    (argc == 5 && !rg_uint64_parse(argv[4], strlen(argv[4]), &goldens))) {
		fprintf(stderr, "usage: history ADDRESS FROM TO [GOLDENS]\n");
		return 2;
	}
	err = fill(argv[1], from, to);
	if (!err)
		return 0;
	fprintf(stderr, "%s\n", rg_error_message(err));
	rg_error_free(err);
	return 1;
}
