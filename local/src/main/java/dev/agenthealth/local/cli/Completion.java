package dev.agenthealth.local.cli;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;

/** Writes scripts with which shells complete commands, options and their values. */
final class Completion {

    private final CommandTree program;
    private final String name;
    private final String function;

    /** @param name the name by which the program is called */
    Completion(CommandTree program, String name) {
        this.program = program;
        this.name = name;
        this.function = "_" + name.replaceAll("[^A-Za-z0-9]", "_");
    }

    String bash() {
        return """
                # Completion of %1$s for bash: source <(%1$s completion bash)
                %2$s() {
                  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} path="" word words=""
                  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    case $word in -*) ;; *) path="$path $word" ;; esac
                  done
                  case "$path " in
                %3$s  esac
                  COMPREPLY=($(compgen -W "$words" -- "$current"))
                }
                complete -o default -F %2$s %1$s
                """
                .formatted(
                        name,
                        function,
                        longestFirst()
                                .map(command -> "    \"" + path(command) + "\"*)\n" + bashValues(command)
                                        + "      words=\"" + String.join(" ", words(command)) + "\" ;;\n")
                                .collect(Collectors.joining()));
    }

    private static String bashValues(CommandTree command) {
        return valued(command)
                .map(option -> "      case $before in " + String.join(" | ", option.names())
                        + ") COMPREPLY=($(compgen -W \"" + String.join(" ", CommandTree.values(option))
                        + "\" -- \"$current\")); return ;; esac\n")
                .collect(Collectors.joining());
    }

    String zsh() {
        return """
                #compdef %1$s
                # Completion of %1$s for zsh: source <(%1$s completion zsh)
                %2$s() {
                  local place="" word
                  for word in "${(@)words[2,CURRENT-1]}"; do
                    case $word in -*) ;; *) place="$place $word" ;; esac
                  done
                  case "$place " in
                %3$s  esac
                }
                compdef %2$s %1$s
                """
                .formatted(name, function, longestFirst().map(this::zsh).collect(Collectors.joining()));
    }

    private String zsh(CommandTree command) {
        String values = valued(command)
                .map(option -> "      case ${words[CURRENT-1]} in " + String.join(" | ", option.names())
                        + ") compadd -- " + String.join(" ", CommandTree.values(option)) + "; return ;; esac\n")
                .collect(Collectors.joining());
        String commands = described(command.commands().stream().map(below -> described(below.name(), below.summary())));
        String options = described(
                command.options().stream().map(option -> described(option.longestName(), CommandTree.summary(option))));
        // Zsh offers the words of "_describe -o" only after a dash.
        return "    \"" + path(command) + "\"*)\n" + values + "      local -a commands=(" + commands + ") options=("
                + options
                + ")\n      _describe command commands || _describe -o option options || _files ;;\n";
    }

    private static String described(Stream<String> words) {
        return words.collect(Collectors.joining(" "));
    }

    private static String described(String word, String text) {
        return quoted(word.replace(":", "\\:") + ":" + text);
    }

    String fish() {
        String condition = "function " + function + "_at\n"
                + "  set -l words (commandline -opc)\n"
                + "  set -l path (string match -v -- '-*' $words[2..-1])\n"
                + "  set -l count (count $argv)\n"
                + "  test (count $path) -ge $count; or return 1\n"
                + "  test $count -eq 0; and begin; test (count $path) -eq 0; return; end\n"
                + "  test \"$path[1..$count]\" = \"$argv\"\n"
                + "end\n";
        return "# Completion of " + name + " for fish: " + name + " completion fish | source\n" + condition
                + program.all().flatMap(this::fish).collect(Collectors.joining());
    }

    private Stream<String> fish(CommandTree command) {
        String start =
                "complete -c " + name + " -n " + quoted((function + "_at " + String.join(" ", command.path())).strip());
        return Stream.concat(
                command.commands().stream()
                        .map(below -> start + " -f -a " + below.name() + " -d " + quoted(below.summary()) + "\n"),
                command.options().stream()
                        .map(option -> start + fishNames(option) + fishValues(option) + " -d "
                                + quoted(CommandTree.summary(option)) + "\n"));
    }

    private static String fishNames(OptionSpec option) {
        return Stream.of(option.names())
                .map(word -> word.startsWith("--") ? " -l " + word.substring(2) : " -s " + word.substring(1))
                .collect(Collectors.joining());
    }

    private static String fishValues(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        List<String> values = CommandTree.values(option);
        return values.isEmpty() ? " -r" : " -x -a " + quoted(String.join(" ", values));
    }

    private Stream<CommandTree> longestFirst() {
        return program.all().sorted(Comparator.comparingInt((CommandTree command) -> -command.path()
                .size()));
    }

    private static String path(CommandTree command) {
        return command.path().stream().map(word -> " " + word).collect(Collectors.joining()) + " ";
    }

    private static List<String> words(CommandTree command) {
        return Stream.concat(
                        command.commands().stream().map(CommandTree::name),
                        command.options().stream().map(OptionSpec::longestName))
                .toList();
    }

    private static Stream<OptionSpec> valued(CommandTree command) {
        return command.options().stream()
                .filter(option ->
                        option.arity().max() > 0 && !CommandTree.values(option).isEmpty());
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "’") + "'";
    }
}
