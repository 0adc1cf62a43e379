package dev.agenthealth.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.client.Outcome;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.ClosedSlices;
import dev.agenthealth.model.health.HealthReading;
import dev.agenthealth.model.health.HealthRule;
import dev.agenthealth.model.health.HealthSubject;
import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An agent's own health measurements, and the document that shows them (Agent Health State §4). Thread-safe.
 *
 * <pre>{@code
 * OwnHealth health = OwnHealth.builder("https://agent.example.com").baselineLatency(Duration.ofMillis(800)).build();
 * registry.agent(registration).onOutcome(health::record).start();
 * server.createContext(HealthDocumentHandler.PATH, new HealthDocumentHandler(health));
 * }</pre>
 *
 * <p>The figures cover this process only: after a start the health is unknown until 10 outcomes are recorded. The document is computed at
 * most once per minute, even if it is read more often (§7).
 */
public final class OwnHealth {

    /** The time for which a document is served before it is computed anew. */
    static final Duration MAX_AGE = Duration.ofSeconds(60);

    private final String agentId;
    private final HealthSubject subject;
    private final Expectations expectations;
    private final Clock clock;
    private final SortedMap<Slice, OutcomeCounts> slices = new TreeMap<>();
    private Optional<AgentHealth> computed = Optional.empty();
    private Optional<OwnDocument> document = Optional.empty();

    OwnHealth(String agentId, HealthSubject subject, Expectations expectations, Clock clock) {
        this.agentId = agentId;
        this.subject = subject;
        this.expectations = expectations;
        this.clock = clock;
    }

    /**
     * Returns the health of an agent that starts now.
     *
     * @param agentId the agent's id in the document; best the URL of its agent card
     */
    public static OwnHealthBuilder builder(String agentId) {
        return new OwnHealthBuilder(agentId);
    }

    /** Counts the outcome of an execution. An execution that ended before the last two measurement windows does not count. */
    public void record(Outcome outcome) {
        Instant now = clock.instant();
        dev.agenthealth.model.registry.outcome.Outcome counted = RecordedOutcome.of(outcome, now);
        MeasurementWindow window = expectations.window();
        if (counted.occurredAt().isBefore(window.earliest(now))) {
            return;
        }
        Slice slice = window.sliceAt(counted.occurredAt());
        OutcomeCounts counts = OutcomeCounts.of(counted, OutcomeSource.SELF, expectations);
        synchronized (this) {
            if (!slices.containsKey(slice)) {
                // Records a healthy moment between two reads, since the document contains the last healthy moment.
                compute(now);
            }
            slices.merge(slice, counts, OutcomeCounts::plus);
        }
    }

    /** Returns a copy of the current document (§4.2). */
    public ObjectNode json() {
        return document().json().deepCopy();
    }

    synchronized OwnDocument document() {
        Instant now = clock.instant();
        if (document.filter(known -> known.isCurrent(now)).isEmpty()) {
            AgentHealth health = compute(now);
            document = Optional.of(OwnDocument.of(new HealthReading(health, lifecycle(), now)));
        }
        return document.orElseThrow();
    }

    private AgentHealth compute(Instant now) {
        MeasurementWindow window = expectations.window();
        slices.keySet().removeIf(slice -> !window.holds(slice, now) && !window.heldBefore(slice, now));
        Measurement measurement = HealthRule.measurement(
                expectations,
                ClosedSlices.current(window, slices, now),
                ClosedSlices.previous(window, slices, now),
                subject.startedAt(),
                now);
        AgentHealth health = HealthRule.computed(agentId, subject, measurement, lifecycle(), computed, now);
        computed = Optional.of(health);
        return health;
    }

    /** Returns the lifecycle: an agent that serves its document is alive. */
    private HealthRule.Lifecycle lifecycle() {
        return new HealthRule.Lifecycle(LifecycleStatus.ACTIVE, subject.startedAt());
    }
}
