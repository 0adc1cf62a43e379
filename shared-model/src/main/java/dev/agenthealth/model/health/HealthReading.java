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
 * The health of an agent at the moment of a read. It combines the last computed health with the current lifecycle status. Reading counts nothing.
 *
 * @param health the health as it was last computed
 * @param lifecycle the current lifecycle status
 * @param at the moment of reading
 * @param upUntil the end of the uptime: the moment of reading, or the last sign of life of an agent that is gone; {@link Instant#MIN} if that is
 *     unknown
 * @param probes the results of probes for an agent without executions; empty for any other agent
 */
public record HealthReading(
        AgentHealth health, HealthRule.Lifecycle lifecycle, Instant at, Instant upUntil, Optional<ProbeHealth> probes) {

    /** The delay after which an overdue health is unknown, because the measurement has stopped or fails for this agent. */
    public static final Duration OVERDUE_AFTER = Duration.ofMinutes(5);

    /** Creates a reading from outcomes alone, for an agent with an unknown last sign of life. */
    public HealthReading(AgentHealth health, HealthRule.Lifecycle lifecycle, Instant at) {
        this(health, lifecycle, at, lifecycle.status().hasEnded() ? Instant.MIN : at, Optional.empty());
    }

    /**
     * Returns the health of an agent with a known pulse. The uptime counts from the process start that the agent reports, else from its latest
     * registration.
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

    /** Returns the health of an archived agent. Only agents that are gone are archived; the status is dead if the health was not computed since. */
    public static HealthReading ofArchived(AgentHealth health, Instant now) {
        LifecycleStatus status = health.lifecycle().hasEnded() ? health.lifecycle() : LifecycleStatus.DEAD;
        return new HealthReading(health, new HealthRule.Lifecycle(status, Instant.MIN), now);
    }

    /** Returns the health of an archived agent with a tombstone that has its last sign of life. */
    public static HealthReading ofArchived(AgentHealth health, Pulse tombstone, Instant now) {
        HealthReading last = of(health, tombstone, now);
        HealthRule.Lifecycle gone = new HealthRule.Lifecycle(tombstone.status(), Instant.MIN);
        return new HealthReading(last.health, gone, now, last.upUntil, Optional.empty());
    }

    /** Returns the health of an agent before its first computation: everything is unknown. */
    public static HealthReading uncomputed(AgentProfile profile, Pulse pulse, Instant now) {
        Measurement nothing = HealthRule.measurement(
                profile.basis().expectations(), OutcomeCounts.NONE, OutcomeCounts.NONE, profile.measuredFrom(), now);
        HealthRule.Lifecycle lifecycle = new HealthRule.Lifecycle(pulse.status(), pulse.statusSince());
        AgentHealth blank = HealthRule.computed(
                profile.agentId(), HealthRule.subject(profile), nothing, lifecycle, Optional.empty(), Instant.MIN);
        return of(blank, pulse, now);
    }

    /**
     * Returns this reading of a health that has been due since a moment. The reading is unchanged for {@link #OVERDUE_AFTER}. After that it has no
     * figures and nothing that follows from them (Agent Health State §4.3). The last healthy moment stays known.
     */
    public HealthReading ifDueSince(Instant moment) {
        if (!moment.isBefore(at.minus(OVERDUE_AFTER))) {
            return this;
        }
        return new HealthReading(
                health.unmeasured(HealthRule.lastHealthyAt(health, lifecycle, moment)), lifecycle, at, upUntil, probes);
    }

    /** Returns the health status (Agent Health State §4.3). */
    public HealthStatus status() {
        return probes.map(found -> found.status(lifecycle.status()))
                .orElseGet(() -> health.statusUnder(lifecycle.status()));
    }

    /** Returns whether the window has no execution, so that results of probes may replace executions. */
    public boolean isWithoutExecutions() {
        return health.measurement().sampleCount() == 0;
    }

    /** Returns this reading with the results of probes. */
    public HealthReading observed(ProbeHealth found) {
        return new HealthReading(health, lifecycle, at, upUntil, Optional.of(found));
    }

    /** Returns the health status without nuances. A degraded agent may be called, and so counts as healthy (Agent Health State §8). */
    public HealthStatus coarseStatus() {
        return status() == HealthStatus.DEGRADED ? HealthStatus.HEALTHY : status();
    }

    /** Returns whether the agent is deregistered and so has no health. */
    public boolean isOfDeregistered() {
        return lifecycle.status() == LifecycleStatus.DEREGISTERED;
    }

    /** Returns the time of the computation or of the last probe; empty before the first one. */
    public Optional<Instant> computedAt() {
        return probes.map(ProbeHealth::at).or(() -> known(health.computedAt()));
    }

    /** Returns the last moment at which the status was healthy; the moment of reading if it is healthy; empty if it never was (§4.3). */
    public Optional<Instant> lastHealthyAt() {
        return probes.isPresent() && status() == HealthStatus.HEALTHY
                ? Optional.of(at)
                : known(HealthRule.lastHealthyAt(health, lifecycle, at));
    }

    /**
     * Returns the whole seconds from the start of the agent's process to now (§4.3); 0 if the start or the end is unknown. For an agent that is
     * gone, they end at its last sign of life. So its death does not look like a restart.
     */
    public long uptimeSeconds() {
        Instant startedAt = health.subject().startedAt();
        return startedAt.isAfter(Instant.MIN) && startedAt.isBefore(upUntil)
                ? Duration.between(startedAt, upUntil).toSeconds()
                : 0;
    }

    /** Returns the number of restarts within {@link Restarts#PERIOD}, at most {@link Restarts#MAX_KEPT}. */
    public int restarts() {
        return health.subject().restarts().countAt(at);
    }

    /** Returns the whole days since the agent's model changed; empty if unknown (§4.5). */
    public OptionalLong daysSinceModelChange() {
        Instant changedAt = health.subject().modelChangedAt();
        return changedAt.isAfter(Instant.MIN) ? OptionalLong.of(since(changedAt).toDays()) : OptionalLong.empty();
    }

    /** Returns the moment at which the agent's capabilities last changed; empty if unknown (§4.5). */
    public Optional<Instant> lastCapabilityUpdate() {
        return known(health.subject().capabilitiesUpdatedAt());
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** Clocks of hosts differ. A moment in the future counts as now. */
    private Duration since(Instant moment) {
        return moment.isBefore(at) ? Duration.between(moment, at) : Duration.ZERO;
    }

    private static Optional<Instant> known(Instant moment) {
        return moment.isAfter(Instant.MIN) ? Optional.of(moment) : Optional.empty();
    }
}
