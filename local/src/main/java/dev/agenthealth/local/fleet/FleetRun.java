package dev.agenthealth.local.fleet;

import java.io.PrintStream;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The command that runs a simulated fleet against a running system in real time and prints a report.
 *
 * <p>Arguments: {@code --agents N} (200), {@code --seconds N} (the duration of the slowest behaviour). Environment:
 * {@code AGENT_HEALTH_URL} ({@code http://localhost:8080}), {@code AGENT_HEALTH_ADMIN_KEY}.
 */
public final class FleetRun {

    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration PROGRESS = Duration.ofSeconds(10);
    private static final int THREADS = 16;

    /** A longer pause of this process makes agents miss heartbeats. */
    private static final Duration MAX_STANDSTILL = Duration.ofSeconds(2);

    private final Clock clock;
    private final PrintStream out;

    public FleetRun(Clock clock, PrintStream out) {
        this.clock = clock;
        this.out = out;
    }

    /**
     * Runs the command.
     *
     * @return the exit status: 0 when every agent matches its behaviour, 1 otherwise, 2 for wrong arguments or an unusable registry
     */
    public int run(String[] arguments, Map<String, String> environment) throws InterruptedException {
        FleetPlan plan = FleetPlan.DEFAULT;
        long seconds = 0;
        for (int i = 0; i < arguments.length; i += 2) {
            int number = number(i + 1 < arguments.length ? arguments[i + 1] : "");
            if (number < 1 || !arguments[i].equals("--agents") && !arguments[i].equals("--seconds")) {
                out.println(
                        "usage: fleet [--agents N] [--seconds N], with AGENT_HEALTH_ADMIN_KEY and AGENT_HEALTH_URL set");
                return 2;
            }
            if (arguments[i].equals("--agents")) {
                plan = plan.withAgents(number);
            } else {
                seconds = number;
            }
        }
        String key = environment.getOrDefault("AGENT_HEALTH_ADMIN_KEY", "");
        if (key.isEmpty()) {
            out.println("AGENT_HEALTH_ADMIN_KEY must be set to the administrator's key of the running system");
            return 2;
        }
        URI url = URI.create(environment.getOrDefault("AGENT_HEALTH_URL", "http://localhost:8080"));
        RegistryHttp administrator = new RegistryHttp(url, key);
        RegistryHttp agents;
        RegistryHttp coordinator;
        try {
            agents = administrator.withNewKey("agent", "simulated fleet", Declaration.providers());
            coordinator = administrator.withNewKey("coordinator", "simulated fleet", List.of());
        } catch (IllegalStateException e) {
            out.println(e.getMessage()
                    + "; AGENT_HEALTH_URL says where it is, AGENT_HEALTH_ADMIN_KEY its administrator's key");
            return 2;
        }
        return run(plan, seconds == 0 ? plan.fullCycle() : Duration.ofSeconds(seconds), agents, coordinator);
    }

    private int run(FleetPlan plan, Duration length, RegistryHttp agents, RegistryHttp coordinator)
            throws InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            Instant start = clock.instant();
            String run = Long.toString(start.getEpochSecond(), Character.MAX_RADIX);
            SimulatedFleet fleet = new SimulatedFleet(run, plan, agents, coordinator, executor, start);
            out.printf("%d agents run for %d seconds as sim-%s-…%n", plan.agents(), length.toSeconds(), run);
            Instant nextProgress = start.plus(PROGRESS);
            Instant before = start;
            Duration longestStandstill = Duration.ZERO;
            for (Instant now = start; now.isBefore(start.plus(length)); now = clock.instant()) {
                Duration standstill = Duration.between(before, now);
                longestStandstill = standstill.compareTo(longestStandstill) > 0 ? standstill : longestStandstill;
                before = now;
                fleet.act(now);
                if (!now.isBefore(nextProgress)) {
                    out.printf("%4d s%n", Duration.between(start, now).toSeconds());
                    nextProgress = nextProgress.plus(PROGRESS);
                }
                TimeUnit.MILLISECONDS.sleep(TICK.toMillis());
            }
            FleetReport report = fleet.report();
            out.print(report.text());
            if (!report.mismatches().isEmpty() && longestStandstill.compareTo(MAX_STANDSTILL) > 0) {
                out.printf(
                        "The fleet paused for up to %d seconds, because this machine or the registry was overloaded: its heartbeats were late.%n",
                        longestStandstill.toSeconds());
            }
            return report.mismatches().isEmpty() ? 0 : 1;
        } finally {
            executor.shutdownNow();
        }
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
