package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists, shows, writes and removes workflows, which declare roles. */
@Command(
        name = "workflows",
        mixinStandardHelpOptions = true,
        description = "Lists, shows, writes and removes workflows, which declare roles.")
final class WorkflowsCommand implements Runnable {

    private static final String PATH = "/api/v1/workflows";
    private static final String READS = "viewer, coordinator or administrator";
    private static final String WRITES = "coordinator or administrator";

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    WorkflowsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: list, show, set or remove");
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists workflows with their roles.")
    int list(@Mixin RegistryOptions registry, @Mixin ListOptions output) {
        Listing listing = new Listing(terminal, "workflows")
                .field("workflow", "name")
                .field("version", "version")
                .time("changed", "updated_at")
                .column("roles", WorkflowsCommand::roles)
                .check(output);
        return registry.call(
                terminal,
                READS,
                client -> listing.print(output, client.list(PATH, Map.of(), "workflows"), "there are no workflows"));
    }

    @Command(name = "show", mixinStandardHelpOptions = true, description = "Prints a workflow as JSON.")
    int show(@Mixin RegistryOptions registry, @Parameters(paramLabel = "NAME") String name) {
        terminal.out()
                .println(Text.json(registry.call(
                        terminal, READS, client -> client.call("GET", PATH + "/" + Segment.of(name), Map.of()))));
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    @Command(name = "set", mixinStandardHelpOptions = true, description = "Creates or replaces a workflow.")
    int set(
            @Mixin RegistryOptions registry,
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--file",
                            required = true,
                            paramLabel = "FILE",
                            description = "YAML or JSON with agents: each role and what it declares (RFC-0016 §12)")
                    Path file) {
        Map<String, Object> workflow = RequestFile.read(file);
        JsonNode written =
                registry.call(terminal, WRITES, client -> client.call("PUT", PATH + "/" + Segment.of(name), workflow));
        terminal.out()
                .println(Text.plain(name) + " has version "
                        + written.path("version").asText());
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    @Command(name = "remove", mixinStandardHelpOptions = true, description = "Removes a workflow and its roles.")
    int remove(@Mixin RegistryOptions registry, @Parameters(paramLabel = "NAME") String name) {
        registry.call(terminal, WRITES, client -> client.call("DELETE", PATH + "/" + Segment.of(name), Map.of()));
        terminal.errors().println("removed " + Text.plain(name));
        return ExitStatus.OK;
    }

    private static String roles(JsonNode workflow) {
        List<String> roles = new ArrayList<>();
        workflow.path("roles")
                .forEach(role -> roles.add(
                        role.isTextual() ? role.asText() : role.path("role_id").asText()));
        return String.join(",", roles);
    }
}
