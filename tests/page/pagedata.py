# SPDX-License-Identifier: BSD-3-Clause
"""Reads what the page of a report shows, by doc/page.md alone."""
import array
import json
import struct
import sys

CODES = {"u8": "B", "u16": "H", "u32": "I", "i32": "i", "f32": "f", "f64": "d"}
TABLES = {
    "cells": "bin who layer class calls bytes time own",
    "paths": "bin node who calls bytes time own",
    "sizes": "bin layer class power calls bytes",
    "share": "bin file who calls read written time",
    "stepsum": "step who layer class calls bytes time",
    "access": "time file offset write calls bytes",
    "latency": "bin call quarter calls time",
    "processes": "number who",
    "sample": "start dur who process thread number call file layer class depth "
              "flags why off size ret order parent below site",
}


class Wrong(Exception):
    """The bytes are not as they are described."""


def demand(holds, what):
    if not holds:
        raise Wrong(what)


def column(data, about, name):
    code = CODES.get(about["type"])
    demand(code, f"{name}: no type {about['type']}")
    numbers = array.array(code)
    end = about["at"] + about["count"] * numbers.itemsize
    demand(about["at"] % 8 == 0, f"{name} is not at a multiple of 8")
    demand(end <= len(data), f"{name} ends behind the bytes")
    numbers.frombytes(data[about["at"]:end])
    if sys.byteorder != "little":
        numbers.byteswap()
    return numbers


class Page:
    """head: the object; tables: {name: {column: numbers}}."""

    def __init__(self, data):
        demand(data[:8] == b"WEIRPAGE", "no magic")
        version, length = struct.unpack_from("<II", data, 8)
        demand(version == 1, f"version {version}")
        self.head = json.loads(data[16:16 + length].decode("utf-8"))
        self.tables = {}
        for name, about in self.head["columns"].items():
            table, part = name.split(".")
            demand(about["at"] >= 16 + length, f"{name} is in the head")
            self.tables.setdefault(table, {})[part] = column(data, about, name)
        for table, columns in TABLES.items():
            demand(set(columns.split()) <= set(self.tables.get(table, ())),
                   f"{table} lacks columns")
            lengths = {len(self.tables[table][name])
                       for name in columns.split()}
            demand(len(lengths) == 1, f"{table} has columns of {lengths}")

    def rows(self, table):
        names = TABLES[table].split()
        return [dict(zip(names, numbers)) for numbers in
                zip(*(self.tables[table][name] for name in names))]

    def sums(self, table, keys, figures):
        """{key: [figures]}; each key once; rows of nothing are left out."""
        found = {}
        for row in self.rows(table):
            key = tuple(row[name] for name in keys.split())
            demand(key not in found, f"{table} has {key} twice")
            found[key] = [row[name] for name in figures.split()]
        return {key: row for key, row in found.items() if any(row)}


def read(path):
    with open(path, "rb") as file:
        return Page(file.read())
