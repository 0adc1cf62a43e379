package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.Silences;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists, writes and removes silences of notifications. */
@Command(
        name = "silences",
        mixinStandardHelpOptions = true,
        description =
                "Lists, writes and removes silences: times in which no notifications are sent. Needs an administrator's key, or with --own the key of the agents.",
        footer = {
            "",
            "A deployment silences its own agents, and reports what is still wrong afterwards:",
            "  java -jar agent-health-local.jar silences set deployment --own --for 15m",
            "  java -jar agent-health-local.jar silences remove deployment --own"
        })
final class SilencesCommand implements Runnable {

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    SilencesCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: list, set or remove");
    }

    /** Selects the agents of a silence. */
    static final class Whose {

        @Option(names = "--own", description = "silences of the key in use, for its own agents and at most 4 hours")
        private boolean own;

        private String needed() {
            return own ? "agent" : "administrator";
        }

        private Silences of(AgentHealthClient client) {
            return own ? client.ownSilences() : client.silences();
        }
    }

    /** The fields that a silence can match. */
    static final class Scope {

        @Option(names = "--agent", paramLabel = "AGENT", description = "one agent")
        private String agentId;

        @Option(names = "--role", paramLabel = "ROLE", description = "the agents of a role, and its pool")
        private String roleId;

        @Option(names = "--capability", paramLabel = "CAPABILITY", description = "the agents with a capability")
        private String capability;

        @Option(names = "--owner", paramLabel = "KEY_ID", description = "the agents that a key owns")
        private String ownerKeyId;

        @Option(names = "--everything", description = "everything, also trouble of the registry itself")
        private boolean everything;

        private Map<String, Object> json() {
            Map<String, Object> json = new HashMap<>();
            json.put("agent_id", agentId);
            json.put("role_id", roleId);
            json.put("capability", capability);
            json.put("owner_key_id", ownerKeyId);
            json.put("everything", everything ? true : null);
            json.values().removeIf(value -> value == null);
            return json;
        }
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists silences.")
    int list(@Mixin RegistryOptions registry, @Mixin Whose whose, @Mixin ListOptions output) {
        Listing listing = listing().check(output);
        return registry.call(
                terminal,
                whose.needed(),
                client -> listing.print(output, whose.of(client).stream(), "there are no silences"));
    }

    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description = "Writes a silence: once, from now on, or again and again.")
    int set(
            @Mixin RegistryOptions registry,
            @Mixin Whose whose,
            @Parameters(paramLabel = "NAME") String name,
            @ArgGroup(exclusive = true) Scope scope,
            @Option(
                            names = "--for",
                            required = true,
                            paramLabel = "DURATION",
                            converter = DurationConverter.class,
                            description = "how long it lasts: 90s, 15m, 4h or 2d")
                    Duration length,
            @Option(
                            names = "--cron",
                            paramLabel = "CRON",
                            description = "when it begins each time, such as '0 2 * * *'; once and now without it")
                    String cron,
            @Option(
                            names = "--time-zone",
                            defaultValue = "UTC",
                            paramLabel = "ZONE",
                            description = "the time zone of --cron (UTC)")
                    String timeZone,
            @Option(names = "--reason", defaultValue = "", paramLabel = "TEXT", description = "why, for people")
                    String reason) {
        Map<String, Object> silence = new HashMap<>();
        silence.put("reason", reason);
        if (scope != null) {
            silence.put("scope", scope.json());
        }
        if (cron == null) {
            silence.put("for_seconds", length.toSeconds());
        } else {
            silence.put(
                    "schedule", Map.of("cron", cron, "duration_seconds", length.toSeconds(), "time_zone", timeZone));
        }
        JsonNode written = registry.call(
                terminal, whose.needed(), client -> whose.of(client).put(name, silence));
        listing().print(List.of(written));
        return ExitStatus.OK;
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Removes a silence: it ends, and what is still wrong is reported.")
    int remove(@Mixin RegistryOptions registry, @Mixin Whose whose, @Parameters(paramLabel = "NAME") String name) {
        return registry.call(terminal, whose.needed(), client -> {
            whose.of(client).remove(name);
            terminal.errors().println("removed " + Text.plain(name));
            return ExitStatus.OK;
        });
    }

    private Listing listing() {
        Instant now = Instant.now();
        return new Listing(terminal, "silences")
                .field("silence", "name")
                .column("covers", SilencesCommand::covers)
                .column("when", silence -> when(silence, now))
                .time("active until", "active_until")
                .column("next", silence -> next(silence, now))
                .column("reason", silence -> silence.path("reason").asText());
    }

    private static String when(JsonNode silence, Instant now) {
        JsonNode schedule = silence.path("schedule");
        return schedule.isMissingNode()
                ? Text.moment(silence.path("starts_at").asText(), now) + ", for "
                        + Text.since(
                                Instant.parse(silence.path("starts_at").asText()),
                                Instant.parse(silence.path("ends_at").asText()))
                : schedule.path("cron").asText() + " "
                        + schedule.path("time_zone").asText() + ", for "
                        + Text.duration(schedule.path("duration_seconds").asLong());
    }

    private static String next(JsonNode silence, Instant now) {
        String begins = silence.path("schedule").isMissingNode()
                ? silence.path("starts_at").asText()
                : silence.path("next").path(0).path("starts_at").asText();
        return begins.isEmpty() || !Instant.parse(begins).isAfter(now) ? "-" : Text.moment(begins, now);
    }

    private static String covers(JsonNode silence) {
        Map.Entry<String, JsonNode> scope =
                silence.path("scope").properties().iterator().next();
        return scope.getKey().equals("everything")
                ? "everything"
                : scope.getKey().replaceFirst("(_key)?(_id)?$", "") + " "
                        + scope.getValue().asText();
    }
}
