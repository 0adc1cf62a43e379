package dev.agenthealth.local.cli;

import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.fleet.DemoEndpoint;
import dev.agenthealth.local.fleet.DemoFleet;
import dev.agenthealth.local.fleet.DemoHistory;
import dev.agenthealth.local.fleet.DemoOperator;
import dev.agenthealth.local.fleet.RegistryHttp;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the system without a data folder, with a small fleet to look at. */
@Command(
        name = DemoCommand.NAME,
        mixinStandardHelpOptions = true,
        description = {
            "Starts a registry without a data folder and a fleet of agents that work, are slow, fail, hang, die and restart, and prints the address of its page.",
            "Nothing of it stays when it is stopped (Ctrl-C)."
        })
final class DemoCommand implements Callable<Integer> {

    static final String NAME = "demo";

    private static final Duration SWEEP = Duration.ofSeconds(2);
    private static final Duration TICK = Duration.ofMillis(200);
    private static final int THREADS = 8;
    private static final int MAX_PORT = 65_535;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "port (8080); 0 selects a free one. AGENT_HEALTH_PORT")
    private int port;

    @Option(
            names = "--open",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "open the page in a browser, where there is a desktop (default)")
    private boolean open;

    DemoCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        if (port < 0 || port > MAX_PORT) {
            throw new ParameterException(spec.commandLine(), "--port (AGENT_HEALTH_PORT) must be from 0 to 65535");
        }
        PrintStream silence = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(silence);
        String administratorKey = ServeOptions.generateKey(new SecureRandom());
        DemoEndpoint endpoint = DemoEndpoint.open();
        EmbeddedDynamoDb database = EmbeddedDynamoDb.inTemporaryFile(Clock.systemUTC());
        LocalOptions options = LocalOptions.of(ServeOptions.packagedTemplate(), administratorKey)
                .database(database)
                .port(port)
                .sweepPeriod(SWEEP)
                .allowLoopbackEndpoints()
                .out(silence);
        ServeCommand.checkPort(options);
        String agentKey = writeHistory(options, endpoint);
        LocalSystem system = ServeCommand.start(options);
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS);
        String page = startFleet(system, administratorKey, agentKey, endpoint, threads);
        if (open && terminal.interactive()) {
            browse(page);
        }
        ServeCommand.waitUntilStopped(() -> {
            threads.shutdownNow();
            endpoint.close();
            system.close();
            database.close();
        });
        return ExitStatus.OK;
    }

    private String writeHistory(LocalOptions options, DemoEndpoint endpoint) throws IOException {
        terminal.out().println("Writing a day of history ...");
        long begun = System.nanoTime();
        String agentKey = DemoHistory.write(
                options, endpoint, Clock.systemUTC(), progress -> terminal.out().println("  " + progress));
        double seconds = (System.nanoTime() - begun) / NANOS_PER_SECOND;
        terminal.out().printf(Locale.ROOT, "Wrote a day of history in %.1f s.%n", seconds);
        return agentKey;
    }

    /** Registers the agents, prints a summary, and returns the address of the page. */
    private String startFleet(
            LocalSystem system,
            String administratorKey,
            String agentKey,
            DemoEndpoint endpoint,
            ScheduledExecutorService threads) {
        RegistryHttp administrator = new RegistryHttp(URI.create(system.baseUrl()), administratorKey);
        RegistryHttp viewer = administrator.withNewKey("viewer", "demo", List.of());
        DemoOperator operator = new DemoOperator(administrator, Instant.now());
        operator.prepare();
        DemoFleet fleet = new DemoFleet(
                administrator.withKey(agentKey),
                administrator.withNewKey("coordinator", "demo", List.of()),
                endpoint,
                threads,
                Instant.now());
        threads.scheduleWithFixedDelay(() -> fleet.act(Instant.now()), 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
        threads.scheduleWithFixedDelay(
                () -> operator.act(Instant.now()), TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
        String page = system.baseUrl() + "/#key=" + viewer.key();
        Text text = new Text(terminal);
        terminal.out().println(DemoFleet.size() + " agents work, are slow, fail, hang, die and restart. Look at them:");
        terminal.out().println();
        terminal.out().println("  page                " + text.bold(page));
        terminal.out().println("  administrator key   " + administratorKey);
        terminal.out().println();
        terminal.out()
                .println(
                        "The key in the address may only look; it is never sent as part of the address. Press Ctrl-C to stop, which deletes the data.");
        return page;
    }

    /** Opens the page if the system has a program for it; otherwise the printed address remains. */
    private static void browse(String page) {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String[] command = system.contains("mac")
                ? new String[] {"open", page}
                : system.contains("win")
                        ? new String[] {"rundll32", "url.dll,FileProtocolHandler", page}
                        : new String[] {"xdg-open", page};
        try {
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            // Without a program, the address on the terminal remains.
        }
    }
}
