/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations that are handed to event sets of a stand-in, each kind of end on
 * a dataset of its own. Prints what the calls return; usage: later
 */
#include "stub.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#define HERE __FILE__, __func__, __LINE__
#define FOREVER UINT64_MAX
#define THREADS 4
#define EACH 25

hid_t H5Screate_simple(int, const hsize_t *, const hsize_t *);
hid_t H5Fcreate_async(const char *, const char *, unsigned, const char *,
		      unsigned, hid_t, hid_t, hid_t);
hid_t H5Dcreate_async(const char *, const char *, unsigned, hid_t,
		      const char *, hid_t, hid_t, hid_t, hid_t, hid_t, hid_t);
int H5Dwrite_async(const char *, const char *, unsigned, hid_t, hid_t, hid_t,
		   hid_t, hid_t, const void *, hid_t);
int H5Dread_async(const char *, const char *, unsigned, hid_t, hid_t, hid_t,
		  hid_t, hid_t, void *, hid_t);
int H5Dclose_async(const char *, const char *, unsigned, hid_t, hid_t);
hid_t H5EScreate(void);
int H5ESwait(hid_t, uint64_t, size_t *, bool *);
int H5EScancel(hid_t, size_t *, bool *);
int H5ESget_count(hid_t, size_t *);
int H5ESinsert_request(hid_t, hid_t, void *);
int H5ESclose(hid_t);

static double numbers[100];
static hid_t file, space, shared_set, shared_data;

static void show(const char *call, int ret)
{
	printf("%s: %d, errno %d\n", call, ret, errno);
	errno = 77;
}

static hid_t make(const char *name, hid_t es)
{
	return H5Dcreate_async(HERE, file, name, DOUBLE, space, 0, 0, 0, es);
}

static void write_to(hid_t data, const void *from, hid_t es)
{
	show("write", H5Dwrite_async(HERE, data, DOUBLE, 0, 0, 0, from, es));
}

static hid_t begin(const char *name, int count, hid_t *ret_data)
{
	hid_t es = H5EScreate();

	*ret_data = make(name, es);
	printf("%s\n", name);
	for (int i = 0; i < count; i++)
		write_to(*ret_data, numbers, es);
	return es;
}

static void wait_for(hid_t es, uint64_t time)
{
	size_t left = 4711;
	bool failed = true;

	show("wait", H5ESwait(es, time, &left, &failed));
	printf("left %zu, failed %d\n", left, failed);
}

static void cancel(hid_t es)
{
	size_t left = 4711;
	bool failed = true;

	show("cancel", H5EScancel(es, &left, &failed));
	printf("not cancelled %zu, failed %d\n", left, failed);
}

static void tell_all_and_some(void)
{
	hid_t data, es = begin("all", 2, &data);

	show("read", H5Dread_async(HERE, data, DOUBLE, 0, 0, 0, numbers, es));
	show("close", H5Dclose_async(HERE, data, es));
	wait_for(es, FOREVER);
	show("close", H5ESclose(es));
	es = begin("some", 3, &data);
	wait_for(es, 2);
	wait_for(es, 0);
	wait_for(es, FOREVER);
	wait_for(es, FOREVER);
	es = begin("at_once", 0, &data);
	write_to(data, numbers, 0);
	wait_for(0, FOREVER);
	wait_for(es, FOREVER);
	es = begin("lazy", 0, &data);
	stub_do_in_wait(es);
	write_to(data, numbers, es);
	write_to(data, numbers, es);
	wait_for(es, FOREVER);
}

static void tell_failures(void)
{
	hid_t data, es = begin("failed", 0, &data);

	write_to(data, NULL, es);
	wait_for(es, FOREVER);
	write_to(data, numbers, es); /* which is refused */
	es = begin("mixed", 1, &data);
	write_to(data, NULL, es);
	write_to(data, numbers, es);
	wait_for(es, FOREVER);
	wait_for(es, FOREVER);
	show("close", H5ESclose(es));
	wait_for(es, FOREVER); /* it is none any more */
}

static void tell_two_sets(void)
{
	hid_t data[2], left = begin("left", 1, &data[0]);
	hid_t right = begin("right", 1, &data[1]);

	write_to(data[0], numbers, left);
	write_to(data[1], numbers, right);
	wait_for(right, FOREVER);
	wait_for(left, FOREVER);
}

static void tell_cancelled(void)
{
	hid_t data, es = begin("cancelled", 2, &data);

	cancel(es);
	es = begin("started", 2, &data);
	stub_start_first(es);
	cancel(es);
	wait_for(es, FOREVER);
}

static void tell_unwaited(void)
{
	size_t count = 4711;
	hid_t data, es = begin("counted", 2, &data);

	show("count", H5ESget_count(es, &count));
	stub_finish(es);
	show("count", H5ESget_count(es, &count));
	printf("count %zu\n", count);
	es = begin("closed", 2, &data);
	stub_finish(es);
	show("close", H5ESclose(es));
	es = begin("kept", 2, &data);
	show("close", H5ESclose(es));
}

static void tell_request(void)
{
	hid_t es = H5EScreate();
	struct stub_op op = { shared_data, 0, numbers, true };

	show("insert", H5ESinsert_request(es, 1, &op));
	wait_for(es, FOREVER);
}

static void *write_many(void *own)
{
	size_t left;
	bool failed;
	hid_t data = *(hid_t *)own, es = H5EScreate();

	for (int i = 0; i < EACH; i++) {
		H5Dwrite_async(HERE, shared_data, DOUBLE, 0, 0, 0, numbers,
			       shared_set);
		H5Dwrite_async(HERE, data, DOUBLE, 0, 0, 0, numbers, es);
		if (i % 5 == 4)
			H5ESwait(es, FOREVER, &left, &failed);
	}
	return NULL;
}

static void tell_threads(void)
{
	pthread_t threads[THREADS];
	hid_t own;

	shared_set = begin("shared", 0, &shared_data);
	begin("own", 0, &own);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, write_many, &own);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	wait_for(shared_set, FOREVER);
}

int main(void)
{
	hsize_t length = 100;

	errno = 77;
	space = H5Screate_simple(1, &length, NULL);
	file = H5Fcreate_async(HERE, "later.h5", 2, 0, 0, 0);
	errno = 77;
	tell_all_and_some();
	tell_failures();
	tell_two_sets();
	tell_cancelled();
	tell_unwaited();
	tell_threads();
	tell_request();
	printf("disturbed %d\n", stub_disturbed());
	return 0;
}
