package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists problems. */
@Command(
        name = "problems",
        mixinStandardHelpOptions = true,
        description = "Lists problems, the worst first; 'problems acknowledge' and 'problems dismiss' change one.")
final class ProblemsCommand implements Callable<Integer> {

    private static final int CHARACTERS_UP_TO_SECONDS = 19;

    private final Terminal terminal;

    @Mixin
    private RegistryOptions registry;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description =
                    "open, acknowledged, resolved, dismissed, separated by commas, or all; by default the first two")
    private String state;

    @Option(
            names = "--severity",
            paramLabel = "SEVERITY",
            description = "critical, error, warning, info, separated by commas")
    private String severity;

    @Option(names = "--agent", paramLabel = "AGENT", description = "problems of this agent")
    private String agentId;

    @Option(names = "--role", paramLabel = "ROLE", description = "problems of this role")
    private String roleId;

    @Mixin
    private ListOptions output;

    ProblemsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Map<String, String> filters = new HashMap<>();
        filters.put("state", state);
        filters.put("severity", severity);
        filters.put("agent_id", agentId);
        filters.put("role_id", roleId);
        filters.values().removeIf(value -> value == null);
        Listing listing = listing().check(output);
        return registry.call(
                terminal,
                "agent, viewer, coordinator or administrator",
                client -> listing.print(output, client.problems().stream(filters), "there are no such problems"));
    }

    private Listing listing() {
        return new Listing(terminal, "problems")
                .field("problem", "problem_id")
                .field("severity", "severity")
                .field("state", "state")
                .time("since", "opened_at")
                .column("what", problem -> problem.path("summary").asText() + handled(problem))
                .wide("agent", problem -> problem.path("agent_id").asText("-"))
                .wide("role", problem -> problem.path("role_id").asText("-"));
    }

    private static String handled(JsonNode problem) {
        JsonNode handling = problem.has("dismissal") ? problem.path("dismissal") : problem.path("acknowledgement");
        if (handling.isMissingNode()) {
            return "";
        }
        String who = handling.path("by_name").asText(handling.path("by").asText());
        String note = handling.path("note").asText();
        return " (" + who + (note.isEmpty() ? "" : ": " + note) + ")";
    }

    @Command(
            name = "acknowledge",
            mixinStandardHelpOptions = true,
            description = "Says that somebody takes care of a problem.")
    int acknowledge(
            @Mixin RegistryOptions of,
            @Parameters(paramLabel = "PROBLEM", description = "the problem's id") String problemId,
            @Option(names = "--note", paramLabel = "TEXT", description = "for people, up to 500 characters")
                    String note,
            @Option(
                            names = "--for",
                            paramLabel = "DURATION",
                            converter = DurationConverter.class,
                            description =
                                    "for how long, such as 30m, 4h or 2d; otherwise until it is over, and at most 30 days")
                    Duration length) {
        Map<String, Object> body = body(note);
        if (length != null) {
            body.put("for_seconds", length.toSeconds());
        }
        JsonNode problem = of.call(terminal, "agent, coordinator or administrator", client -> client.problems()
                .acknowledge(problemId, body));
        String until = problem.at("/acknowledgement/until").asText();
        return printed(
                problem,
                " until " + until.substring(0, CHARACTERS_UP_TO_SECONDS) + "Z, " + Text.moment(until, Instant.now()));
    }

    @Command(
            name = "dismiss",
            mixinStandardHelpOptions = true,
            description = "Closes a problem until it occurs anew. A dead agent does not count as down any more.")
    int dismiss(
            @Mixin RegistryOptions of,
            @Parameters(paramLabel = "PROBLEM", description = "the problem's id") String problemId,
            @Option(names = "--note", paramLabel = "TEXT", description = "for people, up to 500 characters")
                    String note) {
        return printed(
                of.call(terminal, "coordinator or administrator", client -> client.problems()
                        .dismiss(problemId, body(note))),
                "");
    }

    private static Map<String, Object> body(String note) {
        Map<String, Object> body = new HashMap<>();
        if (note != null) {
            body.put("note", note);
        }
        return body;
    }

    private int printed(JsonNode problem, String end) {
        terminal.out()
                .println(Text.plain(problem.path("problem_id").asText() + " is "
                        + problem.path("state").asText() + end));
        terminal.checkOutput();
        return ExitStatus.OK;
    }
}
