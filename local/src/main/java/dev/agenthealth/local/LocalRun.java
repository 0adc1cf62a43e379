package dev.agenthealth.local;

import dev.agenthealth.local.fleet.FleetRun;
import dev.agenthealth.model.identity.KeyHash;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;

/**
 * Runs the system on this machine until it is stopped (Ctrl-C), configured by environment variables; see {@link RunSettings}.
 * Prints one line with the address when it is ready. Exits with status 1 and one line on standard error when it cannot start, with status 2
 * for an argument that it does not know.
 *
 * <p>With the argument {@code fleet}, runs a simulated fleet against a running system; see {@link FleetRun}.
 */
public final class LocalRun {

    private static final String USAGE =
            """
            Runs Agent Health on this machine until it is stopped (Ctrl-C).

            Usage:
              java -jar agent-health-local.jar                                   start the system
              java -jar agent-health-local.jar fleet [--agents N] [--seconds N]  run a simulated fleet against a running system
              java -jar agent-health-local.jar --help | --version

            Environment:
              AGENT_HEALTH_PORT                      port (8080); 0 selects a free one
              AGENT_HEALTH_HOST                      address that it listens on (127.0.0.1)
              AGENT_HEALTH_ADMIN_KEY                 the administrator's API key, 16 to 256 characters (generated and printed)
              AGENT_HEALTH_DATA_DIR                  folder that keeps the data across restarts (in memory)
              AGENT_HEALTH_SWEEP_SECONDS             seconds between two sweeps, 1 to 60 (5)
              AGENT_HEALTH_HEARTBEAT_URL_PORT        port of a URL for heartbeats alone, as HeartbeatFunctionUrl deploys one (none)
              AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS  true lets the gateway call agents on this machine (false)
              AGENT_HEALTH_URL                       of the running system, for fleet (http://localhost:8080)
            """;

    private LocalRun() {}

    public static void main(String[] arguments) throws InterruptedException {
        OptionalInt status = command(arguments, System.getenv(), System.out, System.err);
        if (status.isPresent()) {
            System.exit(status.getAsInt());
        }
        PrintStream errors = System.err;
        System.setOut(new Console(System.out));
        RunSettings settings;
        LocalSystem system;
        try {
            settings = RunSettings.of(System.getenv(), new SecureRandom());
            system = start(settings.options());
        } catch (IOException | RuntimeException e) {
            errors.println(startError(e));
            System.exit(1);
            return;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(system::close, "shutdown"));
        System.out.println(readyLine(system, settings));
        waitUntilStopped();
    }

    /** Does what the arguments say, and returns the exit status; empty when they say to start the system. */
    static OptionalInt command(String[] arguments, Map<String, String> environment, PrintStream out, PrintStream errors)
            throws InterruptedException {
        if (arguments.length == 0) {
            return OptionalInt.empty();
        }
        switch (arguments[0]) {
            case "fleet":
                String[] others = Arrays.copyOfRange(arguments, 1, arguments.length);
                return OptionalInt.of(new FleetRun(Clock.systemUTC(), out).run(others, environment));
            case "--help", "-h":
                out.print(USAGE);
                return OptionalInt.of(0);
            case "--version":
                String version = LocalRun.class.getPackage().getImplementationVersion();
                out.println("Agent Health " + (version == null ? "(not packaged)" : version));
                return OptionalInt.of(0);
            default:
                errors.println("unknown argument " + arguments[0] + "; --help lists what there is");
                return OptionalInt.of(2);
        }
    }

    /**
     * Starts the system.
     *
     * @throws IOException when the data folder or the address is not available
     */
    static LocalSystem start(LocalOptions options) throws IOException {
        try {
            return LocalSystem.start(options);
        } catch (BindException e) {
            throw new IOException(
                    "port " + options.port() + " of " + options.host()
                            + " is not available; is it in use? AGENT_HEALTH_PORT chooses another (0 for any free one)",
                    e);
        }
    }

    /** One line that says why the system cannot start. */
    static String startError(Exception failure) {
        Throwable reason =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String text = reason.getMessage() == null ? reason.toString() : reason.getMessage();
        return "Agent Health cannot start: " + text.strip().replaceAll("\\s+", " ");
    }

    static String readyLine(LocalSystem system, RunSettings settings) {
        String key = "as given in AGENT_HEALTH_ADMIN_KEY";
        if (!settings.generatedKey().isEmpty()) {
            key = KeyHash.ofKey(settings.generatedKey()).equals(system.administratorKey())
                    ? settings.generatedKey()
                    : "that of an earlier start";
        }
        return "Agent Health is ready at " + system.baseUrl() + " (administrator key: " + key + ")";
    }

    /** All other threads are daemons: the shutdown hook ends the run. */
    private static void waitUntilStopped() {
        try {
            Thread.currentThread().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
