package dev.agenthealth.local.cli;

import dev.agenthealth.client.ConflictException;
import dev.agenthealth.client.ProblemException;
import dev.agenthealth.client.Registration;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Registers an agent that the registry watches by its address. */
@Command(
        name = WatchCommand.NAME,
        mixinStandardHelpOptions = true,
        description = {
            "Registers an agent that sends no heartbeats: the registry asks at its address whether it lives.",
            "Without --by, a path /.well-known/agent-card.json is asked by a2a, /.well-known/agent-health by agent_health,",
            "one that ends in /mcp by mcp, and every other one by http."
        })
final class WatchCommand implements Callable<Integer> {

    static final String NAME = "watch";

    private static final String WELL_KNOWN = "/.well-known/";
    private static final int MAX_ID = 64;
    private static final int MAX_INTERVAL_SECONDS = 86_400;

    /** The number of failed probes until the agent is unhealthy; for heartbeats the default is the same. */
    private static final int PROBES_TO_UNHEALTHY = 3;

    private static final int PROBES_TO_DEAD = 10;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RegistryOptions registry;

    @Parameters(paramLabel = "ADDRESS", description = "the http or https URL to ask")
    private String address;

    @Option(names = "--id", paramLabel = "AGENT", description = "the agent's id; by default host and path of ADDRESS")
    private String agentId;

    @Option(names = "--by", description = "what is asked: ${COMPLETION-CANDIDATES}")
    private Kind by;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "time between two probes (60): a multiple of 60, on one machine of 10")
    private int intervalSeconds;

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            description =
                    "where the agent is called; an agent's key watches addresses of this host only. By default ADDRESS, without its path unless it is asked by mcp")
    private String endpoint;

    @Option(
            names = "--owner",
            paramLabel = "KEY_ID",
            description = "the key that owns the agent; an administrator's key has to name it")
    private String owner;

    /** The kinds of probes, in lower case for input and requests. */
    enum Kind {
        http,
        a2a,
        agent_health,
        mcp;

        static Kind of(URI address) {
            String path = address.getPath();
            return switch (path) {
                case WELL_KNOWN + "agent-card.json" -> a2a;
                case WELL_KNOWN + "agent-health" -> agent_health;
                default -> path.endsWith("/mcp") ? mcp : http;
            };
        }
    }

    WatchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (intervalSeconds < 1 || intervalSeconds > MAX_INTERVAL_SECONDS) {
            throw new ParameterException(spec.commandLine(), "--interval must be from 1 to " + MAX_INTERVAL_SECONDS);
        }
        URI uri = address();
        String id = agentId == null ? id(uri) : agentId;
        Kind kind = by == null ? Kind.of(uri) : by;
        registry.call(terminal, "agent or administrator", client -> {
            try {
                return client.agents().register(registration(id, kind));
            } catch (ConflictException e) {
                throw new CommandFailedException(e.detail() + " --id names another agent.", e);
            } catch (ProblemException e) {
                throw owner == null
                                && e.errors().stream()
                                        .anyMatch(error -> error.field().equals("owner_key_id"))
                        ? new CommandFailedException(
                                "An administrator's key names the key that owns the agent: --owner KEY_ID ('keys list' lists them)",
                                e)
                        : e;
            }
        });
        terminal.out()
                .println(Text.plain(id) + " is watched every " + Text.duration(intervalSeconds) + " by " + kind
                        + "; 'agent " + Text.plain(id) + "' shows what the last probe found");
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    private URI address() {
        try {
            URI uri = new URI(address);
            if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // The result is the same as for any other text that is no URL.
        }
        throw new ParameterException(
                spec.commandLine(), "ADDRESS must be an absolute http or https URL, and not " + Text.plain(address));
    }

    private Registration registration(String id, Kind kind) {
        Duration interval = Duration.ofSeconds(intervalSeconds);
        Registration registration = Registration.of(id)
                .heartbeat(interval, interval.multipliedBy(PROBES_TO_UNHEALTHY), interval.multipliedBy(PROBES_TO_DEAD))
                .with("watch", Map.of("by", kind.name(), "url", address, "interval_seconds", intervalSeconds));
        registration = registration.with("endpoint", endpoint == null ? endpoint(kind) : endpoint);
        return owner == null ? registration : registration.ownerKey(owner);
    }

    /** Returns where an agent is called that is watched at the address: a server of MCP there, another agent at the root of the host. */
    private String endpoint(Kind kind) {
        return kind == Kind.mcp ? address : address().resolve("/").toString();
    }

    /**
     * Returns host, port and path as an id: "tools.example.com-mcp". A well-known path is left out, since it says nothing about the agent.
     */
    private static String id(URI address) {
        String path = address.getPath().startsWith(WELL_KNOWN) ? "" : address.getPath();
        String id = (address.getAuthority() + path)
                .replaceAll("[^A-Za-z0-9.]+", "-")
                .replaceAll("^[^A-Za-z0-9]+|[^A-Za-z0-9]+$", "");
        return id.length() > MAX_ID ? id.substring(0, MAX_ID) : id;
    }
}
