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

/** Lists, writes, tests and removes rules of notifications. */
@Command(
        name = "notifications",
        mixinStandardHelpOptions = true,
        description = "Lists, writes, tests and removes the rules of notifications. Needs an administrator's key.")
final class NotificationsCommand implements Runnable {

    private static final String PATH = "/v1/admin/notifications";
    private static final String NEEDED = "administrator";

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    NotificationsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: list, set, test or remove");
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists rules with their last delivery.")
    int list(@Mixin RegistryOptions registry, @Mixin ListOptions output) {
        Listing listing = listing().check(output);
        return registry.call(
                terminal,
                NEEDED,
                client -> listing.print(
                        output, client.list(PATH, Map.of(), "notifications"), "there are no rules of notifications"));
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
                                    "JSON or YAML with events, filter and target, as PUT /v1/admin/notifications/NAME takes it")
                    Path file) {
        Map<String, Object> rule = RequestFile.read(file);
        JsonNode written =
                registry.call(terminal, NEEDED, client -> client.call("PUT", PATH + "/" + Segment.of(name), rule));
        listing().print(List.of(written));
        return ExitStatus.OK;
    }

    @Command(
            name = "test",
            mixinStandardHelpOptions = true,
            description = "Sends a test message at once. Exit status 3: the message was not delivered.")
    int test(@Mixin RegistryOptions registry, @Parameters(paramLabel = "NAME") String name) {
        JsonNode result = registry.call(
                terminal, NEEDED, client -> client.call("POST", PATH + "/" + Segment.of(name) + "/test", Map.of()));
        boolean delivered = result.path("delivered").asBoolean();
        terminal.out()
                .println(
                        delivered
                                ? "the message was delivered"
                                : "the message was not delivered: "
                                        + Text.plain(result.path("reason").asText()));
        terminal.checkOutput();
        return delivered ? ExitStatus.OK : ExitStatus.NOT_FINE;
    }

    @Command(name = "remove", mixinStandardHelpOptions = true, description = "Removes a rule.")
    int remove(@Mixin RegistryOptions registry, @Parameters(paramLabel = "NAME") String name) {
        registry.call(terminal, NEEDED, client -> client.call("DELETE", PATH + "/" + Segment.of(name), Map.of()));
        terminal.errors().println("removed " + Text.plain(name));
        return ExitStatus.OK;
    }

    private Listing listing() {
        return new Listing(terminal, "notifications")
                .field("rule", "name")
                .column("target", rule -> rule.at("/target/type").asText("-"))
                .column("severities", rule -> words(rule.at("/filter/severities")))
                .time("last delivery", "last_delivery")
                .column("state", NotificationsCommand::state)
                .wide("events", rule -> words(rule.path("events")))
                .wide("roles", rule -> words(rule.at("/filter/role_ids")));
    }

    private static String state(JsonNode rule) {
        if (rule.path("disabled").isTextual()) {
            return "disabled: " + rule.path("disabled").asText();
        }
        return rule.path("last_error").isTextual()
                ? "fails: " + rule.path("last_error").asText()
                : "ok";
    }

    private static String words(JsonNode array) {
        List<String> words = new ArrayList<>();
        array.forEach(word -> words.add(word.asText()));
        return words.isEmpty() ? "all" : String.join(",", words);
    }
}
