package dev.agenthealth.local.cli;

import dev.agenthealth.client.AgentHealthClient;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
                "Lists the agents and providers with a block in force.",
                "A stop refuses calls without a block: 'stop' lists the stops."
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
                    .time("until", "blocked_until")
                    .column("reason", block -> block.path("block_reason").asText(""))
                    .check(output)
                    .print(
                            output,
                            Stream.concat(
                                            client.trust().blockedAgents(),
                                            client.trust().blockedProviders())
                                    .map(record -> record.json()),
                            "no block is in force; 'agent-health stop' lists the stops");
        }
    }
}
