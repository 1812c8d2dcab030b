/* SPDX-License-Identifier: Apache-2.0 */
#include "net/remote_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "net/http.h"
#include "net/url.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REDIRECTS_MAX = 5, TAIL = 64 * 1024, STRETCH_MAX = 1024 * 1024, JOIN_GAP = 16 * 1024 };
/* After this many bytes of progress, tries are counted from 0 again. */
enum { PROGRESS = 64 * 1024 };

struct rg_remote {
	rg_http *http;
	rg_remote_options options;
	char *url;          /* NULL: to be asked for */
	unsigned redirects; /* since it was */
	char *file_name;
	uint64_t size;
	bool whole;
	int fd;          /* of the temporary file; -1: none */
	rg_reader below; /* ranges over HTTP */
	rg_reader_cache *cache;
	rg_reader over; /* the cache, as it is handed out */
	rg_reader file; /* the temporary file, where it has the whole */
};

/* Asks for the URL, again if it has one. */
static rg_error *locate(rg_remote *remote)
{
	free(remote->url);
	remote->url = NULL;
	remote->redirects = 0;
	return remote->options.locate(remote->options.context, &remote->url);
}

/* Goes on after an answer without bytes: NULL if the URL or another one is to be asked again. The
 * token does not go along to another server. */
static rg_error *go_on(rg_remote *remote, const rg_http_request *request,
		       const rg_http_response *response, rg_http_tries *tries)
{
	const rg_remote_options *options = &remote->options;
	const bool api = rg_url_is_below(remote->url, rg_http_api_url(remote->http));
	long status = response->status;
	bool refused = status == 401 || status == 403, again = rg_http_is_retried(response);

	if (options->refuse && !again && (refused || status == 404) && api)
		return options->refuse(options->context, request, response);
	if (status > 300 && status < 400 && response->location && api) {
		char *next;
		if (remote->redirects++ == REDIRECTS_MAX)
			return rg_error_new(RG_E_NET, "%s: more than %d redirects", options->name,
					    REDIRECTS_MAX);
		RG_TRY(rg_error_wrap(rg_url_resolve(&next, remote->url, response->location), "%s",
				     options->name));
		free(remote->url);
		remote->url = next;
		return NULL;
	}
	if (!refused)
		return rg_http_retry(remote->http, request, NULL, response, tries);
	/* A signature lasts about a minute. */
	if (tries->faults++ < rg_http_get_options(remote->http)->retries)
		return locate(remote);
	return rg_error_new(RG_E_NET, "%s: the store refused the signed address %u times (%ld)",
			    options->name, tries->faults, status);
}

/* One stretch on its way: bytes at … end - 1, into memory or the temporary file. */
typedef struct {
	rg_remote *remote;
	uint64_t at, end;      /* end UINT64_MAX: to the end of the file */
	unsigned char *memory; /* NULL: the temporary file */
	uint64_t start;        /* the place of memory[0] */
	uint64_t farthest;     /* the farthest `at`: only what is beyond it is progress */
	uint64_t since;        /* progress since the tries were last counted from 0 */
	bool fresh;            /* this exchange's 200 has begun to fill the temporary file */
	const rg_http_response *response; /* of this exchange */
} stretch;

static void count(stretch *s, size_t length)
{
	const rg_remote_options *options = &s->remote->options;
	s->at += length;
	if (s->at > s->farthest) {
		s->since += s->at - s->farthest;
		s->farthest = s->at;
	}
	if (options->moved)
		options->moved(options->context, length);
}

/* `end` is the file's end by the answer; UINT64_MAX: it does not say. */
static rg_error *into_file(stretch *s, const void *bytes, size_t length, uint64_t end)
{
	const rg_remote_options *options = &s->remote->options;
	const uint64_t spare = 1 << 20;
	bool said = end != UINT64_MAX;
	/* The listed size may be that of the files in a zip that is made while it is sent. If
	 * nothing in it compresses, it is somewhat longer. */
	uint64_t most = said || !options->size || options->size >= UINT64_MAX / 4
				? end
				: 2 * options->size + spare;

	if ((said && end > options->size_max) || length > options->size_max - s->at)
		return rg_error_new(RG_E_LIMIT,
				    "more than %llu bytes, the limit of an artifact "
				    "(regild.maxArtifact)",
				    (unsigned long long)options->size_max);
	if (length > most - s->at && said)
		return rg_error_new(RG_E_NET,
				    "the server sent more than the %llu bytes that it announced",
				    (unsigned long long)end);
	if (length > most - s->at)
		return rg_error_new(RG_E_NET,
				    "the server sent more than %llu bytes where %llu are listed",
				    (unsigned long long)most, (unsigned long long)options->size);
	RG_TRY(rg_write_all(s->remote->fd, bytes, length, options->folder));
	count(s, length);
	return NULL;
}

/* A whole body begins: what came before does not count. */
static rg_error *begin_file(stretch *s)
{
	rg_remote *remote = s->remote;
	if (remote->fd < 0)
		RG_TRY(rg_file_unnamed(&remote->fd, remote->options.folder));
	if (ftruncate(remote->fd, 0) || lseek(remote->fd, 0, SEEK_SET) < 0)
		return rg_error_io(errno, "%s", remote->options.folder);
	s->fresh = true;
	if (s->memory)
		s->farthest = 0; /* of another place in the file */
	s->memory = NULL;
	s->at = 0;
	s->end = UINT64_MAX;
	return NULL;
}

static rg_error *read_file(void *context, uint64_t offset, void *buffer, size_t length)
{
	const rg_remote *remote = context;
	return rg_read_at(remote->fd, offset, buffer, length, remote->options.name);
}

static rg_error *take_part(void *context, const void *bytes, size_t length)
{
	stretch *s = context;
	if (!s->memory)
		return into_file(s, bytes, length, s->response->last + 1);
	if (length > s->end - s->at)
		return rg_error_new(RG_E_NET, "the server sent more than was asked for");
	memcpy(s->memory + (s->at - s->start), bytes, length);
	count(s, length);
	return NULL;
}

static rg_error *take_whole(void *context, const void *bytes, size_t length)
{
	stretch *s = context;
	const rg_remote_options *options = &s->remote->options;
	unsigned char start[RG_REMOTE_START];

	if (!s->fresh)
		RG_TRY(begin_file(s));
	RG_TRY(into_file(s, bytes, length, s->response->length));
	if (!options->look || s->at < sizeof(start) || s->at - length >= sizeof(start))
		return NULL;
	RG_TRY(read_file(s->remote, 0, start, sizeof(start)));
	return options->look(options->context, start);
}

/* One exchange for what is left of the stretch. */
static rg_error *ask(stretch *s, rg_http_request *request, rg_http_response *response)
{
	rg_remote *remote = s->remote;
	bool ranged = s->memory || s->at;

	*request = (rg_http_request){
		.url = remote->url,
		.what = remote->options.name,
		.ranged = ranged,
		.first = s->at,
		.last = s->end == UINT64_MAX ? UINT64_MAX : s->end - 1,
		.sink = ranged ? take_part : take_whole,
		.whole = take_whole,
		.context = s,
	};
	s->fresh = false;
	s->response = response;
	rg_error *err = rg_http_exchange(remote->http, request, response);
	/* The name comes with the first answer, even if its body was cut. */
	if (!remote->file_name && response->file_name)
		remote->file_name = rg_strdup(response->file_name);
	if (!err && response->status == 200 && !s->fresh)
		err = begin_file(s); /* an empty file */
	return err;
}

/* After a 200 or 206: is all there? */
static bool is_complete(stretch *s, const rg_http_response *response)
{
	rg_remote *remote = s->remote;
	if (response->status == 200)
		remote->size = s->at;
	else if (response->total != UINT64_MAX)
		remote->size = response->total;
	remote->whole = response->status == 200 || (!s->memory && s->at == response->total);
	remote->file.size = remote->size;
	return response->status == 200 || s->at == s->end || s->at == response->total;
}

/* An answer of fewer bytes than were asked for is fine where there is progress: a store that sends
 * one byte at a time would be asked for ever. */
static rg_error *count_short(const stretch *s, uint64_t bytes, rg_http_tries *tries)
{
	const char *name = s->remote->options.name;
	if (!bytes)
		return rg_error_new(RG_E_NET, "%s: the server sent an empty range", name);
	if (s->since && tries->faults++ >= rg_http_get_options(s->remote->http)->retries)
		return rg_error_new(RG_E_NET,
				    "%s: the server sent only a small part of the range, %u times",
				    name, tries->faults);
	return NULL;
}

/*
 * Fetches a stretch. *status is 206, 200 (the temporary file has the whole) or 416 (the file ends
 * before it; remote->size says where, if the server did).
 */
static rg_error *pull(stretch *s, long *status)
{
	rg_remote *remote = s->remote;
	RG_AUTO(rg_http_response) response = {0};
	rg_http_request request;
	rg_http_tries tries = {0};

	rg_http_response_init(&response);
	for (bool done = false; !done; *status = response.status) {
		uint64_t before = s->at;
		if (!remote->url)
			RG_TRY(locate(remote));
		rg_error *err = ask(s, &request, &response);
		if (s->since >= PROGRESS)
			s->since = tries.faults = 0;
		if (err) {
			RG_TRY(rg_http_retry(remote->http, &request, err, &response, &tries));
		} else if (response.status == 200 || response.status == 206) {
			done = is_complete(s, &response);
			if (!done)
				RG_TRY(count_short(s, s->at - before, &tries));
		} else if (response.status == 416) {
			remote->size = response.total == UINT64_MAX ? 0 : response.total;
			done = true;
		} else {
			RG_TRY(go_on(remote, &request, &response, &tries));
		}
	}
	return NULL;
}

/* Below the cache: one range. */
static rg_error *read_range(void *context, uint64_t offset, void *buffer, size_t length)
{
	rg_remote *remote = context;
	stretch s = {.remote = remote,
		     .at = offset,
		     .end = offset + length,
		     .memory = buffer,
		     .start = offset,
		     .farthest = offset};
	uint64_t size = remote->size;
	long status;

	if (remote->whole)
		return read_file(remote, offset, buffer, length);
	RG_TRY(pull(&s, &status));
	if (remote->size != size)
		return rg_error_new(RG_E_NET,
				    "%s: the file changed while it was read: %llu bytes, then %llu",
				    remote->options.name, (unsigned long long)size,
				    (unsigned long long)remote->size);
	if (status == 416)
		return rg_error_new(RG_E_NET,
				    "%s: the server says that a file of %llu bytes ends before "
				    "byte %llu",
				    remote->options.name, (unsigned long long)size,
				    (unsigned long long)offset);
	return remote->whole ? read_file(remote, offset, buffer, length) : NULL;
}

static rg_error *fetch_whole(rg_remote *remote)
{
	stretch s = {.remote = remote, .end = UINT64_MAX};
	long status;

	RG_TRY(begin_file(&s));
	RG_TRY(pull(&s, &status));
	if (!remote->whole)
		return rg_error_new(RG_E_NET, "%s: the server refused the rest of the file (%ld)",
				    remote->options.name, status);
	return NULL;
}

/* The place of the tail in a file of that size. */
static uint64_t tail_of(uint64_t size)
{
	return size > TAIL ? size - TAIL : 0;
}

static rg_error *read_cached(void *context, uint64_t offset, void *buffer, size_t length)
{
	const rg_remote *remote = context;
	return rg_reader_read(rg_reader_cache_reader(remote->cache), offset, buffer, length);
}

static rg_error *plan(void *context, const rg_range *ranges, size_t count)
{
	rg_remote *remote = context;
	RG_AUTO_FREE rg_range *all = rg_malloc((count + 1) * sizeof(*all));
	uint64_t tail = tail_of(remote->size);

	/* Would these ranges and the tail, which is here, be all of the file? Gaps that small are
	 * fetched with the bytes around them. */
	memcpy(all, ranges, count * sizeof(*all));
	all[count] = (rg_range){tail, remote->size - tail};
	if (!remote->options.whole_if_all || remote->whole ||
	    remote->size > remote->options.size_max ||
	    rg_ranges_join(all, count + 1, JOIN_GAP) > 1 || all->offset > JOIN_GAP)
		return rg_reader_prefetch(rg_reader_cache_reader(remote->cache), ranges, count);
	RG_TRY(fetch_whole(remote));
	return rg_error_new(RG_E_NET, "%s: was fetched as a whole", remote->options.name);
}

static void start_cache(rg_remote *remote, const stretch *tail)
{
	const rg_reader_cache_options options = {
		.stretch_max = STRETCH_MAX, .memory_max = 4 * STRETCH_MAX, .join_gap = JOIN_GAP};

	remote->below = (rg_reader){.name = remote->options.name,
				    .size = remote->size,
				    .read_at = read_range,
				    .context = remote};
	remote->over = remote->below;
	remote->over.read_at = read_cached;
	remote->over.prefetch = plan;
	remote->cache = rg_reader_cache_new(&remote->below, &options);
	rg_reader_cache_put(remote->cache, tail->start, tail->memory,
			    (size_t)(tail->at - tail->start));
}

/* The tail first; a size that turns out to be another one moves it, once, unless the answer reached
 * the file's end anyway. */
static rg_error *fetch_tail(rg_remote *remote, unsigned char *memory)
{
	uint64_t claimed = remote->size ? remote->size : TAIL;

	for (int round = 0; round < 2; round++) {
		stretch s = {.remote = remote,
			     .at = tail_of(claimed),
			     .end = claimed,
			     .memory = memory,
			     .start = tail_of(claimed),
			     .farthest = tail_of(claimed)};
		long status;

		RG_TRY(pull(&s, &status));
		if (remote->whole)
			return NULL;
		if (status == 416 || (remote->size != claimed && remote->size != s.at)) {
			claimed = remote->size;
			if (!claimed)
				break;
			continue;
		}
		if (s.start || s.at != remote->size) {
			start_cache(remote, &s);
			return NULL;
		}
		/* All of the file came with the tail: it has a digest, too. */
		RG_TRY(begin_file(&s));
		remote->whole = true;
		return rg_write_all(remote->fd, memory, (size_t)remote->size,
				    remote->options.folder);
	}
	return fetch_whole(remote);
}

rg_error *rg_remote_open(rg_remote **out, rg_http *http, const rg_remote_options *options)
{
	RG_AUTO_PTR(rg_remote) remote = rg_calloc(1, sizeof(*remote));

	*out = NULL;
	remote->http = http;
	remote->options = *options;
	remote->size = options->size;
	remote->fd = -1;
	remote->file = (rg_reader){.name = options->name, .read_at = read_file, .context = remote};
	if (options->whole || (options->size && options->size < options->whole_under)) {
		RG_TRY(fetch_whole(remote));
	} else {
		RG_AUTO_FREE unsigned char *memory = rg_malloc(TAIL);
		RG_TRY(fetch_tail(remote, memory));
	}
	*out = RG_TAKE(remote);
	return NULL;
}

void rg_remote_free(rg_remote *remote)
{
	if (!remote)
		return;
	rg_reader_cache_free(remote->cache);
	if (remote->fd >= 0)
		close(remote->fd); /* nameless: nothing of it is kept */
	free(remote->file_name);
	free(remote->url);
	free(remote);
}

const rg_reader *rg_remote_reader(const rg_remote *remote)
{
	return remote->whole ? &remote->file : &remote->over;
}

bool rg_remote_is_whole(const rg_remote *remote)
{
	return remote->whole;
}

const char *rg_remote_file_name(const rg_remote *remote)
{
	return remote->file_name;
}

rg_error *rg_remote_sha256(rg_remote *remote, char out[static RG_SHA256_HEX])
{
	if (!remote->whole)
		RG_TRY(fetch_whole(remote));
	return rg_reader_sha256(&remote->file, out);
}
