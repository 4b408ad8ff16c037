/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random operations of several processes and threads on several files, each
 * checked against a model in memory (book.h). Of a file with a lock every
 * stale read and lost write is an error; of the one without, whatever a read
 * could not have found at any moment of it.
 *
 * usage: scribble work PLACE BOOK SEED PROCESSES THREADS OPERATIONS
 *                      [rough] [spoil NUMBER]
 *        scribble check PLACE BOOK
 *
 * `check` is for afterwards: whether the files are what the book says. `spoil`
 * makes some writes wrong from that operation on: it must be found.
 */
#include "scribble.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS	     4
#define ROUNDS_ROUGH 100 /* in the next one all is forwarded again */
#define WORKERS_MOST 32
#define STACK	     (1 << 20)

char scribble_place[PATH_MAX - 64];

static const struct scribble_kind *const kinds[] = {
	scribble_data_kinds, scribble_name_kinds, scribble_cell_kinds,
	scribble_rough_kinds};
#define TABLES (sizeof(kinds) / sizeof(kinds[0]))

/* Kinds are numbered through all tables. */
static const struct scribble_kind *kind_at(uint32_t number)
{
	for (size_t i = 0; i < TABLES; i++)
		for (const struct scribble_kind *kind = kinds[i]; kind->name;
		     kind++)
			if (!number--)
				return kind;
	return NULL;
}

static const char *kind_name(uint32_t number)
{
	const struct scribble_kind *kind = kind_at(number);

	return kind ? kind->name : "?";
}

static unsigned weight_of(const struct scribble_kind *kind)
{
	return book->is_rough ? kind->rough : kind->weight;
}

static unsigned weigh_all(void)
{
	static unsigned sum; /* the same for all */

	if (!sum) {
		unsigned found = 0;

		for (uint32_t i = 0; kind_at(i); i++)
			found += weight_of(kind_at(i));
		sum = found;
	}
	return sum;
}

uint64_t scribble_any(struct worker *worker, uint64_t limit)
{
	uint64_t mixed = worker->random += UINT64_C(0x9e3779b97f4a7c15);

	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	return (mixed ^ mixed >> 31) % limit;
}

uint64_t scribble_length(struct worker *worker)
{
	static const struct {
		unsigned below; /* of 10000 */
		uint64_t most;
	} sizes[] = {{5000, 64},       {8000, 1 << 10},	  {9600, 8 << 10},
		     {9930, 64 << 10}, {9994, 512 << 10}, {10000, 3 << 20}};
	uint64_t chance = scribble_any(worker, 10000);
	size_t i = 0;

	while (chance >= sizes[i].below)
		i++;
	return 1 + scribble_any(worker, sizes[i].most);
}

/* Mostly near the last one, or in the first part of a file. */
uint64_t scribble_offset(struct worker *worker, uint64_t length)
{
	uint64_t chance = scribble_any(worker, 8), at;

	if (chance < 3)
		at = worker->near;
	else
		at = scribble_any(worker, chance < 7 ? 192 << 10 : BOOK_MOST);
	if (at + length > BOOK_MOST)
		at = BOOK_MOST - length;
	worker->near = at + length;
	return at;
}

void scribble_fill(struct worker *worker, uint64_t length)
{
	uint64_t word = scribble_any(worker, UINT64_MAX);

	for (uint64_t i = 0; i < length; i += sizeof(word)) {
		word = word * UINT64_C(6364136223846793005) + 1442695040888963;
		memcpy(worker->out + i, &word, sizeof(word));
	}
}

void scribble_path(char *room, size_t size, uint32_t name)
{
	snprintf(room, size, "%s/file%u", scribble_place, name);
}

static uint32_t choose_kind(struct worker *worker)
{
	uint64_t chance = scribble_any(worker, weigh_all());
	uint32_t number = 0;

	while (chance >= weight_of(kind_at(number)))
		chance -= weight_of(kind_at(number++));
	return number;
}

void scribble_work(struct worker *worker, uint64_t count)
{
	for (; count && !atomic_load(&book->failed); count--) {
		worker->kind = choose_kind(worker);
		worker->operation++;
		atomic_fetch_add(&book->total, 1);
		kind_at(worker->kind)->act(worker);
		atomic_fetch_add(&book->done[worker->kind], 1);
	}
}

static void *make_room(void)
{
	return mmap(NULL, SCRIBBLE_LONGEST + 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static uint32_t all_workers(void)
{
	return book->processes * book->threads;
}

static void *worker_main(void *number)
{
	struct worker worker = {.number = (uint32_t)(uintptr_t)number,
				.cells = scribble_open_cells(),
				.out = make_room(),
				.in = make_room()};

	worker.random = book->seed * 1000003 + worker.number * 7919;
	for (int i = 0; i < SCRIBBLE_HANDLES; i++)
		worker.handles[i].fd = -1;
	for (uint64_t round = 0; round < book->rounds; round++) {
		scribble_work(&worker,
			      book->operations / book->rounds / all_workers());
		book_meet(all_workers());
		scribble_cells_check(&worker);
		close(worker.cells);
		book_meet(all_workers());
		worker.cells = scribble_open_cells();
	}
	scribble_leave(&worker);
	return NULL;
}

/* Its threads; one works in the first thread. */
static int process_main(uint32_t process)
{
	pthread_t threads[WORKERS_MOST];
	uint32_t first = process * book->threads;

	for (uint32_t i = 1; i < book->threads; i++)
		if (pthread_create(&threads[i], NULL, worker_main,
				   (void *)(uintptr_t)(first + i)))
			return 1;
	worker_main((void *)(uintptr_t)first);
	for (uint32_t i = 1; i < book->threads; i++)
		pthread_join(threads[i], NULL);
	return atomic_load(&book->failed) ? 1 : 0;
}

/* Every other process is a program of its own. */
static pid_t start_process(uint32_t process, const char *self, const char *path)
{
	char number[16];
	pid_t child = fork();

	if (child)
		return child;
	if (process % 2 == 0)
		_exit(process_main(process));
	snprintf(number, sizeof(number), "%u", process);
	execl(self, self, "join", scribble_place, path, number, (char *)NULL);
	_exit(127);
}

static void tell_mix(void)
{
	printf("seed %lu, %u x %u workers, %lu operations, %lu MiB written, "
	       "%lu MiB read:",
	       (unsigned long)book->seed, book->processes, book->threads,
	       (unsigned long)atomic_load(&book->total),
	       (unsigned long)atomic_load(&book->bytes_written) >> 20,
	       (unsigned long)atomic_load(&book->bytes_read) >> 20);
	for (uint32_t i = 0; kind_at(i); i++)
		if (atomic_load(&book->done[i]))
			printf(" %s %lu", kind_at(i)->name,
			       (unsigned long)atomic_load(&book->done[i]));
	printf("\n");
}

static int verdict(void)
{
	if (atomic_load(&book->failed))
		printf("seed %lu: %s\n", (unsigned long)book->seed, book->why);
	return atomic_load(&book->failed) ? 1 : 0;
}

static int start_all(const char *self, const char *path)
{
	int status, bad = 0;

	fflush(NULL);
	for (uint32_t i = 0; i < book->processes; i++)
		if (start_process(i, self, path) < 0)
			book_fail(-1, "fork: %m");
	while (wait(&status) > 0)
		if (status && !bad++)
			book_fail(-1, "a process ended with status %#x",
				  status);
	tell_mix();
	return verdict();
}

/* By one call of read where it can, from a new open file. */
static void compare_file(uint32_t name, uint8_t *room)
{
	char path[PATH_MAX];
	int inode = book->names[name];
	uint64_t size = inode < 0 ? 0 : book->inodes[inode].size;
	int fd;
	ssize_t got;

	scribble_path(path, sizeof(path), name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if ((fd < 0) != (inode < 0))
		book_fail(inode, "%s: open says %d: %m", path, fd);
	if (fd < 0)
		return;
	got = read(fd, room, BOOK_MOST + 1);
	if (got != (ssize_t)size)
		book_fail(inode, "%s has %zd bytes, must have %lu", path, got,
			  (unsigned long)size);
	for (uint64_t i = 0; got > 0 && i < (uint64_t)got; i++)
		if (room[i] != book->bytes[inode][i]) {
			book_fail(inode, "%s: byte %lu is %02x, must be %02x",
				  path, (unsigned long)i, room[i],
				  book->bytes[inode][i]);
			break;
		}
	close(fd);
}

static int compare_all(void)
{
	struct worker reader = {.cells = scribble_open_cells(),
				.in = malloc(SCRIBBLE_LONGEST)};
	uint8_t *room = malloc(BOOK_MOST + 1);

	for (uint32_t i = 0; i < BOOK_NAMES; i++)
		compare_file(i, room);
	scribble_cells_check(&reader);
	free(room);
	free(reader.in);
	return verdict();
}

static void read_options(int argc, char **argv)
{
	book->seed = strtoul(argv[4], NULL, 0);
	book->processes = (uint32_t)atoi(argv[5]);
	book->threads = (uint32_t)atoi(argv[6]);
	book->operations = strtoul(argv[7], NULL, 0);
	for (int i = 8; i < argc; i++)
		if (!strcmp(argv[i], "rough"))
			book->is_rough = 1;
		else if (!strcmp(argv[i], "spoil") && i + 1 < argc)
			book->spoil = strtoul(argv[++i], NULL, 0);
	book->rounds = book->is_rough ? ROUNDS_ROUGH : ROUNDS;
}

static int work(int argc, char **argv)
{
	int failed;

	if (book_make(argv[3]))
		return 2;
	read_options(argc, argv);
	if (all_workers() > WORKERS_MOST)
		return 2;
	failed = start_all("/proc/self/exe", argv[3]);
	return failed ? failed : compare_all();
}

int main(int argc, char **argv)
{
	book_kind_name = kind_name;
	if (argc < 4 || strlen(argv[2]) >= sizeof(scribble_place))
		return 2;
	strcpy(scribble_place, argv[2]);
	if (!strcmp(argv[1], "work") && argc >= 8)
		return work(argc, argv);
	if (book_join(argv[3]))
		return 2;
	if (!strcmp(argv[1], "join") && argc == 5)
		return process_main((uint32_t)atoi(argv[4]));
	return compare_all();
}
