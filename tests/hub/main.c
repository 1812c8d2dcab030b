/* SPDX-License-Identifier: Apache-2.0 */
/* hub: a fake GitHub and GitLab on loopback, for the tests and the demo. README.md says what it
 * serves. */
#include "hub/comments.h"
#include "hub/hub.h"
#include "hub/server.h"

#include "base/file.h"
#include "base/number.h"
#include "base/thread.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <openssl/rand.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	const char *log, *secrets, *ready, *open, *folder;
	unsigned short port;
} arguments;

static const char usage[] =
	"usage: hub [--log FILE] [--ready FILE] [--secrets FILE] [--port N] [--token TOKEN]\n"
	"           [--url-lifetime SECONDS] [--rate-limit N] [--rate-window SECONDS]\n"
	"           [--api-version VERSION] [--no-tree] [--stream] [--job-token-status N]\n"
	"           [--open-store FILE] [--comments FILE] [--login NAME] [--read-only]\n"
	"           [--fault SIDE:KIND[,KEY=VALUE...]]... FIXTURE_DIR\n";

bool hub_sleep(hub *state, double seconds)
{
	double until = rg_clock_monotonic() + seconds;
	bool stopping;

	pthread_mutex_lock(&state->lock);
	while (!state->stopping && rg_condition_wait(&state->stop, &state->lock, until))
		;
	stopping = state->stopping;
	pthread_mutex_unlock(&state->lock);
	return !stopping;
}

void hub_secret(hub *state, const char *text)
{
	pthread_mutex_lock(&state->lock);
	if (state->secrets) {
		fprintf(state->secrets, "%s\n", text);
		fflush(state->secrets);
	}
	pthread_mutex_unlock(&state->lock);
}

void hub_log(hub *state, const char *line)
{
	pthread_mutex_lock(&state->lock);
	if (state->log) {
		fprintf(state->log, "%s\n", line);
		fflush(state->log);
	}
	pthread_mutex_unlock(&state->lock);
}

static rg_error *number(const char *text, uint64_t maximum, uint64_t *out)
{
	if (!rg_uint64_parse(text, strlen(text), out) || *out > maximum)
		return rg_error_new(RG_E_USAGE, "'%s' is no number up to %llu", text,
				    (unsigned long long)maximum);
	return NULL;
}

static rg_error *parse_option(arguments *args, hub *state, int option, const char *text)
{
	uint64_t value = 0;

	switch (option) {
	case 'l':
		args->log = text;
		return NULL;
	case 'r':
		args->ready = text;
		return NULL;
	case 's':
		args->secrets = text;
		return NULL;
	case 't':
		state->token = text;
		return NULL;
	case 'p':
		RG_TRY(number(text, 65535, &value));
		args->port = (unsigned short)value;
		return NULL;
	case 'u':
		RG_TRY(number(text, 86400, &value));
		state->url_lifetime = (int)value;
		return NULL;
	case 'R':
		return number(text, UINT64_MAX, &state->rate_limit);
	case 'W':
		RG_TRY(number(text, 86400, &value));
		state->rate_window = (int64_t)value;
		return NULL;
	case 'v':
		state->api_version = text;
		return NULL;
	case 'T':
		state->no_tree = true;
		return NULL;
	case 'S':
		state->stream = true;
		return NULL;
	case 'J':
		RG_TRY(number(text, 599, &value));
		state->job_token_status = (unsigned)value;
		return NULL;
	case 'O':
		state->open_store = true;
		args->open = text;
		return NULL;
	case 'C':
		state->comments_file = text;
		return NULL;
	case 'L':
		state->login = text;
		return NULL;
	case 'o':
		state->read_only = true;
		return NULL;
	case 'f':
		return fault_add(&state->faults, text);
	default:
		return rg_error_new(RG_E_USAGE, "%s", usage);
	}
}

static rg_error *parse(arguments *args, hub *state, int argc, char **argv)
{
	static const struct option options[] = {
		{"log", required_argument, NULL, 'l'},
		{"ready", required_argument, NULL, 'r'},
		{"secrets", required_argument, NULL, 's'},
		{"token", required_argument, NULL, 't'},
		{"port", required_argument, NULL, 'p'},
		{"url-lifetime", required_argument, NULL, 'u'},
		{"rate-limit", required_argument, NULL, 'R'},
		{"rate-window", required_argument, NULL, 'W'},
		{"api-version", required_argument, NULL, 'v'},
		{"no-tree", no_argument, NULL, 'T'},
		{"stream", no_argument, NULL, 'S'},
		{"job-token-status", required_argument, NULL, 'J'},
		{"open-store", required_argument, NULL, 'O'},
		{"comments", required_argument, NULL, 'C'},
		{"login", required_argument, NULL, 'L'},
		{"read-only", no_argument, NULL, 'o'},
		{"fault", required_argument, NULL, 'f'},
		{NULL, 0, NULL, 0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		RG_TRY(parse_option(args, state, option, optarg));
	if (optind != argc - 1)
		return rg_error_new(RG_E_USAGE, "%s", usage);
	args->folder = argv[optind];
	return NULL;
}

static rg_error *open_file(FILE **out, const char *path)
{
	int fd;

	if (!path)
		return NULL;
	/* Appending, so that a test can empty the file while the hub runs. */
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
	*out = fd < 0 ? NULL : fdopen(fd, "a");
	return *out ? NULL : rg_error_io(errno, "%s", path);
}

static rg_error *prepare(hub *state, const arguments *args)
{
	if (RAND_bytes(state->key, sizeof(state->key)) != 1)
		return rg_error_new(RG_E_IO, "no random bytes for the key");
	RG_TRY(rg_condition_init(&state->stop));
	RG_TRY(open_file(&state->log, args->log));
	RG_TRY(open_file(&state->secrets, args->secrets));
	hub_secret(state, state->token);
	hub_secret(state, JOB_TOKEN);
	RG_TRY(comments_load(state));
	return fixture_load(&state->data, args->folder);
}

static rg_error *serve(hub *state, const arguments *args, const sigset_t *signals)
{
	server *api = NULL, *store = NULL;
	unsigned short api_port = args->port, store_port = 0;
	char line[80];
	int signal_number;
	rg_error *err = server_start(&store, state, SIDE_STORE, &store_port);

	snprintf(state->store, sizeof(state->store), "http://127.0.0.1:%u", (unsigned)store_port);
	if (!err)
		err = server_start(&api, state, SIDE_API, &api_port);
	snprintf(state->api, sizeof(state->api), "http://127.0.0.1:%u", (unsigned)api_port);
	snprintf(line, sizeof(line), "%s\n", state->store);
	if (!err && args->open)
		err = rg_file_replace(args->open, line, strlen(line), 0644);
	snprintf(line, sizeof(line), "%s\n", state->api);
	if (!err && args->ready)
		err = rg_file_replace(args->ready, line, strlen(line), 0644);
	if (!err)
		while (sigwait(signals, &signal_number) != 0)
			;
	pthread_mutex_lock(&state->lock);
	state->stopping = true;
	pthread_cond_broadcast(&state->stop);
	pthread_mutex_unlock(&state->lock);
	server_stop(api);
	server_stop(store);
	return err;
}

int main(int argc, char **argv)
{
	hub state = {.token = "test-token",
		     .api_version = "2026-03-10",
		     .job_token_status = 404,
		     .url_lifetime = 60,
		     .rate_limit = 5000,
		     .rate_window = 3600,
		     .login = "octocat",
		     .comments_lock = PTHREAD_MUTEX_INITIALIZER,
		     .lock = PTHREAD_MUTEX_INITIALIZER};
	arguments args = {0};
	sigset_t signals;
	rg_error *err;
	int status = 0;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	err = parse(&args, &state, argc, argv);
	if (!err)
		err = prepare(&state, &args);
	if (!err)
		err = serve(&state, &args, &signals);
	if (err) {
		fprintf(stderr, "hub: %s\n", rg_error_message(err));
		rg_error_free(err);
		status = 1;
	}
	comments_release(&state);
	fixture_release(&state.data);
	fault_release(&state.faults);
	if (state.log && fclose(state.log) != 0)
		status = 1;
	if (state.secrets && fclose(state.secrets) != 0)
		status = 1;
	return status;
}
