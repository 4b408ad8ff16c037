/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides when what was written is stored. */
#include "cache/policy.h"

#define SECOND	    UINT64_C(1000000000)
#define RETRY_MOST  (60 * SECOND)
#define RETRY_TURNS 6 /* doubled so often it is above that */

void weir_policy_weigh(struct weir_policy *policy, uint64_t bytes,
		       bool is_short)
{
	if (is_short || bytes > policy->cache / 2)
		policy->is_pressed = true;
	else if (bytes < policy->cache / 4 || !bytes)
		policy->is_pressed = false;
}

static uint64_t earlier(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

uint64_t weir_policy_due(const struct weir_policy *policy,
			 const struct weir_policy_file *file)
{
	if (!file->bytes)
		return WEIR_POLICY_NEVER;
	if (file->tries)
		return file->retry;
	if (policy->is_pressed || policy->is_prompt)
		return 0;
	if (policy->is_lazy)
		return WEIR_POLICY_NEVER;
	if (file->bytes >= policy->bulk)
		return 0;
	return earlier(file->changed + policy->idle,
		       file->oldest + policy->age);
}

uint64_t weir_policy_retry(uint64_t now, uint32_t tries)
{
	uint32_t turns = tries > 0 ? tries - 1 : 0;

	if (turns >= RETRY_TURNS)
		return now + RETRY_MOST;
	return now + (SECOND << turns);
}
