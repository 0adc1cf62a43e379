package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists problems. */
@Command(
        name = "problems",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the subjects with the number of their problems, the worst first, and acknowledged ones below; -o json lists each problem.",
            "'problems acknowledge' and 'problems dismiss' change one."
        })
final class ProblemsCommand implements Callable<Integer> {

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

    @Option(names = "--owner", paramLabel = "KEY_ID", description = "problems of agents that this key owns")
    private String owner;

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
                client -> listing.print(output, rows(client.problems().stream(filters)), "there are no such problems"));
    }

    /** Returns problems as JSON, or the rows of the table. */
    private Stream<JsonNode> rows(Stream<JsonNode> problems) {
        Stream<JsonNode> owned = problems.filter(problem ->
                owner == null || problem.path("owner_key_id").asText().equals(owner));
        return output.isJson() ? owned : ProblemGroup.of(owned).map(ProblemGroup::row);
    }

    private Listing listing() {
        return new Listing(terminal, "problems")
                .field("problem", "problem_id")
                .field("name", "title")
                .field("state", "label")
                .field("severity", "severity")
                .field("problems", ProblemGroup.COUNT)
                .time("since", "opened_at")
                .column("reason", problem -> problem.path(ProblemGroup.TEXT).asText())
                .wide("handling", problem -> problem.path("state").asText("-"))
                .wide("agent", problem -> problem.path("agent_id").asText("-"))
                .wide("role", problem -> problem.path("role_id").asText("-"))
                .wide("owner", problem -> problem.path("owner_key_id").asText("-"))
                .wide("cause", problem -> cause(problem.path("cause")))
                .wide("contact", problem -> problem.path("contact").asText("-"));
    }

    private static String cause(JsonNode cause) {
        return cause.isMissingNode()
                ? "-"
                : cause.path("kind").asText() + " " + cause.path("id").asText();
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
        return printed(problem, ", reminder " + Text.moment(until, Instant.now()));
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
