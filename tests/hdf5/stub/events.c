/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Event sets of a newer HDF5, with a connector that works in the background:
 * a thread of its own does what a wait has time for. Time is counted in
 * operations: H5ESwait(es, 2, ...) waits for two.
 */
#include "stub.h"

#include <pthread.h>

#define ROOM 1024
#define LAST 64

/* From `begin` to `end` they are under way; how many failed is counted. */
struct set {
	bool is_open, is_lazy, has_started;
	int begin, end;
	size_t failed;
	struct stub_op ops[ROOM];
};

static struct set sets[LAST];
static int used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static const struct stub_op *wanted;
static int answer;
static pthread_t worker;
static bool has_worker;

/* With the lock held: one at a time is done by the library's thread. */
static void *work(void *nothing)
{
	pthread_mutex_lock(&lock);
	for (;;) {
		while (!wanted)
			pthread_cond_wait(&changed, &lock);
		answer = stub_transfer(wanted);
		wanted = NULL;
		pthread_cond_broadcast(&changed);
	}
	return nothing;
}

static int do_elsewhere(const struct stub_op *op)
{
	if (!has_worker)
		has_worker = !pthread_create(&worker, NULL, work, NULL);
	while (wanted)
		pthread_cond_wait(&changed, &lock);
	wanted = op;
	pthread_cond_broadcast(&changed);
	while (wanted == op)
		pthread_cond_wait(&changed, &lock);
	return answer;
}

static struct set *find(hid_t es)
{
	struct set *set = &sets[es & (LAST - 1)];

	return es > 0 && KIND(es) == EVENTS && set->is_open ? set : NULL;
}

bool stub_is_event_set(hid_t id)
{
	return find(id);
}

static size_t active(const struct set *set)
{
	return (size_t)(set->end - set->begin);
}

static int insert(struct set *set, const struct stub_op *op)
{
	if (set->failed || set->end == ROOM)
		return -1;
	set->ops[set->end++] = *op;
	return 1;
}

bool stub_is_busy(hid_t data)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < used; i++)
		for (int j = sets[i].begin; j < sets[i].end; j++)
			found |= sets[i].ops[j].set == data;
	pthread_mutex_unlock(&lock);
	return found;
}

int stub_hand_over(hid_t es, const struct stub_op *op)
{
	struct set *set;
	int ret = 0;

	pthread_mutex_lock(&lock);
	set = find(es);
	if (set)
		ret = insert(set, op);
	pthread_mutex_unlock(&lock);
	return ret;
}

EXPORT void stub_do_in_wait(hid_t es)
{
	find(es)->is_lazy = true;
}

EXPORT void stub_start_first(hid_t es)
{
	find(es)->has_started = true;
}

EXPORT void stub_finish(hid_t es)
{
	struct set *set = find(es);

	set->begin = set->end;
}

EXPORT hid_t H5EScreate(void)
{
	hid_t es;

	pthread_mutex_lock(&lock);
	sets[used].is_open = true;
	es = AT(EVENTS, used++);
	pthread_mutex_unlock(&lock);
	return es;
}

EXPORT int H5ESget_count(hid_t es, size_t *count)
{
	struct set *set = find(es);

	if (set)
		*count = active(set);
	return set ? 0 : -1;
}

EXPORT int H5ESget_op_counter(hid_t es, uint64_t *counter)
{
	struct set *set = find(es);

	pthread_mutex_lock(&lock);
	if (set)
		*counter = (uint64_t)set->end;
	pthread_mutex_unlock(&lock);
	return set ? 0 : -1;
}

EXPORT int H5ESget_err_count(hid_t es, size_t *count)
{
	struct set *set = find(es);

	if (set)
		*count = set->failed;
	return set ? 0 : -1;
}

/* True: the next may be looked at. */
static bool end_one(struct set *set, bool *failed)
{
	const struct stub_op *op = &set->ops[set->begin++];

	*failed = set->is_lazy ? stub_transfer(op) : do_elsewhere(op);
	set->failed += *failed;
	return !*failed;
}

/* As in HDF5, what comes after a failure is not counted. */
EXPORT int H5ESwait(hid_t es, uint64_t timeout, size_t *in_progress,
		    bool *failed)
{
	struct set *set = find(es);
	bool goes_on = true;

	if (es == 0)
		return 0;
	if (!set || !in_progress || !failed)
		return -1;
	pthread_mutex_lock(&lock);
	*in_progress = 0;
	*failed = false;
	while (goes_on && active(set) && timeout--)
		goes_on = end_one(set, failed);
	if (goes_on)
		*in_progress = active(set);
	pthread_mutex_unlock(&lock);
	return 0;
}

EXPORT int H5EScancel(hid_t es, size_t *not_cancelled, bool *failed)
{
	struct set *set = find(es);

	if (!set || !not_cancelled || !failed)
		return es ? -1 : 0;
	*failed = false;
	*not_cancelled = set->has_started;
	set->begin = set->end - set->has_started;
	return 0;
}

EXPORT int H5ESinsert_request(hid_t es, hid_t connector, void *request)
{
	return connector && request ? stub_hand_over(es, request) - 1 : -1;
}

EXPORT int H5ESclose(hid_t es)
{
	struct set *set = find(es);

	if (!set || active(set))
		return -1;
	set->is_open = false;
	return 0;
}
