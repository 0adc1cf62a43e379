package dev.agenthealth.local.fleet;

import java.io.PrintStream;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The command that lets a simulated fleet live against a running system, in real time, and prints what the system made of it.
 *
 * <p>Arguments: {@code --agents N} (200), {@code --seconds N} (as long as the slowest behaviour needs). Environment:
 * {@code AGENT_HEALTH_URL} ({@code http://localhost:8080}), {@code AGENT_HEALTH_ADMIN_KEY}.
 */
public final class FleetRun {

    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration PROGRESS = Duration.ofSeconds(10);
    private static final int THREADS = 16;

    private final Clock clock;
    private final PrintStream out;

    public FleetRun(Clock clock, PrintStream out) {
        this.clock = clock;
        this.out = out;
    }

    /**
     * Runs the command.
     *
     * @return the exit status: 0 where every agent was seen as it was, 1 otherwise, 2 for wrong arguments
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
        return run(plan, seconds == 0 ? plan.wholeStory() : Duration.ofSeconds(seconds), new RegistryHttp(url, key));
    }

    private int run(FleetPlan plan, Duration length, RegistryHttp administrator) throws InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            RegistryHttp agents = administrator.withNewKey("agent", "simulated fleet");
            RegistryHttp coordinator = administrator.withNewKey("coordinator", "simulated fleet");
            Instant start = clock.instant();
            String run = Long.toString(start.getEpochSecond(), Character.MAX_RADIX);
            SimulatedFleet fleet = new SimulatedFleet(run, plan, agents, coordinator, executor, start);
            out.printf("%d agents live for %d seconds as sim-%s-…%n", plan.agents(), length.toSeconds(), run);
            Instant nextProgress = start.plus(PROGRESS);
            for (Instant now = start; now.isBefore(start.plus(length)); now = clock.instant()) {
                fleet.live(now);
                if (!now.isBefore(nextProgress)) {
                    out.printf("%4d s%n", Duration.between(start, now).toSeconds());
                    nextProgress = nextProgress.plus(PROGRESS);
                }
                TimeUnit.MILLISECONDS.sleep(TICK.toMillis());
            }
            FleetReport report = fleet.report();
            out.print(report.text());
            return report.surprises().isEmpty() ? 0 : 1;
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
