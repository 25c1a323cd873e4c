# Completion of twofold for bash. In ~/.bashrc: eval "$(twofold completion bash)"
@LISTS@
_twofold() {
    local current=${COMP_WORDS[COMP_CWORD]} files="" head="" kind line list word
    local -a lines paths
    COMPREPLY=()
    mapfile -t lines < <("$1" __complete bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    [[ $current == "=" ]] && current=""
    [[ $current == *,* ]] && head="${current%,*},"
    for kind in ${lines[0]}; do
        if [[ $kind == files ]]; then
            files=yes
            compopt -o filenames 2>/dev/null
            mapfile -t paths < <(compgen -f -- "$current")
            COMPREPLY+=("${paths[@]}")
        else
            list="_twofold_$kind"
            mapfile -t paths < <(compgen -P "$head" -W "${!list}" -- "${current##*,}")
            COMPREPLY+=("${paths[@]}")
        fi
    done
    for line in "${lines[@]:1}"; do
        word=${line%%$'\t'*}
        # Readline quotes the names of files by itself, and all other words with them.
        [[ $files || $word != *[^A-Za-z0-9_.,:/=+@%-]* ]] || printf -v word %q "$word"
        COMPREPLY+=("$word")
    done
}
complete -F _twofold twofold
