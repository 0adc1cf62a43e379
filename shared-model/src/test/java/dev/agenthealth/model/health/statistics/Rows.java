package dev.agenthealth.model.health.statistics;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.HeartbeatsSeen;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.ProcessReport;
import dev.agenthealth.model.registry.lifecycle.ProcessStart;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Pulses;
import dev.agenthealth.model.registry.lifecycle.RegistrationTerms;
import dev.agenthealth.model.registry.lifecycle.Workload;
import java.time.Instant;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Rows for tests. */
final class Rows {

    private static final Arbitrary<LifecycleStatus> STATUSES =
            Arbitraries.of(LifecycleStatus.class).filter(status -> status != LifecycleStatus.REGISTERING);

    private Rows() {}

    /** The moment at which the rows of {@link #any} are counted. */
    static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");

    /** Nothing is blocked. */
    static final VerdictRule NO_BLOCKS = new VerdictRule(Set.of(), Set.of(), Set.of(), NOW);

    /** The row of an agent of this role, provider and platform, by their numbers. */
    static FleetRow row(
            LifecycleStatus status, HealthStatus measured, int hundredths, long role, long provider, long platform) {
        return row(
                "agent",
                status,
                1,
                new HealthSummary(measured, hundredths, provider, platform, Instant.EPOCH),
                role,
                Pulses.in(status).workload());
    }

    /** The row of an agent of this role with this load and capacity. */
    static FleetRow row(LifecycleStatus status, long role, int load, int maxConcurrentTasks) {
        Workload workload = new Workload(load, maxConcurrentTasks, 0, 0);
        return row("agent", status, 1, HealthSummary.NONE, role, workload);
    }

    private static FleetRow row(
            String agentId,
            LifecycleStatus status,
            long heartbeats,
            HealthSummary summary,
            long role,
            Workload workload) {
        Pulse pulse = Pulses.in(status);
        Pulse ofRole = new Pulse(
                agentId,
                pulse.numbers(),
                pulse.lifecycle(),
                new HeartbeatsSeen(pulse.lastHeartbeatAt(), heartbeats, pulse.seenBy()),
                new RegistrationTerms(
                        pulse.owner(),
                        HeartbeatConfig.DEFAULT,
                        new Coordination(role, Drain.DEFAULT_TIMEOUT, PendingDrain.NONE, Instant.EPOCH)),
                new ProcessReport(workload, pulse.activity(), ProcessStart.UNKNOWN),
                pulse.published());
        boolean dismissed = status == LifecycleStatus.DEAD && agentId.equals("a5");
        return new FleetRow(dismissed ? ofRole.withDismissal() : ofRole, summary, 0);
    }

    /** The row of an agent of no group. */
    static FleetRow row(LifecycleStatus status, HealthStatus measured, int hundredths) {
        return row(status, measured, hundredths, 0, 0, 0);
    }

    /** Any row of one of a few groups, or of none, of one of the agents {@code a0} to {@code a9}. */
    static Arbitrary<FleetRow> any() {
        Arbitrary<Long> groups = Arbitraries.longs().between(0, 4);
        Arbitrary<HealthSummary> summary = Combinators.combine(
                        Arbitraries.of(HealthStatus.class),
                        Arbitraries.oneOf(
                                Arbitraries.just(HealthSummary.INACTIVE),
                                Arbitraries.integers().between(0, HealthSummary.MAX_HUNDREDTHS)),
                        groups,
                        groups,
                        Arbitraries.of(Instant.EPOCH, NOW, NOW.plusMillis(1)))
                .as(HealthSummary::new);
        return Combinators.combine(
                        Arbitraries.integers().between(0, 9).map(number -> "a" + number),
                        STATUSES,
                        Arbitraries.of(0L, 0L, 1L, 7L),
                        summary,
                        groups,
                        workloads())
                .as(Rows::row);
    }

    private static Arbitrary<Workload> workloads() {
        return Combinators.combine(
                        Arbitraries.integers().between(Workload.NOT_REPORTED, 5),
                        Arbitraries.integers().between(Workload.NOT_DECLARED, 5))
                .as((load, capacity) -> new Workload(load, capacity, 0, 0));
    }
}
