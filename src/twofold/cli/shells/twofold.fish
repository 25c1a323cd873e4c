# Completion of twofold for fish: twofold completion fish > ~/.config/fish/completions/twofold.fish
@LISTS@
function __twofold_complete
    set -l typed (commandline -opc)
    set -l program $typed[1]
    set -e typed[1]
    set -l current (commandline -ct)
    set -l head ""
    set -l words $current
    if string match -q -- '--*=*' $current
        set head (string replace -r '=.*' '=' -- $current)
        set words (string replace -r '=.*' '' -- $current) = (string replace -r '^[^=]*=' '' -- $current)
        set current $words[3]
    end
    test (count $words) -eq 0; and set words ""
    set -l lines ($program __complete fish $typed $words 2>/dev/null)
    for kind in (string split ' ' -- $lines[1])
        switch $kind
            case ''
            case files
                __fish_complete_path $current
            case '*'
                set -l list _twofold_$kind
                set -l before (string match -r -- '.*,' $current; or echo '')
                printf '%s\n' $head$before(string split ' ' -- $$list)
        end
    end
    set -e lines[1]
    for line in $lines
        printf '%s\n' $head$line
    end
end
complete -c twofold -f -a '(__twofold_complete)'
