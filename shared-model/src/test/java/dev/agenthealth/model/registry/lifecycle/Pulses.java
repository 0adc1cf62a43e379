package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;

/** Pulses for tests, each on the shortest way that the rules allow. */
public final class Pulses {

    /** When every agent of these tests registers. */
    public static final Instant T0 = Instant.parse("2026-02-08T10:00:00Z");

    /** The key it registers with. */
    public static final Owner OWNER = new Owner("key_1", KeyHash.ofKey("an agent's key"));

    /** No grace period. */
    public static final Instant NO_GRACE = Instant.EPOCH;

    private Pulses() {}

    /** An agent registered at {@link #T0} with the default thresholds and room for five tasks. */
    public static Pulse active() {
        return active(HeartbeatConfig.DEFAULT);
    }

    /** An agent registered at {@link #T0} with these thresholds and room for five tasks. */
    public static Pulse active(HeartbeatConfig config) {
        return RegistrationRule.first("agent_billing_01", config, 5, Coordination.NONE, OWNER, T0);
    }

    /** The agent of {@link #active()} in this status since {@link #T0}; a drain under way lasts 120 s. */
    public static Pulse in(LifecycleStatus status) {
        return in(status, HeartbeatConfig.DEFAULT);
    }

    /** The agent of {@link #active(HeartbeatConfig)} in this status since {@link #T0}; a drain under way lasts 120 s. */
    public static Pulse in(LifecycleStatus status, HeartbeatConfig config) {
        Pulse active = active(config);
        return switch (status) {
            case REGISTERING -> registering(active);
            case ACTIVE -> active;
            case UNHEALTHY -> active.withStatus(LifecycleStatus.UNHEALTHY, Drain.NONE, T0);
            case DRAINING -> active.withStatus(LifecycleStatus.DRAINING, drain(Drain.DEFAULT_TIMEOUT), T0);
            case DEAD -> in(LifecycleStatus.UNHEALTHY, config).withStatus(LifecycleStatus.DEAD, Drain.NONE, T0);
            case DEREGISTERED -> active.withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, T0);
        };
    }

    /** The pulse after a heartbeat that reports nothing. */
    public static Pulse afterHeartbeat(Pulse pulse, Instant now) {
        return pulse.withHeartbeat(heartbeat(false, Workload.NOT_REPORTED, now), now);
    }

    /** A drain that the agent began at {@link #T0}. */
    public static Drain drain(Duration timeout) {
        return new Drain(T0.plus(timeout), timeout, Drain.ASKED_BY_AGENT, "", "key_agent");
    }

    /** A heartbeat saying {@code active} with a load and a number of tasks. */
    public static Heartbeat heartbeat(int load, int tasks) {
        return new Heartbeat(
                false, load, true, Collections.nCopies(tasks, "task"), T0, ProcessStart.UNKNOWN, Pulse.ANY_INCARNATION);
    }

    /** A heartbeat saying {@code active} or {@code draining}, with a load, by a clock that is right. */
    public static Heartbeat heartbeat(boolean draining, int load, Instant now) {
        return new Heartbeat(draining, load, false, List.of(), now, ProcessStart.UNKNOWN, Pulse.ANY_INCARNATION);
    }

    /** The pulse after a span of its agent ended that counts as progress. */
    static Pulse withSpan(Pulse p, Instant endedAt) {
        return new Pulse(
                p.agentId(),
                p.numbers(),
                p.lifecycle(),
                p.heard(),
                p.terms(),
                new ProcessReport(
                        p.workload(),
                        new Activity(
                                p.activity().phase(),
                                p.activity().reportedAt(),
                                endedAt,
                                p.activity().repeated(),
                                p.activity().inSpans()),
                        p.startedAt()),
                p.published());
    }

    private static Pulse registering(Pulse p) {
        return new Pulse(
                p.agentId(),
                p.numbers(),
                new LifecycleState(
                        LifecycleStatus.REGISTERING, p.statusSince(), p.drain(), p.cleanUp(), false, LastEnd.NONE),
                p.heard(),
                p.terms(),
                new ProcessReport(p.workload(), p.activity(), ProcessStart.UNKNOWN),
                p.published());
    }
}
