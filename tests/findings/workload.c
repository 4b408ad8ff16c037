/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does what its words say, in order. usage: workload WORD...
 *
 * A word is a verb and its arguments, VERB:ARGUMENT:..., or begins a block
 * that `}' ends: N{ repeats it. In names @ stands for the number of the round,
 * outside of blocks for that of the rank.
 * Sizes and offsets end in k or m, or are a sum of such; %N is N times the
 * number of the round, &N times that of the child or rank, ?N some number below
 * it, the same in every run.
 * Descriptors lie on a stack: what is opened last is used, and closed first.
 * What fails is left to fail: cases of missing files are wanted.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEEPEST = 16, ARGUMENTS = 3, WORD = 128 };

static char buffer[8 << 20];
static int fds[DEEPEST], open_count;
static FILE *stream;
static unsigned long counter, self, seed = 1;
static char **words; /* all that are left to do */

struct call {
	char text[WORD];
	char *args[ARGUMENTS + 1]; /* the verb first */
};

static unsigned long number_of(const char *text, char **end)
{
	const char *sign = *text ? strchr("%&?", *text) : NULL;
	unsigned long number = strtoul(text + (sign != NULL), end, 10);

	if (**end == 'k' || **end == 'm')
		number <<= *(*end)++ == 'k' ? 10 : 20;
	if (!sign)
		return number;
	if (*sign != '?')
		return number * (*sign == '%' ? counter : self);
	seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	return (seed >> 33) % number;
}

static unsigned long number(const char *text)
{
	char *end;
	unsigned long sum;

	if (!text)
		return 0;
	sum = number_of(text, &end);
	while (*end == '+')
		sum += number_of(end + 1, &end);
	return sum;
}

/* The name with the number of the round in place. */
static const char *name(const char *text)
{
	static char names[2][WORD + 24];
	static int turn;
	char *to = names[turn = !turn];
	const char *at = strchr(text, '@');

	if (!at)
		return text;
	snprintf(to, sizeof(names[0]), "%.*s%lu%s", (int)(at - text), text,
		 counter, at + 1);
	return to;
}

static int top(void)
{
	return open_count ? fds[open_count - 1] : -1;
}

static int flags_of(const char *letters)
{
	static const struct {
		char letter;
		int flag;
	} known[] = {
		{ 'w', O_WRONLY }, { '+', O_RDWR },   { 'c', O_CREAT },
		{ 't', O_TRUNC },  { 'a', O_APPEND }, { 's', O_SYNC },
		{ 'd', O_DSYNC },  { 'x', O_EXCL },
		{ 'D', O_DIRECT },
	};
	int flags = O_RDONLY;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strchr(letters, known[i].letter))
			flags |= known[i].flag;
	return flags;
}

static void do_open(char **args)
{
	int fd = open(name(args[2]), flags_of(args[1]), 0600);

	if (fd >= 0 && open_count < DEEPEST)
		fds[open_count++] = fd;
}

static void do_close(char **args)
{
	(void)args;
	if (open_count)
		close(fds[--open_count]);
}

static void do_swap(char **args)
{
	int last = top();

	(void)args;
	if (open_count < 2)
		return;
	fds[open_count - 1] = fds[open_count - 2];
	fds[open_count - 2] = last;
}

static long done; /* what the last call gave: nothing here asks */

static void do_read(char **args)
{
	done = read(top(), buffer, number(args[1]));
}

static void do_write(char **args)
{
	done = write(top(), buffer, number(args[1]));
}

static void do_pread(char **args)
{
	done = pread(top(), buffer, number(args[1]), (off_t)number(args[2]));
}

static void do_pwrite(char **args)
{
	done = pwrite(top(), buffer, number(args[1]), (off_t)number(args[2]));
}

static void do_seek(char **args)
{
	done = lseek(top(), (off_t)number(args[1]), SEEK_SET);
}

static void do_tell(char **args)
{
	(void)args;
	done = lseek(top(), 0, SEEK_CUR);
}

static void do_end(char **args)
{
	(void)args;
	done = lseek(top(), 0, SEEK_END);
}

static void do_fsync(char **args)
{
	(void)args;
	done = fsync(top());
}

static void do_truncate(char **args)
{
	done = ftruncate(top(), (off_t)number(args[1]));
}

/* The last opened file to the one before. */
static void do_copy(char **args)
{
	if (open_count > 1)
		done = copy_file_range(top(), NULL, fds[open_count - 2], NULL,
				       number(args[1]), 0);
}

static void do_stat(char **args)
{
	struct stat about;

	done = stat(name(args[1]), &about);
}

static void do_fstat(char **args)
{
	struct stat about;

	(void)args;
	done = fstat(top(), &about);
}

static void do_access(char **args)
{
	done = access(name(args[1]), R_OK);
}

static void do_unlink(char **args)
{
	done = unlink(name(args[1]));
}

static void do_rename(char **args)
{
	done = rename(name(args[1]), name(args[2]));
}

static void do_mkdir(char **args)
{
	done = mkdir(name(args[1]), 0700);
}

/* Writes a byte of every page. */
static void do_map(char **args)
{
	size_t size = number(args[1]);
	char *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
			   top(), 0);

	if (bytes == MAP_FAILED)
		return;
	for (size_t i = 0; i < size; i += 4096)
		bytes[i]++;
	msync(bytes, size, MS_SYNC);
	munmap(bytes, size);
}

/* Reads a byte of every page. */
static void do_peek(char **args)
{
	size_t size = number(args[1]);
	char *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, top(), 0);

	if (bytes == MAP_FAILED)
		return;
	for (size_t i = 0; i < size; i += 4096)
		done += bytes[i];
	munmap(bytes, size);
}

static void do_fopen(char **args)
{
	stream = fopen(name(args[2]), args[1]);
}

static void do_fclose(char **args)
{
	(void)args;
	if (stream)
		fclose(stream);
	stream = NULL;
}

static void do_setvbuf(char **args)
{
	static char own[1 << 20]; /* without one the size is not heeded */

	done = setvbuf(stream, own, _IOFBF, number(args[1]));
}

static void do_fwrite(char **args)
{
	done = (long)fwrite(buffer, 1, number(args[1]), stream);
}

static void do_fread(char **args)
{
	done = (long)fread(buffer, 1, number(args[1]), stream);
}

static void do_fflush(char **args)
{
	(void)args;
	done = fflush(stream);
}

static void do_fseek(char **args)
{
	done = fseek(stream, (long)number(args[1]), SEEK_SET);
}

static void do_sleep(char **args)
{
	usleep((useconds_t)number(args[1]) * 1000);
}

struct holder {
	int fd;
	unsigned ms;
};

static void *let_go(void *arg)
{
	struct holder *holder = arg;

	usleep(holder->ms * 1000);
	flock(holder->fd, LOCK_UN);
	return NULL;
}

/* A call that takes so many ms: it waits for a lock. */
static void do_wait(char **args)
{
	const char *file = name(args[2]);
	struct holder holder = { open(file, O_RDWR | O_CREAT, 0600),
				 (unsigned)number(args[1]) };
	int fd = open(file, O_RDWR);
	pthread_t thread;

	flock(holder.fd, LOCK_EX);
	if (!pthread_create(&thread, NULL, let_go, &holder)) {
		flock(fd, LOCK_EX);
		pthread_join(thread, NULL);
	}
	close(fd);
	close(holder.fd);
}

static int held = -1;

/* Until others that want it have let it go. */
static void do_lock(char **args)
{
	held = open(args[1], O_RDWR | O_CREAT, 0600);
	done = flock(held, LOCK_EX);
}

static void do_unlock(char **args)
{
	(void)args;
	done = close(held);
}

/* So many processes do the rest, and know which of them they are. */
static void do_ranks(char **args)
{
	char text[24];
	int ranks = (int)number(args[1]);

	setenv("WORLD_SIZE", args[1], 1);
	for (int i = 0; i < ranks; i++) {
		snprintf(text, sizeof(text), "%d", i);
		setenv("RANK", text, 1);
		if (fork())
			continue;
		*--words = (char *)"workload";
		execv("/proc/self/exe", words);
		_exit(127);
	}
	while (wait(NULL) > 0)
		;
	while (*words)
		words++;
}

static const struct {
	const char *name;
	void (*act)(char **args);
} verbs[] = {
	{ "open", do_open },	 { "close", do_close },
	{ "swap", do_swap },	 { "read", do_read },
	{ "write", do_write },	 { "pread", do_pread },
	{ "pwrite", do_pwrite }, { "seek", do_seek },
	{ "tell", do_tell },	 { "end", do_end },
	{ "fsync", do_fsync },	 { "truncate", do_truncate },
	{ "copy", do_copy },	 { "stat", do_stat },
	{ "fstat", do_fstat },	 { "access", do_access },
	{ "unlink", do_unlink }, { "rename", do_rename },
	{ "mkdir", do_mkdir },	 { "map", do_map },
	{ "fopen", do_fopen },	 { "fclose", do_fclose },
	{ "setvbuf", do_setvbuf }, { "fwrite", do_fwrite },
	{ "fread", do_fread },	 { "fflush", do_fflush },
	{ "fseek", do_fseek },	 { "sleep", do_sleep },
	{ "wait", do_wait },	 { "ranks", do_ranks },
	{ "peek", do_peek },
	{ "lock", do_lock },	 { "unlock", do_unlock },
};

static void act(const char *word)
{
	struct call call = { .args = { call.text } };
	char *at = call.text;

	snprintf(call.text, sizeof(call.text), "%s", word);
	for (int i = 1; i <= ARGUMENTS && (at = strchr(at, ':')); i++) {
		*at++ = 0;
		call.args[i] = at;
	}
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (!strcmp(verbs[i].name, call.text)) {
			verbs[i].act(call.args);
			return;
		}
	}
	fprintf(stderr, "workload: what is %s?\n", word);
	exit(2);
}

static int begins_block(const char *word)
{
	return word[strlen(word) - 1] == '{';
}

static void skip_block(void)
{
	for (int depth = 1; depth && *words; words++) {
		depth += begins_block(*words);
		depth -= !strcmp(*words, "}");
	}
}

static void run_until_end(void);

static void repeat(unsigned long times)
{
	char **begin = words;
	unsigned long outer = counter;

	for (counter = 0; counter < times; counter++) {
		words = begin;
		run_until_end();
	}
	counter = outer;
	words = begin;
	skip_block();
}

static void run_in_children(unsigned long count, int stay)
{
	char **begin = words;

	for (unsigned long i = 0; i < count; i++) {
		if (fork())
			continue;
		counter = self = i;
		run_until_end();
		_exit(0);
	}
	while (stay && wait(NULL) > 0)
		;
	words = begin;
	skip_block();
}

static int is_rank(const char *text)
{
	const char *rank = getenv("RANK");

	return rank && strtoul(rank, NULL, 10) == strtoul(text, NULL, 10);
}

static void run_if(int wanted)
{
	if (wanted)
		run_until_end();
	else
		skip_block();
}

/*
 * fork:N{ in N children, which are waited for; beside:N{ while we go on;
 * rank:N{ and but:N{ if that is who we are, or not.
 */
static void run_block(const char *word)
{
	if (!strncmp(word, "fork:", 5))
		run_in_children(strtoul(word + 5, NULL, 10), 1);
	else if (!strncmp(word, "beside:", 7))
		run_in_children(strtoul(word + 7, NULL, 10), 0);
	else if (!strncmp(word, "rank:", 5))
		run_if(is_rank(word + 5));
	else if (!strncmp(word, "but:", 4))
		run_if(!is_rank(word + 4));
	else
		repeat(strtoul(word, NULL, 10));
}

static void run_until_end(void)
{
	while (*words && strcmp(*words, "}")) {
		const char *word = *words++;

		if (begins_block(word))
			run_block(word);
		else
			act(word);
	}
	words += *words != NULL;
}

int main(int argc, char **argv)
{
	const char *rank = getenv("RANK");

	(void)argc;
	words = argv + 1;
	counter = self = rank ? strtoul(rank, NULL, 10) : 0;
	run_until_end();
	while (wait(NULL) > 0)
		;
	return 0;
}
