/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what to try about a finding: a command, and the plan that it wants. */
#include "report/as_remedy.h"

#include "analyse/view/who.h"
#include "report/output/jsonout.h"
#include "report/output/memtext.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A longer command is not pasted: its user has it somewhere. */
#define LONGEST 1024

static bool is_plain(char c)
{
	return c > ' ' && c != 0x7f && !strchr("'\"\\$`!*?[]{}()<>|&;#~=%^", c);
}

/* As a shell reads it. */
static void put_word(struct weir_text *out, const char *word)
{
	size_t len = 0;

	while (word[len] && (is_plain(word[len]) ||
			     (len && strchr("=%~", word[len]))))
		len++;
	if (*word && !word[len]) {
		weir_text_string(out, word);
		return;
	}
	weir_text_char(out, '\'');
	for (; *word; word++)
		weir_text_string(out, *word == '\'' ? "'\"'\"'" :
						(char[]){ *word, 0 });
	weir_text_char(out, '\'');
}

static bool can_be_pasted(const struct weir_procinfo *process)
{
	size_t all = 0;

	for (size_t i = 0; i < process->arg_count; i++) {
		const char *arg = process->args[i];

		all += strlen(arg) + 1;
		for (; *arg; arg++)
			if ((unsigned char)*arg < ' ' || *arg == 0x7f)
				return false;
	}
	return process->arg_count && all < LONGEST;
}

/* Launchers are not recorded, but what they tell their ranks. */
static void put_launcher(struct weir_text *out,
			 const struct weir_procinfo *process)
{
	const char *launcher = weir_procinfo_tells(process, "launcher");
	const char *size = weir_procinfo_tells(process, "size");

	if (weir_procinfo_rank(process) < 0 || !launcher || !size ||
	    !strcmp(size, "1"))
		return;
	weir_text_string(out, strcmp(launcher, "slurm") ? "mpirun -n " :
							  "srun -n ");
	weir_text_string(out, size);
	weir_text_char(out, ' ');
}

static void put_program(struct weir_text *out,
			const struct weir_findings *findings)
{
	const struct weir_procinfo *own = NULL;

	if (findings->reader)
		weir_who_own(findings->reader, &own);
	if (!own || !can_be_pasted(own)) {
		weir_text_string(out, " COMMAND");
		return;
	}
	weir_text_char(out, ' ');
	put_launcher(out, own);
	for (size_t i = 0; i < own->arg_count; i++) {
		weir_text_string(out, i ? " " : "");
		put_word(out, own->args[i]);
	}
}

static void put_option(struct weir_text *out,
		       const struct weir_remedy_part *option)
{
	weir_text_char(out, ' ');
	weir_text_bytes(out, option->key, option->key_len);
	if (*option->value)
		weir_text_char(out, '=');
	weir_text_string(out, option->value);
}

static void name_plan(char to[PATH_MAX], const struct weir_findings *findings,
		      const struct weir_finding *finding)
{
	size_t len = strlen(findings->trace);

	while (len > 1 && findings->trace[len - 1] == '/')
		len--;
	snprintf(to, PATH_MAX, "%.*s/try-%s.xml", (int)len, findings->trace,
		 finding->rule->name);
}

void weir_as_remedy_command(struct weir_text *out,
			    const struct weir_findings *findings,
			    const struct weir_finding *finding)
{
	const struct weir_remedy *remedy = &finding->remedy;
	char plan[PATH_MAX] = "FILE";

	if (!weir_remedy_is_any(remedy))
		return;
	weir_text_string(out, "weir run");
	if (remedy->setting_count) {
		if (remedy->is_kept)
			name_plan(plan, findings, finding);
		weir_text_string(out, " --plan ");
		put_word(out, plan);
	}
	for (unsigned i = 0; i < remedy->option_count; i++)
		put_option(out, &remedy->options[i]);
	weir_text_string(out, " --");
	put_program(out, findings);
}

/* As the value of an attribute, or the text of an element. */
static void put_xml(struct weir_text *out, const char *text)
{
	for (; *text; text++) {
		const char *name = *text == '&' ? "&amp;" :
				   *text == '<' ? "&lt;" :
				   *text == '>' ? "&gt;" :
				   *text == '"' ? "&quot;" : NULL;

		if (name)
			weir_text_string(out, name);
		else
			weir_text_char(out, *text);
	}
}

/* Whether a pattern of plans means this name alone, in good UTF-8. */
static bool is_own_pattern(const char *name, size_t len)
{
	if (!len || *name != '/' || len > 256)
		return false;
	for (size_t i = 0; i < len; i++)
		if (name[i] < ' ' || strchr("*?[]\\", name[i]))
			return false;
	return true;
}

/* The files by name, as long as all of them have been kept. */
static bool can_name_files(const struct weir_runfacts *facts,
			   const struct weir_finding *finding)
{
	if (!finding->files || finding->files > finding->top_count)
		return false;
	for (unsigned i = 0; i < finding->top_count; i++) {
		size_t len = 0;
		const char *name = weir_names_get(&facts->totals.names,
						  finding->top[i].file, &len);

		if (!name || !is_own_pattern(name, len))
			return false;
	}
	return true;
}

static void put_element(struct weir_text *out,
			const struct weir_findings *findings,
			const struct weir_remedy_part *part, const char *file)
{
	char proof[PATH_MAX];

	weir_text_char(out, '<');
	weir_text_bytes(out, part->key, part->key_len);
	if (file) {
		weir_text_string(out, " file=\"");
		put_xml(out, file);
		weir_text_char(out, '"');
	}
	if (part->is_proven) {
		weir_text_string(out, " opt-in=\"yes\" proof=\"");
		put_xml(out, realpath(findings->trace, proof) ?
				     proof : findings->trace);
		weir_text_char(out, '"');
	}
	weir_text_char(out, '>');
	put_xml(out, part->value);
	weir_text_string(out, "</");
	weir_text_bytes(out, part->key, part->key_len);
	weir_text_char(out, '>');
}

void weir_as_remedy_plan(struct weir_text *out,
			 const struct weir_runfacts *facts,
			 const struct weir_findings *findings,
			 const struct weir_finding *finding)
{
	const struct weir_remedy *remedy = &finding->remedy;
	bool by_name = can_name_files(facts, finding);

	if (!remedy->setting_count || !findings->trace)
		return;
	weir_text_string(out, "<plan>");
	for (unsigned i = 0; i < remedy->setting_count; i++) {
		const struct weir_remedy_part *part = &remedy->settings[i];
		size_t len;

		if (!by_name || !part->by_file) {
			put_element(out, findings, part, NULL);
			continue;
		}
		for (unsigned k = 0; k < finding->top_count; k++)
			put_element(out, findings, part,
				    weir_names_get(&facts->totals.names,
						   finding->top[k].file,
						   &len));
	}
	weir_text_string(out, "</plan>");
}

/* What was written is put under a key, as one text. */
static void take_text(struct weir_text *out, struct weir_memtext *text,
		      const char *key)
{
	struct weir_bytes bytes = { 0 };
	int err = weir_memtext_take(text, &bytes);

	if (err && !out->err)
		out->err = err;
	weir_jsonout_key(out, key, 0);
	weir_text_json(out, bytes.data ? (char *)bytes.data : "", bytes.used);
	weir_bytes_fini(&bytes);
}

void weir_as_remedy_json(struct weir_text *out,
			 const struct weir_runfacts *facts,
			 const struct weir_findings *findings,
			 const struct weir_finding *finding)
{
	struct weir_memtext text;
	int err = weir_memtext_init(&text);

	if (err) {
		out->err = out->err ?: err;
		return;
	}
	weir_as_remedy_command(&text.out, findings, finding);
	take_text(out, &text, "try");
	weir_as_remedy_plan(&text.out, facts, findings, finding);
	take_text(out, &text, "plan");
	weir_memtext_fini(&text);
}

static int write_plan(const char *path, const struct weir_runfacts *facts,
		      const struct weir_findings *findings,
		      const struct weir_finding *finding)
{
	struct weir_text out;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW |
				    O_CLOEXEC, 0666);
	int err = fd < 0 ? -1 : weir_text_init(&out, fd);

	if (!err) {
		weir_as_remedy_plan(&out, facts, findings, finding);
		weir_text_char(&out, '\n');
		err = weir_text_flush(&out);
		weir_text_fini(&out);
	}
	if (fd >= 0)
		close(fd);
	return err;
}

void weir_as_remedy_keep(const struct weir_runfacts *facts,
			 struct weir_findings *findings)
{
	struct stat status;

	if (!findings->trace || stat(findings->trace, &status) ||
	    !S_ISDIR(status.st_mode))
		return;
	for (size_t i = 0; i < findings->count; i++) {
		struct weir_finding *finding = &findings->list[i];
		char path[PATH_MAX];

		if (!finding->remedy.setting_count)
			continue;
		name_plan(path, findings, finding);
		finding->remedy.is_kept =
			!write_plan(path, facts, findings, finding);
	}
}
