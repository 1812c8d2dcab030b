/* SPDX-License-Identifier: Apache-2.0 */
#ifndef UNIT_RUN_MADE_H
#define UNIT_RUN_MADE_H

#include "base/memory.h"
#include "source/source.h"

/* A run's jobs and artifacts, added one by one. */

static inline rg_job *run_add_job(rg_run *run, uint64_t id, const char *name,
				  const char *conclusion, int64_t started, int64_t completed)
{
	rg_job *job = RG_PUSH(run->jobs, run->job_count, run->job_capacity);

	*job = (rg_job){.id = id,
			.name = name,
			.status = "completed",
			.conclusion = conclusion,
			.started = started,
			.completed = completed,
			.upload_started = RG_TIME_NONE,
			.upload_completed = RG_TIME_NONE};
	return job;
}

static inline rg_artifact *run_add_artifact(rg_run *run, uint64_t id, const char *name,
					    int64_t created)
{
	rg_artifact *artifact =
		RG_PUSH(run->artifacts, run->artifact_count, run->artifact_capacity);

	*artifact = (rg_artifact){.id = id, .name = name, .size = 10, .created = created};
	return artifact;
}

#endif
