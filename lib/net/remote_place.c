/* SPDX-License-Identifier: Apache-2.0 */
#include "net/remote_place.h"

#include "net/url.h"

#include <stdlib.h>

enum { REDIRECTS_MAX = 5 };

rg_error *rg_remote_locate(rg_remote_place *place)
{
	free(place->url);
	place->url = NULL;
	place->redirects = 0;
	return place->locate(place->context, &place->url);
}

static bool is_api(const rg_remote_place *place)
{
	return rg_url_is_below(place->url, rg_http_api_url(place->http));
}

/* Goes on where the API says that the bytes are. */
static rg_error *follow(rg_remote_place *place, const rg_http_response *response)
{
	char *next;
	if (place->redirects++ == REDIRECTS_MAX)
		return rg_error_new(RG_E_NET, "%s: more than %d redirects", place->name,
				    REDIRECTS_MAX);
	rg_error *err = rg_url_resolve(&next, place->url, response->location);
	if (err)
		return rg_error_wrap(err, "%s", place->name);
	free(place->url);
	place->url = next;
	return NULL;
}

rg_error *rg_remote_go_on(rg_remote_place *place, const rg_http_request *request,
			  const rg_http_response *response, rg_http_tries *tries)
{
	long status = response->status;
	bool refused = status == 401 || status == 403, again = rg_http_is_retried(response);

	if (place->refuse && !again && (refused || status == 404) && is_api(place))
		return place->refuse(place->context, request, response);
	if (status > 300 && status < 400 && response->location && is_api(place))
		return follow(place, response);
	if (!refused)
		return rg_http_retry(place->http, request, NULL, response, tries);
	/* A signature lasts about a minute. */
	if (tries->faults++ < rg_http_get_options(place->http)->retries)
		return rg_remote_locate(place);
	return rg_error_new(RG_E_NET, "%s: the store refused the signed address %u times (%ld)",
			    place->name, tries->faults, status);
}
