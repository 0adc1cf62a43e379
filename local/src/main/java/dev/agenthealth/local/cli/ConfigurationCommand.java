package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints or replaces the runtime configuration. */
@Command(
        name = "configuration",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the runtime configuration, or replaces it. Needs an administrator's key.",
            "To change a setting: configuration -o json > file, edit the file, configuration --file file."
        })
final class ConfigurationCommand implements Callable<Integer> {

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
                "administrator",
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
