/* SPDX-License-Identifier: BSD-3-Clause */
/* Exports a trace to an OTF2 archive, for Vampir and others. */
#include "export/export.h"

#include "analyse/calls/callclass.h"
#include "base/hash.h"
#include "export/callbook.h"
#include "export/nesting.h"
#include "export/otf2/otf2check.h"
#include "export/otf2/otf2defs.h"
#include "export/otf2/otf2handles.h"
#include "export/otf2/otf2notes.h"
#include "export/otf2/otf2places.h"
#include "trace/event/pending.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARCHIVE "traces"

/* What is to be told when a call is left; tags of the nesting. */
enum { HANDLE, MATCHING, DUTIES, HOW };

#define COMPLETES 1 /* an operation */
#define ISSUES	  2
#define CREATES	  4 /* its handle */
#define DESTROYS  8
#define SEEKS	  16
#define DELETES	  32 /* a file, in the place of the handle */

struct archive {
	struct weir_export *export;
	OTF2_Archive *archive;
	struct weir_otf2notes notes;
	OTF2_EvtWriter *writer; /* of the thread that makes a call */
	struct weir_otf2defs defs;
	struct weir_otf2places places;
	struct weir_otf2handles handles;
	struct weir_nesting nesting;
	struct weir_callbook calls;
	struct weir_map matching; /* operations under way, by their ids */
	struct weir_map target;	  /* and their handles + 1 */
	uint64_t operations, changed;
	uint32_t proc; /* whose events come */
};

static int outcome(OTF2_ErrorCode code)
{
	return weir_otf2defs_error(code);
}

static uint64_t event_key(struct weir_tree_id id)
{
	uint64_t parts[] = { (uint64_t)id.proc << 32 | id.thread, id.index };

	return weir_hash_numbers(parts, sizeof(parts));
}

/* --- operations --------------------------------------------------------- */

static bool has_worked(const struct weir_event *event)
{
	return !(event->flags & (WEIR_EVENT_FAILED | WEIR_EVENT_ENTERED));
}

/* -1: it is no operation. */
static int mode_of(const struct weir_dump_event *described)
{
	static const int modes[WEIR_CLASS_COUNT] = {
		[WEIR_CLASS_READ] = OTF2_IO_OPERATION_MODE_READ + 1,
		[WEIR_CLASS_GET] = OTF2_IO_OPERATION_MODE_READ + 1,
		[WEIR_CLASS_FILL] = OTF2_IO_OPERATION_MODE_READ + 1,
		[WEIR_CLASS_DONE] = OTF2_IO_OPERATION_MODE_READ + 1,
		[WEIR_CLASS_WRITE] = OTF2_IO_OPERATION_MODE_WRITE + 1,
		[WEIR_CLASS_PUT] = OTF2_IO_OPERATION_MODE_WRITE + 1,
		[WEIR_CLASS_DRAIN] = OTF2_IO_OPERATION_MODE_WRITE + 1,
		[WEIR_CLASS_SYNC] = OTF2_IO_OPERATION_MODE_FLUSH + 1,
	};
	enum weir_callclass class = weir_callclass_of(described->call);

	/* of a copy, the file that its event names */
	if (class == WEIR_CLASS_COPY)
		return weir_call_has(described->call, WEIR_TRAIT_WRITES) ?
			       OTF2_IO_OPERATION_MODE_WRITE :
			       OTF2_IO_OPERATION_MODE_READ;
	if (class != WEIR_CLASS_SUBMIT)
		return modes[class] - 1;
	switch (weir_pending_way_of(described->event, described->call)) {
	case WEIR_PENDING_READS:
		return OTF2_IO_OPERATION_MODE_READ;
	case WEIR_PENDING_WRITES:
		return OTF2_IO_OPERATION_MODE_WRITE;
	default:
		return OTF2_IO_OPERATION_MODE_FLUSH;
	}
}

static int begin_operation(struct archive *to,
			   const struct weir_dump_event *described,
			   struct weir_nesting_call *call, int mode,
			   bool is_issued)
{
	const struct weir_event *event = described->event;
	uint32_t handle;
	int err = weir_otf2handles_find(&to->handles, described, &handle);

	if (err)
		return err;
	call->tag[HANDLE] = handle;
	call->tag[MATCHING] = ++to->operations;
	call->tag[DUTIES] |= is_issued ? ISSUES : COMPLETES;
	if (!(event->flags & WEIR_EVENT_NOOFF))
		OTF2_AttributeList_AddInt64(to->notes.list, WEIR_OTF2_OFFSET,
					    event->off);
	err = outcome(OTF2_EvtWriter_IoOperationBegin(
		to->writer, to->notes.list, call->start, handle,
		(OTF2_IoOperationMode)mode,
		(is_issued ? OTF2_IO_OPERATION_FLAG_NON_BLOCKING : 0) |
			(described->relation->joint
				 ? OTF2_IO_OPERATION_FLAG_COLLECTIVE
				 : 0),
		event->size, call->tag[MATCHING]));
	if (!err && is_issued)
		err = weir_map_put(&to->matching,
				   event_key(weir_tree_id_of(event)),
				   to->operations);
	return err || !is_issued
		       ? err
		       : weir_map_put(&to->target,
				      event_key(weir_tree_id_of(event)),
				      (uint64_t)handle + 1);
}

/* Whether it is the end of an operation that is known. */
static bool take_end(struct archive *to,
		     const struct weir_dump_event *described,
		     struct weir_nesting_call *call, bool is_last)
{
	const struct weir_links_end *end = &described->relation->end;
	uint64_t key = event_key(end->to);

	if ((end->kind != WEIR_LINKS_COMPLETES &&
	     end->kind != WEIR_LINKS_BATCHED) ||
	    !weir_map_get(&to->matching, key))
		return false;
	call->tag[HANDLE] = weir_map_get(&to->target, key) - 1;
	call->tag[MATCHING] = weir_map_get(&to->matching, key);
	call->tag[DUTIES] |= COMPLETES;
	if (is_last) {
		weir_map_remove(&to->matching, key);
		weir_map_remove(&to->target, key);
	}
	return true;
}

static int take_operation(struct archive *to,
			  const struct weir_dump_event *described,
			  struct weir_nesting_call *call)
{
	int mode = mode_of(described), is_last;
	uint64_t key;
	enum weir_pending_side side =
		weir_pending_look(described->event, described->call, &key,
				  &is_last);

	if (side == WEIR_PENDING_DONE && take_end(to, described, call, is_last))
		return 0;
	if (mode < 0)
		return 0;
	return begin_operation(to, described, call, mode,
			       side == WEIR_PENDING_SUBMIT);
}

/* --- handles ------------------------------------------------------------ */

static bool is_deletion(const struct weir_call *call)
{
	return call && weir_call_is(call, WEIR_MEANS_UNLINK) && call->has_path;
}

/* Of a descriptor: what streams and libraries seek, the event does not tell. */
static bool is_seek(const struct weir_call *call)
{
	return call && weir_call_is(call, WEIR_MEANS_SEEK) &&
	       call->argument_count &&
	       !strcmp(call->arguments[0].kind->name, "fd");
}

static int take_creation(struct archive *to,
			 const struct weir_dump_event *described,
			 struct weir_nesting_call *call, uint32_t parent)
{
	struct weir_otf2handles_how how = weir_otf2handles_how(described);
	uint32_t handle;
	int err = weir_otf2handles_create(&to->handles, described, parent,
					  &handle);

	call->tag[HANDLE] = handle;
	call->tag[DUTIES] |= CREATES;
	call->tag[HOW] = how.mode | (uint64_t)how.creation << 8 |
			 (uint64_t)how.status << 32;
	return err;
}

static int take_handle(struct archive *to,
		       const struct weir_dump_event *described,
		       struct weir_nesting_call *call, uint32_t parent)
{
	enum weir_callclass class = weir_callclass_of(described->call);
	const struct weir_event *event = described->event;
	uint32_t handle;
	int err;

	if (!has_worked(event) || call->tag[DUTIES])
		return 0;
	if (event->flags & WEIR_EVENT_NEWHANDLE && event->handle)
		return take_creation(to, described, call, parent);
	if (is_deletion(described->call) && described->file) {
		call->tag[DUTIES] |= DELETES;
		err = weir_otf2defs_file(&to->defs, event->file, &handle);
		call->tag[HANDLE] = handle;
		return err;
	}
	if (class != WEIR_CLASS_CLOSE && !is_seek(described->call))
		return 0;
	if (!event->handle)
		return 0;
	err = weir_otf2handles_find(&to->handles, described, &handle);
	call->tag[HANDLE] = handle;
	call->tag[DUTIES] |= class == WEIR_CLASS_CLOSE ? DESTROYS : SEEKS;
	return err;
}

/* --- calls -------------------------------------------------------------- */

static int take_region(struct archive *to,
		       const struct weir_dump_event *described,
		       uint32_t *ret_region)
{
	bool is_new;
	int err = weir_callbook_find(&to->calls, described, ret_region,
				     &is_new);

	--*ret_region; /* OTF2 counts from 0 */
	return err || !is_new ? err :
				weir_otf2defs_region(&to->defs, *ret_region,
						     described);
}

static uint32_t handle_around(const struct weir_nesting_call *around)
{
	return around && around->tag[DUTIES] & CREATES ?
		       (uint32_t)around->tag[HANDLE] :
		       OTF2_UNDEFINED_IO_HANDLE;
}

static int enter_call(struct archive *to,
		      const struct weir_dump_event *described)
{
	struct weir_nesting_call *call;
	uint32_t region, parent;
	int err = take_region(to, described, &region);

	if (!err)
		err = weir_nesting_enter(&to->nesting, described, &call);
	if (!err)
		err = weir_otf2places_need(&to->places, described->event,
					   &to->writer);
	if (!err)
		err = weir_otf2notes_add(&to->notes, described);
	if (err)
		return err;
	parent = handle_around(weir_nesting_around(&to->nesting, call));
	err = outcome(OTF2_EvtWriter_Enter(to->writer, to->notes.list,
					   call->start, region));
	if (!err)
		err = take_operation(to, described, call);
	return err ? err : take_handle(to, described, call, parent);
}

static uint64_t bytes_moved(const struct weir_event *event)
{
	return event->flags & WEIR_EVENT_FAILED || event->ret < 0 ?
		       0 : (uint64_t)event->ret;
}

static int end_operation(OTF2_EvtWriter *writer,
			 const struct weir_nesting_call *call)
{
	uint32_t handle = (uint32_t)call->tag[HANDLE];

	if (call->event.flags & WEIR_EVENT_ENTERED)
		return 0;
	if (call->tag[DUTIES] & ISSUES)
		return outcome(OTF2_EvtWriter_IoOperationIssued(
			writer, NULL, call->end, handle, call->tag[MATCHING]));
	return outcome(OTF2_EvtWriter_IoOperationComplete(
		writer, NULL, call->end, handle, bytes_moved(&call->event),
		call->tag[MATCHING]));
}

static int end_handle(struct archive *to, OTF2_EvtWriter *writer,
		      const struct weir_nesting_call *call)
{
	const struct weir_event *event = &call->event;
	uint32_t handle = (uint32_t)call->tag[HANDLE];
	uint64_t how = call->tag[HOW];

	if (call->tag[DUTIES] & CREATES)
		return outcome(OTF2_EvtWriter_IoCreateHandle(
			writer, NULL, call->end, handle, how & 0xff,
			how >> 8 & 0xffffff, (uint32_t)(how >> 32)));
	if (call->tag[DUTIES] & SEEKS)
		return outcome(OTF2_EvtWriter_IoSeek(
			writer, NULL, call->end, handle, event->off,
			event->size <= OTF2_IO_SEEK_HOLE ?
				(OTF2_IoSeekOption)event->size : 0,
			(uint64_t)event->ret));
	if (call->tag[DUTIES] & DELETES)
		return outcome(OTF2_EvtWriter_IoDeleteFile(
			writer, NULL, call->end,
			weir_otf2defs_paradigm(call->call->layer), handle));
	weir_otf2handles_close(&to->handles, event, call->call);
	return outcome(OTF2_EvtWriter_IoDestroyHandle(writer, NULL, call->end,
						      handle));
}

static int leave_call(void *context, const struct weir_nesting_call *call)
{
	struct archive *to = context;
	const struct weir_event *event = &call->event;
	struct weir_dump_event described = { .event = event,
					     .call = call->call };
	OTF2_EvtWriter *writer;
	uint32_t region;
	int err = weir_otf2places_need(&to->places, event, &writer);

	if (!err)
		err = take_region(to, &described, &region);
	if (!err && call->tag[DUTIES] & (COMPLETES | ISSUES))
		err = end_operation(writer, call);
	else if (!err && call->tag[DUTIES])
		err = end_handle(to, writer, call);
	if (err)
		return err;
	if (!(event->flags & WEIR_EVENT_ENTERED))
		OTF2_AttributeList_AddInt64(to->notes.list, WEIR_OTF2_RESULT,
					    event->ret);
	if (event->flags & WEIR_EVENT_FAILED)
		OTF2_AttributeList_AddInt32(to->notes.list, WEIR_OTF2_ERROR,
					    event->err);
	return outcome(OTF2_EvtWriter_Leave(writer, to->notes.list, call->end,
					    region));
}

/* --- processes ---------------------------------------------------------- */

/* Of a process nothing but its definitions is kept. */
static int end_process(struct archive *to)
{
	int err = weir_nesting_finish(&to->nesting);

	to->changed += to->nesting.changed;
	weir_nesting_fini(&to->nesting);
	weir_nesting_init(&to->nesting, leave_call, to);
	weir_otf2handles_reset(&to->handles);
	return err ? err : weir_otf2places_close(&to->places);
}

static int put_otf2_event(struct weir_export *export,
			  const struct weir_dump_event *described)
{
	struct archive *to = export->own;
	const struct weir_event *event = described->event;
	int err = 0;

	if (event->proc != to->proc)
		err = end_process(to);
	to->proc = event->proc;
	if (err)
		return err;
	if (event->call == WEIR_NOTE_LOSS)
		return weir_otf2places_lose(&to->places, event,
					    described->start);
	return enter_call(to, described);
}

/* --- the archive -------------------------------------------------------- */

static OTF2_FlushType write_out(void *user, OTF2_FileType type,
				OTF2_LocationRef location, void *caller,
				bool is_final)
{
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flushing = { .otf2_pre_flush = write_out };

/* The first complaint of the library says most. */
static OTF2_ErrorCode keep_error(void *user, const char *file, uint64_t line,
				 const char *function, OTF2_ErrorCode code,
				 const char *format, va_list args)
{
	struct weir_export *export = user;
	char more[200] = "";

	if (format)
		vsnprintf(more, sizeof(more), format, args);
	if (!export->error[0])
		snprintf(export->error, sizeof(export->error), "OTF2: %s: %s",
			 OTF2_Error_GetDescription(code), more);
	return code;
}

static int open_archive(struct archive *to, const char *place)
{
	to->notes.list = OTF2_AttributeList_New();
	to->notes.defs = &to->defs;
	to->archive = OTF2_Archive_Open(place, ARCHIVE, OTF2_FILEMODE_WRITE,
					OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
					OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
					OTF2_SUBSTRATE_POSIX,
					OTF2_COMPRESSION_NONE);
	if (!to->notes.list || !to->archive)
		return -EIO;
	OTF2_Archive_SetFlushCallbacks(to->archive, &flushing, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(to->archive);
	OTF2_Archive_SetCreator(to->archive, "weir " WEIR_VERSION);
	return outcome(OTF2_Archive_OpenEvtFiles(to->archive));
}

static int begin_otf2(struct weir_export *export)
{
	struct archive *to = calloc(1, sizeof(*to));
	OTF2_GlobalDefWriter *writer;
	int err;

	if (!to)
		return -ENOMEM;
	export->own = to;
	to->export = export;
	weir_nesting_init(&to->nesting, leave_call, to);
	OTF2_Error_RegisterCallback(keep_error, export);
	err = open_archive(to, export->place);
	if (err)
		return err;
	writer = OTF2_Archive_GetGlobalDefWriter(to->archive);
	if (!writer)
		return -EIO;
	to->handles.defs = &to->defs;
	err = weir_otf2defs_init(&to->defs, export->reader, writer);
	return err ? err : weir_otf2places_init(&to->places, to->archive,
						&to->defs);
}

static int close_archive(struct archive *to)
{
	OTF2_Archive *archive = to->archive;
	uint64_t definitions = 0;
	char anchor[PATH_MAX];
	int err = outcome(OTF2_GlobalDefWriter_GetNumberOfDefinitions(
		to->defs.writer, &definitions));

	to->archive = NULL;
	if (OTF2_Archive_Close(archive) || err)
		return -EIO;
	if (snprintf(anchor, sizeof(anchor), "%s/" ARCHIVE ".otf2",
		     to->export->place) >= (int)sizeof(anchor))
		return -ENAMETOOLONG;
	return weir_otf2check_read(anchor, definitions, to->places.count,
				   to->places.events);
}

static int end_otf2(struct weir_export *export)
{
	struct archive *to = export->own;
	OTF2_Archive *archive = to->archive;
	int err = end_process(to);

	export->changed = to->changed;
	if (!err)
		err = weir_otf2places_finish(&to->places);
	if (err)
		return err;
	OTF2_Archive_SetProperty(archive, "WEIR::STATE",
				 weir_reader_is_damaged(export->reader) ?
					 "damaged" : "whole", true);
	OTF2_Archive_SetDescription(archive, "I/O recorded by weir");
	return close_archive(to);
}

static void leave_otf2(struct weir_export *export)
{
	struct archive *to = export->own;

	if (!to)
		return;
	if (to->archive)
		OTF2_Archive_Close(to->archive);
	if (to->notes.list)
		OTF2_AttributeList_Delete(to->notes.list);
	weir_otf2places_fini(&to->places);
	weir_otf2handles_reset(&to->handles);
	weir_otf2defs_fini(&to->defs);
	weir_nesting_fini(&to->nesting);
	weir_callbook_fini(&to->calls);
	weir_map_fini(&to->matching);
	weir_map_fini(&to->target);
	free(to);
}

const struct weir_export_format weir_to_otf2 = {
	.name = "otf2",
	.by_process = true,
	.begin = begin_otf2,
	.event = put_otf2_event,
	.end = end_otf2,
	.leave = leave_otf2,
};
