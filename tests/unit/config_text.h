/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_CONFIG_TEXT_H
#define REGILD_TESTS_CONFIG_TEXT_H

/* The configuration of a scratch repository whose .regild has a text. */

#include "unit/repository.h"

#include "config/config.h"
#include "worktree/worktree.h"

#include <stdio.h>
#include <string.h>

FIXTURE(make)
{
	make_repository();
	return 0;
}

static rg_config *load_config(const char *text)
{
	char path[sizeof(scratch) + 16];
	RG_AUTO_PTR(rg_worktree) worktree = NULL;
	rg_config *config;

	snprintf(path, sizeof(path), "%s/.regild", scratch);
	assert_success(rg_file_replace(path, text, strlen(text), 0666));
	assert_success(rg_worktree_open(&worktree, scratch));
	assert_success(rg_config_load(&config, worktree));
	assert_null(rg_config_warnings(config)[0]);
	return config;
}

#endif
