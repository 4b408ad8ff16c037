# SPDX-License-Identifier: BSD-3-Clause
# The part of bash's completion that no table changes; complete.py puts the
# tables before it.
# shellcheck shell=bash disable=SC2154 # _weir_verbs is a table

# Takes what begins like the current word from `compgen ARGUMENT...`.
_weir_offer() {
	mapfile -t COMPREPLY < <(compgen "$@" -- "$cur")
}

_weir_offer_files() {
	compopt -o filenames 2>/dev/null
	_weir_offer "$@"
}

# The command from word $1 on, in its own way if somebody knows it.
_weir_offer_command() {
	if declare -F _comp_command_offset >/dev/null; then
		_comp_command_offset "$1"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif [[ $1 = "$COMP_CWORD" ]]; then
		_weir_offer_files -c -d
	else
		_weir_offer_files -f
	fi
}

_weir_act() {
	case $1 in
	@dirs) _weir_offer_files -d ;;
	@files) _weir_offer_files -f ;;
	@verbs) _weir_offer -W "$_weir_verbs" ;;
	@command) _weir_offer_command "$2" ;;
	-) ;;
	*) _weir_offer -W "${1//|/ }" ;;
	esac
}

_weir() {
	local cur=${COMP_WORDS[COMP_CWORD]} verb='' wants='' ended='' word i
	local place=0 actions value=''

	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [[ -n $wants ]]; then
			[[ $word = '=' ]] || wants=''
		elif [[ -z $verb ]]; then
			[[ $word = -* ]] || verb=$word
		elif [[ -z $ended && $word = -- ]]; then
			ended=yes
		elif [[ -z $ended && $word = -* ]]; then
			_weir_value "$verb:$word" >/dev/null && wants=$word
		else
			[[ $(_weir_operands "$verb") = @command ]] && break
			place=$((place + 1))
		fi
	done
	if [[ -n $wants ]]; then
		[[ $cur = '=' ]] && cur=''
		_weir_act "$(_weir_value "$verb:$wants")"
	elif [[ -z $verb && $cur != -* ]]; then
		_weir_offer -W "$_weir_verbs"
	elif [[ -z $ended && $i = "$COMP_CWORD" && $cur = --*=* ]]; then
		wants=${cur%%=*}
		cur=${cur#*=}
		value=$(_weir_value "$verb:$wants") && _weir_act "$value"
		COMPREPLY=("${COMPREPLY[@]/#/$wants=}")
	elif [[ -z $ended && $i = "$COMP_CWORD" && $cur = -* ]]; then
		_weir_offer -W "$(_weir_options "$verb")"
	else
		read -ra actions < <(_weir_operands "$verb")
		((place < ${#actions[@]})) || place=$((${#actions[@]} - 1))
		((place < 0)) || _weir_act "${actions[place]}" "$i"
	fi
}

complete -F _weir weir
