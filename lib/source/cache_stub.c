#include "source/cache.h"

/* Nothing is kept until the cache is there; every definition here gives way to it. */
#define WEAK __attribute__((weak))

WEAK rg_error *rg_cache_open(rg_cache **out, const char *folder, uint64_t max_bytes)
{
	(void)folder;
	(void)max_bytes;
	*out = NULL;
	return NULL;
}

WEAK void rg_cache_free(rg_cache *cache)
{
	(void)cache;
}

WEAK rg_error *rg_cache_get(rg_cache *cache, const rg_cache_key *key, rg_cache_entry *out,
			    bool *found)
{
	(void)cache;
	(void)key;
	(void)out;
	*found = false;
	return NULL;
}

WEAK void rg_cache_entry_release(rg_cache_entry *entry)
{
	(void)entry;
}

WEAK rg_error *rg_cache_put(rg_cache *cache, const rg_cache_key *key, const rg_cache_entry *entry)
{
	(void)cache;
	(void)key;
	(void)entry;
	return NULL;
}

WEAK rg_error *rg_cache_get_answer(rg_cache *cache, const char *url, rg_cache_answer *out,
				   bool *found)
{
	(void)cache;
	(void)url;
	(void)out;
	*found = false;
	return NULL;
}

WEAK void rg_cache_answer_release(rg_cache_answer *answer)
{
	(void)answer;
}

WEAK rg_error *rg_cache_put_answer(rg_cache *cache, const char *url, const char *etag,
				   const char *link, const void *body, size_t length)
{
	(void)cache;
	(void)url;
	(void)etag;
	(void)link;
	(void)body;
	(void)length;
	return NULL;
}
