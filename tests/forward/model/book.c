/* SPDX-License-Identifier: BSD-3-Clause */
/* The book: see its header. */
#include "book.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct book *book;
const char *(*book_kind_name)(uint32_t kind);

static int map_book(int fd)
{
	void *place = mmap(NULL, sizeof(struct book), PROT_READ | PROT_WRITE,
			   MAP_SHARED, fd, 0);

	if (place == MAP_FAILED)
		return -errno;
	book = place;
	return 0;
}

static void make_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t kind;

	pthread_mutexattr_init(&kind);
	pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(lock, &kind);
}

int book_make(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int error;

	if (fd < 0)
		return -errno;
	error = ftruncate(fd, sizeof(struct book)) ? -errno : map_book(fd);
	close(fd);
	if (error)
		return error;
	make_lock(&book->lock);
	for (int i = 0; i < BOOK_INODES; i++)
		make_lock(&book->inodes[i].lock);
	for (int i = 0; i < BOOK_NAMES; i++)
		book->names[i] = -1;
	return 0;
}

int book_join(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	int error;

	if (fd < 0)
		return -errno;
	error = map_book(fd);
	close(fd);
	return error;
}

int book_take_inode(void)
{
	for (int i = 0; i < BOOK_INODES; i++)
		if (!book->inodes[i].users) {
			book->inodes[i].users = 1;
			book->inodes[i].notes_made = 0;
			return i;
		}
	return -1;
}

int book_take_open(uint32_t inode, int flags)
{
	for (int i = 0; i < BOOK_OPENS; i++)
		if (!book->opens[i].users) {
			book->opens[i] = (struct book_open){
				.users = 1, .inode = inode, .flags = flags};
			book->inodes[inode].users++;
			return i;
		}
	return -1;
}

void book_drop_inode(uint32_t inode)
{
	if (!--book->inodes[inode].users)
		book_cut(inode, 0);
}

void book_drop_open(uint32_t open)
{
	if (!--book->opens[open].users)
		book_drop_inode(book->opens[open].inode);
}

void book_write(uint32_t inode, const void *bytes, uint64_t length,
		uint64_t offset)
{
	struct book_inode *file = &book->inodes[inode];

	memcpy(book->bytes[inode] + offset, bytes, length);
	if (length && offset + length > file->size)
		file->size = offset + length;
}

void book_cut(uint32_t inode, uint64_t length)
{
	struct book_inode *file = &book->inodes[inode];

	if (length < file->size)
		memset(book->bytes[inode] + length, 0, file->size - length);
	file->size = length;
}

uint64_t book_left(uint32_t inode, uint64_t offset, uint64_t length)
{
	uint64_t size = book->inodes[inode].size;

	if (offset >= size)
		return 0;
	return length < size - offset ? length : size - offset;
}

void book_note(uint32_t inode, struct book_note note)
{
	struct book_inode *file = &book->inodes[inode];

	note.size = (int64_t)file->size;
	file->notes[file->notes_made++ % BOOK_NOTES] = note;
}

static size_t tell_notes(char *room, size_t left, int inode)
{
	const struct book_inode *file = &book->inodes[inode];
	uint32_t made = file->notes_made;
	size_t used = 0;

	for (uint32_t i = made > BOOK_NOTES ? made - BOOK_NOTES : 0;
	     i < made && used < left; i++) {
		const struct book_note *note = &file->notes[i % BOOK_NOTES];

		used += (size_t)snprintf(
			room + used, left - used,
			"\n  worker %u %s [%lu] offset %ld length %ld size %ld",
			note->worker, book_kind_name(note->kind),
			(unsigned long)note->number, (long)note->offset,
			(long)note->length, (long)note->size);
	}
	return used;
}

void book_fail(int inode, const char *form, ...)
{
	uint32_t first = 0;
	char text[sizeof(book->why)];
	size_t used;
	va_list arguments;

	if (!atomic_compare_exchange_strong(&book->failed, &first, 1))
		return;
	va_start(arguments, form);
	used = (size_t)vsnprintf(text, sizeof(text), form, arguments);
	va_end(arguments);
	if (inode >= 0 && used < sizeof(text))
		tell_notes(text + used, sizeof(text) - used, inode);
	memcpy(book->why, text, sizeof(text));
}

void book_meet(uint32_t workers)
{
	static const struct timespec moment = {.tv_nsec = 200000};
	uint32_t turn = atomic_load(&book->turn);

	if (atomic_fetch_add(&book->arrived, 1) + 1 == workers) {
		atomic_store(&book->arrived, 0);
		atomic_fetch_add(&book->turn, 1);
		return;
	}
	while (atomic_load(&book->turn) == turn && !atomic_load(&book->failed))
		nanosleep(&moment, NULL);
}
