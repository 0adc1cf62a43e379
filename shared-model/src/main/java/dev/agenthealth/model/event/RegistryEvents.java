package dev.agenthealth.model.event;

import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.FleetCounter;
import dev.agenthealth.model.sweep.ProbeSample;
import java.time.Duration;
import java.time.Instant;

/** The events about the registry itself, one per episode. */
public final class RegistryEvents {

    /** The detection of a clock step by measurement: clock and monotonic clock of one machine advanced by different times. */
    public static final String MONOTONIC_CLOCK = "monotonic_clock";

    /** The detection of a clock step by stored times in the future. */
    public static final String STORED_TIMES = "stored_times";

    private RegistryEvents() {}

    /** Returns the event that the self-check fails. No agent changes its status until it succeeds. */
    public static Event blackout(int canariesSent, int canariesAnswered, Instant now) {
        return new EventDetail(EventType.REGISTRY_BLACKOUT)
                .with("canaries_sent", (long) canariesSent)
                .with("canaries_answered", (long) canariesAnswered)
                .ofRegistry(id(EventType.REGISTRY_BLACKOUT, now), now);
    }

    /** Returns the event that heartbeats arrive again. The time without heartbeat counts from now on. */
    public static Event blackoutOver(Instant since, Instant now) {
        EventDetail detail = new EventDetail(EventType.REGISTRY_BLACKOUT_OVER)
                .with("since", since)
                .with("amnesty_from", now);
        return over(detail, EventType.REGISTRY_BLACKOUT_OVER, since, now);
    }

    /** Returns the event that a mass silence begins. Marking agents as dead is limited. */
    public static Event massSilence(FleetCount fleet, long deathsPerMinute, Instant now) {
        return withAgents(new EventDetail(EventType.REGISTRY_MASS_SILENCE), fleet)
                .with("deaths_per_minute", deathsPerMinute)
                .ofRegistry(id(EventType.REGISTRY_MASS_SILENCE, now), now);
    }

    /** Returns the event that a mass silence is over. Marking agents as dead is no longer limited. */
    public static Event massSilenceOver(FleetCount fleet, Instant since, Instant now) {
        EventDetail detail = new EventDetail(EventType.REGISTRY_MASS_SILENCE_OVER).with("since", since);
        return over(withAgents(detail, fleet), EventType.REGISTRY_MASS_SILENCE_OVER, since, now);
    }

    /**
     * Returns the event that a mass restart begins to postpone deaths.
     *
     * @param waitingAgents the number of agents with a death that is due
     */
    public static Event massRestart(FleetCount fleet, long waitingAgents, Instant now) {
        return withRestarts(new EventDetail(EventType.REGISTRY_MASS_RESTART), fleet)
                .with("waiting_agents", waitingAgents)
                .ofRegistry(id(EventType.REGISTRY_MASS_RESTART, now), now);
    }

    /** Returns the event that a mass restart is over. Deaths are no longer postponed. */
    public static Event massRestartOver(FleetCount fleet, Instant since, Instant now) {
        EventDetail detail = new EventDetail(EventType.REGISTRY_MASS_RESTART_OVER).with("since", since);
        return over(withRestarts(detail, fleet), EventType.REGISTRY_MASS_RESTART_OVER, since, now);
    }

    private static EventDetail withRestarts(EventDetail detail, FleetCount fleet) {
        return detail.with("monitored_agents", fleet.monitored())
                .with("restarted_agents", fleet.get(FleetCounter.RESTARTED));
    }

    /**
     * Returns the event that most probes fail at once. No watched agent of the owners concerned changes its status until it is over.
     *
     * @param sample the results of the owners concerned
     */
    public static Event probesInconclusive(ProbeSample sample, Instant now) {
        return withProbes(new EventDetail(EventType.REGISTRY_PROBES_INCONCLUSIVE), sample)
                .ofRegistry(id(EventType.REGISTRY_PROBES_INCONCLUSIVE, now), now);
    }

    /**
     * Returns the event that probes are conclusive again for all owners. Missing answers of watched agents count from now on.
     *
     * @param sample the results of the owners that were concerned
     */
    public static Event probesInconclusiveOver(ProbeSample sample, Instant since, Instant now) {
        EventDetail detail = new EventDetail(EventType.REGISTRY_PROBES_INCONCLUSIVE_OVER)
                .with("since", since)
                .with("grace_from", now);
        return over(withProbes(detail, sample), EventType.REGISTRY_PROBES_INCONCLUSIVE_OVER, since, now);
    }

    /**
     * Returns the event that a clock of the registry stepped.
     *
     * @param step the size of the step, negative for a step back
     * @param measuredBy {@link #MONOTONIC_CLOCK} or {@link #STORED_TIMES}
     * @param correctedAgents the number of agents with a time in the future, which was set to now
     */
    public static Event clockStepped(Duration step, String measuredBy, long correctedAgents, Instant now) {
        return new EventDetail(EventType.REGISTRY_CLOCK_STEPPED)
                .with("step_ms", step.toMillis())
                .with("measured_by", measuredBy)
                .with("corrected_agents", correctedAgents)
                .ofRegistry(id(EventType.REGISTRY_CLOCK_STEPPED, now), now);
    }

    /** Returns the event that the clock's steps have no effects any more. */
    public static Event clockSteady(Instant since, Instant now) {
        return over(
                new EventDetail(EventType.REGISTRY_CLOCK_STEADY).with("since", since),
                EventType.REGISTRY_CLOCK_STEADY,
                since,
                now);
    }

    private static EventDetail withProbes(EventDetail detail, ProbeSample sample) {
        return detail.with("sampled_agents", (long) sample.results().size())
                .with("failing_agents", sample.failed())
                .with("hosts", sample.hosts());
    }

    private static EventDetail withAgents(EventDetail detail, FleetCount fleet) {
        return detail.with("monitored_agents", fleet.get(FleetCounter.ESTABLISHED))
                .with("silent_agents", fleet.get(FleetCounter.ESTABLISHED_SILENT));
    }

    /** Returns the event of an end. The end is after the beginning, even if another server with another clock wrote the beginning. */
    private static Event over(EventDetail detail, EventType type, Instant since, Instant now) {
        Instant at = now.isAfter(since) ? now : since.plusMillis(1);
        return detail.ofRegistry(id(type, at), at);
    }

    private static String id(EventType type, Instant now) {
        return "registry:" + type.slug() + ":" + now.toEpochMilli();
    }
}
