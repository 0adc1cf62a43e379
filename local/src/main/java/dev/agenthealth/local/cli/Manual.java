package dev.agenthealth.local.cli;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes the manual page of the program in the language of man(7). */
final class Manual {

    private static final String NAME = "agent-health";

    private final CommandTree program;
    private final String version;

    Manual(CommandTree program, String version) {
        this.program = program;
        this.version = version;
    }

    /** Returns the page. */
    String page() {
        CommandSpec spec = program.spec();
        return ".\\\" Written from the options of the program.\n"
                + ".TH AGENT-HEALTH 1 \"\" \"Agent Health " + version + "\" \"User commands\"\n"
                + ".SH NAME\n" + NAME + " \\- "
                + escaped("a registry that knows whether agents are alive, work as declared, and may be called") + "\n"
                + ".SH SYNOPSIS\n.B " + NAME + "\n[COMMAND] [OPTIONS]\n"
                + ".SH DESCRIPTION\n" + text(List.of(spec.usageMessage().description())) + "\n"
                + ".SH COMMANDS\n"
                + program.all().skip(1).map(this::command).collect(Collectors.joining())
                + ".SH EXIT STATUS\n"
                + spec.usageMessage().exitCodeList().entrySet().stream()
                        .map(code -> item(code.getKey(), code.getValue()))
                        .collect(Collectors.joining())
                + ".SH ENVIRONMENT\n.nf\n"
                + Stream.of(spec.usageMessage().footer())
                        .map(line -> escaped(CommandTree.plain(line).strip()) + "\n")
                        .collect(Collectors.joining())
                + ".fi\n";
    }

    private String command(CommandTree command) {
        String parameters = command.spec().positionalParameters().stream()
                .map(PositionalParamSpec::paramLabel)
                .map(label -> " " + label)
                .collect(Collectors.joining());
        return ".SS " + escaped(NAME + " " + String.join(" ", command.path()) + parameters) + "\n"
                + text(List.of(command.spec().usageMessage().description())) + "\n"
                + command.spec().positionalParameters().stream()
                        .filter(parameter -> parameter.description().length > 0)
                        .map(parameter -> item(
                                parameter.paramLabel(),
                                String.join(" ", parameter.description())
                                        .replace(
                                                "${COMPLETION-CANDIDATES}",
                                                candidates(parameter.completionCandidates()))))
                        .collect(Collectors.joining())
                + command.options().stream().map(Manual::option).collect(Collectors.joining());
    }

    private static String candidates(Iterable<String> values) {
        return values == null ? "" : String.join(", ", values);
    }

    private static String option(OptionSpec option) {
        String value = option.arity().max() > 0 ? " " + option.paramLabel() : "";
        return item(
                String.join(", ", option.names()) + value,
                String.join(" ", option.description())
                        .replace("${COMPLETION-CANDIDATES}", candidates(option.completionCandidates())));
    }

    private static String item(String name, String meaning) {
        return ".TP\n.B " + escaped(name) + "\n" + text(List.of(meaning)) + "\n";
    }

    private static String text(List<String> lines) {
        return escaped(CommandTree.plain(String.join(" ", lines))
                .replaceAll("\\s+", " ")
                .strip());
    }

    /** Returns a text that begins no request and has no escape. */
    private static String escaped(String text) {
        String plain = text.replace("\\", "\\e").replace("-", "\\-");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
