/* SPDX-License-Identifier: Apache-2.0 */
#include "net/transfer.h"

#include "base/cancel.h"
#include "net/clock.h"
#include "net/response_header.h"
#include "net/url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONNECT_SECONDS = 30 };
/* A body that nobody wants ends here: it may have no end of its own. */
enum { UNWANTED_MAX = 1 << 20 };
/* What a server packs does not unpack to more than so many times its bytes, from a size on at which
 * it matters. */
enum { RATIO_MAX = 500, RATIO_FLOOR = 64 << 20 };

/* The state of a transfer. */
typedef struct {
	const rg_transfer *of;
	rg_error *err; /* from a sink or a header */
	bool headed;   /* the header has come to its end */
	bool enough;   /* the rest of the body is not wanted */
	curl_off_t unwanted;
	/* Body bytes of both ways when seen_at was set, those of them that came, and how many have
	 * come now. */
	curl_off_t seen, seen_down, last;
	double seen_at;
	bool stalled;
} exchange;

static size_t on_header(char *line, size_t size, size_t count, void *context)
{
	exchange *x = context;
	x->headed |= *line == '\r' || *line == '\n';
	if (size * count > 5 && !memcmp(line, "HTTP/", 5))
		x->headed = false; /* after a proxy's, or 100 */
	if (!x->err)
		x->err = rg_http_header(x->of->response, line, size * count);
	return x->err ? 0 : size * count;
}

/* Does a 206 hold what was asked for? Less of it is fine, as at the file's end. */
static bool range_fits(const exchange *x)
{
	const rg_http_request *request = x->of->request;
	const rg_http_response *response = x->of->response;

	return response->has_range && response->first == request->first &&
	       response->last <= request->last;
}

/* Where a body of that status goes; NULL: nowhere. An error where it must not come at all. */
static rg_error *choose_sink(exchange *x, long status, rg_http_sink **sink)
{
	const rg_http_request *request = x->of->request;
	*sink = NULL;
	if (status == 200)
		*sink = request->ranged ? request->whole : request->sink;
	if (status != 206 || !request->ranged)
		return NULL;
	*sink = request->sink;
	if (range_fits(x))
		return NULL;
	x->of->response->transient = true;
	return rg_error_new(RG_E_NET, "the server answered with another range");
}

/* A body that no sink takes: a refusal's text is kept, and up to a limit the rest is read, so that
 * the connection can be used again. */
static void pass_over(exchange *x, long status, const char *bytes, size_t length)
{
	rg_buf *text = &x->of->response->error_body;
	size_t room = text->max - text->length;

	if (status == 200 && x->of->request->ranged)
		x->enough = true;
	if (status != 200 && !(status == 206 && x->of->request->ranged))
		rg_buf_add(text, bytes, length < room ? length : room);
	x->unwanted += (curl_off_t)length;
	x->enough |= x->unwanted > UNWANTED_MAX;
}

/* A few bytes may be packed from very many, which nobody has to wait for. */
static rg_error *check_ratio(const exchange *x, size_t length)
{
	uint64_t unpacked = x->of->response->received + length;
	curl_off_t packed = 0;

	curl_easy_getinfo(x->of->easy, CURLINFO_SIZE_DOWNLOAD_T, &packed);
	/* What is being unpacked may not be counted yet. */
	if (!x->of->decoded || unpacked <= RATIO_FLOOR ||
	    unpacked / RATIO_MAX <= (uint64_t)packed + CURL_MAX_WRITE_SIZE)
		return NULL;
	return rg_error_new(RG_E_LIMIT, "the answer unpacks to over %d times the bytes that come",
			    RATIO_MAX);
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context)
{
	exchange *x = context;
	size_t length = size * count;
	rg_http_sink *sink;
	long status = 0;

	curl_easy_getinfo(x->of->easy, CURLINFO_RESPONSE_CODE, &status);
	x->err = rg_error_first(check_ratio(x, length), choose_sink(x, status, &sink));
	if (!x->err && sink) {
		x->err = sink(x->of->request->context, bytes, length);
		x->of->response->received += length;
	} else if (!x->err) {
		pass_over(x, status, bytes, length);
	}
	return x->err || x->enough ? 0 : length;
}

/* Called at least once a second, even if nothing moves. Each stretch of time must bring enough
 * bytes for the least rate. */
static int on_progress(void *context, curl_off_t total, curl_off_t now, curl_off_t up_total,
		       curl_off_t up)
{
	exchange *x = context;
	double clock = rg_clock_monotonic();

	(void)total;
	(void)up_total;
	if (rg_cancelled())
		return 1;
	x->last = now;
	if ((double)(now + up - x->seen) >= x->of->stall * RG_HTTP_RATE_MIN) {
		x->seen = now + up;
		x->seen_down = now;
		x->seen_at = clock;
	}
	x->stalled = clock - x->seen_at > x->of->stall;
	return x->stalled;
}

static bool is_transient(CURLcode code)
{
	switch (code) {
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
	case CURLE_WEIRD_SERVER_REPLY:
	case CURLE_UNSUPPORTED_PROTOCOL: /* no HTTP comes: the URL was checked */
	case CURLE_PARTIAL_FILE:
	case CURLE_OPERATION_TIMEDOUT:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_GOT_NOTHING:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_HTTP2:
	case CURLE_HTTP2_STREAM:
	case CURLE_BAD_CONTENT_ENCODING:
		return true;
	default:
		return false;
	}
}

static bool is_unreached(CURLcode code)
{
	return code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_COULDNT_RESOLVE_HOST ||
	       code == CURLE_COULDNT_CONNECT;
}

static rg_error *stall_error(const exchange *x, const char *shown)
{
	unsigned long long moved = (unsigned long long)(x->last - x->seen_down);
	if (!moved)
		return rg_error_new(RG_E_NET, "%s: %s: no byte for %g s", x->of->request->what,
				    shown, x->of->stall);
	return rg_error_new(RG_E_NET, "%s: %s: only %llu byte%s in %g s", x->of->request->what,
			    shown, moved, moved == 1 ? "" : "s", x->of->stall);
}

/* What to do about a certificate of which libcurl says `detail`. */
static const char *certificate_advice(CURLcode code, const char *detail)
{
	if (code == CURLE_SSL_CACERT_BADFILE)
		return "CURL_CA_BUNDLE or SSL_CERT_FILE names it";
	/* So begins what it says of the name; what it says of the authority does not. */
	if (!strncmp(detail, "SSL: ", strlen("SSL: ")))
		return "use a name that the server's certificate has";
	return "CURL_CA_BUNDLE may name the certificates of authorities that you trust";
}

/* A failed transfer in words. */
static rg_error *transfer_error(exchange *x, CURLcode code, const char *shown, const char *detail)
{
	if (x->err)
		return rg_error_wrap(x->err, "%s", x->of->request->what);
	if (rg_cancelled())
		return rg_cancel_check();
	x->of->response->transient = x->stalled || is_transient(code);
	x->of->response->unreached = is_unreached(code);
	x->of->response->stalled = x->stalled || code == CURLE_OPERATION_TIMEDOUT;
	if (x->stalled)
		return stall_error(x, shown);
	/* The only time that libcurl itself takes. */
	if (code == CURLE_OPERATION_TIMEDOUT)
		return rg_error_new(RG_E_NET, "%s: %s: no connection in %d s", x->of->request->what,
				    shown, CONNECT_SECONDS);
	if (code == CURLE_PARTIAL_FILE)
		return rg_error_new(RG_E_NET, "%s: %s: the body was cut after %llu bytes",
				    x->of->request->what, shown,
				    (unsigned long long)x->of->response->received);
	if (code == CURLE_UNSUPPORTED_PROTOCOL)
		return rg_error_new(RG_E_NET, "%s: %s: the answer is not HTTP",
				    x->of->request->what, shown);
	/* libcurl says so of its limit for a line; where memory did run out, http.c says that. */
	if (code == CURLE_OUT_OF_MEMORY)
		return rg_error_new(RG_E_LIMIT, "%s: %s: a line of the answer's header is too long",
				    x->of->request->what, shown);
	/* Only these texts of libcurl are needed to find the cause; others may hold a whole URL. */
	if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE)
		return rg_error_new(RG_E_NET, "%s: %s: %s; %s", x->of->request->what, shown, detail,
				    certificate_advice(code, detail));
	return rg_error_new(RG_E_NET, "%s: %s: %s", x->of->request->what, shown,
			    curl_easy_strerror(code));
}

#ifdef REGILD_STATIC
/* Where distributions put them, which a libcurl of none does not know; NULL if nowhere. */
static const char *usual_certificates(void)
{
	static const char *const files[] = {
		"/etc/ssl/certs/ca-certificates.crt", /* Debian, Ubuntu, Arch, Alpine, NixOS */
		"/etc/pki/tls/certs/ca-bundle.crt",   /* Fedora, RHEL */
		"/etc/ssl/ca-bundle.pem",             /* openSUSE */
		"/etc/ssl/cert.pem",
	};
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (!access(files[i], R_OK))
			return files[i];
	}
	return NULL;
}
#endif

/* libcurl itself does not read these; its command does. */
static void set_certificates(CURL *easy)
{
	const char *file = getenv("CURL_CA_BUNDLE"), *dir = getenv("SSL_CERT_DIR");
	if (!file || !*file)
		file = getenv("SSL_CERT_FILE");
#ifdef REGILD_STATIC
	if (!file || !*file)
		file = usual_certificates();
#endif
	if (file && *file)
		curl_easy_setopt(easy, CURLOPT_CAINFO, file);
	if (dir && *dir)
		curl_easy_setopt(easy, CURLOPT_CAPATH, dir);
}

/* `range` is needed until the transfer is over. */
static void set_request(exchange *x, char *range, size_t range_size)
{
	const rg_http_request *request = x->of->request;
	if (request->ranged) {
		if (request->last == UINT64_MAX)
			snprintf(range, range_size, "%llu-", (unsigned long long)request->first);
		else
			snprintf(range, range_size, "%llu-%llu", (unsigned long long)request->first,
				 (unsigned long long)request->last);
		curl_easy_setopt(x->of->easy, CURLOPT_RANGE, range);
	}
	if (request->post) {
		curl_easy_setopt(x->of->easy, CURLOPT_POST, 1L);
		curl_easy_setopt(x->of->easy, CURLOPT_POSTFIELDS, request->post);
		curl_easy_setopt(x->of->easy, CURLOPT_POSTFIELDSIZE_LARGE,
				 (curl_off_t)request->post_size);
	}
	if (x->of->netrc)
		curl_easy_setopt(x->of->easy, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
	if (rg_url_is_loopback(request->url))
		curl_easy_setopt(x->of->easy, CURLOPT_NOPROXY, "*");
}

static void set_options(exchange *x, char *detail)
{
	CURL *easy = x->of->easy;
	curl_easy_setopt(easy, CURLOPT_URL, x->of->request->url);
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https,http");
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_USERAGENT, "regild/" REGILD_VERSION);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, detail);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, x);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, x);
	curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, on_progress);
	curl_easy_setopt(easy, CURLOPT_XFERINFODATA, x);
	set_certificates(easy);
}

rg_error *rg_transfer_run(const rg_transfer *transfer)
{
	const rg_http_request *request = transfer->request;
	rg_http_response *out = transfer->response;
	char detail[CURL_ERROR_SIZE] = "", range[48];
	double start = rg_clock_monotonic();
	exchange x = {.of = transfer, .seen_at = start};
	rg_error *err = NULL;

	set_options(&x, detail);
	set_request(&x, range, sizeof(range));
	if (transfer->decoded)
		curl_easy_setopt(transfer->easy, CURLOPT_ACCEPT_ENCODING, "");
	CURLcode code = curl_easy_perform(transfer->easy);
	curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &out->status);
	if (x.err || (code && !x.enough)) {
		err = transfer_error(&x, code, transfer->shown, detail);
	} else if (!x.headed) { /* which libcurl takes for an empty body */
		out->transient = true;
		err = rg_error_new(RG_E_NET, "%s: %s: the answer ends inside of its header",
				   request->what, transfer->shown);
	}
	rg_log_say(transfer->log, RG_LOG_DEBUG, "%s %s%s%s: %ld, %llu bytes in %.3f s",
		   request->post ? "POST" : "GET", transfer->shown,
		   request->ranged ? " bytes=" : "", request->ranged ? range : "", out->status,
		   (unsigned long long)out->received, rg_clock_monotonic() - start);
	return err;
}
