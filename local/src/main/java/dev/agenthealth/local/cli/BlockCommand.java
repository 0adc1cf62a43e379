package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.AgentHealthClient;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Blocks or unblocks calls of an agent, or of all agents of a provider, through the gateway. */
abstract class BlockCommand implements Callable<Integer> {

    private static final String NEEDED = "administrator";

    private final Terminal terminal;

    @Mixin
    private RegistryOptions registry;

    @ArgGroup(multiplicity = "1")
    private Subject subject;

    /** The agent or the provider. */
    static final class Subject {

        @Parameters(paramLabel = "AGENT", description = "the agent's id")
        private String agentId;

        @Option(names = "--provider", paramLabel = "PROVIDER", description = "all agents of this provider")
        private String providerId;

        private String path(String action) {
            return agentId == null
                    ? "/v1/admin/providers/" + Segment.of(providerId) + action
                    : "/v1/admin/agents/" + Segment.of(agentId) + action;
        }

        private String name() {
            return agentId == null ? "provider " + providerId : agentId;
        }
    }

    BlockCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    final int post(String action, Map<String, Object> body, String done) {
        registry.call(terminal, NEEDED, client -> client.call("POST", subject.path(action), body));
        terminal.out().println(Text.plain(subject.name()) + done);
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    /** Blocks calls. */
    @Command(
            name = "block",
            mixinStandardHelpOptions = true,
            description = "Blocks calls of an agent through the gateway. Its heartbeats and leases go on.")
    static final class Block extends BlockCommand {

        @Option(names = "--reason", paramLabel = "TEXT", description = "for people")
        private String reason;

        @Option(
                names = "--for",
                paramLabel = "DURATION",
                converter = DurationConverter.class,
                description = "for how long, such as 30m, 4h or 2d; otherwise until 'unblock'")
        private Duration length;

        Block(Terminal terminal) {
            super(terminal);
        }

        @Override
        public Integer call() {
            Map<String, Object> body = new HashMap<>();
            body.put("reason", reason);
            body.put("until", length == null ? null : Instant.now().plus(length).toString());
            body.values().removeIf(value -> value == null);
            return post(
                    "/block",
                    body,
                    length == null ? " is blocked" : " is blocked for " + Text.duration(length.toSeconds()));
        }
    }

    /** Unblocks calls. */
    @Command(name = "unblock", mixinStandardHelpOptions = true, description = "Allows calls of a blocked agent again.")
    static final class Unblock extends BlockCommand {

        Unblock(Terminal terminal) {
            super(terminal);
        }

        @Override
        public Integer call() {
            return post("/unblock", Map.of(), " is not blocked");
        }
    }

    /** Lists blocks. */
    @Command(
            name = "blocks",
            mixinStandardHelpOptions = true,
            description = {
                "Lists the agents and providers with a block in force, and the agents of stops.",
                "'agent AGENT' says why an agent is stopped, and 'stop' lists the stops."
            })
    static final class Blocks implements Callable<Integer> {

        private final Terminal terminal;

        @Mixin
        private RegistryOptions registry;

        @Mixin
        private ListOptions output;

        Blocks(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            return registry.call(terminal, "viewer, coordinator or administrator", this::print);
        }

        private int print(AgentHealthClient client) {
            return new Listing(terminal, "blocks")
                    .column("blocked", block -> block.path("agent_id")
                            .asText(block.path("provider_id").asText()))
                    .column("kind", block -> block.has("agent_id") ? "agent" : "provider")
                    .column("by", block -> isStopped(block) ? "stop" : "block")
                    .time("until", "blocked_until")
                    .column("reason", block -> block.path("block_reason").asText(""))
                    .check(output)
                    .print(output, Stream.concat(blocks(client), stopped(client)), "no block and no stop is in force");
        }

        private static Stream<JsonNode> blocks(AgentHealthClient client) {
            return Stream.concat(client.trust().blockedAgents(), client.trust().blockedProviders())
                    .map(record -> record.json());
        }

        /** Returns the agents that are stopped and have no block of their own. */
        private static Stream<JsonNode> stopped(AgentHealthClient client) {
            return client.agents().find().verdict("blocked").stream()
                    .<JsonNode>map(agent -> agent.json())
                    .filter(Blocks::isStopped);
        }

        private static boolean isStopped(JsonNode agent) {
            return StreamSupport.stream(agent.path("reasons").spliterator(), false)
                    .anyMatch(reason -> reason.asText().equals("agent_stopped"));
        }
    }
}
