/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds functions and lines of code by libdw. */
#include "export/sites/dwarf.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct weir_dwarf {
	Dwfl *dwfl;
	Dwfl_Module *module;
	Dwarf_Addr begin;
};

/* Separate debug files are looked for by build id below /usr/lib/debug. */
static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static int has_build(Dwfl_Module *module, const char *build)
{
	const unsigned char *bits = NULL;
	GElf_Addr at;
	int bytes = dwfl_module_build_id(module, &bits, &at);

	if (bytes < 0)
		bytes = 0;
	if (strlen(build) != 2 * (size_t)bytes)
		return 0;
	for (int i = 0; i < bytes; i++) {
		char two[3] = { build[2 * i], build[2 * i + 1], 0 };

		if (strtoul(two, NULL, 16) != bits[i])
			return 0;
	}
	return 1;
}

static int open_module(struct weir_dwarf *dwarf, const char *path,
		       const char *build)
{
	GElf_Addr bias;

	dwarf->dwfl = dwfl_begin(&callbacks);
	if (!dwarf->dwfl)
		return -ENOMEM;
	dwfl_report_begin(dwarf->dwfl);
	dwarf->module = dwfl_report_offline(dwarf->dwfl, path, path, -1);
	dwfl_report_end(dwarf->dwfl, NULL, NULL);
	/* The build id is not known before the file is looked at. */
	if (!dwarf->module || !dwfl_module_getelf(dwarf->module, &bias))
		return -ENOEXEC;
	if (!has_build(dwarf->module, build))
		return -ESTALE;
	dwfl_module_info(dwarf->module, NULL, &dwarf->begin, NULL, NULL, NULL,
			 NULL, NULL);
	return 0;
}

int weir_dwarf_open(const char *path, const char *build,
		    struct weir_dwarf **ret_dwarf)
{
	struct weir_dwarf *dwarf;
	int err;

	if (access(path, R_OK))
		return -errno;
	dwarf = calloc(1, sizeof(*dwarf));
	if (!dwarf)
		return -ENOMEM;
	err = open_module(dwarf, path, build);
	if (err)
		weir_dwarf_close(dwarf);
	else
		*ret_dwarf = dwarf;
	return err;
}

void weir_dwarf_close(struct weir_dwarf *dwarf)
{
	if (!dwarf)
		return;
	if (dwarf->dwfl)
		dwfl_end(dwarf->dwfl);
	free(dwarf);
}

/* Not every compiler writes an index of addresses: then unit by unit. */
static void find_line(Dwfl_Module *module, Dwarf_Addr at,
		      struct weir_dwarf_place *place)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = NULL;
	Dwarf_Line *line;

	while ((unit = dwfl_module_nextcu(module, unit, &bias)))
		if (dwarf_haspc(unit, at - bias) > 0)
			break;
	line = unit ? dwarf_getsrc_die(unit, at - bias) : NULL;
	if (line && !dwarf_lineno(line, &place->line))
		place->file = dwarf_linesrc(line, NULL, NULL);
}

void weir_dwarf_find(struct weir_dwarf *dwarf, uint64_t offset,
		     struct weir_dwarf_place *ret_place)
{
	Dwarf_Addr at = dwarf->begin + offset;
	Dwfl_Line *line = dwfl_module_getsrc(dwarf->module, at);

	*ret_place = (struct weir_dwarf_place){
		.function = dwfl_module_addrname(dwarf->module, at),
	};
	if (line)
		ret_place->file = dwfl_lineinfo(line, NULL, &ret_place->line,
						NULL, NULL, NULL);
	else
		find_line(dwarf->module, at, ret_place);
}
