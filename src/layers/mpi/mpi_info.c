/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the hints of a file as text. */
#include "layers/mpi/mpi_info.h"

#include "base/hash.h"
#include "layers/mpi/mpi_real.h"

#include <string.h>

#define LONGEST_KEY   256
#define LONGEST_VALUE 256
#define MADE_ROOM     2000
#define ASKED_ROOM    1500 /* both and a long name fit into one detail */

static const char rest[] = "...";

static __thread char asked[ASKED_ROOM + sizeof(rest)];
static __thread char made[MADE_ROOM + sizeof(rest)];

struct list {
	char *text;
	size_t room, used;
};

/* A pair that has no room is left out, and so are those after it. */
static bool add_pair(struct list *list, const char *key, const char *value)
{
	size_t key_len = strlen(key), value_len = strlen(value);
	char *at = list->text + list->used;

	if (key_len + value_len + 2 > list->room - list->used)
		return false;
	memcpy(at, key, key_len);
	at[key_len] = '=';
	memcpy(at + key_len + 1, value, value_len);
	at[key_len + 1 + value_len] = ';';
	list->used += key_len + value_len + 2;
	return true;
}

static bool add_nth(struct list *list, long info, int n)
{
	char key[LONGEST_KEY] = "", value[LONGEST_VALUE + 1] = "";
	int found = 0;

	if (weir_mpi_real.info_nthkey(info, n, key) ||
	    weir_mpi_real.info_get(info, key, LONGEST_VALUE, value, &found) ||
	    !found)
		return true;
	return add_pair(list, key, value);
}

static const char *write_out(long info, char *text, size_t room)
{
	struct list list = { text, room, 0 };
	int n = 0;

	if (weir_mpi_cut(info) == weir_mpi_flavour.info_null ||
	    weir_mpi_real.info_nkeys(info, &n))
		n = 0;
	for (int i = 0; i < n; i++)
		if (!add_nth(&list, info, i)) {
			memcpy(text + list.used, rest, sizeof(rest));
			return text;
		}
	text[list.used ? list.used - 1 : 0] = 0;
	return text;
}

const char *weir_mpi_info_asked(const struct weir_mpi_args *args)
{
	return write_out(args->adjusted ? args->own_info : args->info, asked,
			 ASKED_ROOM);
}

const char *weir_mpi_info_made(long fh)
{
	long info = 0;

	made[0] = 0;
	if (weir_mpi_real.get_info(fh, &info) ||
	    weir_mpi_cut(info) == weir_mpi_flavour.info_null)
		return made;
	write_out(info, made, MADE_ROOM);
	weir_mpi_real.info_free(&info);
	return made;
}

uint64_t weir_mpi_info_key(const char *text)
{
	return *text ? weir_hash_bytes(text, strlen(text)) | 1 : 0;
}
