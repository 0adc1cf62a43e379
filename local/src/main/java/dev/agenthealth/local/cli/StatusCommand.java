package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.AgentSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints the fleet as the page's overview shows it. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "Prints the fleet: counts by verdict, status and role, and what changed lately.",
        footer = {
            "",
            "Exit status 3: --fail-on is given, and an agent is so, or the registry itself cannot judge agents."
        })
final class StatusCommand implements Callable<Integer> {

    private static final List<String> VERDICTS = List.of("ok", "degraded", "unknown", "down", "blocked");
    private static final List<String> STATUSES = List.of("active", "draining", "unhealthy", "dead", "deregistered");
    private static final List<String> STATES = List.of("Healthy", "Degraded", "Unhealthy", "Inactive");
    private static final Duration LATELY = Duration.ofMinutes(10);
    private static final int MAX_READ_EVENTS = 10_000;
    private static final int SHOWN_EVENTS = 10;
    private static final List<String> NEED_ATTENTION = List.of("down", "degraded", "blocked");
    private static final int SHOWN_AGENTS = 10;

    /** Moves the cursor of an ANSI terminal to the top, and clears the screen. */
    private static final String CLEAR = "\u001b[H\u001b[2J";

    private final Terminal terminal;
    private final Pause pause;
    private final Text text;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RegistryOptions registry;

    @Option(
            names = "--fail-on",
            paramLabel = "VERDICT",
            description =
                    "exit with 3 when an agent is @|bold down|@, or @|bold degraded|@ or down; blocked agents do not count")
    private FailOn failOn;

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--watch",
            paramLabel = "DURATION",
            arity = "0..1",
            fallbackValue = "2s",
            converter = DurationConverter.class,
            description = "print the fleet again after each DURATION (2s) until Ctrl-C")
    private Duration watch;

    /** The mildest verdict at which the command fails. */
    private enum FailOn {
        down,
        degraded
    }

    StatusCommand(Terminal terminal) {
        this(terminal, Pause.ofThread());
    }

    StatusCommand(Terminal terminal, Pause pause) {
        this.terminal = terminal;
        this.pause = pause;
        this.text = new Text(terminal);
    }

    @Override
    public Integer call() {
        if (watch != null && watch.isZero()) {
            throw new ParameterException(spec.commandLine(), "--watch must be at least 1s");
        }
        return registry.call(
                terminal, "viewer, coordinator or administrator", watch == null ? this::print : this::watch);
    }

    /** Prints the fleet again and again, until the reader of the output closes it or the thread is interrupted. */
    private int watch(AgentHealthClient client) {
        while (true) {
            if (terminal.interactive()) {
                terminal.out().print(CLEAR);
            }
            int status = print(client);
            try {
                pause.sleep(watch);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return status;
            }
        }
    }

    private int print(AgentHealthClient client) {
        JsonNode health = client.health().system();
        if (output.isJson()) {
            terminal.out().println(Text.json(health));
        } else {
            printOverview(health);
            printAttention(client);
            printEvents(client);
        }
        terminal.checkOutput();
        return isFine(health) ? ExitStatus.OK : ExitStatus.NOT_FINE;
    }

    private boolean isFine(JsonNode health) {
        if (failOn == null) {
            return true;
        }
        JsonNode verdicts = health.path("by_verdict");
        JsonNode state = health.path("registry");
        return verdicts.path("down").asLong() == 0
                && (failOn == FailOn.down || verdicts.path("degraded").asLong() == 0)
                && !state.path("late").asBoolean()
                && state.path("self_check_failing_since").asText("").isEmpty();
    }

    private void printOverview(JsonNode health) {
        Instant now = Instant.now();
        long agents = health.path("agents").asLong();
        String counted = health.path("as_of").isTextual()
                ? "counted " + Text.ago(health.path("as_of").asText(), now)
                : "not counted yet";
        terminal.out()
                .println(text.bold(agents + (agents == 1 ? " agent" : " agents")) + " at " + registry.url()
                        + ", mean score " + Text.number(health.path("score")) + ", " + counted);
        JsonNode state = health.path("registry");
        alarm(
                state.path("self_check_failing_since").isTextual(),
                "The registry fails its self-check: heartbeats do not arrive, so no status changes.");
        alarm(
                state.path("mass_silence_since").isTextual(),
                "Mass silence: many agents fell silent together, so they are marked as dead more slowly.");
        alarm(
                state.path("mass_restart_since").isTextual(),
                "Mass restart: many agents restart together, so deaths are postponed.");
        alarm(
                state.path("probes_inconclusive_since").isTextual(),
                "Most probes fail at once: watched agents of at least one owner are not marked as unhealthy or dead for now.");
        alarm(state.path("late").asBoolean(), "The sweep is late: no pass started in the last two minutes.");
        terminal.out().println();
        counts("verdict", VERDICTS, health.path("by_verdict"));
        counts("lifecycle", STATUSES, health.path("by_lifecycle_status"));
        counts("score", STATES, health.path("by_state"));
        long scored = 0;
        for (JsonNode number : health.path("by_state")) {
            scored += number.asLong();
        }
        if (agents > scored && health.has("by_state")) {
            terminal.out().println(Text.pad("", 11) + text.count("dead, without a score", agents - scored));
        }
        printRoles(health.path("groups").path("role"));
        long others = health.path("other_groups").path("role").path("agents").asLong();
        if (others > 0) {
            terminal.out().println(others + (others == 1 ? " agent has another role" : " agents have other roles"));
        }
    }

    private void alarm(boolean condition, String message) {
        if (condition) {
            terminal.out().println(text.alarm(message));
        }
    }

    private void counts(String title, List<String> words, JsonNode counts) {
        StringBuilder line = new StringBuilder(Text.pad(title, 11));
        words.forEach(word ->
                line.append(text.count(word, counts.path(word).asLong())).append("   "));
        terminal.out().println(line.toString().stripTrailing());
    }

    private void printRoles(JsonNode roles) {
        if (roles.isEmpty()) {
            return;
        }
        Table table = new Table(text, "role", "agents", "ok", "degraded", "unknown", "down", "blocked", "score");
        roles.properties().stream()
                .sorted(Comparator.comparingDouble((Map.Entry<String, JsonNode> role) -> -shareDown(role.getValue()))
                        .thenComparing(Map.Entry::getKey))
                .forEach(role -> {
                    JsonNode figures = role.getValue();
                    JsonNode verdicts = figures.path("by_verdict");
                    table.row(
                            Text.plain(role.getKey()),
                            figures.path("agents").asText(),
                            verdicts.path("ok").asText(),
                            verdicts.path("degraded").asText(),
                            verdicts.path("unknown").asText(),
                            verdicts.path("down").asText(),
                            verdicts.path("blocked").asText(),
                            Text.number(figures.path("score")));
                });
        terminal.out().println();
        table.print(terminal);
    }

    private static double shareDown(JsonNode figures) {
        return figures.path("by_verdict").path("down").asDouble()
                / Math.max(1, figures.path("agents").asDouble());
    }

    private void printAttention(AgentHealthClient client) {
        List<AgentSummary> agents = new ArrayList<>();
        for (String verdict : NEED_ATTENTION) {
            client.agents().find().verdict(verdict).pageSize(SHOWN_AGENTS).stream()
                    .limit(SHOWN_AGENTS - agents.size())
                    .forEach(agents::add);
        }
        if (agents.isEmpty()) {
            return;
        }
        terminal.out().println();
        Table table = new Table(text, "needs attention", "verdict", "reasons");
        Instant now = Instant.now();
        agents.forEach(agent ->
                table.row(Text.plain(agent.agentId()), agent.verdict(), new LifeText(agent.json(), now).reasons()));
        table.print(terminal);
    }

    private void printEvents(AgentHealthClient client) {
        Instant now = Instant.now();
        Deque<JsonNode> last = new ArrayDeque<>();
        client.events(now.minus(LATELY)).limit(MAX_READ_EVENTS).forEach(event -> {
            last.push(event);
            if (last.size() > SHOWN_EVENTS) {
                last.removeLast();
            }
        });
        terminal.out().println();
        terminal.out().println(text.bold("last " + LATELY.toMinutes() + " minutes"));
        if (last.isEmpty()) {
            terminal.out().println("nothing changed");
        }
        for (Iterator<JsonNode> events = last.iterator(); events.hasNext(); ) {
            JsonNode event = events.next();
            terminal.out()
                    .println(Text.pad(Text.ago(event.path("timestamp").asText(), now), 12)
                            + Text.plain(EventText.subject(event)) + " " + happened(event));
        }
    }

    private String happened(JsonNode event) {
        String state = EventText.state(event);
        String reason = EventText.reason(event);
        return EventText.kind(event)
                + (state.isEmpty() ? "" : " -> " + text.word(state, 1))
                + (reason.isEmpty() ? "" : " (" + Text.plain(reason) + ")");
    }
}
