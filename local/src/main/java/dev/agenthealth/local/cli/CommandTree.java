package dev.agenthealth.local.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A command with its options and subcommands, for completion and the manual.
 *
 * @param path the words after the name of the program, such as {@code keys create}; empty for the program
 */
record CommandTree(List<String> path, CommandSpec spec, List<CommandTree> commands) {

    static CommandTree of(CommandLine program) {
        return of(List.of(), program);
    }

    private static CommandTree of(List<String> path, CommandLine line) {
        List<CommandTree> commands = new ArrayList<>();
        for (Map.Entry<String, CommandLine> command : line.getSubcommands().entrySet()) {
            if (!command.getKey().equals("help")) {
                List<String> longer = new ArrayList<>(path);
                longer.add(command.getKey());
                commands.add(of(List.copyOf(longer), command.getValue()));
            }
        }
        return new CommandTree(path, line.getCommandSpec(), List.copyOf(commands));
    }

    /** Returns this command and all commands below it. */
    Stream<CommandTree> all() {
        return Stream.concat(Stream.of(this), commands.stream().flatMap(CommandTree::all));
    }

    /** Returns the last word of the path. */
    String name() {
        return path.get(path.size() - 1);
    }

    /** Returns the first sentence about the command. */
    String summary() {
        return firstSentence(String.join(" ", spec.usageMessage().description()));
    }

    /** Returns the options that a person sees, by name. */
    List<OptionSpec> options() {
        return spec.options().stream().filter(option -> !option.hidden()).toList();
    }

    static String summary(OptionSpec option) {
        return firstSentence(plain(String.join(" ", option.description())
                .replace("${COMPLETION-CANDIDATES}", String.join(", ", values(option)))));
    }

    /** Returns the values of an option with a fixed set; empty for any other option. */
    static List<String> values(OptionSpec option) {
        List<String> values = new ArrayList<>();
        if (option.completionCandidates() != null) {
            option.completionCandidates().forEach(values::add);
        }
        return values;
    }

    /** Returns a text of picocli without its marks for styles. */
    static String plain(String text) {
        return Ansi.OFF.string(text);
    }

    private static String firstSentence(String text) {
        return plain(text).split("(?<=[.])\\s|;\\s|:\\s", 2)[0].strip();
    }
}
