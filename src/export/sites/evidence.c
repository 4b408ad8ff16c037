/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the call sites that show a finding. */
#include "export/sites/evidence.h"

#include "base/hash.h"
#include "export/sites/sites.h"
#include "trace/bytes/map.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SITE 512 /* bytes that are kept of a site */

struct search {
	struct weir_findings *findings;
	struct weir_sites *sites;
	struct weir_map wanted; /* event to finding and evidence, + 1 */
	int fd; /* what is written for people is read back from here */
};

static uint64_t witness_key(uint32_t proc, uint32_t thread, uint64_t index)
{
	uint64_t what[] = { proc, thread, index };

	return weir_hash_bytes(what, sizeof(what));
}

static int want_all(struct search *s)
{
	int err = 0;

	for (size_t i = 0; i < s->findings->count; i++) {
		const struct weir_finding *f = &s->findings->list[i];

		for (unsigned k = 0; !err && k < f->evidence_count; k++) {
			const struct weir_witness *w = &f->evidence[k];

			err = weir_map_put(
				&s->wanted,
				witness_key(w->proc, w->thread, w->index),
				i * WEIR_FINDING_SHOWN + k + 1);
		}
	}
	return err;
}

/* ` at FUNCTION (FILE:LINE) < ...`, without the ` at `. */
static char *site_of(struct search *s, const struct weir_event *event)
{
	char line[SITE] = "";
	struct weir_text out;
	ssize_t len;

	if (ftruncate(s->fd, 0) || lseek(s->fd, 0, SEEK_SET) ||
	    weir_text_init(&out, s->fd))
		return NULL;
	weir_sites_put_text(s->sites, &out, event);
	weir_text_flush(&out);
	weir_text_fini(&out);
	len = pread(s->fd, line, sizeof(line) - 1, 0);
	return len > 4 ? strdup(line + 4) : NULL;
}

/* An event may show several findings. */
static void locate(struct search *s, const struct weir_event *event)
{
	for (size_t i = 0; i < s->findings->count; i++) {
		struct weir_finding *f = &s->findings->list[i];

		for (unsigned k = 0; k < f->evidence_count; k++) {
			const struct weir_witness *w = &f->evidence[k];

			if (w->proc == event->proc &&
			    w->thread == event->thread &&
			    w->index == event->index && !f->sites[k])
				f->sites[k] = site_of(s, event);
		}
	}
}

static int read_witnesses(struct search *s, const char *path)
{
	struct weir_reader *reader;
	struct weir_event event;
	int more, err = weir_reader_open(path, &reader);

	if (err)
		return err;
	while ((more = weir_reader_next(reader, &event)) > 0)
		if (event.flags & WEIR_EVENT_SITE &&
		    weir_map_get(
			    &s->wanted,
			    witness_key(event.proc, event.thread, event.index)))
			locate(s, &event);
	weir_reader_close(reader);
	return more;
}

int weir_evidence_locate(const char *path, struct weir_findings *findings)
{
	struct search s = { .findings = findings };
	int err;

	s.fd = memfd_create("weir-site", MFD_CLOEXEC);
	if (s.fd < 0)
		return -errno;
	err = weir_sites_new(path, &s.sites);
	err = err ? err : want_all(&s);
	err = err ? err : read_witnesses(&s, path);
	weir_sites_free(s.sites);
	weir_map_fini(&s.wanted);
	close(s.fd);
	return err;
}
