package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints or replaces the runtime configuration. */
@Command(
        name = "configuration",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the runtime configuration, or replaces it. Needs an administrator's key.",
            "To change a setting: configuration -o json > file, edit the file, configuration --file file.",
            "'configuration export' and 'configuration import' move the configuration, keys, agents and rules to another registry."
        })
final class ConfigurationCommand implements Callable<Integer> {

    private static final String NEEDED = "administrator";
    private static final String PATH = "/v1/admin/configuration";

    private final Terminal terminal;

    @Mixin
    private RegistryOptions registry;

    @Option(names = "--file", paramLabel = "FILE", description = "replace the configuration by this JSON or YAML")
    private Path file;

    @Mixin
    private OutputOptions output;

    ConfigurationCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        JsonNode configuration = registry.call(
                terminal,
                NEEDED,
                client -> file == null
                        ? client.call("GET", PATH, Map.of())
                        : client.call("PUT", PATH, RequestFile.read(file)));
        if (output.isJson()) {
            terminal.out().println(Text.json(configuration));
        } else {
            Table table = new Table(new Text(terminal), "setting", "value");
            settings("", configuration).forEach((name, value) -> table.row(Text.plain(name), Text.plain(value)));
            table.print(terminal);
        }
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    @Command(
            name = "export",
            mixinStandardHelpOptions = true,
            description = {
                "Prints configuration, keys, workflows, agents, rules, silences, sources and the status page as one JSON document.",
                "The document has no secrets: keys have the SHA-256 of their secrets."
            })
    int export(@Mixin RegistryOptions of) {
        terminal.out().println(Text.json(of.call(terminal, NEEDED, client -> client.transfer()
                .export())));
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    @Command(
            name = "import",
            mixinStandardHelpOptions = true,
            description = {
                "Creates and replaces the objects of an exported document, and removes none.",
                "Checks the whole document first: one invalid field changes nothing. A repeated import changes nothing."
            },
            footer = {"", "Exit status 3: the registry skipped objects, or secrets have to be set."})
    int importDocument(
            @Mixin RegistryOptions of,
            @Parameters(paramLabel = "FILE", description = "the document of 'configuration export'") Path document,
            @Option(names = "--dry-run", description = "show what would happen, and change nothing") boolean dryRun,
            @Mixin OutputOptions format) {
        ObjectNode read = TransferText.document(document);
        JsonNode report = of.call(terminal, NEEDED, client -> client.transfer().importDocument(read, dryRun));
        if (format.isJson()) {
            terminal.out().println(Text.json(report));
        } else {
            TransferText.print(report, format.isWide(), terminal);
        }
        terminal.checkOutput();
        return TransferText.status(report);
    }

    /** Returns the settings by name, such as {@code leases.max_per_agent}. */
    private static Map<String, String> settings(String prefix, JsonNode object) {
        Map<String, String> settings = new TreeMap<>();
        object.properties().forEach(member -> {
            String name = prefix + member.getKey();
            if (member.getValue().isObject()) {
                settings.putAll(settings(name + ".", member.getValue()));
            } else {
                settings.put(
                        name,
                        member.getValue().isTextual()
                                ? member.getValue().asText()
                                : member.getValue().toString());
            }
        });
        return settings;
    }
}
