#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# weir run --result: the command's end and weir's, told apart.
bats_require_minimum_version 1.5.0
load common

# has EXPRESSION: a truth about the file, which is as the schema says
has() {
	/usr/bin/python3 - "$SPEC/../doc/result.schema.json" "$1" <<'END'
import json, sys
import jsonschema
end = json.load(open("end.json"))
jsonschema.validate(end, json.load(open(sys.argv[1])))
assert eval(sys.argv[2]), (sys.argv[2], end)
END
}

plan() {
	printf '<plan><cb_nodes>2</cb_nodes></plan>\n' >p.xml
}

@test "a command's own status is told apart from weir's" {
	run weir run --result end.json -o t1 -- sh -c 'exit 9'
	status_is 9
	has 'end["from"] == "command" and end["command"]["exit"] == 9'
	has 'end["status"] == 9 and end["reasons"] == []'
	has 'end["trace"].endswith("/t1") and end["events"]["missing"] == 0'
	run weir run --result end.json -o t2 -- true
	status_is 0
	has 'end["status"] == 0 and end["command"]["exit"] == 0'
}

@test "a signal is one" {
	run weir run --result end.json -o t -- sh -c 'kill -9 $$'
	status_is 137
	has 'end["command"]["signal"] == 9 and end["command"]["exit"] is None'
	has 'end["from"] == "command"'
	run weir run --result end.json -o t2 -- sh -c 'exit 137'
	status_is 137
	has 'end["command"]["signal"] is None and end["command"]["exit"] == 137'
}

@test "what differs goes before settings, and both are told" {
	plan
	run weir run --result end.json --strict --verify --plan p.xml -o t -- \
		sh -c 'echo a >f'
	status_is 7
	has 'end["reasons"] == ["unapplied"] and end["verify"]["good"]'
	mkdir d
	run weir run --result end.json --strict --verify --plan p.xml \
		--forward=d --backend faulty:errno=EIO --rescue d -o t2 -- \
		sh -c 'echo a >d/f'
	status_is 9
	has 'end["from"] == "weir" and end["command"]["exit"] == 0'
	has 'end["reasons"] == ["differs", "unstored", "unapplied"]'
	has 'not end["verify"]["good"] and not end["forward"]["good"]'
	has 'any("/d/f" in line for line in end["forward"]["told"])'
	has 'end["plan"]["settings"][0]["name"] == "cb_nodes"'
	run weir run --result end.json --strict --plan p.xml \
		--forward=d --backend faulty:errno=EIO --rescue d -o t3 -- \
		sh -c 'echo a >d/f'
	status_is 8
	has 'end["reasons"] == ["unstored", "unapplied"]'
}

@test "a command that fails keeps its status, whatever weir finds" {
	plan
	run weir run --result end.json --strict --plan p.xml -o t -- false
	status_is 1
	has 'end["from"] == "command" and end["reasons"] == ["unapplied"]'
}

@test "what is not run is told" {
	run -127 weir run --result end.json -o t -- ./nothing
	status_is 127
	has 'end["reasons"] == ["not-found"] and not end["command"]["started"]'
	has 'end["from"] == "weir" and end["trace"] is None'
	echo '<plan><cb_nodes>none</cb_nodes></plan>' >p.xml
	run weir run --result end.json --plan p.xml -o t -- true
	status_is 5
	has 'end["reasons"] == ["refused"] and end["plan"]["settings"] is None'
	mkdir full && touch full/x
	run weir run --result end.json -o full -- true
	status_is 2
	has 'end["reasons"] == ["usage"]'
}

@test "a result that cannot be written is not a success" {
	run weir run --result /nowhere/end.json -o t -- true
	status_is 1
	says 'weir: cannot write the result to /nowhere/end.json'
	[ ! -e /nowhere ]
	run weir run --result /nowhere/end.json -o t2 -- sh -c 'exit 4'
	status_is 4
}
