/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds the readers of short things from outside any bytes; the first says
 * which: numbers, options of backends, the environment of launchers, layouts
 * of Lustre, keys.
 */
#include "backends/faults.h"
#include "backends/terms.h"
#include "base/lov.h"
#include "base/number.h"
#include "base/rank.h"
#include "share/mask/secret.h"
#include "target.h"

#include <errno.h>
#include <stdio.h>

#define VARIABLES 32

static void read_numbers(const char *text)
{
	uint64_t value = 0, to = 0;
	int err = weir_number_parse(text, &value);

	must(!err || err == -EINVAL || err == -ERANGE);
	err = weir_number_parse_size(text, &value);
	must(!err || err == -EINVAL || err == -ERANGE);
	err = weir_number_parse_time(text, &value);
	must(!err || err == -EINVAL || err == -ERANGE);
	if (!weir_number_parse_span(text, &value, &to))
		must(value <= to);
}

static void read_terms(const char *text)
{
	struct {
		uint64_t number, size, time;
		char *name, *path;
	} got = { 0 };
	static const struct weir_terms_option table[] = {
		{ "number", WEIR_TERMS_NUMBER, 0 },
		{ "size", WEIR_TERMS_SIZE, 8 },
		{ "time", WEIR_TERMS_TIME, 16 },
		{ "name", WEIR_TERMS_TEXT, 24 },
		{ "path", WEIR_TERMS_PATH, 32 },
		{ NULL, WEIR_TERMS_NUMBER, 0 },
	};

	if (!weir_terms_read("backend", text, table, &got))
		must(!got.path || *got.path == '/');
	free(got.name);
	free(got.path);
}

static void read_faults(const char *text)
{
	struct weir_faults *faults;

	if (!weir_faults_new(text, &faults))
		weir_faults_free(faults);
}

static void read_environment(char *text)
{
	char *variables[VARIABLES + 1];
	struct weir_rank rank;
	int count = 0;

	while (text && count < VARIABLES)
		variables[count++] = strsep(&text, "\n");
	variables[count] = NULL;
	if (!weir_rank_find(variables, &rank))
		return;
	must(rank.launcher && rank.rank);
	must(strnlen(rank.job, sizeof(rank.job)) < sizeof(rank.job));
}

static void read_layout(const uint8_t *data, size_t size)
{
	char *text = malloc(WEIR_LOV_TEXT);

	must(!!text);
	weir_lov_describe(data, size, text);
	must(strnlen(text, WEIR_LOV_TEXT) < WEIR_LOV_TEXT);
	free(text);
}

static void read_key(const uint8_t *data, size_t size)
{
	struct weir_secret secret;
	char path[64], digits[2 * WEIR_SECRET_BYTES + 1];

	snprintf(path, sizeof(path), "/proc/self/fd/%d",
		 memory_file(data, size));
	if (weir_secret_load(path, &secret))
		return;
	weir_secret_spell(&secret, digits);
	must(strlen(digits) == 2 * WEIR_SECRET_BYTES);
	weir_secret_wipe(&secret);
}

static void read_text(unsigned which, char *text)
{
	switch (which) {
	case 0:
		read_numbers(text);
		break;
	case 1:
		read_terms(text);
		break;
	case 2:
		read_faults(text);
		break;
	default:
		read_environment(text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *null;
	unsigned which;
	char *text;

	if (!size)
		return 0;
	if (!null)
		stderr = null = fopen("/dev/null", "we"); /* complaints */
	which = *data % 6;
	if (which == 4) {
		read_layout(data + 1, size - 1);
	} else if (which == 5) {
		read_key(data + 1, size - 1);
	} else {
		text = text_of(data + 1, size - 1);
		read_text(which, text);
		free(text);
	}
	return 0;
}

static const char *const words[] = {
	"1", "64K", "1.5ms", "2s", "10ns", "-", "18446744073709551615", ".",
	"number=", ",size=4M", ",time=1ms", ",name=x", ",path=/tmp", "=", ",",
	"fail=write", "error=EIO", "after=", "count=", "short", "every=", "\n",
	"op=write", "nth=", "errno=", "path=",
	"PMI_RANK=1\n", "PMI_SIZE=4\n", "OMPI_COMM_WORLD_RANK=0\n",
	"OMPI_COMM_WORLD_SIZE=2\n", "SLURM_PROCID=3\n", "SLURM_JOB_ID=7\n",
	"PMIX_RANK=1\n", "PMIX_NAMESPACE=a\n", "RANK=", "WORLD_SIZE=", NULL,
};

/* The first byte stays; magic of a layout where one is meant. */
static void repair(uint8_t *bytes, size_t size)
{
	static const uint32_t magics[] = { 0x0BD10BD0, 0x0BD30BD0, 0x0BD60BD0 };
	uint32_t magic;

	if (size < 10 || *bytes % 6 != 4)
		return;
	memcpy(&magic, bytes + 1, sizeof(magic));
	for (int i = 0; i < 3; i++)
		if (magic == magics[i] || magic == __builtin_bswap32(magics[i]))
			return;
	memcpy(bytes + 1, &magics[bytes[9] % 3], sizeof(magic));
}

const struct fuzz_shape fuzz_shape = { .words = words, .repair = repair };
