#include "base/file.h"
#include "worktree/internal.h"

#include <git2/sys/hashsig.h>

/* As libgit2 does where it is given nothing else. */
static const git_hashsig_option_t signature_options = GIT_HASHSIG_SMART_WHITESPACE |
						      GIT_HASHSIG_ALLOW_SMALL_FILES;

static int sign_bytes(void **out, const git_diff_file *file, const char *bytes, size_t size,
		      void *payload)
{
	(void)file;
	(void)payload;
	return git_hashsig_create((git_hashsig **)out, bytes, size, signature_options);
}

/* Larger files are not read at once: they are tensors, which have no long lines. */
enum { AT_ONCE_MAX = 16 << 20 };

/*
 * The whole file at once. libgit2's own reads 4 KiB at a time and begins a stretch of a long line
 * anew with each, so that a file of one line is nothing like the blob that it was.
 */
static int sign_file(void **out, const git_diff_file *file, const char *path, void *payload)
{
	rg_buf bytes;
	rg_error *err;
	int answer;

	rg_buf_init(&bytes, AT_ONCE_MAX);
	err = rg_file_read(&bytes, path);
	if (!err) {
		answer = sign_bytes(out, file, bytes.data, bytes.length, payload);
	} else if (rg_error_get_code(err) == RG_E_LIMIT) {
		answer = git_hashsig_create_fromfile((git_hashsig **)out, path, signature_options);
	} else {
		answer = GIT_ERROR;
		git_error_set_str(GIT_ERROR_OS, rg_error_message(err));
	}
	rg_error_free(err);
	rg_buf_release(&bytes);
	return answer;
}

static void free_signature(void *signature, void *payload)
{
	(void)payload;
	git_hashsig_free(signature);
}

static int similarity(int *score, void *one, void *other, void *payload)
{
	(void)payload;
	*score = git_hashsig_compare(one, other);
	return *score < 0 ? *score : 0;
}

rg_error *rg_git_find_renames(git_diff *diff)
{
	git_diff_similarity_metric metric = {
		.file_signature = sign_file,
		.buffer_signature = sign_bytes,
		.free_signature = free_signature,
		.similarity = similarity,
	};
	git_diff_find_options options;
	size_t added = git_diff_num_deltas_of_type(diff, GIT_DELTA_ADDED) +
		       git_diff_num_deltas_of_type(diff, GIT_DELTA_UNTRACKED);
	int answer;

	if (!added || !git_diff_num_deltas_of_type(diff, GIT_DELTA_DELETED))
		return NULL;
	git_diff_find_options_init(&options, GIT_DIFF_FIND_OPTIONS_VERSION);
	options.flags = GIT_DIFF_FIND_RENAMES | GIT_DIFF_FIND_FOR_UNTRACKED;
	options.metric = &metric;
	answer = git_diff_find_similar(diff, &options);
	return answer < 0 ? rg_git_error(answer, "finding renames") : NULL;
}
