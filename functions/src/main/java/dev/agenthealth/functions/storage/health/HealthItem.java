package dev.agenthealth.functions.storage.health;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BIT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.DECIMAL;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBERS;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.agents.ProfileItem;
import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.outcomes.SliceItem;
import dev.agenthealth.functions.storage.pulses.StatusShard;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.HealthSubject;
import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.health.Published;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Instant;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An agent's stored health, on the item that also holds its {@link DueEntry}. A single write stores a health and moves its due time. Names are
 * short, because every batch of outcomes pays for each kilobyte.
 */
final class HealthItem {

    /** The number of computations: equal numbers mean the same health. */
    static final String REVISION = "rev";

    private static final AttributeType<HealthStatus> STATUS_TYPE = AttributeType.wireName(HealthStatus.UNKNOWN);

    static final AttributeType<LifecycleStatus> LIFECYCLE_TYPE =
            TEXT.as(LifecycleStatus.ACTIVE, StatusShard::code, StatusShard::status);

    private static final Codec<AgentHealth> HEALTH = new Codec<>();
    private static final Codec<HealthSubject> SUBJECT = HEALTH.part(AgentHealth::subject);
    private static final Codec<Measurement> MEASUREMENT = HEALTH.part(AgentHealth::measurement);

    private static final Attribute<Instant> COMPUTED_AT = HEALTH.always("at", MOMENT, AgentHealth::computedAt);
    private static final Attribute<String> AGENT_URI = SUBJECT.optional("uri", TEXT, HealthSubject::agentUri);
    private static final Attribute<Boolean> HAS_CARD = SUBJECT.optional("ac", BIT, HealthSubject::hasCard);
    private static final Attribute<Boolean> PERSONAL =
            SUBJECT.optional(DueEntry.PERSONAL, BIT, HealthSubject::personal);
    private static final Attribute<Instant> STARTED_AT = SUBJECT.always("st", MOMENT, HealthSubject::startedAt);
    private static final Attribute<Restarts> RESTARTS =
            SUBJECT.optional("rs", ProfileItem.RESTARTS_TYPE, HealthSubject::restarts);
    private static final Attribute<Instant> MODEL_CHANGED_AT =
            SUBJECT.optional("mc", MOMENT.or(Instant.MIN), HealthSubject::modelChangedAt);
    private static final Attribute<Instant> CAPABILITIES_UPDATED_AT =
            SUBJECT.always("cu", MOMENT, HealthSubject::capabilitiesUpdatedAt);
    private static final Attribute<Expectations> EXPECTATIONS =
            MEASUREMENT.optional("x", ProfileItem.EXPECTATIONS_TYPE, Measurement::expectations);
    private static final Attribute<Map<String, Long>> COUNTS =
            MEASUREMENT.optional("c", NUMBERS, m -> SliceItem.additions(m.counts()));
    private static final Attribute<Double> P50 = MEASUREMENT.always("p50", DECIMAL, Measurement::latencyP50Ms);
    private static final Attribute<Double> P99 = MEASUREMENT.always("p99", DECIMAL, Measurement::latencyP99Ms);
    private static final Attribute<Long> PREVIOUS_SUCCESSES =
            MEASUREMENT.always("ps", NUMBER, Measurement::previousSuccesses);
    private static final Attribute<Long> PREVIOUS_SAMPLES =
            MEASUREMENT.always("pn", NUMBER, Measurement::previousSamples);
    private static final Attribute<Double> OBSERVED_HOURS =
            MEASUREMENT.always("oh", DECIMAL.or(1.0), Measurement::observedHours);
    private static final Attribute<LifecycleStatus> LIFECYCLE =
            HEALTH.always("ls", LIFECYCLE_TYPE, AgentHealth::lifecycle);
    private static final Attribute<Instant> LAST_HEALTHY_AT =
            HEALTH.optional("lh", MOMENT.or(Instant.MIN), AgentHealth::lastHealthyAt);
    private static final PublishedAttributes<HealthStatus> STATUS =
            new PublishedAttributes<>(HEALTH.part(AgentHealth::publishedStatus), STATUS_TYPE, "ht", "ha", "hs");
    private static final Attribute<HealthStatus> LAST_KNOWN_PUBLISHED =
            HEALTH.always("hk", STATUS_TYPE, AgentHealth::lastKnownPublished);
    private static final PublishedAttributes<ScoreState> SCORE = new PublishedAttributes<>(
            HEALTH.part(AgentHealth::publishedScore), AttributeType.wireName(ScoreState.INACTIVE), "zt", "za", "zs");

    /** The attributes of a published value. Most values were published when they began, so one time is enough for both. */
    private record PublishedAttributes<T>(Attribute<T> value, Attribute<Instant> at, Attribute<Instant> since) {

        PublishedAttributes(Codec<Published<T>> part, AttributeType<T> type, String value, String at, String since) {
            this(
                    part.always(value, type, Published::value),
                    part.always(at, MOMENT, Published::at),
                    part.optional(
                            since, MOMENT.or(Instant.MIN), p -> p.since().equals(p.at()) ? Instant.MIN : p.since()));
        }

        Published<T> of(Map<String, AttributeValue> item) {
            return new Published<>(value.of(item), at.of(item), (since.isIn(item) ? since : at).of(item));
        }
    }

    private HealthItem() {}

    /** Returns the attributes of a health, without the attributes of its key and its due entry. */
    static Map<String, AttributeValue> attributes(AgentHealth health) {
        return HEALTH.attributes(health);
    }

    /** Returns the update that replaces the stored health. */
    static Update write(AgentHealth health) {
        return Update.upsert(ItemKind.HEALTH.key(health.agentId())).replace(HEALTH, health);
    }

    /** Returns whether an item holds a health, and not only a due entry. */
    static boolean holdsHealth(Map<String, AttributeValue> item) {
        return COMPUTED_AT.isIn(item);
    }

    static AgentHealth read(String agentId, Map<String, AttributeValue> item) {
        return new AgentHealth(
                agentId,
                COMPUTED_AT.of(item),
                new HealthSubject(
                        AGENT_URI.of(item),
                        HAS_CARD.isIn(item),
                        PERSONAL.isIn(item),
                        STARTED_AT.of(item),
                        RESTARTS.of(item),
                        MODEL_CHANGED_AT.of(item),
                        CAPABILITIES_UPDATED_AT.of(item)),
                measurement(item),
                LIFECYCLE.of(item),
                LAST_HEALTHY_AT.of(item),
                STATUS.of(item),
                LAST_KNOWN_PUBLISHED.of(item),
                SCORE.of(item));
    }

    /**
     * Returns the time since which the item's health is due to be computed again, possibly in the future; {@link Instant#MAX} if it is not
     * due. The item must hold a health. A due entry may be older than a computation that was stored at the same time; that computation
     * already contains the reason of the entry.
     */
    static Instant dueSince(Map<String, AttributeValue> item) {
        String dueAt = text(item, Attributes.DUE_SK);
        if (dueAt.isEmpty()) {
            return Instant.MAX;
        }
        Instant computedAt = COMPUTED_AT.of(item);
        Instant since = dueAt.equals(DueEntry.AT_ONCE)
                ? moment(item, DueEntry.SINCE, Instant.MAX)
                : Instant.ofEpochSecond(Long.parseLong(dueAt));
        return since.isBefore(computedAt) ? computedAt : since;
    }

    private static Measurement measurement(Map<String, AttributeValue> item) {
        OutcomeCounts counts = COUNTS.isIn(item)
                ? SliceItem.counts(item.get(COUNTS.name()).m())
                : OutcomeCounts.of(Map.of(), LatencyHistogram.EMPTY);
        return new Measurement(
                EXPECTATIONS.of(item),
                counts,
                P50.of(item),
                P99.of(item),
                PREVIOUS_SUCCESSES.of(item),
                PREVIOUS_SAMPLES.of(item),
                Math.max(1, OBSERVED_HOURS.of(item)));
    }
}
