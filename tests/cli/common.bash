# SPDX-License-Identifier: BSD-3-Clause
# What every CLI test needs. WEIR is the tool under test.

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

weir() {
	"$WEIR" "$@"
}

# settle TRACE: wait until nobody writes it any more; a minute at most
settle() {
	for _ in $(seq 600); do
		compgen -G "$1/*.lock" >/dev/null || return 0
		sleep 0.1
	done
	printf '%s is still being written\n' "$1"
	return 1
}

# says TEXT: the last `run` printed TEXT somewhere
says() {
	case $output in
	*"$1"*) ;;
	*)
		printf 'expected: %s\nprinted:  %s\n' "$1" "$output"
		return 1
		;;
	esac
}

# status_is N: the last `run` returned N
status_is() {
	[ "$status" = "$1" ] || {
		printf 'expected status %s, got %s\n%s\n' "$1" "$status" \
			"$output"
		return 1
	}
}

# A place where services of this test alone can be found without a name.
setup_services() {
	cd "$BATS_TEST_TMPDIR" || exit
	export XDG_RUNTIME_DIR=/tmp/weir-bats-$$-$BATS_TEST_NUMBER
	mkdir "$XDG_RUNTIME_DIR"
	unset WEIR_SERVER WEIR_FORWARD
}

end_services() {
	for place in "$XDG_RUNTIME_DIR"/*/; do
		[ ! -d "$place" ] || weir serve stop --now --at "$place"
	done
	rmdir "$XDG_RUNTIME_DIR"
}
