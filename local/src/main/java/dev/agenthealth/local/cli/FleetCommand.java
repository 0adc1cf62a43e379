package dev.agenthealth.local.cli;

import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.local.fleet.FleetPlan;
import dev.agenthealth.local.fleet.FleetReport;
import dev.agenthealth.local.fleet.RegistryHttp;
import dev.agenthealth.local.fleet.SimulatedFleet;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a simulated fleet against a running system in real time and prints a report. */
@Command(
        name = "fleet",
        mixinStandardHelpOptions = true,
        description =
                "Runs simulated agents against a running registry, and compares what it says of each agent with what the agent did. Needs an administrator's key.",
        footer = {"", "Exit status 3: an agent differs."})
final class FleetCommand implements Callable<Integer> {

    private static final Duration TICK = Duration.ofMillis(100);
    private static final int THREADS = 16;
    private static final String KEY_NAME = "simulated fleet";

    /** The maximum pause of this process. A longer pause makes agents miss heartbeats. */
    private static final Duration MAX_PROCESS_PAUSE = Duration.ofSeconds(2);

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RegistryOptions registry;

    @Option(names = "--agents", paramLabel = "N", description = "number of agents (200)")
    private int agents = FleetPlan.DEFAULT.agents();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "how long they run (as long as the slowest behaviour takes)")
    private long seconds = FleetPlan.DEFAULT.fullCycle().toSeconds();

    FleetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (agents < 1 || seconds < 1) {
            throw new ParameterException(spec.commandLine(), "--agents and --seconds must be at least 1");
        }
        List<String> keys = registry.call(terminal, "administrator", FleetCommand::issueKeys);
        URI url = URI.create(registry.url());
        return run(
                FleetPlan.DEFAULT.withAgents(agents),
                new RegistryHttp(url, keys.get(0)),
                new RegistryHttp(url, keys.get(1)));
    }

    private static List<String> issueKeys(AgentHealthClient client) {
        return List.of(
                client.keys()
                        .issue("agent", KEY_NAME, List.of(), SimulatedFleet.providers())
                        .apiKey(),
                client.keys()
                        .issue("coordinator", KEY_NAME, List.of(), List.of())
                        .apiKey());
    }

    private int run(FleetPlan plan, RegistryHttp registryOfAgents, RegistryHttp coordinator)
            throws InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try (Progress progress = new Progress(terminal, "running")) {
            Instant start = Instant.now();
            String run = Long.toString(start.getEpochSecond(), Character.MAX_RADIX);
            SimulatedFleet fleet = new SimulatedFleet(run, plan, registryOfAgents, coordinator, executor, start);
            terminal.out().printf("%d agents run for %d seconds as sim-%s-*%n", plan.agents(), seconds, run);
            Instant end = start.plusSeconds(seconds);
            Instant before = start;
            Duration longestStandstill = Duration.ZERO;
            for (Instant now = start; now.isBefore(end); now = Instant.now()) {
                Duration standstill = Duration.between(before, now);
                longestStandstill = standstill.compareTo(longestStandstill) > 0 ? standstill : longestStandstill;
                before = now;
                fleet.act(now);
                progress.show(Duration.between(start, now).toMillis(), seconds * 1_000);
                TimeUnit.MILLISECONDS.sleep(TICK.toMillis());
            }
            progress.show(1, 1);
            return report(fleet.report(), longestStandstill);
        } finally {
            executor.shutdownNow();
        }
    }

    private int report(FleetReport report, Duration longestStandstill) {
        terminal.out().println();
        terminal.out().print(report.text());
        if (!report.mismatches().isEmpty() && longestStandstill.compareTo(MAX_PROCESS_PAUSE) > 0) {
            terminal.out()
                    .printf(
                            "The fleet paused for up to %d seconds, because this machine or the registry was overloaded: its heartbeats were late.%n",
                            longestStandstill.toSeconds());
        }
        return report.mismatches().isEmpty() ? ExitStatus.OK : ExitStatus.NOT_FINE;
    }
}
