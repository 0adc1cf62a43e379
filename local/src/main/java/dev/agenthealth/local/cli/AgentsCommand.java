package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.AgentQuery;
import dev.agenthealth.client.AgentSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists agents. */
@Command(
        name = "agents",
        mixinStandardHelpOptions = true,
        description =
                "Lists agents; without --status and --verdict all that are not gone. Several values of a filter are separated by commas.")
final class AgentsCommand implements Callable<Integer> {

    private static final int PAGE = 1_000;

    /** Values of a filter, in lower case for input and output. */
    private enum Status {
        active,
        draining,
        unhealthy,
        dead,
        deregistered
    }

    private enum Kind {
        agent,
        mcp_server
    }

    private enum Verdict {
        ok,
        degraded,
        unknown,
        down,
        blocked,
        gone
    }

    private static final List<Verdict> PRESENT = Stream.of(Verdict.values())
            .filter(verdict -> verdict != Verdict.gone)
            .toList();

    private final Terminal terminal;

    @Mixin
    private RegistryOptions registry;

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "agents whose id or name has this part, or matches a pattern such as 'billing-*'")
    private String pattern;

    @Option(names = "--kind", paramLabel = "KIND", description = "agent, mcp_server")
    private Kind kind;

    @Option(names = "--role", paramLabel = "ROLE", description = "agents of this role")
    private String role;

    @Option(
            names = "--status",
            split = ",",
            paramLabel = "STATUS",
            description = "active, draining, unhealthy, dead, deregistered")
    private List<Status> statuses = List.of();

    @Option(
            names = "--verdict",
            split = ",",
            paramLabel = "VERDICT",
            description = "ok, degraded, unknown, down, blocked, gone")
    private List<Verdict> verdicts = List.of();

    @Option(
            names = "--capability",
            split = ",",
            paramLabel = "CAPABILITY",
            description = "agents with any of these capabilities")
    private String[] capabilities = {};

    @Option(names = "--stalled", description = "agents that send heartbeats and make no progress")
    private boolean stalled;

    @Option(names = "--waiting", description = "agents that wait for a person, the longest wait first")
    private boolean waiting;

    @Option(names = "--looping", description = "agents that repeat the same calls")
    private boolean looping;

    @Option(names = "--limit", paramLabel = "N", description = "print the first N agents only")
    private long limit = Long.MAX_VALUE;

    @Mixin
    private ListOptions output;

    AgentsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        listing().check(output);
        return registry.call(terminal, "viewer, coordinator or administrator", this::print);
    }

    private int print(AgentHealthClient client) {
        AgentQuery query = client.agents()
                .find()
                .pageSize(pattern == null && !waiting ? (int) Math.min(PAGE, Math.max(1, limit)) : PAGE);
        query = statuses.isEmpty() ? query : query.status(names(statuses));
        query = kind == null ? query : query.kind(kind.name());
        query = role == null ? query : query.role(role);
        List<Verdict> shown = verdicts.isEmpty() && statuses.isEmpty() ? PRESENT : verdicts;
        query = shown.isEmpty() ? query : query.verdict(names(shown));
        query = stalled ? query.stalled(true) : query;
        query = waiting ? query.waiting(true) : query;
        query = looping ? query.looping(true) : query;
        query = capabilities.length == 0 ? query : query.capabilities(capabilities);
        Stream<AgentSummary> found = waiting
                ? query.stream().sorted(Comparator.comparing(agent -> agent.waitingSince()
                        .orElse(Instant.MAX)))
                : query.stream();
        Stream<JsonNode> agents = found.<JsonNode>map(AgentSummary::json)
                .filter(agent -> pattern == null || matches(agent))
                .limit(Math.max(0, limit));
        return listing().print(output, agents, "no agent matches");
    }

    private Listing listing() {
        Instant now = Instant.now();
        return new Listing(terminal, "agents")
                .field("agent", "agent_id")
                .column("role", agent -> text(agent, "role_id"))
                .field("verdict", "verdict")
                .field("status", "status")
                .column("health", agent -> text(agent, "health_status"))
                .column("score", agent -> Text.number(agent.path("score")))
                .column("last heartbeat", agent -> new LifeText(agent, now).brief(), AgentsCommand::heardAt)
                .column("reasons", agent -> new LifeText(agent, now).reasons())
                .wide("kind", agent -> text(agent, "kind"))
                .wide("name", agent -> text(agent, "name"))
                .wide("provider", agent -> text(agent, "provider_id"))
                .wide("load", agent -> agent.at("/capacity/current_load").asText("-"))
                .wide("capabilities", AgentsCommand::capabilities);
    }

    /** Returns the time of the last heartbeat; empty before the first one. */
    private static String heardAt(JsonNode agent) {
        return agent.path("heard").asBoolean(true)
                ? agent.path("last_heartbeat_at").asText("")
                : "";
    }

    private static String text(JsonNode agent, String field) {
        String text = agent.path(field).asText("");
        return text.isEmpty() || agent.path(field).isNull() ? "-" : text;
    }

    private static String capabilities(JsonNode agent) {
        List<String> names = new ArrayList<>();
        agent.path("capabilities").forEach(name -> names.add(name.asText()));
        return names.isEmpty() ? "-" : String.join(",", names);
    }

    /** Returns true if the id or the name of an agent matches the pattern: a part of it, or a whole one with * and ?. */
    private boolean matches(JsonNode agent) {
        String form = pattern.matches(".*[*?].*") ? pattern : "*" + pattern + "*";
        Pattern name = Pattern.compile(
                "\\Q" + form.replace("\\E", "").replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q") + "\\E",
                Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
        return name.matcher(agent.path("agent_id").asText()).matches()
                || name.matcher(agent.path("name").asText("")).matches();
    }

    private static String[] names(List<? extends Enum<?>> values) {
        return values.stream().map(Enum::name).toArray(String[]::new);
    }
}
