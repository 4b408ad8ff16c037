/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lets operations fail by counting them, so that tests can say beforehand which
 * fail, and logs each, so that others can judge what became of it.
 */
#include "backends/faults.h"

#include "backends/terms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOOK_AGAIN_US 2000

struct weir_faults {
	uint64_t every, from, count, is_short;
	char *error_name, *op_name, *file, *log, *heal, *hold;
	int error;
	unsigned int ops; /* bits */
	int log_fd;
	_Atomic uint64_t met, failed;
};

#define TEXT(name) \
	{#name, WEIR_TERMS_TEXT, offsetof(struct weir_faults, name)}
#define PATH(name) \
	{#name, WEIR_TERMS_PATH, offsetof(struct weir_faults, name)}
#define NUMBER(name) \
	{#name, WEIR_TERMS_NUMBER, offsetof(struct weir_faults, name)}

static const struct weir_terms_option words[] = {
	NUMBER(every),
	NUMBER(from),
	NUMBER(count),
	{"short", WEIR_TERMS_NUMBER, offsetof(struct weir_faults, is_short)},
	{"errno", WEIR_TERMS_TEXT, offsetof(struct weir_faults, error_name)},
	{"op", WEIR_TERMS_TEXT, offsetof(struct weir_faults, op_name)},
	TEXT(file),
	PATH(log),
	PATH(heal),
	PATH(hold),
	{ .name = NULL },
};

#define ERROR(name) {name, #name}

static const struct {
	int number;
	const char *name;
} errors[] = {
	ERROR(EIO),	  ERROR(ENOSPC), ERROR(EDQUOT),	 ERROR(EFBIG),
	ERROR(EROFS),	  ERROR(EPERM),	 ERROR(EACCES),	 ERROR(ENXIO),
	ERROR(ENODEV),	  ERROR(ENOMEM), ERROR(ESTALE),	 ERROR(ETIMEDOUT),
	ERROR(EREMOTEIO), ERROR(EAGAIN), ERROR(EINVAL),	 ERROR(EHOSTDOWN),
};

#define ERRORS (sizeof(errors) / sizeof(errors[0]))

static const char *const op_names[] = {
	[WEIR_FAULTS_WRITE] = "write",
	[WEIR_FAULTS_READ] = "read",
	[WEIR_FAULTS_SYNC] = "sync",
	[WEIR_FAULTS_TRUNCATE] = "truncate",
};

static int complain(const char *what, const char *value)
{
	fprintf(stderr, "weir: backend faulty knows no %s '%s'\n", what, value);
	return -EINVAL;
}

/* Names, as numbers differ between systems. */
static int find_error(struct weir_faults *faults)
{
	const char *name = faults->error_name ? faults->error_name : "EIO";

	for (size_t i = 0; i < ERRORS && !faults->error; i++) {
		if (!strcmp(errors[i].name, name))
			faults->error = errors[i].number;
	}
	return faults->error ? 0 : complain("errno", name);
}

static int find_op(struct weir_faults *faults)
{
	const char *name = faults->op_name ? faults->op_name : "write";

	for (unsigned int i = 0; i < WEIR_FAULTS_OPS; i++) {
		if (!strcmp(name, "all") || !strcmp(op_names[i], name))
			faults->ops |= 1u << i;
	}
	return faults->ops ? 0 : complain("op", name);
}

/* Appended to: a daemon that takes over goes on in the same log. */
static int open_log(struct weir_faults *faults)
{
	if (!faults->log)
		return 0;
	faults->log_fd = open(faults->log,
			      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (faults->log_fd >= 0)
		return 0;
	fprintf(stderr, "weir: backend faulty: %s: %m\n", faults->log);
	return -errno;
}

int weir_faults_new(const char *options, struct weir_faults **ret_faults)
{
	struct weir_faults *faults = calloc(1, sizeof(*faults));
	int err;

	if (!faults)
		return -ENOMEM;
	faults->every = 1;
	faults->count = UINT64_MAX;
	faults->log_fd = -1;
	err = weir_terms_read("faulty", options, words, faults);
	if (!err)
		err = find_error(faults);
	if (!err)
		err = find_op(faults);
	if (!err)
		err = open_log(faults);
	if (err)
		weir_faults_free(faults);
	else
		*ret_faults = faults;
	return err;
}

void weir_faults_free(struct weir_faults *faults)
{
	if (faults->log_fd >= 0)
		close(faults->log_fd);
	for (const struct weir_terms_option *word = words; word->name; word++) {
		if (word->kind >= WEIR_TERMS_TEXT)
			free(*(char **)((char *)faults + word->place));
	}
	free(faults);
}

static bool is_there(const char *path)
{
	return path && !access(path, F_OK);
}

/* Several threads may be here: each failure is counted before it is one. */
static bool is_chosen(struct weir_faults *faults, uint64_t number)
{
	if (!faults->every || number < faults->from ||
	    number % faults->every || is_there(faults->heal))
		return false;
	return atomic_fetch_add(&faults->failed, 1) < faults->count;
}

void weir_faults_meet(struct weir_faults *faults,
		      struct weir_faults_case *ret_case)
{
	ret_case->number = 0;
	ret_case->error = 0;
	ret_case->is_short = false;
	if (!(faults->ops & 1u << ret_case->op) ||
	    (faults->file && !strstr(ret_case->path, faults->file)))
		return;
	/* looked at again and again: who holds it may be another program */
	while (is_there(faults->hold))
		usleep(LOOK_AGAIN_US);
	ret_case->number = atomic_fetch_add(&faults->met, 1) + 1;
	if (!is_chosen(faults, ret_case->number))
		return;
	if (faults->is_short)
		ret_case->is_short = true;
	else
		ret_case->error = -faults->error;
}

static const char *name_of(int error, char room[16])
{
	for (size_t i = 0; i < ERRORS; i++) {
		if (errors[i].number == error)
			return errors[i].name;
	}
	snprintf(room, 16, "E%d", error);
	return room;
}

/* One write a line: lines of several threads and daemons do not mix. */
void weir_faults_tell(struct weir_faults *faults,
		      const struct weir_faults_case *met, int64_t result)
{
	char line[4400], error[16], bytes[24];
	int length;

	if (faults->log_fd < 0)
		return;
	snprintf(bytes, sizeof(bytes), "%lld", (long long)result);
	length = snprintf(line, sizeof(line), "%s %llu %lld %llu %s %s\n",
			  op_names[met->op], (unsigned long long)met->number,
			  (long long)met->offset,
			  (unsigned long long)met->length,
			  result < 0 ? name_of((int)-result, error) : bytes,
			  met->path);
	if (length >= (int)sizeof(line))
		length = (int)sizeof(line) - 1;
	if (write(faults->log_fd, line, (size_t)length) != length)
		fprintf(stderr, "weir: backend faulty: %s: cannot write\n",
			faults->log);
}
