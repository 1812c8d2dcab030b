#include "source/take_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static rg_cache_key key_of(const rg_fetch_options *options, const rg_run *run,
			   const rg_artifact *artifact)
{
	return (rg_cache_key){.host = run->host,
			      .repository = run->repository,
			      .artifact_id = artifact->id,
			      .digest = artifact->digest,
			      .patterns = options->patterns_text};
}

/* The cache knows no limits: what is over today's is fetched anew, and refused there. */
static bool is_within(const rg_cache_entry *entry, const rg_zip_limits *limits)
{
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < entry->count; i++) {
		if (entry->files[i].size > limits->member_size)
			return false;
		total += entry->files[i].size;
	}
	return total <= limits->total_size;
}

rg_error *rg_take_from_cache(rg_cache_entry *out, const rg_fetch_options *options,
			     const rg_run *run, const rg_artifact *artifact, bool *found)
{
	const rg_cache_key key = key_of(options, run, artifact);

	*found = false;
	if (!options->cache)
		return NULL;
	RG_TRY(rg_cache_get(options->cache, &key, out, found));
	if (*found && !is_within(out, &options->limits)) {
		rg_cache_entry_release(out);
		*found = false;
	}
	return NULL;
}

/* The parts as the cache wants them: in memory, but the kernel's. */
static rg_error *map_part(const rg_taken_file *file, rg_cache_file *out)
{
	void *bytes;
	int fd;

	*out = (rg_cache_file){file->path, "", "", (size_t)file->size};
	if (!file->size)
		return NULL;
	fd = open(file->part, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return rg_error_io(errno, "%s", file->part);
	bytes = mmap(NULL, (size_t)file->size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes == MAP_FAILED)
		return rg_error_io(errno, "%s", file->part);
	out->bytes = bytes;
	return NULL;
}

static void unmap_part(const rg_cache_file *file)
{
	if (file->size)
		munmap((void *)(uintptr_t)file->bytes, file->size);
}

static rg_error *put(const rg_taken *taken, const rg_fetch_options *options,
		     const rg_cache_key *key)
{
	rg_cache_entry entry = {.check = taken->check ? taken->check : "none"};
	rg_error *err = NULL;

	entry.files = calloc(taken->count + 1, sizeof(*entry.files));
	if (!entry.files)
		return rg_error_nomem();
	while (!err && entry.count < taken->count) {
		err = map_part(&taken->files[entry.count], &entry.files[entry.count]);
		entry.count += !err;
	}
	if (!err)
		err = rg_cache_put(options->cache, key, &entry);
	while (entry.count)
		unmap_part(&entry.files[--entry.count]);
	free(entry.files);
	return err;
}

rg_error *rg_take_into_cache(const rg_taken *taken, const rg_fetch_options *options,
			     const rg_run *run, const rg_artifact *artifact)
{
	const rg_cache_key key = key_of(options, run, artifact);
	rg_error *err = options->cache ? put(taken, options, &key) : NULL;

	if (err && rg_error_get_code(err) == RG_E_CANCELLED)
		return err;
	if (err)
		rg_log_say(options->log, RG_LOG_DETAIL, "the cache is not written: %s",
			   rg_error_message(err));
	rg_error_free(err);
	return NULL;
}
