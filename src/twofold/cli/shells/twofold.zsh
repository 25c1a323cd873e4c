#compdef twofold
# Completion of twofold for zsh. In ~/.zshrc, after compinit: eval "$(twofold completion zsh)"
@LISTS@
_twofold() {
    local -a lines typed described
    local kind line list name text
    typed=("${(@Q)words[2,CURRENT]}")
    if [[ ${words[CURRENT]} == --*=* ]]; then
        typed=("${(@Q)words[2,CURRENT-1]}" "${words[CURRENT]%%=*}" "=" "${words[CURRENT]#*=}")
        compset -P '--*='
    fi
    lines=("${(@f)$(${(Q)words[1]} __complete zsh "${typed[@]}" 2>/dev/null)}")
    for line in "${(@)lines[2,-1]}"; do
        name=${line%%$'\t'*} text=""
        [[ $line == *$'\t'* ]] && text=${line#*$'\t'}
        described+=("${name//:/\\:}${text:+:$text}")
    done
    (( $#described )) && _describe -t words word described
    for kind in ${=lines[1]}; do
        if [[ $kind == files ]]; then
            _files
        else
            list="_twofold_$kind"
            compset -P '*,'
            compadd -- ${=${(P)list}}
        fi
    done
}
if [[ $funcstack[1] == _twofold ]]; then
    _twofold "$@"
else
    compdef _twofold twofold
fi
