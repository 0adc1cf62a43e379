package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists, shows, writes and removes rules that contain agents. */
@Command(
        name = ContainmentCommand.NAME,
        mixinStandardHelpOptions = true,
        description =
                "Lists, shows, writes and removes the rules that contain agents. A rule observes until it is enforced. Needs an"
                        + " administrator's key.")
final class ContainmentCommand implements Runnable {

    static final String NAME = "containment";

    private static final String PATH = "/v1/admin/containment";
    private static final String NEEDED = "administrator";

    /** The fields of a rule that a request has. */
    private static final List<String> WRITTEN = List.of("filter", "when", "action", "release");

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    ContainmentCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "a command is missing: list, show, set, observe, enforce or remove");
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists rules with their agents of the last seven days.")
    int list(@Mixin RegistryOptions registry, @Mixin ListOptions output) {
        Listing listing = rules().check(output);
        return registry.call(
                terminal,
                NEEDED,
                client -> listing.print(
                        output, client.list(PATH, Map.of(), "rules"), "there are no rules that contain agents"));
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Shows the agents of a rule of the last seven days: its dry run, if it observes.")
    int show(@Mixin RegistryOptions registry, @Parameters(paramLabel = "NAME") String name, @Mixin ListOptions output) {
        Listing listing = cases().check(output);
        return registry.call(terminal, NEEDED, client -> {
            JsonNode rule = client.call("GET", path(name), Map.of());
            return listing.print(
                    output,
                    StreamSupport.stream(rule.path("cases").spliterator(), false),
                    "the rule found no agent in the last seven days");
        });
    }

    @Command(name = "set", mixinStandardHelpOptions = true, description = "Creates or replaces a rule.")
    int set(
            @Mixin RegistryOptions registry,
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--file",
                            required = true,
                            paramLabel = "FILE",
                            description =
                                    "JSON or YAML with filter, when, action, mode and release, as PUT /v1/admin/containment/NAME takes it")
                    Path file) {
        Map<String, Object> rule = RequestFile.read(file);
        JsonNode written = registry.call(terminal, NEEDED, client -> client.call("PUT", path(name), rule));
        rules().print(List.of(written));
        return ExitStatus.OK;
    }

    @Command(
            name = "observe",
            mixinStandardHelpOptions = true,
            description = "Lets a rule only observe. Its blocks stay.")
    int observe(@Mixin RegistryOptions registry, @Parameters(paramLabel = "NAME") String name) {
        return change(registry, name, "observe");
    }

    @Command(name = "enforce", mixinStandardHelpOptions = true, description = "Lets a rule act.")
    int enforce(@Mixin RegistryOptions registry, @Parameters(paramLabel = "NAME") String name) {
        return change(registry, name, "enforce");
    }

    private int change(RegistryOptions registry, String name, String mode) {
        JsonNode written = registry.call(terminal, NEEDED, client -> {
            JsonNode rule = client.call("GET", path(name), Map.of());
            Map<String, Object> body = new LinkedHashMap<>();
            WRITTEN.stream().filter(rule::has).forEach(field -> body.put(field, rule.get(field)));
            body.put("mode", mode);
            return client.call("PUT", path(name), body);
        });
        rules().print(List.of(written));
        return ExitStatus.OK;
    }

    @Command(name = "remove", mixinStandardHelpOptions = true, description = "Removes a rule. Its blocks stay.")
    int remove(@Mixin RegistryOptions registry, @Parameters(paramLabel = "NAME") String name) {
        registry.call(terminal, NEEDED, client -> client.call("DELETE", path(name), Map.of()));
        terminal.errors().println("removed " + Text.plain(name));
        return ExitStatus.OK;
    }

    private static String path(String name) {
        return PATH + "/" + Segment.of(name);
    }

    private Listing rules() {
        return new Listing(terminal, "rules")
                .field("rule", "name")
                .field("mode", "mode")
                .field("action", "action")
                .column("reasons", rule -> words(rule.at("/when/reasons")))
                .column("would act", rule -> rule.path("would_act_agents").asText("-"))
                .column("acted", rule -> rule.path("acted_agents").asText("-"))
                .column("held back", rule -> rule.at("/held_back/guard").asText("-"))
                .wide("roles", rule -> words(rule.at("/filter/roles")));
    }

    private Listing cases() {
        return new Listing(terminal, "cases")
                .field("agent", "agent_id")
                .field("step", "step")
                .column("reasons", one -> words(one.path("reasons")))
                .time("since", "since")
                .time("last", "last_at")
                .column("times", one -> one.path("times").asText("-"));
    }

    private static String words(JsonNode array) {
        List<String> words = new ArrayList<>();
        array.forEach(word -> words.add(word.asText()));
        return words.isEmpty() ? "all" : String.join(",", words);
    }
}
