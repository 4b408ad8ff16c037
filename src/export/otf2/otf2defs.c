/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes each definition of an OTF2 archive when it is first needed. */
#include "export/otf2/otf2defs.h"

#include "analyse/calls/callclass.h"
#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TICKS_PER_SECOND 1000000000
#define ROOT_NODE	 0
#define NOBODY		 0 /* groups */
#define SELF_GROUP	 1
#define SELF		 0 /* the communicator of a process alone */

int weir_otf2defs_error(OTF2_ErrorCode code)
{
	switch (code) {
	case OTF2_SUCCESS:
		return 0;
	case OTF2_ERROR_ENOSPC:
		return -ENOSPC;
	case OTF2_ERROR_ENOMEM:
	case OTF2_ERROR_MEM_ALLOC_FAILED:
		return -ENOMEM;
	case OTF2_ERROR_EACCES:
		return -EACCES;
	default:
		return -EIO;
	}
}

/* --- strings ------------------------------------------------------------ */

/* What is longer than a line of text is cut. */
static const char *make_safe(struct weir_text *line, const void *bytes,
			     size_t len)
{
	line->used = 0;
	weir_text_safe(line, bytes, len < line->room / 8 ? len :
							   line->room / 8);
	weir_text_char(line, '\0');
	return line->bytes;
}

static int add_string(struct weir_otf2defs *defs, const char *safe,
		      uint32_t *ret_string)
{
	*ret_string = defs->strings++;
	return weir_otf2defs_error(OTF2_GlobalDefWriter_WriteString(
		defs->writer, *ret_string, safe));
}

int weir_otf2defs_text(struct weir_otf2defs *defs, const void *bytes,
		       size_t len, uint32_t *ret_string)
{
	uint64_t key = weir_hash_bytes(bytes, len);
	uint64_t known = weir_map_get(&defs->texts, key);
	int err;

	if (known) {
		*ret_string = (uint32_t)(known - 1);
		return 0;
	}
	err = add_string(defs, make_safe(&defs->line, bytes, len), ret_string);
	return err ? err : weir_map_put(&defs->texts, key,
					(uint64_t)*ret_string + 1);
}

static int word(struct weir_otf2defs *defs, const char *text,
		uint32_t *ret_string)
{
	return weir_otf2defs_text(defs, text, strlen(text), ret_string);
}

/* --- hosts and processes ------------------------------------------------ */

static int add_node(struct weir_otf2defs *defs, const char *name,
		    const char *class, uint32_t parent, uint32_t *ret_node)
{
	OTF2_SystemTreeDomain domain =
		parent == OTF2_UNDEFINED_SYSTEM_TREE_NODE ?
			OTF2_SYSTEM_TREE_DOMAIN_MACHINE :
			OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY;
	uint32_t name_string, class_string;
	int err = word(defs, name, &name_string);

	if (!err)
		err = word(defs, class, &class_string);
	if (err)
		return err;
	*ret_node = defs->nodes++;
	err = weir_otf2defs_error(OTF2_GlobalDefWriter_WriteSystemTreeNode(
		defs->writer, *ret_node, name_string, class_string, parent));
	return err ? err :
		     weir_otf2defs_error(
			     OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
				     defs->writer, *ret_node, domain));
}

/* Several files of a trace may be of one host. */
static int find_host(struct weir_otf2defs *defs, const char *host,
		     uint32_t *ret_node)
{
	uint64_t key = weir_hash_bytes(host, strlen(host));
	uint64_t known = weir_map_get(&defs->hosts, key);
	int err;

	if (known) {
		*ret_node = (uint32_t)(known - 1);
		return 0;
	}
	err = add_node(defs, host, "node", ROOT_NODE, ret_node);
	return err ? err : weir_map_put(&defs->hosts, key,
					(uint64_t)*ret_node + 1);
}

/* "rank 3 simulate, pid 4711" */
static int name_process(struct weir_otf2defs *defs,
			const struct weir_procinfo *process,
			uint32_t *ret_string)
{
	struct weir_text *line = &defs->line;

	line->used = 0;
	weir_dump_put_process(line, process);
	weir_text_string(line, ", pid ");
	weir_text_unsigned(line, process->pid);
	weir_text_char(line, '\0');
	return add_string(defs, line->bytes, ret_string);
}

static int add_process(struct weir_otf2defs *defs, uint32_t proc)
{
	const struct weir_procinfo *process =
		weir_reader_process(defs->reader, proc);
	const struct weir_nodeinfo *node =
		process ? weir_reader_node(defs->reader, process->node) : NULL;
	uint32_t host, name;
	int err = find_host(defs, node ? node->host : "?", &host);

	if (!err)
		err = process ? name_process(defs, process, &name) :
				word(defs, "?", &name);
	if (err)
		return err;
	return weir_otf2defs_error(OTF2_GlobalDefWriter_WriteLocationGroup(
		defs->writer, proc - 1, name, OTF2_LOCATION_GROUP_TYPE_PROCESS,
		host, OTF2_UNDEFINED_LOCATION_GROUP));
}

int weir_otf2defs_location(struct weir_otf2defs *defs, uint64_t location,
			   uint32_t proc, uint32_t thread, uint64_t events)
{
	struct weir_text *line = &defs->line;
	uint32_t name;
	int err;

	line->used = 0;
	weir_text_string(line, "thread ");
	weir_text_unsigned(line, proc);
	weir_text_char(line, '.');
	weir_text_unsigned(line, thread);
	weir_text_char(line, '\0');
	err = add_string(defs, line->bytes, &name);
	return err ? err :
		     weir_otf2defs_error(OTF2_GlobalDefWriter_WriteLocation(
			     defs->writer, location, name,
			     OTF2_LOCATION_TYPE_CPU_THREAD, events, proc - 1));
}

/* --- paradigms and attributes ------------------------------------------- */

static const struct {
	const char *layer, *identification, *name;
	OTF2_IoParadigmClass class;
	OTF2_IoParadigmFlag flags;
} paradigms[WEIR_OTF2_PARADIGMS] = {
	[WEIR_OTF2_POSIX] = { "posix", "POSIX", "POSIX I/O",
			      OTF2_IO_PARADIGM_CLASS_SERIAL,
			      OTF2_IO_PARADIGM_FLAG_OS },
	[WEIR_OTF2_ISOC] = { "stdio", "ISOC", "ISO C I/O",
			     OTF2_IO_PARADIGM_CLASS_SERIAL,
			     OTF2_IO_PARADIGM_FLAG_NONE },
	[WEIR_OTF2_MPIIO] = { "mpiio", "MPI-IO", "MPI-IO",
			      OTF2_IO_PARADIGM_CLASS_PARALLEL,
			      OTF2_IO_PARADIGM_FLAG_NONE },
	[WEIR_OTF2_HDF5] = { "hdf5", "HDF5", "HDF5",
			     OTF2_IO_PARADIGM_CLASS_PARALLEL,
			     OTF2_IO_PARADIGM_FLAG_NONE },
	[WEIR_OTF2_PNETCDF] = { "pnetcdf", "PnetCDF", "PnetCDF",
				OTF2_IO_PARADIGM_CLASS_PARALLEL,
				OTF2_IO_PARADIGM_FLAG_NONE },
};

/* Asynchronous calls, and short records, are of the system's. */
enum weir_otf2defs_paradigm weir_otf2defs_paradigm(const char *layer)
{
	for (int i = 0; layer && i < WEIR_OTF2_PARADIGMS; i++)
		if (!strcmp(paradigms[i].layer, layer))
			return i;
	return WEIR_OTF2_POSIX;
}

static int add_paradigm(struct weir_otf2defs *defs, uint8_t n)
{
	uint32_t identification, name;
	int err = word(defs, paradigms[n].identification, &identification);

	if (!err)
		err = word(defs, paradigms[n].name, &name);
	return err ? err :
		     weir_otf2defs_error(OTF2_GlobalDefWriter_WriteIoParadigm(
			     defs->writer, n, identification, name,
			     paradigms[n].class, paradigms[n].flags, 0, NULL,
			     NULL, NULL));
}

static const struct {
	const char *name, *about;
	OTF2_Type type;
} attributes[WEIR_OTF2_ATTRIBUTES] = {
	[WEIR_OTF2_INDEX] = { "index", "of the call among those of its thread",
			      OTF2_TYPE_UINT64 },
	[WEIR_OTF2_FILE] = { "file", "that the call names",
			     OTF2_TYPE_IO_FILE },
	[WEIR_OTF2_OFFSET] = { "offset", "where in the file",
			       OTF2_TYPE_INT64 },
	[WEIR_OTF2_RESULT] = { "result", "of the call", OTF2_TYPE_INT64 },
	[WEIR_OTF2_ERROR] = { "error", "errno, or the library's own number",
			      OTF2_TYPE_INT32 },
	[WEIR_OTF2_LINK] = { "link", "deferred or unknown",
			     OTF2_TYPE_STRING },
	[WEIR_OTF2_BATCHED] = { "batched", "1: several ended together",
				OTF2_TYPE_UINT64 },
	[WEIR_OTF2_ABOVE] = { "above", "index of what is known to be above",
			      OTF2_TYPE_UINT64 },
	[WEIR_OTF2_NODE] = { "node", "the same in all ranks of one call",
			     OTF2_TYPE_UINT64 },
	[WEIR_OTF2_UNJOINED] = { "unjoined", "what of it is not known",
				 OTF2_TYPE_STRING },
	[WEIR_OTF2_CAUSE] = { "cause", "cid of what another process wants",
			      OTF2_TYPE_UINT64 },
	[WEIR_OTF2_ONE_OF] = { "one of", "operations that it may be the end of",
			       OTF2_TYPE_UINT64 },
	[WEIR_OTF2_MARK] = { "mark", "what the program said",
			     OTF2_TYPE_STRING },
	[WEIR_OTF2_STEP] = { "step", "time step of the program",
			     OTF2_TYPE_INT64 },
};

static int add_attribute(struct weir_otf2defs *defs, uint32_t n)
{
	uint32_t name, about;
	int err = word(defs, attributes[n].name, &name);

	if (!err)
		err = word(defs, attributes[n].about, &about);
	return err ? err :
		     weir_otf2defs_error(OTF2_GlobalDefWriter_WriteAttribute(
			     defs->writer, n, name, about,
			     attributes[n].type));
}

/* --- all that is known beforehand --------------------------------------- */

/* Times count from the first event of the trace. */
static int add_clock(struct weir_otf2defs *defs)
{
	uint64_t begin = weir_reader_begin(defs->reader);
	uint64_t end = weir_reader_end(defs->reader);

	return weir_otf2defs_error(OTF2_GlobalDefWriter_WriteClockProperties(
		defs->writer, TICKS_PER_SECOND, 0,
		end > begin ? end - begin : 1, begin));
}

/* Who shares a file in a parallel program is not in the trace. */
static int add_self(struct weir_otf2defs *defs)
{
	uint32_t name;
	int err = word(defs, "process", &name);

	if (!err)
		err = weir_otf2defs_error(OTF2_GlobalDefWriter_WriteGroup(
			defs->writer, NOBODY, name,
			OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
			OTF2_GROUP_FLAG_NONE, 0, NULL));
	if (!err)
		err = weir_otf2defs_error(OTF2_GlobalDefWriter_WriteGroup(
			defs->writer, SELF_GROUP, name,
			OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI,
			OTF2_GROUP_FLAG_NONE, 0, NULL));
	return err ? err :
		     weir_otf2defs_error(OTF2_GlobalDefWriter_WriteComm(
			     defs->writer, SELF, name, SELF_GROUP,
			     OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

static int add_world(struct weir_otf2defs *defs)
{
	uint32_t count = weir_reader_processes(defs->reader), nothing, root;
	int err = add_clock(defs);

	if (!err)
		err = add_string(defs, "", &nothing);
	if (!err)
		err = add_node(defs, "machine", "machine",
			       OTF2_UNDEFINED_SYSTEM_TREE_NODE, &root);
	/* an archive must have one */
	for (uint32_t i = 1; !err && i <= (count ? count : 1); i++)
		err = add_process(defs, i);
	for (uint8_t i = 0; !err && i < WEIR_OTF2_PARADIGMS; i++)
		err = add_paradigm(defs, i);
	for (uint32_t i = 0; !err && i < WEIR_OTF2_ATTRIBUTES; i++)
		err = add_attribute(defs, i);
	return err ? err : add_self(defs);
}

int weir_otf2defs_init(struct weir_otf2defs *defs,
		       const struct weir_reader *reader,
		       OTF2_GlobalDefWriter *writer)
{
	int err = weir_text_init(&defs->line, -1);

	defs->reader = reader;
	defs->writer = writer;
	defs->files = calloc((size_t)weir_reader_names(reader) + 1,
			     sizeof(*defs->files));
	if (!err && !defs->files)
		err = -ENOMEM;
	return err ? err : add_world(defs);
}

void weir_otf2defs_fini(struct weir_otf2defs *defs)
{
	weir_map_fini(&defs->texts);
	weir_map_fini(&defs->hosts);
	weir_text_fini(&defs->line);
	free(defs->files);
}

/* --- as they come ------------------------------------------------------- */

int weir_otf2defs_file(struct weir_otf2defs *defs, uint32_t number,
		       uint32_t *ret_file)
{
	uint32_t string;
	const char *name;
	size_t len;
	int err;

	if (defs->files[number]) {
		*ret_file = defs->files[number] - 1;
		return 0;
	}
	name = weir_reader_name(defs->reader, number, &len);
	*ret_file = defs->file_count++;
	defs->files[number] = defs->file_count;
	err = add_string(defs, make_safe(&defs->line, name ? name : "?",
					 name ? len : 1), &string);
	if (err)
		return err;
	return weir_otf2defs_error(OTF2_GlobalDefWriter_WriteIoRegularFile(
		defs->writer, *ret_file, string, ROOT_NODE));
}

static OTF2_RegionRole role_of(const struct weir_call *call)
{
	enum weir_callclass class = weir_callclass_of(call);

	if (call && call->layer && !strcmp(call->layer, "mark"))
		return OTF2_REGION_ROLE_ARTIFICIAL;
	if (weir_callclass_moves(class) || weir_callclass_has_size(class) ||
	    class == WEIR_CLASS_SYNC || class == WEIR_CLASS_SEEK ||
	    class == WEIR_CLASS_MAP)
		return OTF2_REGION_ROLE_FILE_IO;
	return OTF2_REGION_ROLE_FILE_IO_METADATA;
}

int weir_otf2defs_region(struct weir_otf2defs *defs, uint32_t region,
			 const struct weir_dump_event *event)
{
	const struct weir_call *call = event->call;
	uint32_t name, layer;
	int err;

	defs->line.used = 0;
	weir_dump_put_call(&defs->line, event);
	weir_text_char(&defs->line, '\0');
	err = add_string(defs, defs->line.bytes, &name);
	if (!err)
		err = word(defs, call && call->layer ? call->layer : "?",
			   &layer);
	return err ? err :
		     weir_otf2defs_error(OTF2_GlobalDefWriter_WriteRegion(
			     defs->writer, region, name, name, layer,
			     role_of(call), call && call->layer &&
			     !strcmp(call->layer, "mpiio") ?
				     OTF2_PARADIGM_MPI : OTF2_PARADIGM_NONE,
			     OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0,
			     0));
}

int weir_otf2defs_handle(struct weir_otf2defs *defs,
			 const struct weir_otf2defs_open *open,
			 uint32_t *ret_handle)
{
	*ret_handle = defs->handles++;
	return weir_otf2defs_error(OTF2_GlobalDefWriter_WriteIoHandle(
		defs->writer, *ret_handle, 0, open->file,
		(uint8_t)open->paradigm,
		open->was_there ? OTF2_IO_HANDLE_FLAG_PRE_CREATED :
				  OTF2_IO_HANDLE_FLAG_NONE,
		SELF, open->parent));
}
