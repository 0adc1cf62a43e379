package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.AgentQuery;
import dev.agenthealth.client.AgentSummary;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists agents. */
@Command(
        name = "agents",
        mixinStandardHelpOptions = true,
        description =
                "Lists agents; without --status and --verdict all that are not gone. Several values of a filter are separated by commas.")
final class AgentsCommand implements Callable<Integer> {

    /** The number of rows that are printed together, with columns of the same width. */
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
    private final Text text;

    @Mixin
    private RegistryOptions registry;

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

    @Option(names = "--limit", paramLabel = "N", description = "print the first N agents only")
    private long limit = Long.MAX_VALUE;

    @Option(names = "--json", description = "print JSON: {\"agents\": [...]}, rows as GET /api/v1/agents has them")
    private boolean json;

    AgentsCommand(Terminal terminal) {
        this.terminal = terminal;
        this.text = new Text(terminal);
    }

    @Override
    public Integer call() {
        return registry.call(terminal, "viewer, coordinator or administrator", this::print);
    }

    private int print(AgentHealthClient client) {
        AgentQuery query = client.agents().find().pageSize((int) Math.min(PAGE, Math.max(1, limit)));
        query = statuses.isEmpty() ? query : query.status(names(statuses));
        query = kind == null ? query : query.kind(kind.name());
        query = role == null ? query : query.role(role);
        List<Verdict> shown = verdicts.isEmpty() && statuses.isEmpty() ? PRESENT : verdicts;
        query = shown.isEmpty() ? query : query.verdict(names(shown));
        query = stalled ? query.stalled(true) : query;
        query = capabilities.length == 0 ? query : query.capabilities(capabilities);
        Iterator<AgentSummary> agents = query.stream().limit(Math.max(0, limit)).iterator();
        if (json) {
            printJson(agents);
        } else {
            printTable(agents);
        }
        return ExitStatus.OK;
    }

    private static String[] names(List<? extends Enum<?>> values) {
        return values.stream().map(Enum::name).toArray(String[]::new);
    }

    private void printJson(Iterator<AgentSummary> agents) {
        terminal.out().print("{\"agents\":[");
        for (String separator = ""; agents.hasNext(); separator = ",") {
            terminal.out()
                    .print(separator
                            + System.lineSeparator()
                            + Text.json(agents.next().json()));
            terminal.checkOutput();
        }
        terminal.out().println("]}");
        terminal.checkOutput();
    }

    private void printTable(Iterator<AgentSummary> agents) {
        if (!agents.hasNext()) {
            terminal.errors().println("no agent matches");
        }
        Instant now = Instant.now();
        while (agents.hasNext()) {
            Table table = new Table(
                    text, "agent", "role", "verdict", "status", "health", "score", "last heartbeat", "reasons");
            for (int row = 0; row < PAGE && agents.hasNext(); row++) {
                AgentSummary agent = agents.next();
                JsonNode fields = agent.json();
                LifeText life = new LifeText(fields, now);
                table.row(
                        Text.plain(agent.agentId()),
                        agent.roleId().isEmpty() ? "-" : Text.plain(agent.roleId()),
                        agent.verdict(),
                        agent.status(),
                        fields.path("health_status").asText("-"),
                        Text.number(fields.path("score")),
                        life.brief(),
                        life.reasons());
            }
            table.print(terminal);
        }
    }
}
