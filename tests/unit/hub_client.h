/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_CLIENT_H
#define REGILD_TESTS_HUB_CLIENT_H

/* A hub of the test program's own, and requests to it. */

#include "unit.h"

#include "base/buf.h"
#include "base/file.h"

#include <cJSON.h>
#include <curl/curl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char program_folder[4096]; /* build/VARIANT, where the hub is */

typedef struct {
	pid_t pid;
	char folder[64], ready[80], url[128];
	cJSON *description; /* what answers are held against; NULL where it is not there */
} hub_state;

static inline cJSON *read_json(const char *path)
{
	rg_buf text;
	rg_error *err;
	cJSON *json;

	rg_buf_init(&text, RG_BUF_TEXT);
	err = rg_file_read(&text, path);
	rg_error_free(err);
	json = err ? NULL : cJSON_ParseWithLength(text.data, text.length);
	rg_buf_release(&text);
	return json;
}

static inline bool wait_for_address(hub_state *hub)
{
	const struct timespec moment = {.tv_nsec = 20000000};

	for (int i = 0; i < 3000; i++) {
		FILE *file = fopen(hub->ready, "r");

		if (file) {
			bool got = fgets(hub->url, sizeof(hub->url), file) != NULL;

			fclose(file);
			hub->url[strcspn(hub->url, "\n")] = '\0';
			return got;
		}
		nanosleep(&moment, NULL);
	}
	return false;
}

/* Starts a hub on the fixture, with `options` (NULL ends them), and reads `description`. */
static inline int start_hub(void **state, const char *description, const char *fixture,
			    const char *const *options)
{
	hub_state *hub = calloc(1, sizeof(*hub));
	const char *args[32] = {"hub", "--ready", NULL};
	char program[4200];
	size_t count = 3;
	*state = hub;
	hub->description = read_json(description);
	snprintf(program, sizeof(program), "%s/hub", program_folder);
	snprintf(hub->folder, sizeof(hub->folder), "/tmp/regild-openapi-XXXXXX");
	if (!mkdtemp(hub->folder))
		return -1;
	snprintf(hub->ready, sizeof(hub->ready), "%s/ready", hub->folder);
	args[2] = hub->ready;
	for (; *options && count < 30; options++)
		args[count++] = *options;
	args[count] = fixture;
	hub->pid = fork();
	if (hub->pid == 0) {
		char *copy[32];

		memcpy(copy, args, sizeof(copy)); /* execv takes no const */
		execv(program, copy);
		_exit(127);
	}
	return hub->pid > 0 && wait_for_address(hub) ? 0 : -1;
}

static inline int stop_hub(void **state)
{
	hub_state *hub = *state;
	int status = 0;

	if (hub->pid > 0) {
		kill(hub->pid, SIGTERM);
		waitpid(hub->pid, &status, 0);
		unlink(hub->ready);
		rmdir(hub->folder);
	}
	cJSON_Delete(hub->description);
	free(hub);
	return status;
}

static inline size_t take(char *bytes, size_t size, size_t count, void *context)
{
	rg_buf_add(context, bytes, size * count);
	return count;
}

/* An answer; `link`, `location` and `range` are "" where the header is missing. */
typedef struct {
	long status;
	rg_buf body;
	char link[2048], location[1024], range[128];
	char headers[8192]; /* all of them, a line each */
} answer;

static inline void copy_header(CURL *curl, const char *name, char *out, size_t size)
{
	struct curl_header *header = NULL;

	out[0] = '\0';
	if (curl_easy_header(curl, name, 0, CURLH_HEADER, -1, &header) == CURLHE_OK)
		snprintf(out, size, "%s", header->value);
}

static inline size_t take_header(char *bytes, size_t size, size_t count, void *context)
{
	answer *out = context;
	size_t used = strlen(out->headers);

	snprintf(out->headers + used, sizeof(out->headers) - used, "%.*s", (int)(size * count),
		 bytes);
	return count;
}

static inline struct curl_slist *split_lines(const char *lines)
{
	struct curl_slist *list = curl_slist_append(NULL, "User-Agent: regild-test");

	while (lines && *lines) {
		size_t length = strcspn(lines, "\n");
		char line[1024];

		snprintf(line, sizeof(line), "%.*s", (int)length, lines);
		list = curl_slist_append(list, line);
		lines += length + (lines[length] == '\n');
	}
	return list;
}

/* `headers` (a line each), `range` and `proxy` may be NULL. The body is released by the caller. */
static inline void get_through(answer *out, const char *url, const char *headers, const char *range,
			       const char *proxy)
{
	CURL *curl = curl_easy_init();
	struct curl_slist *lines = split_lines(headers);

	assert_non_null(curl);
	memset(out, 0, sizeof(*out));
	rg_buf_init(&out->body, (size_t)64 << 20);
	curl_easy_setopt(curl, CURLOPT_URL, url);
	curl_easy_setopt(curl, CURLOPT_PROXY, proxy);
	curl_easy_setopt(curl, CURLOPT_NOPROXY, proxy ? "" : "*");
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, lines);
	curl_easy_setopt(curl, CURLOPT_RANGE, range);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, &out->body);
	curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
	curl_easy_setopt(curl, CURLOPT_HEADERDATA, out);
	assert_int_equal(curl_easy_perform(curl), CURLE_OK);
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &out->status);
	copy_header(curl, "Link", out->link, sizeof(out->link));
	copy_header(curl, "Location", out->location, sizeof(out->location));
	copy_header(curl, "Content-Range", out->range, sizeof(out->range));
	curl_slist_free_all(lines);
	curl_easy_cleanup(curl);
}

static inline void get(answer *out, const char *url, const char *headers, const char *range)
{
	get_through(out, url, headers, range, NULL);
}

/* The parsed body of an answer, which is released. */
static inline cJSON *take_json(answer *got)
{
	cJSON *json = cJSON_ParseWithLength(got->body.data, got->body.length);

	rg_buf_release(&got->body);
	return json;
}

/* Finds out where the hub is; then the tests run. */
static inline int run_hub_tests(const char *program, int (*run)(void))
{
	const char *unit = program ? strstr(program, "/unit/") : NULL;

	if (!unit)
		return 2;
	snprintf(program_folder, sizeof(program_folder), "%.*s", (int)(unit - program), program);
	return run();
}

#endif
