package dev.agenthealth.functions.storage.health;

import static dev.agenthealth.functions.storage.dynamo.Values.decimal;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.putNumber;
import static dev.agenthealth.functions.storage.dynamo.Values.putText;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.agents.ProfileItem;
import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.outcomes.SliceItem;
import dev.agenthealth.functions.storage.pulses.StatusShard;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.HealthSubject;
import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.health.Published;
import dev.agenthealth.model.outcome.LatencyHistogram;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.profile.Expectations;
import dev.agenthealth.model.score.ScoreState;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An agent's health as stored, on the item that also holds its {@link DueEntry}: one write stores a health and moves its due time. Names are
 * short, as every batch of outcomes pays for each kilobyte.
 */
final class HealthItem {

    /** The number of computations: equal numbers mean the same health. */
    static final String REVISION = "rev";

    private static final String COMPUTED_AT = "at";
    private static final String AGENT_URI = "uri";
    private static final String STARTED_AT = "st";
    private static final String RESTARTS = "rs";
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
    private static final String HEALTH_PUBLISHED = "ht";
    private static final String HEALTH_PUBLISHED_AT = "ha";
    private static final String LAST_KNOWN_PUBLISHED = "hk";
    private static final String STATUS_SINCE = "hs";
    private static final String SCORE_PUBLISHED = "zt";
    private static final String SCORE_PUBLISHED_AT = "za";
    private static final String SCORE_SINCE = "zs";

    /** What not every health has. */
    private static final List<String> OPTIONAL = List.of(
            AGENT_URI,
            DueEntry.PERSONAL,
            RESTARTS,
            MODEL_CHANGED_AT,
            EXPECTATIONS,
            COUNTS,
            LAST_HEALTHY_AT,
            STATUS_SINCE,
            SCORE_SINCE);

    private HealthItem() {}

    /** The attributes of a health, without those of its key and its due entry. */
    static Map<String, AttributeValue> attributes(AgentHealth health) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put(COMPUTED_AT, moment(health.computedAt()));
        HealthSubject subject = health.subject();
        putText(item, AGENT_URI, subject.agentUri());
        putNumber(item, DueEntry.PERSONAL, subject.personal() ? 1 : 0, 0);
        item.put(STARTED_AT, moment(subject.startedAt()));
        ProfileItem.putRestarts(item, RESTARTS, subject.restarts());
        if (subject.modelChangedAt().isAfter(Instant.MIN)) {
            item.put(MODEL_CHANGED_AT, moment(subject.modelChangedAt()));
        }
        item.put(CAPABILITIES_UPDATED_AT, moment(subject.capabilitiesUpdatedAt()));
        putMeasurement(item, health.measurement());
        item.put(LIFECYCLE, s(StatusShard.code(health.lifecycle())));
        if (health.wasEverHealthy()) {
            item.put(LAST_HEALTHY_AT, moment(health.lastHealthyAt()));
        }
        item.put(HEALTH_PUBLISHED, s(health.publishedStatus().value().wireName()));
        putTimes(item, HEALTH_PUBLISHED_AT, STATUS_SINCE, health.publishedStatus());
        item.put(LAST_KNOWN_PUBLISHED, s(health.lastKnownPublished().wireName()));
        item.put(SCORE_PUBLISHED, s(health.publishedScore().value().wireName()));
        putTimes(item, SCORE_PUBLISHED_AT, SCORE_SINCE, health.publishedScore());
        return item;
    }

    /** Most values were published when they began, and then one time is enough. */
    private static void putTimes(
            Map<String, AttributeValue> item, String publishedAt, String since, Published<?> published) {
        item.put(publishedAt, moment(published.at()));
        if (!published.since().equals(published.at())) {
            item.put(since, moment(published.since()));
        }
    }

    private static <T> Published<T> published(
            Map<String, AttributeValue> item, T value, String publishedAt, String since) {
        Instant at = moment(item, publishedAt, Instant.EPOCH);
        return new Published<>(value, at, moment(item, since, at));
    }

    /** Writes a health in place of the one before. */
    static Update write(AgentHealth health) {
        Map<String, AttributeValue> attributes = attributes(health);
        Update update = Update.upsert(ItemKind.HEALTH.key(health.agentId())).setAll(attributes);
        OPTIONAL.stream().filter(name -> !attributes.containsKey(name)).forEach(update::remove);
        return update;
    }

    /** Whether an item holds a health, and not only a due entry. */
    static boolean holdsHealth(Map<String, AttributeValue> item) {
        return item.containsKey(COMPUTED_AT);
    }

    static AgentHealth read(String agentId, Map<String, AttributeValue> item) {
        return new AgentHealth(
                agentId,
                moment(item, COMPUTED_AT, Instant.EPOCH),
                new HealthSubject(
                        text(item, AGENT_URI),
                        item.containsKey(DueEntry.PERSONAL),
                        moment(item, STARTED_AT, Instant.EPOCH),
                        ProfileItem.restarts(item, RESTARTS),
                        moment(item, MODEL_CHANGED_AT, Instant.MIN),
                        moment(item, CAPABILITIES_UPDATED_AT, Instant.EPOCH)),
                measurement(item),
                StatusShard.status(text(item, LIFECYCLE)),
                moment(item, LAST_HEALTHY_AT, Instant.MIN),
                published(item, status(item, HEALTH_PUBLISHED), HEALTH_PUBLISHED_AT, STATUS_SINCE),
                status(item, LAST_KNOWN_PUBLISHED),
                published(
                        item,
                        ScoreState.ofWireName(text(item, SCORE_PUBLISHED)).orElse(ScoreState.INACTIVE),
                        SCORE_PUBLISHED_AT,
                        SCORE_SINCE));
    }

    /**
     * Since when the health of an item that holds one is due to be computed again, possibly in the future; {@link Instant#MAX} where it is not
     * due. A due entry may be older than a computation that was stored while it was written: its reason is in that computation.
     */
    static Instant dueSince(Map<String, AttributeValue> item) {
        String dueAt = text(item, Attributes.DUE_SK);
        if (dueAt.isEmpty()) {
            return Instant.MAX;
        }
        Instant computedAt = moment(item, COMPUTED_AT, Instant.EPOCH);
        Instant since = dueAt.equals(DueEntry.AT_ONCE)
                ? moment(item, DueEntry.SINCE, Instant.MAX)
                : Instant.ofEpochSecond(Long.parseLong(dueAt));
        return since.isBefore(computedAt) ? computedAt : since;
    }

    private static void putMeasurement(Map<String, AttributeValue> item, Measurement measurement) {
        Map<String, AttributeValue> numbers = new TreeMap<>();
        measurement.expectations().declared().forEach((e, value) -> numbers.put(e.wireName(), decimal(value)));
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
        OutcomeCounts counts = item.containsKey(COUNTS)
                ? SliceItem.counts(item.get(COUNTS).m())
                : OutcomeCounts.of(Map.of(), LatencyHistogram.EMPTY);
        return new Measurement(
                new Expectations(ProfileItem.expectations(item, EXPECTATIONS)),
                counts,
                decimal(item, P50),
                decimal(item, P99),
                number(item, PREVIOUS_SUCCESSES, 0),
                number(item, PREVIOUS_SAMPLES, 0),
                Math.max(1, decimal(item, OBSERVED_HOURS)));
    }

    private static HealthStatus status(Map<String, AttributeValue> item, String name) {
        return HealthStatus.ofWireName(text(item, name)).orElse(HealthStatus.UNKNOWN);
    }
}
