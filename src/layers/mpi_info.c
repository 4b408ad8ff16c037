/* SPDX-License-Identifier: BSD-3-Clause */
/* The hints of a file as text. */
#include "layers/mpi_info.h"

#include "layers/mpi_real.h"

#include <string.h>

#define LONGEST_KEY   256
#define LONGEST_VALUE 256
#define ROOM	      2000

static __thread char text[ROOM + 1];

/* False: there is no room for it. */
static bool add(size_t *used, const char *word, char after)
{
	size_t len = strlen(word);

	if (len + 1 > ROOM - *used)
		return false;
	memcpy(text + *used, word, len);
	text[*used + len] = after;
	*used += len + 1;
	return true;
}

static bool add_pair(size_t *used, long info, int n)
{
	char key[LONGEST_KEY] = "", value[LONGEST_VALUE + 1] = "";
	int found = 0;

	if (weir_mpi_real.info_nthkey(info, n, key) ||
	    weir_mpi_real.info_get(info, key, LONGEST_VALUE, value, &found) ||
	    !found)
		return true;
	return add(used, key, '=') && add(used, value, ';');
}

const char *weir_mpi_info_of(long fh)
{
	size_t used = 0;
	long info = 0;
	int n = 0;

	text[0] = 0;
	if (weir_mpi_real.get_info(fh, &info) ||
	    weir_mpi_cut(info) == weir_mpi_flavour.info_null)
		return text;
	if (weir_mpi_real.info_nkeys(info, &n))
		n = 0;
	for (int i = 0; i < n; i++)
		if (!add_pair(&used, info, i))
			break;
	weir_mpi_real.info_free(&info);
	text[used ? used - 1 : 0] = 0;
	return text;
}
