package dev.agenthealth.local.cli;

import dev.agenthealth.client.AgentHealthClient;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the leases of an agent or of an intent. */
@Command(
        name = "leases",
        mixinStandardHelpOptions = true,
        description = "Lists the leases of an agent, or of an intent.")
final class LeasesCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Mixin
    private RegistryOptions registry;

    @ArgGroup(multiplicity = "1")
    private Holder holder;

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            defaultValue = "",
            description = "of an intent: active (default), released, expired, revoked, separated by commas")
    private String status;

    @Mixin
    private ListOptions output;

    /** The agent or the intent. */
    static final class Holder {

        @Option(names = "--agent", paramLabel = "AGENT", description = "leases of this agent")
        private String agentId;

        @Option(names = "--intent", paramLabel = "INTENT", description = "leases of this intent")
        private String intentId;

        private String path() {
            return agentId == null
                    ? "/api/v1/intents/" + Segment.of(intentId) + "/leases"
                    : "/api/v1/agents/" + Segment.of(agentId) + "/leases";
        }
    }

    LeasesCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        return registry.call(terminal, "agent, viewer, coordinator or administrator", this::print);
    }

    private int print(AgentHealthClient client) {
        return new Listing(terminal, "leases")
                .field("lease", "id")
                .field("intent", "intent_id")
                .field("scope", "scope")
                .field("agent", "agent_id")
                .field("status", "status")
                .time("expires", "expires_at")
                .wide("token", lease -> lease.path("fencing_token").asText())
                .check(output)
                .print(
                        output,
                        client.list(holder.path(), Map.of("status", status), "leases"),
                        "there are no such leases");
    }
}
