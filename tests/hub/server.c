/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/server.h"

#include "base/memory.h"
#include "hub/comments.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct server {
	hub *state;
	side which;
	struct MHD_Daemon *daemon;
};

/* A request and its answer on the wire. */
typedef struct {
	server *on;
	char *target; /* path and query as they came */
	char *raw;    /* … the path alone */
	char *origin; /* … what was in front of it, where it was a whole address; else NULL */
	char *method, *range, *body;
	size_t body_size;
	int socket;
	bool authorized, logged, stalled;
	char faults[128];
	reply answer;
	uint64_t sent;
} exchange;

/* The line of the log: README.md has the format. Written before the client can see the answer's
 * end, so that a test that has the answer finds the line. */
static void log_exchange(exchange *ex)
{
	size_t length = ex->on->which == SIDE_STORE ? strcspn(ex->target, "?") : strlen(ex->target);
	char line[2048];

	if (ex->logged || !ex->method)
		return;
	ex->logged = true;
	snprintf(line, sizeof(line), "%s %s %.*s %u %llu auth=%s range=%s%s%s",
		 ex->on->which == SIDE_STORE ? "store" : "api", ex->method, (int)length, ex->target,
		 ex->answer.status, (unsigned long long)ex->sent, ex->authorized ? "yes" : "no",
		 ex->range ? ex->range : "-", ex->faults[0] ? " faults=" : "", ex->faults);
	hub_log(ex->on->state, line);
}

/* A client that takes this server for a proxy sends a whole address: what follows the host counts.
 */
static const char *without_host(const char *target)
{
	const char *host = strncmp(target, "http://", 7) == 0 ? target + 7 : NULL;

	if (!host)
		return target;
	host += strcspn(host, "/");
	return *host ? host : "/";
}

static void *begin(void *context, const char *target, struct MHD_Connection *connection)
{
	exchange *ex = calloc(1, sizeof(*ex));

	(void)connection;
	ex->on = context;
	if (target != without_host(target))
		ex->origin = strndup(target, (size_t)(without_host(target) - target));
	target = without_host(target);
	ex->target = strdup(target);
	ex->raw = strndup(target, strcspn(target, "?"));
	reply_init(&ex->answer);
	return ex;
}

static void finish(void *context, struct MHD_Connection *connection, void **slot,
		   enum MHD_RequestTerminationCode why)
{
	exchange *ex = *slot;

	(void)context;
	(void)connection;
	(void)why;
	if (!ex)
		return;
	log_exchange(ex);
	reply_release(&ex->answer);
	free(ex->target);
	free(ex->raw);
	free(ex->origin);
	free(ex->method);
	free(ex->range);
	free(ex->body);
	free(ex);
	*slot = NULL;
}

/* Ends the connection so that the other side sees a reset and not an end: disconnecting a TCP
 * socket sends RST (connect(2), AF_UNSPEC). */
static void reset_connection(int socket)
{
	const struct linger at_once = {.l_onoff = 1};
	const struct sockaddr nowhere = {.sa_family = AF_UNSPEC};

	(void)setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	(void)connect(socket, &nowhere, sizeof(nowhere));
}

/* How much of the body may go out now, after the waits that the wire's faults ask for; 0: end the
 * connection here. */
static size_t pace(exchange *ex, uint64_t position, size_t room)
{
	const reply_wire *wire = &ex->answer.wire;
	hub *state = ex->on->state;

	if (position >= wire->cut_at)
		return 0;
	if (room > wire->cut_at - position)
		room = (size_t)(wire->cut_at - position);
	if (!ex->stalled && position >= wire->stall_at) {
		ex->stalled = true;
		if (!hub_sleep(state, wire->stall))
			return 0;
	}
	if (!ex->stalled && room > wire->stall_at - position)
		room = (size_t)(wire->stall_at - position);
	if (wire->rate) {
		size_t step = (size_t)(wire->rate / 20 ? wire->rate / 20 : 1);

		if (room > step)
			room = step;
		if (!hub_sleep(state, (double)room / (double)wire->rate))
			return 0;
	}
	return room;
}

static ssize_t deliver(void *context, uint64_t position, char *out, size_t room)
{
	exchange *ex = context;
	size_t left = ex->answer.length - (size_t)position;

	room = pace(ex, position, room < left ? room : left);
	if (room == 0) {
		log_exchange(ex);
		if (ex->answer.wire.reset)
			reset_connection(ex->socket);
		return MHD_CONTENT_READER_END_WITH_ERROR;
	}
	memcpy(out, ex->answer.bytes + position, room);
	ex->sent = position + room;
	if (ex->sent == ex->answer.length)
		log_exchange(ex);
	return (ssize_t)room;
}

static enum MHD_Result send_answer(exchange *ex, struct MHD_Connection *connection)
{
	struct MHD_Response *response;
	enum MHD_Result result = MHD_YES;

	if (ex->answer.failed)
		return MHD_NO;
	if (ex->answer.wire.delay > 0 && !hub_sleep(ex->on->state, ex->answer.wire.delay))
		return MHD_NO;
	if (ex->answer.wire.reset && ex->answer.wire.cut_at == 0) {
		log_exchange(ex);
		reset_connection(ex->socket);
		return MHD_NO;
	}
	response = ex->answer.length
			   ? MHD_create_response_from_callback(ex->answer.length, 64 * 1024,
							       deliver, ex, NULL)
			   : MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
	if (!response)
		return MHD_NO;
	for (size_t i = 0; i < ex->answer.header_count; i++)
		if (MHD_add_response_header(response, ex->answer.headers[i].name,
					    ex->answer.headers[i].value) == MHD_NO)
			result = MHD_NO;
	if (ex->answer.length == 0)
		log_exchange(ex);
	if (result == MHD_YES)
		result = MHD_queue_response(connection, ex->answer.status, response);
	MHD_destroy_response(response);
	return result;
}

static void answer(exchange *ex, request *req, const char *method)
{
	hub *state = ex->on->state;
	fault_strikes strikes;

	pthread_mutex_lock(&state->lock);
	fault_count(&state->faults, ex->on->which, req->path, &strikes);
	pthread_mutex_unlock(&state->lock);
	fault_names(&strikes, ex->faults, sizeof(ex->faults));
	fault_before(&strikes, req);
	if (strcmp(method, "GET") != 0 && (ex->on->which != SIDE_API || !comments_take(req)))
		reply_message(&ex->answer, 405, "Method Not Allowed");
	else if (ex->on->which == SIDE_API && request_is_gitlab(req))
		gitlab_answer(state, req, &ex->answer);
	else if (ex->on->which == SIDE_API)
		api_answer(state, req, &ex->answer);
	else
		store_answer(state, req, &ex->answer);
	fault_after(&strikes, state, req, &ex->answer);
}

static bool carries_token(const request *req)
{
	static const char *const headers[] = {"Authorization", "PRIVATE-TOKEN", "JOB-TOKEN"};

	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
		if (request_header(req, headers[i]))
			return true;
	return request_argument(req, "private_token") || request_argument(req, "job_token");
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_size, void **slot)
{
	exchange *ex = *slot;
	const char *query, *range;
	request req = {.connection = connection, .path = without_host(url)};

	(void)context;
	(void)version;
	if (!ex || !ex->target || !ex->raw)
		return MHD_NO;
	if (!ex->method) {
		ex->method = strdup(method);
		return ex->method ? MHD_YES : MHD_NO;
	}
	if (*upload_size) {
		enum { BODY_MAX = 4 << 20 };
		if (ex->body_size + *upload_size > BODY_MAX)
			return MHD_NO;
		ex->body = rg_realloc(ex->body, ex->body_size + *upload_size + 1);
		memcpy(ex->body + ex->body_size, upload, *upload_size);
		ex->body_size += *upload_size;
		ex->body[ex->body_size] = '\0';
		*upload_size = 0;
		return MHD_YES;
	}
	query = strchr(ex->target, '?');
	req.query = query ? query + 1 : "";
	req.raw = ex->raw;
	req.origin = ex->origin;
	req.method = method;
	req.body = ex->body;
	req.authorized = carries_token(&req);
	ex->authorized = req.authorized;
	range = request_header(&req, "Range");
	ex->range = range ? strdup(range) : NULL;
	ex->socket =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	answer(ex, &req, method);
	return send_answer(ex, connection);
}

rg_error *server_start(server **out, hub *state, side which, unsigned short *port)
{
	server *running = calloc(1, sizeof(*running));
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(*port)};
	const union MHD_DaemonInfo *info;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	running->state = state;
	running->which = which;
	running->daemon = MHD_start_daemon(
		MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL,
		*port, NULL, NULL, handle, running, MHD_OPTION_SOCK_ADDR, &address,
		MHD_OPTION_URI_LOG_CALLBACK, begin, running, MHD_OPTION_NOTIFY_COMPLETED, finish,
		running, MHD_OPTION_CONNECTION_TIMEOUT, 120u, MHD_OPTION_END);
	if (!running->daemon) {
		free(running);
		return rg_error_io(errno, "port %u on 127.0.0.1", (unsigned)*port);
	}
	info = MHD_get_daemon_info(running->daemon, MHD_DAEMON_INFO_BIND_PORT);
	*port = info ? info->port : 0;
	*out = running;
	return NULL;
}

void server_stop(server *running)
{
	if (!running)
		return;
	MHD_stop_daemon(running->daemon);
	free(running);
}
