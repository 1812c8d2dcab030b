/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacking a golden artifact whose members are bad, or lie in a zip that is itself compressed. */
#include "unit.h"

#include "base/file.h"
#include "flow/executorch/artifact.h"
#include "support/zipmaker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
	char folder[32], zip[64], target[64];
	rg_flow flow;
	rg_config *config;
} fixture;

static void start(fixture *f)
{
	*f = (fixture){.folder = "/tmp/test-artifact-XXXXXX"};
	assert_non_null(mkdtemp(f->folder));
	snprintf(f->zip, sizeof(f->zip), "%s/a.zip", f->folder);
	snprintf(f->target, sizeof(f->target), "%s/out", f->folder);
	assert_success(rg_config_load(&f->config, NULL));
	f->flow.config = f->config;
}

static void stop(fixture *f)
{
	rg_config_free(f->config);
	assert_success(rg_remove_tree(f->folder));
}

/* In the target? */
static bool is_there(const fixture *f, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", f->target, name);
	return !access(path, F_OK);
}

/* Members "good/a" and "bad/b/c", of which the second has a wrong checksum. */
static void make_zip(rg_buf *out)
{
	zipmaker maker;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "good/a", "1", 1)->method = 8;
	zipmaker_add(&maker, "bad/b/c", "2", 1)->entry.crc = 7;
	maker.members[1].local.crc = 7;
	rg_buf_init(out, 1 << 20);
	zipmaker_write(&maker, out);
	zipmaker_release(&maker);
}

static void unpacks(fixture *f, const rg_buf *zip, const char *refusal)
{
	rg_artifact_result result;

	assert_success(rg_file_replace(f->zip, zip->data, zip->length, 0666));
	assert_success(rg_artifact_unpack(&result, &f->flow, f->zip, f->target));
	assert_int_equal(result.source.files.count, 1);
	assert_int_equal(result.source.files.refused_count, 1);
	assert_string_equal(result.source.files.names[0], "good/a");
	assert_string_equal(result.source.files.refused[0], "bad/b/c");
	assert_string_equal(result.source.refusals[0], refusal);
	assert_true(is_there(f, "good/a"));
	assert_false(is_there(f, "bad"));
	rg_artifact_result_release(&result);
}

#define WHY "bad/b/c: its CRC-32 is 1ad5be0d and should be 00000007 (1 bytes)"

TEST(refused_members_leave_no_folders)
{
	fixture f;
	rg_buf zip;

	start(&f);
	make_zip(&zip);
	unpacks(&f, &zip, WHY);
	rg_buf_release(&zip);
	stop(&f);
}

TEST(inside_a_compressed_zip)
{
	rg_buf inner, outer;
	zipmaker maker;
	fixture f;

	start(&f);
	make_zip(&inner);
	zipmaker_init(&maker);
	zipmaker_add(&maker, "inner.zip", inner.data, inner.length)->method = 8;
	rg_buf_init(&outer, 1 << 20);
	zipmaker_write(&maker, &outer);
	zipmaker_release(&maker);
	unpacks(&f, &outer, "inner.zip!" WHY);
	rg_buf_release(&outer);
	rg_buf_release(&inner);
	stop(&f);
}

TEST(nothing_that_is_good)
{
	rg_artifact_result result;
	zipmaker maker;
	rg_error *err;
	fixture f;
	rg_buf zip;

	start(&f);
	zipmaker_init(&maker);
	zipmaker_add(&maker, "inner.zip", "<html></html>", 13)->method = 8;
	rg_buf_init(&zip, 1 << 20);
	zipmaker_write(&maker, &zip);
	zipmaker_release(&maker);
	assert_success(rg_file_replace(f.zip, zip.data, zip.length, 0666));
	err = rg_artifact_unpack(&result, &f.flow, f.zip, f.target);
	assert_int_equal(rg_error_get_code(err), RG_E_NOTFOUND);
	rg_error_free(err);
	assert_string_equal(result.source.refusals[0],
			    "inner.zip: not a readable zip: 13 bytes are too few for a zip");
	assert_false(is_there(&f, ""));
	rg_artifact_result_release(&result);
	rg_buf_release(&zip);
	stop(&f);
}
