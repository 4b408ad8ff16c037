/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program can request to be prefetched, and do to what was. */
#include "liar.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LENGTH (4 << 20)

static int make_file(const struct liar *liar)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/prefetch-%d", liar->folder, getpid());
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, LENGTH))
		talk_fail("the file to prefetch", fd);
	close(fd);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static unsigned char *part_at(const struct talk *talk, uint64_t at)
{
	return (unsigned char *)talk->page + at;
}

/* One that makes sense, but for one thing. */
static void write_request(struct weir_prefetch_file *ahead, uint32_t wrong)
{
	uint32_t record = 4096u << talk_random() % 8;

	atomic_store(&ahead->sequence, wrong == 0 ? (uint32_t)talk_odd() : 2);
	atomic_store(&ahead->from, wrong == 1 ? talk_odd() :
						talk_random() % LENGTH);
	atomic_store(&ahead->record, wrong == 2 ? (uint32_t)talk_odd() :
						  record);
	atomic_store(&ahead->stride, wrong == 3 ? (int64_t)talk_odd() :
						  2 * (int64_t)record);
	atomic_store(&ahead->count, wrong == 4 ? (uint32_t)talk_odd() :
						 1 + talk_random() % 40);
	atomic_store(&ahead->place, wrong == 5 ? talk_odd() : 0);
}

static void request_prefetch(struct talk *talk, uint32_t open)
{
	uint32_t chunks = talk->welcome.chunks;
	struct weir_prefetch_requests *wishes =
		(void *)part_at(talk, weir_session_requests_at(chunks));

	atomic_fetch_or(&wishes->opens[open / 64], UINT64_C(1) << open % 64);
	atomic_fetch_add(&wishes->count, 1);
	talk_ring(talk);
}

/* Heads and lists of blocks, which are the daemon's to write. */
static void scribble(struct talk *talk)
{
	uint64_t from = weir_session_requests_at(talk->welcome.chunks);
	uint64_t size = weir_session_blocks_at(talk->welcome.chunks) - from;

	for (int i = 0; i < 200; i++) {
		_Atomic uint64_t *word =
			(void *)part_at(talk, from + talk_random() %
						     (size / 8) * 8);

		atomic_store(word, talk_odd());
	}
}

static void punch(struct talk *talk)
{
	uint64_t from = weir_session_blocks_at(talk->welcome.chunks);

	fallocate(talk->memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		  (off_t)from, (off_t)(talk->bytes - from));
}

void lie_prefetch(struct liar *liar)
{
	struct talk talk = { .place = liar->place };
	struct weir_op_open_out out;
	struct weir_prefetch_file *aheads;

	talk_attach(&talk);
	if (!talk.page->prefetch_blocks)
		talk_fail("nothing is prefetched", 0);
	if (talk_open(&talk, make_file(liar), O_RDONLY, &out))
		talk_fail("its own file", 0);
	aheads = (void *)part_at(&talk,
				 weir_session_prefetch_at(talk.welcome.chunks));
	for (uint32_t i = 0; i < 3000; i++) {
		uint32_t open = i % 8 ? out.open :
					talk_random() % WEIR_SESSION_OPENS;

		write_request(&aheads[open], i % 7);
		request_prefetch(&talk, open);
		if (i % 100 == 50)
			scribble(&talk);
		if (i % 200 == 0)
			punch(&talk);
	}
	talk_still_answers(&talk);
	talk_leave(&talk);
}
