# SPDX-License-Identifier: BSD-3-Clause
"""Calls that a program makes through libc's syscall(): each number that is a
row's system call is recorded as that row's call."""
import re

import diverts
import opens

TOP = 512  # numbers from here up are none of ours
FAILED = ("ret == -1", "weir_gate_errno()")


class Syscall:
    """`sys NAME` or, where the kernel has another order, `sys NAME(a, _, b)`:
    the row's arguments by place; _ is one that the row does not know."""

    def __init__(self, call, text):
        match = re.match(r"(\w+)(?:\((.*)\))?$", text)
        if not match:
            raise ValueError(f"'{text}' is no system call")
        self.call, self.name = call, match[1]
        named = [a.name for a in call.passed]
        order = [word.strip() for word in match[2].split(",")] \
            if match[2] else named
        unknown = set(order) - set(named) - {"_"}
        if unknown or len(order) > 6:
            raise ValueError(f"'{text}' does not fit the row's arguments")
        self.place = {name: at for at, name in enumerate(order)}

    def variables(self):
        """The row's arguments; what the kernel does not get is 0."""
        for arg in self.call.passed:
            at = self.place.get(arg.name)
            value = "0" if at is None else \
                f"({arg.kind.ctype})raw->arg[{at}]"
            yield f"\t{arg.kind.declare(arg.name)} = {value};"

    def passed_on(self, raw="raw", changed=None):
        """The call, or what takes its place where files are forwarded."""
        return diverts.through(self.call, f"pass_on({raw})",
                               f"sys_{self.name}", changed, [raw])

    def around(self):
        return diverts.around(self.call, "pass_on(raw)", f"sys_{self.name}",
                              "long", ["const struct raw *raw"])

    def planned(self):
        """What stands for arguments that a plan may have changed."""
        return {a.name: f"({a.kind.ctype})own.arg[{self.place[a.name]}]"
                for a in self.call.passed
                if a.kind.name == "oflags" and a.name in self.place}

    def plan_lines(self):
        """Declarations, what comes before the call, and after it."""
        call = self.call
        if not call.adjust:
            return [], [f"\tret = {self.passed_on()};"], []
        flags = [self.place[a.name] for a in call.passed
                 if a.kind.name == "oflags"]
        station = f"weir_opened_{call.adjust}"
        return ["\tstruct weir_opened plan = {",
                *[f"\t\t{item}," for item in opens.members(call)], "\t};",
                "\tstruct raw own = *raw;"], [
                "\tif (weir_gate_unlikely(weir_opened_is_on)) {",
                "\t\targs.beside = &plan.beside;",
                f"\t\t{station}_before(&plan);",
                *[f"\t\town.arg[{at}] = plan.flags;" for at in flags], "\t}",
                f"\tret = {self.passed_on('&own', self.planned())};",
                "\tif (weir_gate_unlikely(weir_opened_is_on))",
                f"\t\t{station}_after(&plan, (int)ret);"], [
                "\tif (weir_gate_unlikely(weir_opened_is_on))",
                "\t\tweir_opened_count(&plan);"]

    def quiet_function(self):
        """Of a call that leaves no record."""
        return "\n".join([
            *self.around(),
            f"static long do_{self.name}(const struct raw *raw)", "{",
            *self.variables(), "",
            *[f"\t(void){arg.name};" for arg in self.call.passed],
            f"\treturn {self.passed_on()};", "}\n"])

    def function(self, filled, details):
        call = self.call
        if call.quiet:
            return self.quiet_function()
        declared, made, counted = self.plan_lines()
        number = f"WEIR_CALL_{call.base.upper()}"
        passes = (f"!{call.when} || " if call.when else "") + \
            f"weir_observe_is_inside({number}) ||\n\t    " \
            "!weir_observe_enter(&pass)"
        return "\n".join([
            *self.around(),
            f"static long do_{self.name}(const struct raw *raw)", "{",
            *self.variables(),
            *declared,
            "\tstruct weir_pass pass;", "\tstruct weir_args args;",
            "\tlong ret;\n",
            *[f"\t(void){arg.name};" for arg in call.passed],
            f"\tif ({passes})", f"\t\treturn {self.passed_on()};",
            "\targs = (struct weir_args){",
            f"\t\t.call = {number},",
            *[f"\t\t{item}," for item in filled], "\t};",
            f"\tweir_role_{call.role}_before(&pass, &args);",
            *made,
            "\tif (weir_observe_leave(&pass)) {",
            *(["\t\tstruct weir_encoded *detail = weir_observe_detail(&pass);\n"]
              if details else []),
            "\t\targs.ret = ret;", f"\t\targs.failed = {FAILED[0]};",
            f"\t\targs.err = args.failed ? {FAILED[1]} : 0;", *details,
            f"\t\tweir_role_{call.role}_after(&pass, &args);", "\t}",
            *counted, "\treturn ret;", "}\n"])


HEAD = """
#include "adjust/opened.h"
#include "capture/record/facts.h"
#include "capture/roles/role.h"
#include "forward/divert/divert.h"
#include "gate/conditions.h"
#include "gate/maps.h"
#include "preload/forbid.h"
#include "spec/calls.h"

#include <sys/syscall.h>

#define WEIR_PLANNED __attribute__((noinline, cold))

struct raw {
	long number, arg[6];
};

static inline long pass_on(const struct raw *raw)
{
	return weir_forbid_syscall(raw->number, raw->arg[0], raw->arg[1],
				   raw->arg[2], raw->arg[3], raw->arg[4],
				   raw->arg[5]);
}
"""

ENTRY = """
long weir_syscalls_record(long number, long a, long b, long c, long d, long e,
			  long f);

long weir_syscalls_record(long number, long a, long b, long c, long d, long e,
			  long f)
{
	struct raw raw = { number, { a, b, c, d, e, f } };

	switch (number) {"""


def guarded(syscall, lines):
    """Not every architecture has every system call."""
    return [f"#ifdef SYS_{syscall.name}", *lines, "#endif"]


def syscalls_c(banner, syscalls, fill_args, detail_lines):
    out = [banner("System calls made through syscall()."), HEAD]
    for s in syscalls:
        out += guarded(s, [s.function(fill_args(s.call),
                                      detail_lines(s.call))])
    out += ["/* The numbers that are recorded; syscall.S asks. */",
            f"extern const unsigned char weir_syscalls_known[{TOP}];",
            f"const unsigned char weir_syscalls_known[{TOP}] = {{"]
    for s in syscalls:
        out += guarded(s, [f"\t[SYS_{s.name}] = 1,"])
    out += ["};", ENTRY]
    for s in syscalls:
        out += guarded(s, [f"\tcase SYS_{s.name}:",
                           f"\t\treturn do_{s.name}(&raw);"])
    return "\n".join(out + ["\t}", "\treturn pass_on(&raw);", "}\n"])
