#ifndef REGILD_TESTS_SCRIPTED_SERVER_H
#define REGILD_TESTS_SCRIPTED_SERVER_H

/*
 * An HTTP server on loopback that gives the answers of a list, one a connection, in their order,
 * and keeps what it was asked. For what no well-behaved server says.
 */

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SCRIPT_MAX = 32, SCRIPT_REQUEST = 4096 };

typedef struct {
	const char *answer; /* header and body as they go out; NULL: hang up at once */
	bool hold;          /* then say nothing more until the client hangs up */
} scripted_answer;

typedef struct {
	const scripted_answer *answers;
	size_t count;
	int listener;
	char url[64]; /* "http://127.0.0.1:PORT" */
	pthread_t thread;
	char requests[SCRIPT_MAX][SCRIPT_REQUEST];
	size_t served;
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

static void *script_run(void *context)
{
	scripted_server *server = context;

	while (server->served < server->count) {
		const scripted_answer *answer = &server->answers[server->served];
		int fd = accept(server->listener, NULL, NULL);
		char rest[64];

		if (fd < 0)
			break;
		script_read(fd, server->requests[server->served++]);
		if (answer->answer &&
		    send(fd, answer->answer, strlen(answer->answer), MSG_NOSIGNAL) < 0)
			perror("send");
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
