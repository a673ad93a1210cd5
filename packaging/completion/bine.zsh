#compdef bine
# zsh completion for bine: it asks the program, so that it knows what the program knows.
_bine_lines() { bine "$@" 2> /dev/null }
_bine() {
    local -a found
    local before=${words[CURRENT-1]} command=${words[2]} first=
    (( CURRENT > 3 )) && [[ ${words[3]} != -* ]] && first=${words[3]}
    if (( CURRENT == 2 )); then
        found=("${(@f)$(_bine_lines --help | awk '/^commands:/ { on = 1; next } /^$/ { on = 0 } on { n = $1; sub(/^ *[^ ]+ +/, ""); gsub(/:/, "\\:"); print n ":" $0 }')}")
        _describe command found
        return
    fi
    case $before in
        --machine) found=("${(@f)$(_bine_lines machines --format csv | awk -F, 'NR > 1 { print $1 }')}"); compadd -a found; return ;;
        --format) compadd text csv json; return ;;
        --layout) compadd blocks pack permute send; return ;;
        --mpi) compadd openmpi mpich; return ;;
    esac
    if [[ ${words[CURRENT]} == -* ]]; then
        found=("${(@f)$(_bine_lines help $command | grep -oE -- '--[a-z][a-z-]+' | sort -u)}")
        compadd -a found
        return
    fi
    case $command in
        help) found=("${(@f)$(_bine_lines --help | awk '/^commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')}"); compadd -a found ;;
        machines) found=("${(@f)$(_bine_lines machines --format csv | awk -F, 'NR > 1 { print $1 }')}"); compadd -a found ;;
        lab) [[ -n $first ]] && _files || compadd up run status down ;;
        draw | list | show | check | traffic | predict | explore | simulate | export | choose)
            if [[ $command == draw && -z $first ]]; then compadd tree butterfly schedule torus
            elif [[ -z $first || $command == draw ]]; then
                found=("${(@f)$(_bine_lines list --format csv | awk -F, 'NR > 1 && !seen[$1]++ { print $1 }')}"); compadd -a found
            else
                found=("${(@f)$(_bine_lines list $first --format csv | awk -F, 'NR > 1 { print $2 }')}"); compadd -a found
            fi ;;
        *) _files ;;
    esac
}
_bine "$@"
