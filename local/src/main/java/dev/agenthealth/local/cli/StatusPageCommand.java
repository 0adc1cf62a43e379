package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.client.AgentHealthClient;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows, publishes and withdraws the status page for outsiders, and writes its incidents. */
@Command(
        name = StatusPageCommand.NAME,
        mixinStandardHelpOptions = true,
        description = {
            "Shows, publishes and withdraws the status page for outsiders, and writes its incidents.",
            "Administrators publish the page. Coordinators without limits to roles write incidents, too."
        })
final class StatusPageCommand implements Runnable {

    static final String NAME = "status-page";

    private static final String ADMINISTRATOR = "administrator";
    private static final String OPERATOR = "coordinator of all roles or administrator";
    private static final String PUBLISHED = "published";

    /** The states of an incident. */
    enum State {
        investigating,
        identified,
        monitoring,
        resolved
    }

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    StatusPageCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a command is missing: show, set, publish, withdraw, incidents, incident or remove-incident");
    }

    @Command(name = "show", mixinStandardHelpOptions = true, description = "Shows the page and its entries.")
    int show(@Mixin RegistryOptions registry, @Mixin ListOptions output) {
        Listing listing = new Listing(terminal, "entries")
                .field("name", "name")
                .field("label", "label")
                .column(
                        "of",
                        entry -> entry.has("agent_id")
                                ? "agent " + entry.path("agent_id").asText()
                                : "role " + entry.path("role_id").asText())
                .check(output);
        JsonNode page =
                registry.call(terminal, OPERATOR, client -> client.statusPage().get());
        if (output.isJson()) {
            terminal.out().println(Text.json(page));
            terminal.checkOutput();
            return ExitStatus.OK;
        }
        if (!output.isQuiet()) {
            terminal.out().println(Text.plain(described(page)));
        }
        return listing.print(output, rows(page.path("entries")), "the page has no entries");
    }

    private static String described(JsonNode page) {
        String path = page.path("path").asText();
        return path.isEmpty()
                ? "nobody has written the status page"
                : page.path("title").asText() + ", /status/" + path + ", "
                        + (page.path(PUBLISHED).asBoolean() ? PUBLISHED : "not published");
    }

    @Command(name = "set", mixinStandardHelpOptions = true, description = "Replaces the page, and keeps its incidents.")
    int set(
            @Mixin RegistryOptions registry,
            @Option(
                            names = "--file",
                            required = true,
                            paramLabel = "FILE",
                            description =
                                    "JSON or YAML with path, title, published and entries, as PUT /api/v1/status-page takes it")
                    Path file) {
        Map<String, Object> page = RequestFile.read(file);
        return written(registry.call(
                terminal, ADMINISTRATOR, client -> client.statusPage().put(page)));
    }

    @Command(name = "publish", mixinStandardHelpOptions = true, description = "Lets outsiders read the page.")
    int publish(@Mixin RegistryOptions registry) {
        return change(registry, page -> page.put(PUBLISHED, true));
    }

    @Command(name = "withdraw", mixinStandardHelpOptions = true, description = "Hides the page from outsiders.")
    int withdraw(@Mixin RegistryOptions registry) {
        return change(registry, page -> page.put(PUBLISHED, false));
    }

    private int change(RegistryOptions registry, UnaryOperator<ObjectNode> change) {
        return written(registry.call(terminal, ADMINISTRATOR, client -> {
            ObjectNode page = client.statusPage().get().deepCopy();
            if (page.path("path").asText().isEmpty()) {
                throw new CommandFailedException("nobody has written the status page; 'status-page set' writes it");
            }
            page.remove("incidents");
            page.remove("updated_at");
            Map<String, Object> members = new HashMap<>();
            change.apply(page).properties().forEach(member -> members.put(member.getKey(), member.getValue()));
            return client.statusPage().put(members);
        }));
    }

    private int written(JsonNode page) {
        terminal.out().println(Text.plain(described(page)));
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    @Command(name = "incidents", mixinStandardHelpOptions = true, description = "Lists incidents, the newest first.")
    int incidents(@Mixin RegistryOptions registry, @Mixin ListOptions output) {
        Listing listing = new Listing(terminal, "incidents")
                .field("incident", "incident_id")
                .field("state", "state")
                .time("began", "started_at")
                .time("over", "resolved_at")
                .field("title", "title")
                .wide("text", incident -> incident.path("text").asText("-"))
                .check(output);
        return registry.call(
                terminal,
                OPERATOR,
                client -> listing.print(
                        output, rows(client.statusPage().get().path("incidents")), "there are no incidents"));
    }

    @Command(
            name = "incident",
            mixinStandardHelpOptions = true,
            description = {
                "Creates an incident, or changes the options that are given.",
                "A new incident needs a title, and begins now with the state investigating."
            })
    int incident(
            @Mixin RegistryOptions registry,
            @Parameters(paramLabel = "INCIDENT", description = "the id of the incident, of your choice") String id,
            @Option(names = "--title", paramLabel = "TEXT", description = "for outsiders, up to 120 characters")
                    String title,
            @Option(names = "--text", paramLabel = "TEXT", description = "for outsiders, up to 1,000 characters")
                    String text,
            @Option(names = "--state", paramLabel = "STATE", description = "${COMPLETION-CANDIDATES}") State state) {
        JsonNode written = registry.call(terminal, OPERATOR, client -> {
            Map<String, Object> incident = new HashMap<>();
            find(client, id).ifPresent(before -> Stream.of("title", "text", "state", "started_at")
                    .forEach(field -> incident.put(field, before.path(field).asText())));
            put(incident, "title", title);
            put(incident, "text", text);
            put(incident, "state", state == null ? null : state.name());
            incident.putIfAbsent("state", State.investigating.name());
            return client.statusPage().putIncident(id, incident);
        });
        terminal.out()
                .println(Text.plain(written.path("incident_id").asText() + " is "
                        + written.path("state").asText() + ", began "
                        + Text.moment(written.path("started_at").asText(), Instant.now())));
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    private static Optional<JsonNode> find(AgentHealthClient client, String id) {
        return rows(client.statusPage().get().path("incidents"))
                .filter(incident -> incident.path("incident_id").asText().equals(id))
                .findFirst();
    }

    private static void put(Map<String, Object> incident, String field, String value) {
        if (value != null) {
            incident.put(field, value);
        }
    }

    @Command(name = "remove-incident", mixinStandardHelpOptions = true, description = "Removes an incident.")
    int removeIncident(
            @Mixin RegistryOptions registry,
            @Parameters(paramLabel = "INCIDENT", description = "the id of the incident") String id) {
        registry.call(terminal, OPERATOR, client -> {
            client.statusPage().deleteIncident(id);
            return id;
        });
        terminal.out().println(Text.plain(id + " is removed"));
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    private static Stream<JsonNode> rows(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
