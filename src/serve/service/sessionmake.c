/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes sessions, brings them back and unmakes them. */
#include "serve/service/sessionmake.h"

#include "base/clock.h"
#include "serve/deferred/deferred.h"
#include "serve/files/files.h"
#include "serve/prefetch/prefetchblocks.h"
#include "serve/session/chunkpool.h"
#include "serve/state/keptfds.h"
#include "serve/state/setup.h"
#include "spec/forward.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#define PRESENCE_BYTES 4096

static int make_memory(uint32_t chunks)
{
	int fd = memfd_create("weir-session", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int err;

	if (fd < 0)
		return -errno;
	/* a client cannot make our accesses fail */
	if (!ftruncate(fd, (off_t)weir_session_bytes(chunks)) &&
	    !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

static void map_blocks(struct weir_session *session)
{
	unsigned char *memory = session->memory;
	uint32_t chunks = session->chunks;

	session->prefetch_requests =
		(void *)(memory + weir_session_requests_at(chunks));
	session->prefetches =
		(void *)(memory + weir_session_prefetch_at(chunks));
	session->block_heads =
		(void *)(memory + weir_session_block_heads_at(chunks));
	session->block_bytes = memory + weir_session_blocks_at(chunks);
}

/* Where the parts are. */
static int map_memory(struct weir_session *session)
{
	unsigned char *memory =
		mmap(NULL, weir_session_bytes(session->chunks),
		     PROT_READ | PROT_WRITE, MAP_SHARED, session->memory_fd, 0);

	if (memory == MAP_FAILED)
		return -errno;
	session->memory = memory;
	session->page = (void *)memory;
	session->opens = (void *)(memory + weir_session_opens_at());
	session->slots = (void *)(memory + weir_session_slots_at());
	session->heads = (void *)(memory + weir_session_heads_at());
	session->lanes = memory + weir_session_lanes_at(session->chunks);
	session->data = memory + weir_session_chunks_at(session->chunks);
	map_blocks(session);
	return 0;
}

static void scrap(struct weir_session *session)
{
	weir_prefetchblocks_leave(session);
	if (session->memory)
		munmap(session->memory, weir_session_bytes(session->chunks));
	if (session->memory_fd >= 0)
		close(session->memory_fd);
	free(session->chunk);
	free(session->out);
	free(session->ready);
	free(session->bare);
	pthread_mutex_destroy(&session->taking);
	free(session);
}

static int allocate(struct weir_session *session)
{
	uint32_t words = weir_session_words(session);

	session->chunk = calloc(session->chunks, sizeof(*session->chunk));
	session->out = calloc(words, sizeof(*session->out));
	session->ready = calloc(words, sizeof(*session->ready));
	session->bare = calloc(words, sizeof(*session->bare));
	return session->chunk && session->out && session->ready &&
			       session->bare ?
		       0 :
		       -ENOMEM;
}

/* `memory_fd` is the session's, also when it fails. */
static int prepare_session(uint32_t number, uint32_t chunks, int memory_fd,
			   struct weir_session **ret_session)
{
	struct weir_session *session = calloc(1, sizeof(*session));
	int err;

	if (!session) {
		close(memory_fd);
		return -ENOMEM;
	}
	session->number = number;
	session->chunks = chunks;
	session->memory_fd = memory_fd;
	session->kept = &weir_state->sessions[number];
	pthread_mutex_init(&session->taking, NULL);
	err = allocate(session);
	if (!err)
		err = map_memory(session);
	if (!err)
		err = weir_prefetchblocks_join(session);
	if (err) {
		scrap(session);
		return err;
	}
	*ret_session = session;
	return 0;
}

static int open_presence(const char *name, int flags)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", weir_setup_used->place, name);
	return open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
}

static void remove_presence(const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", weir_setup_used->place, name);
	unlink(path);
}

static int make_presence(const char *name)
{
	int fd = open_presence(name, O_RDWR | O_CREAT | O_EXCL);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (fallocate(fd, 0, 0, PRESENCE_BYTES)) {
		err = -errno;
		remove_presence(name);
	}
	close(fd);
	return err;
}

/*
 * A lease for writing is granted only to the one who alone has the file, and
 * whoever opens it waits until that ends: so it has no name before a client
 * comes too late, and that client sees it.
 */
bool weir_sessionmake_give_up(const struct weir_session *session)
{
	int fd = open_presence(session->kept->presence, O_RDWR);
	bool is_used;

	if (fd < 0)
		return errno == ENOENT;
	is_used = fcntl(fd, F_SETLEASE, F_WRLCK) && errno == EAGAIN;
	if (!is_used)
		remove_presence(session->kept->presence);
	fcntl(fd, F_SETLEASE, F_UNLCK);
	close(fd);
	return !is_used;
}

/* What the next daemon is told, but for its being live. */
static int keep_for_restart(struct weir_session *session, pid_t pid)
{
	struct weir_state_session *kept = session->kept;
	uint64_t random;

	memset(kept->opens, 0, sizeof(kept->opens));
	memset(kept->appends, 0, sizeof(kept->appends));
	memset(kept->writes, 0, sizeof(kept->writes));
	kept->chunks = session->chunks;
	kept->pid = pid;
	kept->started =
		(uint32_t)(weir_clock_ns(CLOCK_MONOTONIC) / 1000000000);
	if (getrandom(kept->token, sizeof(kept->token), 0) !=
		    sizeof(kept->token) ||
	    getrandom(&random, sizeof(random), 0) != sizeof(random))
		return -EIO;
	snprintf(kept->presence, sizeof(kept->presence), "here-%u-%016llx",
		 session->number, (unsigned long long)random);
	return 0;
}

static void fill_page(struct weir_session *session)
{
	struct weir_session_page *page = session->page;

	page->magic = WEIR_SESSION_MAGIC;
	page->interface = WEIR_OP_INTERFACE;
	memcpy(page->token, session->kept->token, sizeof(page->token));
	page->session = session->number;
	page->chunks = session->chunks;
	page->prefetch_blocks = session->blocks ? WEIR_PREFETCH_BLOCKS : 0;
	atomic_store(&page->epoch, weir_state->epoch);
}

static int publish(struct weir_session *session, pid_t pid)
{
	int err = keep_for_restart(session, pid);

	if (err)
		return err;
	err = make_presence(session->kept->presence);
	if (err)
		return err;
	fill_page(session);
	err = weir_keptfds_keep(WEIR_KEPTFDS_SESSION, session->number,
				session->memory_fd);
	if (err) {
		remove_presence(session->kept->presence);
		return err;
	}
	atomic_store(&session->kept->live, 1);
	return 0;
}

int weir_sessionmake_new(uint32_t number, pid_t pid,
			 struct weir_session **ret_session)
{
	uint32_t chunks = weir_chunkpool_chunks();
	struct weir_session *session;
	int fd = make_memory(chunks), err;

	if (fd < 0)
		return fd;
	err = prepare_session(number, chunks, fd, &session);
	if (err)
		return err;
	err = publish(session, pid);
	if (err) {
		scrap(session);
		return err;
	}
	weir_chunkpool_join(session);
	*ret_session = session;
	return 0;
}

/* One may be of a file and still know what it was while that was deferred. */
static bool reopen(struct weir_state_open *kept)
{
	bool writes = (kept->flags & O_ACCMODE) != O_RDONLY;
	bool is_deferred = weir_deferred_reopen(kept);

	if (!is_deferred)
		kept->deferred = 0;
	if (!kept->turn)
		return is_deferred;
	return weir_files_reopen(kept->file, kept->turn, writes);
}

static void reopen_files(struct weir_session *session)
{
	for (uint32_t i = 0; i < WEIR_SESSION_OPENS; i++) {
		struct weir_state_open *kept = &session->kept->opens[i];

		if (atomic_load(&kept->live) && !reopen(kept))
			atomic_store(&kept->live, 0);
	}
}

/* One that was granted, and that nobody was told of, is granted again. */
static void regain_chunks(struct weir_session *session)
{
	for (uint32_t i = 0; i < session->chunks; i++) {
		uint32_t phase = atomic_load(&session->heads[i].phase);

		if (phase == WEIR_CHUNK_FREE)
			continue;
		weir_chunkpool_adopt(session, i);
		if (phase == WEIR_CHUNK_GRANTED)
			atomic_fetch_or(&session->page->grants[i / 64],
					UINT64_C(1) << i % 64);
	}
}

static void find_posted(struct weir_session *session)
{
	for (uint32_t i = 0; i < WEIR_SESSION_SLOTS; i++)
		if (atomic_load(&session->slots[i].state) ==
		    WEIR_SESSION_POSTED)
			session->again |= 1u << i;
}

static void resume(struct weir_session *session)
{
	atomic_store(&session->page->asleep, 0);
	atomic_store(&session->page->armed, 0);
	atomic_store(&session->page->epoch, weir_state->epoch);
	weir_chunkpool_join(session);
	reopen_files(session);
	regain_chunks(session);
	find_posted(session);
	weir_chunkpool_expect(session);
}

int weir_sessionmake_back(uint32_t number, struct weir_session **ret_session)
{
	int held = weir_keptfds_inherited(WEIR_KEPTFDS_SESSION, number), fd,
	    err;
	struct weir_state_session *kept = &weir_state->sessions[number];

	if (held < 0)
		return -ENOENT;
	if (!atomic_load(&kept->live)) {
		weir_keptfds_drop(WEIR_KEPTFDS_SESSION, number);
		return -ENOENT;
	}
	fd = fcntl(held, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	err = prepare_session(number, kept->chunks, fd, ret_session);
	if (!err)
		resume(*ret_session);
	return err;
}

void weir_sessionmake_unmake(struct weir_session *session)
{
	weir_chunkpool_leave(session);
	atomic_store(&session->kept->live, 0);
	weir_keptfds_drop(WEIR_KEPTFDS_SESSION, session->number);
	remove_presence(session->kept->presence);
	scrap(session);
}
