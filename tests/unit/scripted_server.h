/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_SCRIPTED_SERVER_H
#define REGILD_TESTS_SCRIPTED_SERVER_H

/*
 * An HTTP server on loopback that gives the answers of a list, one a connection, and keeps what it
 * was asked: the first answer that is left and made for that path, or for any. For what no
 * well-behaved server says.
 */

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SCRIPT_MAX = 32, SCRIPT_REQUEST = 4096 };

typedef struct {
	const char *answer; /* header and body as they go out; NULL: hang up at once */
	bool hold;          /* then say nothing more until the client hangs up */
	const char *path;   /* only for requests that hold this; NULL: for any */
} scripted_answer;

typedef struct {
	const scripted_answer *answers;
	size_t count;
	int listener;
	char url[64]; /* "http://127.0.0.1:PORT" */
	pthread_t thread;
	char requests[SCRIPT_MAX][SCRIPT_REQUEST];
	size_t served; /* requests[i] is that of the i-th request … */
	bool used[SCRIPT_MAX];
	const char *by_answer[SCRIPT_MAX]; /* … and by_answer[i] that of the i-th answer */
	unsigned drip;                     /* milliseconds between two bytes; 0: all at once */
	/* Sent after each answer, so many times: what may have any bytes, and more than there is
	 * memory for. */
	const void *tail;
	size_t tail_length, tail_times, sent; /* of it */
} scripted_server;

/* Reads up to the empty line. */
static void script_read(int fd, char *request)
{
	size_t length = 0;
	ssize_t got;

	request[0] = '\0';
	while (length < SCRIPT_REQUEST - 1 && !strstr(request, "\r\n\r\n") &&
	       (got = read(fd, request + length, SCRIPT_REQUEST - 1 - length)) > 0)
		request[length += (size_t)got] = '\0';
}

/* The answer for a request; NULL where none is left. */
static const scripted_answer *script_choose(scripted_server *server, const char *request)
{
	size_t i;

	for (i = 0; i < server->count; i++) {
		const char *path = server->answers[i].path;

		if (server->used[i] || (path && !strstr(request, path)))
			continue;
		server->used[i] = true;
		server->by_answer[i] = request;
		return &server->answers[i];
	}
	return NULL;
}

static void script_send(const scripted_server *server, int fd, const char *answer)
{
	const struct timespec pause = {.tv_nsec = (long)server->drip * 1000000};
	size_t length = strlen(answer), step = server->drip ? 1 : length, at;

	for (at = 0; at < length; at += step) {
		/* A client that has heard enough hangs up. */
		if (send(fd, answer + at, step, MSG_NOSIGNAL) < 0)
			return;
		nanosleep(&pause, NULL);
	}
}

static void script_send_tail(scripted_server *server, int fd)
{
	size_t i;

	for (i = 0; i < server->tail_times; i++) {
		if (send(fd, server->tail, server->tail_length, MSG_NOSIGNAL) < 0)
			return;
		server->sent += server->tail_length;
	}
}

static void *script_run(void *context)
{
	scripted_server *server = context;

	while (server->served < SCRIPT_MAX) {
		int fd = accept(server->listener, NULL, NULL);
		char *request = server->requests[server->served], rest[64];
		const scripted_answer *answer;

		if (fd < 0)
			break;
		script_read(fd, request);
		answer = script_choose(server, request);
		if (!answer) {
			close(fd);
			continue;
		}
		server->served++;
		if (answer->answer)
			script_send(server, fd, answer->answer);
		script_send_tail(server, fd);
		while (answer->hold && read(fd, rest, sizeof(rest)) > 0)
			;
		close(fd);
	}
	return NULL;
}

static bool script_start(scripted_server *server, const scripted_answer *answers, size_t count)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof(address);

	*server = (scripted_server){.answers = answers, .count = count};
	server->listener = socket(AF_INET, SOCK_STREAM, 0);
	if (server->listener < 0 ||
	    bind(server->listener, (struct sockaddr *)&address, sizeof(address)) ||
	    listen(server->listener, 16) ||
	    getsockname(server->listener, (struct sockaddr *)&address, &length))
		return false;
	snprintf(server->url, sizeof(server->url), "http://127.0.0.1:%u",
		 (unsigned)ntohs(address.sin_port));
	return !pthread_create(&server->thread, NULL, script_run, server);
}

/* Ends it, whether or not all answers were wanted. */
static void script_stop(scripted_server *server)
{
	shutdown(server->listener, SHUT_RDWR);
	pthread_join(server->thread, NULL);
	close(server->listener);
}

#endif
