/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls the plug-in for a file, and records it. */
#include "serve/files/backing.h"

#include "selftrace/selftrace.h"
#include "spec/calls.h"

/* Only below something that is told: else nobody could say what it was for. */
static bool enter_backend(const struct weir_file *file, uint32_t call)
{
	uint32_t handle = atomic_load(&file->handle);

	return handle && weir_selftrace_is_inside() &&
	       weir_selftrace_enter(call, handle);
}

static void leave_backend(const struct weir_file *file,
			  struct weir_selftrace_event event)
{
	event.handle = atomic_load(&file->handle);
	weir_selftrace_leave(&event);
}

static uint64_t add_up(const struct iovec *parts, int count)
{
	uint64_t bytes = 0;

	for (int i = 0; i < count; i++)
		bytes += parts[i].iov_len;
	return bytes;
}

int64_t weir_backing_write(struct weir_file *file, const struct iovec *parts,
			   int count, uint64_t offset)
{
	bool is_told = enter_backend(file, WEIR_CALL_BACKEND_WRITE);
	int64_t done = weir_backends_used->write(weir_backends_self,
						 file->backing, parts, count,
						 (int64_t)offset);

	if (is_told)
		leave_backend(file, (struct weir_selftrace_event){
					    .call = WEIR_CALL_BACKEND_WRITE,
					    .size = add_up(parts, count),
					    .off = offset,
					    .has_off = true,
					    .ret = done,
				    });
	return done;
}

int64_t weir_backing_read(struct weir_file *file, void *bytes, uint64_t length,
			  uint64_t offset)
{
	bool is_told = enter_backend(file, WEIR_CALL_BACKEND_READ);
	int64_t got = weir_backends_used->read(weir_backends_self,
					       file->backing, bytes, length,
					       (int64_t)offset);

	if (is_told)
		leave_backend(file, (struct weir_selftrace_event){
					    .call = WEIR_CALL_BACKEND_READ,
					    .size = length,
					    .off = offset,
					    .has_off = true,
					    .ret = got,
				    });
	return got;
}

int weir_backing_sync(struct weir_file *file)
{
	bool is_told = enter_backend(file, WEIR_CALL_BACKEND_SYNC);
	int err = weir_backends_used->sync(weir_backends_self, file->backing);

	if (is_told)
		leave_backend(file, (struct weir_selftrace_event){
					    .call = WEIR_CALL_BACKEND_SYNC,
					    .ret = err});
	return err;
}

int weir_backing_truncate(struct weir_file *file, uint64_t length)
{
	bool is_told = enter_backend(file, WEIR_CALL_BACKEND_TRUNCATE);
	int err = weir_backends_used->truncate(weir_backends_self,
					       file->backing, (int64_t)length);

	if (is_told)
		leave_backend(file, (struct weir_selftrace_event){
					    .call = WEIR_CALL_BACKEND_TRUNCATE,
					    .off = length,
					    .has_off = true,
					    .ret = err,
				    });
	return err;
}

int weir_backing_extent(struct weir_file *file,
			struct weir_backend_extent *ret_extent)
{
	bool is_told = enter_backend(file, WEIR_CALL_BACKEND_EXTENT);
	int err = weir_backends_used->extent(weir_backends_self, file->backing,
					     ret_extent);

	if (is_told)
		leave_backend(file, (struct weir_selftrace_event){
					    .call = WEIR_CALL_BACKEND_EXTENT,
					    .ret = err});
	return err;
}
