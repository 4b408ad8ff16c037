/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks whether an OTF2 archive that was written is whole. */
#include "export/otf2/otf2check.h"

#include <errno.h>
#include <otf2/otf2.h>

static uint64_t count_definitions(OTF2_Reader *reader)
{
	OTF2_GlobalDefReader *definitions =
		OTF2_Reader_GetGlobalDefReader(reader);
	uint64_t count = 0;

	if (definitions)
		OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions,
						     &count);
	return count;
}

static uint64_t count_events(OTF2_Reader *reader, uint64_t location)
{
	OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, location);
	uint64_t count = 0;

	if (!events)
		return 0;
	if (OTF2_Reader_ReadAllLocalEvents(reader, events, &count))
		count = 0;
	OTF2_Reader_CloseEvtReader(reader, events);
	return count;
}

int weir_otf2check_read(const char *anchor, uint64_t definitions,
			uint64_t locations, uint64_t events)
{
	OTF2_Reader *reader = OTF2_Reader_Open(anchor);
	uint64_t seen = 0;
	int err;

	if (!reader)
		return -EIO;
	OTF2_Reader_SetSerialCollectiveCallbacks(reader);
	err = count_definitions(reader) == definitions ? 0 : -EIO;
	for (uint64_t i = 0; !err && i < locations; i++)
		OTF2_Reader_SelectLocation(reader, i);
	if (!err && OTF2_Reader_OpenEvtFiles(reader))
		err = -EIO;
	for (uint64_t i = 0; !err && i < locations; i++)
		seen += count_events(reader, i);
	OTF2_Reader_CloseEvtFiles(reader);
	OTF2_Reader_Close(reader);
	return err || seen == events ? err : -EIO;
}
