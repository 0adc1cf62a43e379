package dev.agenthealth.model.health;

import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.ProcessStart;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An agent's health as it is read: as it was computed, but under the lifecycle status that holds now, and at the moment that is now. Nothing
 * is counted for it.
 *
 * @param health the health as it was computed
 * @param lifecycle the lifecycle status that holds now
 * @param at the moment of reading
 * @param upUntil the moment up to which the uptime counts: the moment of reading, or the last sign of life of an agent that is gone; {@link
 *     Instant#MIN} if that is not known
 * @param probes what probes show of an agent without executions; empty for every other one
 */
public record HealthReading(
        AgentHealth health, HealthRule.Lifecycle lifecycle, Instant at, Instant upUntil, Optional<ProbeHealth> probes) {

    /** A health that has been due for longer is unknown: the measurement has stopped or fails for this agent. */
    public static final Duration OVERDUE_AFTER = Duration.ofMinutes(5);

    /** A reading of outcomes alone, of an agent whose last sign of life is not known. */
    public HealthReading(AgentHealth health, HealthRule.Lifecycle lifecycle, Instant at) {
        this(health, lifecycle, at, lifecycle.status().hasEnded() ? Instant.MIN : at, Optional.empty());
    }

    /**
     * The health of an agent whose pulse is known. It counts the uptime from the start that the agent reports, else from its registration, also
     * from one that came after the computation.
     */
    public static HealthReading of(AgentHealth health, Pulse pulse, Instant now) {
        HealthSubject subject = health.subject();
        HealthRule.Lifecycle lifecycle = new HealthRule.Lifecycle(pulse.status(), pulse.statusSince());
        Instant upUntil = pulse.status().hasEnded() ? earlier(pulse.lastHeartbeatAt(), now) : now;
        if (ProcessStart.isKnown(pulse.startedAt())) {
            Instant startedAt = ProcessStart.atMost(pulse.startedAt(), now);
            return new HealthReading(
                    health.about(subject.started(startedAt)), lifecycle, now, upUntil, Optional.empty());
        }
        AgentHealth current = pulse.incarnationBegan()
                .filter(subject.startedAt()::isBefore)
                .map(began -> health.about(subject.restarted(began)))
                .orElse(health);
        return new HealthReading(current, lifecycle, now, upUntil, Optional.empty());
    }

    /**
     * The health of an agent whose pulse was moved away, which happens only to agents that are gone: dead, where its health was not computed
     * since.
     */
    public static HealthReading ofArchived(AgentHealth health, Instant now) {
        LifecycleStatus status = health.lifecycle().hasEnded() ? health.lifecycle() : LifecycleStatus.DEAD;
        return new HealthReading(health, new HealthRule.Lifecycle(status, Instant.MIN), now);
    }

    /** The health of an archived agent whose tombstone has its last sign of life. */
    public static HealthReading ofArchived(AgentHealth health, Pulse tombstone, Instant now) {
        HealthReading last = of(health, tombstone, now);
        HealthRule.Lifecycle gone = new HealthRule.Lifecycle(tombstone.status(), Instant.MIN);
        return new HealthReading(last.health, gone, now, last.upUntil, Optional.empty());
    }

    /** The health of an agent for which none was computed yet: nothing is known. */
    public static HealthReading uncomputed(AgentProfile profile, Pulse pulse, Instant now) {
        Measurement nothing = HealthRule.measurement(
                profile.basis().expectations(), OutcomeCounts.NONE, OutcomeCounts.NONE, profile.measuredFrom(), now);
        HealthRule.Lifecycle lifecycle = new HealthRule.Lifecycle(pulse.status(), pulse.statusSince());
        AgentHealth blank = HealthRule.computed(
                profile.agentId(), HealthRule.subject(profile), nothing, lifecycle, Optional.empty(), Instant.MIN);
        return of(blank, pulse, now);
    }

    /**
     * Returns this reading of a health that has been due since this moment: unchanged for {@link #OVERDUE_AFTER}, and then without figures and
     * without what follows from them (Agent Health State §4.3). The last healthy moment stays known.
     */
    public HealthReading ifDueSince(Instant moment) {
        if (!moment.isBefore(at.minus(OVERDUE_AFTER))) {
            return this;
        }
        return new HealthReading(
                health.unmeasured(HealthRule.lastHealthyAt(health, lifecycle, moment)), lifecycle, at, upUntil, probes);
    }

    /** The health status (Agent Health State §4.3). */
    public HealthStatus status() {
        return probes.map(found -> found.status(lifecycle.status()))
                .orElseGet(() -> health.statusUnder(lifecycle.status()));
    }

    /** Returns whether the window has no execution, so that probes may stand in for them. */
    public boolean isWithoutExecutions() {
        return health.measurement().sampleCount() == 0;
    }

    /** Returns this reading with what probes show of the agent. */
    public HealthReading observed(ProbeHealth found) {
        return new HealthReading(health, lifecycle, at, upUntil, Optional.of(found));
    }

    /** The health status without nuances: one that is degraded may be called, and so counts as healthy (Agent Health State §8). */
    public HealthStatus coarseStatus() {
        return status() == HealthStatus.DEGRADED ? HealthStatus.HEALTHY : status();
    }

    /** Returns whether the agent is deregistered, so that it has no health. */
    public boolean isOfDeregistered() {
        return lifecycle.status() == LifecycleStatus.DEREGISTERED;
    }

    /** The moment at which the health was computed, or of the last probe; empty before the first time. */
    public Optional<Instant> computedAt() {
        return probes.map(ProbeHealth::at).or(() -> known(health.computedAt()));
    }

    /** The last moment at which the status was healthy, the moment of reading where it is; empty where it never was (§4.3). */
    public Optional<Instant> lastHealthyAt() {
        return probes.isPresent() && status() == HealthStatus.HEALTHY
                ? Optional.of(at)
                : known(HealthRule.lastHealthyAt(health, lifecycle, at));
    }

    /**
     * Whole seconds from the start of the agent's process to now (§4.3). For an agent that is gone, they end at its last sign of life, so that a death
     * does not look like a restart. 0 if the start or the end is not known.
     */
    public long uptimeSeconds() {
        Instant startedAt = health.subject().startedAt();
        return startedAt.isAfter(Instant.MIN) && startedAt.isBefore(upUntil)
                ? Duration.between(startedAt, upUntil).toSeconds()
                : 0;
    }

    /** The number of restarts within {@link Restarts#PERIOD}, at most {@link Restarts#MAX_KEPT}. */
    public int restarts() {
        return health.subject().restarts().countAt(at);
    }

    /** Whole days since the agent's model changed; empty where that is not known (§4.5). */
    public OptionalLong daysSinceModelChange() {
        Instant changedAt = health.subject().modelChangedAt();
        return changedAt.isAfter(Instant.MIN) ? OptionalLong.of(since(changedAt).toDays()) : OptionalLong.empty();
    }

    /** The moment at which the agent's capabilities last changed; empty where that is not known (§4.5). */
    public Optional<Instant> lastCapabilityUpdate() {
        return known(health.subject().capabilitiesUpdatedAt());
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** Hosts' clocks differ: what happened later than now happened now. */
    private Duration since(Instant moment) {
        return moment.isBefore(at) ? Duration.between(moment, at) : Duration.ZERO;
    }

    private static Optional<Instant> known(Instant moment) {
        return moment.isAfter(Instant.MIN) ? Optional.of(moment) : Optional.empty();
    }
}
