#include "worktree/internal.h"

#include <string.h>

/* libgit2 1.5 does not know "safe.directory = *", which containers of CI set as a rule. An
 * empty value takes back what stands before it. */
bool rg_git_trust_all(void)
{
	git_config_iterator *entries = NULL;
	git_config_entry *entry;
	git_config *config = NULL;
	bool all = false;

	/* The user's and the system's: what a repository says of itself does not count. */
	if (!git_config_open_default(&config) &&
	    !git_config_multivar_iterator_new(&entries, config, "safe.directory", NULL)) {
		while (!git_config_next(&entry, entries))
			all = entry->value &&
			      (!strcmp(entry->value, "*") || (all && *entry->value));
	}
	git_config_iterator_free(entries);
	git_config_free(config);
	return all && !git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
}
