package dev.agenthealth.functions.storage.health;

import static dev.agenthealth.functions.storage.dynamo.Values.decimal;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.outcomes.SliceItem;
import dev.agenthealth.functions.storage.pulses.StatusShard;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.Announcement;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.HealthSubject;
import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.outcome.LatencyHistogram;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.profile.Expectation;
import dev.agenthealth.model.profile.Expectations;
import dev.agenthealth.model.score.ScoreState;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An agent's health as it is stored, beside its {@link MarkItem mark} on the same item: short names, as every batch of outcomes pays for each
 * kilobyte. This class owns the attribute names.
 */
final class HealthItem {

    /** Counts the computations; the same number is the same health. */
    static final String REVISION = "rev";

    private static final String COMPUTED_AT = "at";
    private static final String AGENT_URI = "uri";
    /** Present where the agent is personal. */
    static final String PERSONAL = DueEntry.PERSONAL;

    private static final String STARTED_AT = "st";
    private static final String MODEL_CHANGED_AT = "mc";
    private static final String CAPABILITIES_UPDATED_AT = "cu";
    private static final String EXPECTATIONS = "x";
    private static final String COUNTS = "c";
    private static final String P50 = "p50";
    private static final String P99 = "p99";
    private static final String PREVIOUS_SUCCESSES = "ps";
    private static final String PREVIOUS_SAMPLES = "pn";
    private static final String OBSERVED_HOURS = "oh";
    private static final String LIFECYCLE = "ls";
    private static final String LAST_HEALTHY_AT = "lh";
    private static final String HEALTH_TOLD = "ht";
    private static final String HEALTH_TOLD_AT = "ha";
    private static final String LAST_KNOWN_TOLD = "hk";
    private static final String SCORE_TOLD = "zt";
    private static final String SCORE_TOLD_AT = "za";

    /** Everything that a computation writes; what is missing of it is removed. */
    static final List<String> ATTRIBUTES = List.of(
            COMPUTED_AT,
            AGENT_URI,
            PERSONAL,
            STARTED_AT,
            MODEL_CHANGED_AT,
            CAPABILITIES_UPDATED_AT,
            EXPECTATIONS,
            COUNTS,
            P50,
            P99,
            PREVIOUS_SUCCESSES,
            PREVIOUS_SAMPLES,
            OBSERVED_HOURS,
            LIFECYCLE,
            LAST_HEALTHY_AT,
            HEALTH_TOLD,
            HEALTH_TOLD_AT,
            LAST_KNOWN_TOLD,
            SCORE_TOLD,
            SCORE_TOLD_AT);

    private HealthItem() {}

    /** The attributes of a health, those of its key and mark not among them. */
    static Map<String, AttributeValue> attributes(AgentHealth health) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put(COMPUTED_AT, at(health.computedAt()));
        HealthSubject subject = health.subject();
        if (!subject.agentUri().isEmpty()) {
            item.put(AGENT_URI, s(subject.agentUri()));
        }
        if (subject.personal()) {
            item.put(PERSONAL, n(1));
        }
        item.put(STARTED_AT, at(subject.startedAt()));
        if (subject.modelChangedAt().isAfter(Instant.MIN)) {
            item.put(MODEL_CHANGED_AT, at(subject.modelChangedAt()));
        }
        item.put(CAPABILITIES_UPDATED_AT, at(subject.capabilitiesUpdatedAt()));
        putMeasurement(item, health.measurement());
        item.put(LIFECYCLE, s(StatusShard.letter(health.lifecycle())));
        if (health.wasEverHealthy()) {
            item.put(LAST_HEALTHY_AT, at(health.lastHealthyAt()));
        }
        item.put(HEALTH_TOLD, s(health.healthTold().told().word()));
        item.put(HEALTH_TOLD_AT, at(health.healthTold().at()));
        item.put(LAST_KNOWN_TOLD, s(health.lastKnownTold().word()));
        item.put(SCORE_TOLD, s(health.scoreTold().told().word()));
        item.put(SCORE_TOLD_AT, at(health.scoreTold().at()));
        return item;
    }

    /** Whether an item holds a health, and not only a mark. */
    static boolean holdsHealth(Map<String, AttributeValue> item) {
        return item.containsKey(COMPUTED_AT);
    }

    /** The health of an item that holds one. */
    static AgentHealth read(String agentId, Map<String, AttributeValue> item) {
        return new AgentHealth(
                agentId,
                moment(item, COMPUTED_AT, Instant.EPOCH),
                new HealthSubject(
                        text(item, AGENT_URI),
                        item.containsKey(PERSONAL),
                        moment(item, STARTED_AT, Instant.EPOCH),
                        moment(item, MODEL_CHANGED_AT, Instant.MIN),
                        moment(item, CAPABILITIES_UPDATED_AT, Instant.EPOCH)),
                measurement(item),
                StatusShard.status(text(item, LIFECYCLE)),
                moment(item, LAST_HEALTHY_AT, Instant.MIN),
                new Announcement<>(status(item, HEALTH_TOLD), moment(item, HEALTH_TOLD_AT, Instant.EPOCH)),
                status(item, LAST_KNOWN_TOLD),
                new Announcement<>(
                        ScoreState.ofWord(text(item, SCORE_TOLD)).orElse(ScoreState.INACTIVE),
                        moment(item, SCORE_TOLD_AT, Instant.EPOCH)));
    }

    private static void putMeasurement(Map<String, AttributeValue> item, Measurement measurement) {
        Map<String, AttributeValue> numbers = new TreeMap<>();
        measurement.expectations().declared().forEach((e, value) -> numbers.put(e.word(), decimal(value)));
        if (!numbers.isEmpty()) {
            item.put(EXPECTATIONS, AttributeValue.fromM(numbers));
        }
        Map<String, AttributeValue> counts = new TreeMap<>();
        SliceItem.additions(measurement.counts()).forEach((name, count) -> counts.put(name, n(count)));
        if (!counts.isEmpty()) {
            item.put(COUNTS, AttributeValue.fromM(counts));
        }
        item.put(P50, decimal(measurement.latencyP50Ms()));
        item.put(P99, decimal(measurement.latencyP99Ms()));
        item.put(PREVIOUS_SUCCESSES, n(measurement.previousSuccesses()));
        item.put(PREVIOUS_SAMPLES, n(measurement.previousSamples()));
        item.put(OBSERVED_HOURS, decimal(measurement.observedHours()));
    }

    private static Measurement measurement(Map<String, AttributeValue> item) {
        Map<Expectation, Double> declared = new EnumMap<>(Expectation.class);
        if (item.containsKey(EXPECTATIONS)) {
            item.get(EXPECTATIONS).m().forEach((word, value) -> Expectation.ofWord(word)
                    .ifPresent(e -> declared.put(e, Double.valueOf(value.n()))));
        }
        OutcomeCounts counts = item.containsKey(COUNTS)
                ? SliceItem.counts(item.get(COUNTS).m())
                : OutcomeCounts.of(Map.of(), LatencyHistogram.EMPTY);
        return new Measurement(
                new Expectations(declared),
                counts,
                decimal(item, P50),
                decimal(item, P99),
                number(item, PREVIOUS_SUCCESSES, 0),
                number(item, PREVIOUS_SAMPLES, 0),
                Math.max(1, decimal(item, OBSERVED_HOURS)));
    }

    private static HealthStatus status(Map<String, AttributeValue> item, String name) {
        return HealthStatus.ofWord(text(item, name)).orElse(HealthStatus.UNKNOWN);
    }

    private static AttributeValue at(Instant moment) {
        return n(moment.toEpochMilli());
    }
}
