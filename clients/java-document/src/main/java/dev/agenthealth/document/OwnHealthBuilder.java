package dev.agenthealth.document;

import dev.agenthealth.model.health.HealthSubject;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The declarations of an agent about itself in its health document. Not thread-safe. */
public final class OwnHealthBuilder {

    private static final double NANOS_PER_MILLI = 1_000_000;

    private final String agentId;
    private final Map<Expectation, Double> expectations = new EnumMap<>(Expectation.class);
    private boolean personal;
    private Instant modelChangedAt = Instant.MIN;
    private Optional<Instant> capabilitiesUpdatedAt = Optional.empty();
    private Clock clock = Clock.systemUTC();

    OwnHealthBuilder(String agentId) {
        if (agentId.isBlank()) {
            throw new IllegalArgumentException("the agent's id must not be empty");
        }
        this.agentId = agentId;
    }

    /**
     * Sets the baseline latency (§4.3). The agent is degraded if the 99th percentile exceeds three times the baseline. By default there is
     * no baseline, so that latencies do not count.
     *
     * @throws IllegalArgumentException if it is not above 0 and at most a day
     */
    public OwnHealthBuilder baselineLatency(Duration latency) {
        return expect(Expectation.BASELINE_LATENCY_MS, latency.toNanos() / NANOS_PER_MILLI);
    }

    /**
     * Sets the measurement window, by default 24 hours.
     *
     * @throws IllegalArgumentException if it is not in whole seconds, 5 minutes to 7 days
     */
    public OwnHealthBuilder window(Duration window) {
        return expect(Expectation.WINDOW_SECONDS, window.toMillis() / 1_000d);
    }

    /**
     * Declares that the agent serves one natural person. The document then shows only the status, and does not show whether it is degraded
     * (§8).
     */
    public OwnHealthBuilder personal() {
        personal = true;
        return this;
    }

    /** Sets the time at which the agent's model changed; unknown by default (§4.5). */
    public OwnHealthBuilder modelChangedAt(Instant moment) {
        modelChangedAt = moment;
        return this;
    }

    /** Sets the time at which the agent last declared its capabilities; by default its start (§4.5). */
    public OwnHealthBuilder capabilitiesUpdatedAt(Instant moment) {
        capabilitiesUpdatedAt = Optional.of(moment);
        return this;
    }

    /** Sets the clock for measurements. */
    public OwnHealthBuilder clock(Clock newClock) {
        clock = Objects.requireNonNull(newClock);
        return this;
    }

    /** Returns the health of an agent that starts now. */
    public OwnHealth build() {
        Instant now = clock.instant();
        HealthSubject subject = new HealthSubject(
                agentId, false, personal, now, Restarts.NONE, modelChangedAt, capabilitiesUpdatedAt.orElse(now));
        return new OwnHealth(agentId, subject, new Expectations(expectations), clock);
    }

    private OwnHealthBuilder expect(Expectation expectation, double number) {
        if (!expectation.accepts(number)) {
            throw new IllegalArgumentException(expectation.wireName() + " " + expectation.rule());
        }
        expectations.put(expectation, number);
        return this;
    }
}
