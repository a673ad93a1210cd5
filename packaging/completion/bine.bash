# bash completion for bine: it asks the program, so that it knows what the program knows.
_bine_options() { "$1" help "$2" 2> /dev/null | grep -oE -- '--[a-z][a-z-]+' | sort -u; }
_bine_commands() { "$1" --help 2> /dev/null | awk '/^commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }'; }
_bine_collectives() { "$1" list --format csv 2> /dev/null | awk -F, 'NR > 1 && !seen[$1]++ { print $1 }'; }
_bine_algorithms() { "$1" list "$2" --format csv 2> /dev/null | awk -F, 'NR > 1 { print $2 }'; }
_bine_machines() { "$1" machines --format csv 2> /dev/null | awk -F, 'NR > 1 { print $1 }'; }

# What may come at this place of the line: bine COMMAND [COLLECTIVE [ALGORITHM...]] [--option [value]].
_bine_words() {
    local bine=$1 word=$2 before=$3 command=$4 first=$5
    case $before in
        --machine) _bine_machines "$bine"; return ;;
        --format) printf '%s\n' text csv json; return ;;
        --layout) printf '%s\n' blocks pack permute send; return ;;
        --mpi) printf '%s\n' openmpi mpich; return ;;
    esac
    case $word in -*) _bine_options "$bine" "$command"; return ;; esac
    case $command in
        draw) [ -n "$first" ] || { printf '%s\n' tree butterfly schedule torus; return; } ;;
        lab) [ -n "$first" ] || printf '%s\n' up run status down; return ;;
        help) _bine_commands "$bine"; return ;;
        machines) _bine_machines "$bine"; return ;;
        list | show | check | traffic | predict | explore | simulate | export | choose) ;;
        *) return ;;
    esac
    if [ -z "$first" ] || [ "$command" = draw ]; then _bine_collectives "$bine"; else _bine_algorithms "$bine" "$first"; fi
}

_bine() {
    local bine=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} first=
    [ "$COMP_CWORD" -le 2 ] || case ${COMP_WORDS[2]} in -*) ;; *) first=${COMP_WORDS[2]} ;; esac
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_bine_commands "$bine") --help --version" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -W "$(_bine_words "$bine" "$word" "$before" "${COMP_WORDS[1]}" "$first")" -- "$word")
    fi
}
complete -o default -F _bine bine
