/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads XML by Mini-XML. It does not tell lines to those that it calls: it is
 * given a stream that hands out one byte at a time and counts them.
 */
#include "plan/xmlread.h"

#include "base/text.h"

#include <errno.h>
#include <mxml.h>
#include <string.h>

struct reading {
	const char *bytes;
	size_t size, at;
	unsigned line;	   /* that `at` is in */
	bool in_tag;
	unsigned tag_line; /* of the < that began it */
	unsigned text_line; /* of the first letter after the last > */
	bool fresh;	   /* there was none yet */
	bool stopped;
	unsigned depth;
	const struct weir_xmlread_taker *taker;
	struct weir_complaints *complaints;
};

/* Mini-XML tells errors to a function that is told nothing else. */
static _Thread_local struct reading *current;

/*
 * Mini-XML reads whole elements before it calls, so that the line of the reader
 * is not theirs: the lines of the last < and of the last text are kept.
 */
static void follow_lines(struct reading *r, char c)
{
	if (c == '<') {
		r->tag_line = r->in_tag ? r->tag_line : r->line;
		r->in_tag = true;
	} else if (c == '>') {
		r->in_tag = false;
		r->fresh = true;
	} else if (r->fresh && !strchr(" \t\r\n", c)) {
		r->text_line = r->line;
		r->fresh = false;
	}
	r->line += c == '\n';
}

static ssize_t hand_out(void *cookie, char *to, size_t size)
{
	struct reading *r = cookie;

	if (r->stopped || r->at == r->size || !size)
		return 0;
	*to = r->bytes[r->at++];
	follow_lines(r, *to);
	return 1;
}

/* Once: what follows a mistake in XML is mostly its consequence. */
static void complain(struct reading *r, unsigned line, const char *what)
{
	if (!r->stopped)
		weir_complaint_tell(r->complaints, line, "%s", what);
	r->stopped = true;
}

/*
 * Its messages end with the element around, which may be none, and with the
 * line as it counts them; ours begin with it.
 */
static void complain_of_xml(const char *message)
{
	static const char *const ends[] = { " on line ",
					    " under parent <(null)>" };
	char what[200];

	if (!current)
		return;
	snprintf(what, sizeof(what), "this is no XML: %s", message);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		char *end = strstr(what, ends[i]);

		if (end)
			*end = '\0';
	}
	complain(current, current->line, what);
}

static void open_element(struct reading *r, mxml_node_t *node)
{
	struct weir_xmlread_element element = {
		.name = mxmlGetElement(node), .line = r->tag_line,
	};
	int count = mxmlElementGetAttrCount(node);

	if (++r->depth > WEIR_XMLREAD_DEEPEST) {
		complain(r, r->tag_line, "too deep; elements are at most 8 "
			 "deep");
		return;
	}
	if (count > WEIR_XMLREAD_ATTRIBUTES) {
		complain(r, r->tag_line, "more than 16 attributes");
		return;
	}
	for (int i = 0; i < count; i++) {
		const char *value = mxmlElementGetAttrByIndex(
			node, i, &element.key[i]);

		element.value[i] = value ? value : "";
	}
	element.count = (unsigned)count;
	r->taker->open(r->taker->who, &element);
}

/* <?xml ...?> only says what it is; <!DOCTYPE ...> could say anything. */
static void see_directive(struct reading *r, mxml_node_t *node)
{
	const char *name = mxmlGetElement(node);

	if (name && *name == '!')
		complain(r, r->tag_line, "document types and entities have no "
			 "place here; take it out");
}

static void see_node(mxml_node_t *node, mxml_sax_event_t event, void *data)
{
	struct reading *r = data;
	const char *text;

	if (r->stopped)
		return;
	switch (event) {
	case MXML_SAX_ELEMENT_OPEN:
		open_element(r, node);
		return;
	case MXML_SAX_ELEMENT_CLOSE:
		r->depth--;
		r->taker->close(r->taker->who);
		return;
	case MXML_SAX_DATA:
		text = mxmlGetOpaque(node);
		break;
	case MXML_SAX_CDATA:
		text = mxmlGetCDATA(node);
		break;
	case MXML_SAX_DIRECTIVE:
		see_directive(r, node);
		return;
	default:
		return;
	}
	if (text)
		r->taker->text(r->taker->who, text, r->text_line);
}

/* What is no text is told before a parser sees it. */
static bool is_text(struct reading *r)
{
	unsigned line = 1;

	for (size_t i = 0; i < r->size;) {
		const uint8_t *at = (const uint8_t *)r->bytes + i;
		size_t length = weir_text_shown(at, r->size - i);

		if (!length && !(*at && strchr("\t\r\n", *at))) {
			complain(r, line, "a byte that is no text; plans are "
				 "XML in UTF-8");
			return false;
		}
		line += *at == '\n';
		i += length ? length : 1;
	}
	return true;
}

static int parse(struct reading *r)
{
	cookie_io_functions_t functions = { .read = hand_out };
	FILE *stream = fopencookie(r, "r", functions);
	mxml_node_t *tree;

	if (!stream)
		return -ENOMEM;
	setvbuf(stream, NULL, _IONBF, 0);
	current = r;
	mxmlSetErrorCallback(complain_of_xml);
	tree = mxmlSAXLoadFile(NULL, stream, MXML_OPAQUE_CALLBACK, see_node, r);
	mxmlSetErrorCallback(NULL);
	current = NULL;
	mxmlDelete(tree);
	fclose(stream);
	return 0;
}

int weir_xmlread_take(const char *bytes, size_t size,
		      const struct weir_xmlread_taker *taker,
		      struct weir_complaints *complaints)
{
	struct reading r = {
		.bytes = bytes, .size = size, .line = 1, .tag_line = 1,
		.text_line = 1, .fresh = true, .taker = taker,
		.complaints = complaints,
	};
	int err;

	if (size >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3)) {
		r.bytes += 3;
		r.size -= 3;
	}
	if (size > WEIR_XMLREAD_LARGEST) {
		complain(&r, 1, "larger than 256 KiB; no plan is");
		return 0;
	}
	if (!is_text(&r))
		return 0;
	err = parse(&r);
	if (err)
		return err;
	if (r.depth)
		complain(&r, r.line, "it ends before all elements do");
	else if (!r.fresh)
		complain(&r, r.text_line, "text behind the end; take it out");
	return 0;
}
