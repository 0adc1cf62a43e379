package dev.agenthealth.model.census;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.lifecycle.Coordination;
import dev.agenthealth.model.lifecycle.Drain;
import dev.agenthealth.model.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.PendingDrain;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.lifecycle.Pulses;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Rows for tests. */
final class Rows {

    private static final Arbitrary<LifecycleStatus> STATUSES =
            Arbitraries.of(LifecycleStatus.class).filter(status -> status != LifecycleStatus.REGISTERING);

    private Rows() {}

    /** The row of an agent of this role, provider and platform, by their numbers. */
    static FleetRow row(
            LifecycleStatus status, HealthStatus measured, int hundredths, long role, long provider, long platform) {
        Pulse pulse = Pulses.in(status);
        Pulse ofRole = new Pulse(
                pulse.agentId(),
                pulse.status(),
                pulse.statusSince(),
                pulse.incarnation(),
                pulse.version(),
                pulse.heartbeatCount(),
                pulse.sequence(),
                pulse.lastHeartbeatAt(),
                HeartbeatConfig.DEFAULT,
                pulse.workload(),
                pulse.owner(),
                pulse.drain(),
                pulse.cleanUp(),
                pulse.driftReportedAt(),
                new Coordination(role, Drain.DEFAULT_TIMEOUT, PendingDrain.NONE));
        return new FleetRow(ofRole, new HealthSummary(measured, hundredths, provider, platform));
    }

    /** The row of an agent of no group. */
    static FleetRow row(LifecycleStatus status, HealthStatus measured, int hundredths) {
        return row(status, measured, hundredths, 0, 0, 0);
    }

    /** Any row of one of a few groups, or of none. */
    static Arbitrary<FleetRow> any() {
        Arbitrary<Long> groups = Arbitraries.longs().between(0, 4);
        return Combinators.combine(
                        STATUSES,
                        Arbitraries.of(HealthStatus.class),
                        Arbitraries.oneOf(
                                Arbitraries.just(HealthSummary.INACTIVE),
                                Arbitraries.integers().between(0, HealthSummary.MAX_HUNDREDTHS)),
                        groups,
                        groups,
                        groups)
                .as(Rows::row);
    }
}
