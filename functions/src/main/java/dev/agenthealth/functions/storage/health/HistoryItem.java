package dev.agenthealth.functions.storage.health;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.DECIMAL;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.health.score.HealthScore;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.outcome.Evaluation;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A point of an agent's history. */
final class HistoryItem {

    static final Duration RETENTION = Duration.ofDays(30);

    private static final long SECONDS_PER_HOUR = 3_600;

    private static final Codec<AgentHealth> POINT = new Codec<>();
    private static final Codec<HealthScore> OF_SCORE = POINT.part(AgentHealth::score);
    private static final Codec<Measurement> MEASURED = POINT.part(AgentHealth::measurement);
    private static final Attribute<Instant> AT = POINT.always("at", MOMENT, AgentHealth::computedAt);
    private static final Attribute<Optional<BigDecimal>> SCORE = OF_SCORE.optional(
            "score",
            new AttributeType<Optional<BigDecimal>>(
                    Optional.empty(),
                    points -> AttributeValue.fromN(points.orElseThrow().toPlainString()),
                    stored -> Optional.of(new BigDecimal(stored.n()).setScale(2))),
            score -> Optional.of(score.points()).filter(points -> score.active()));
    private static final Attribute<ScoreState> STATE =
            OF_SCORE.always("state", AttributeType.wireName(ScoreState.INACTIVE), HealthScore::state);
    private static final Attribute<HealthStatus> STATUS =
            POINT.always("status", AttributeType.wireName(HealthStatus.UNKNOWN), AgentHealth::status);
    private static final Attribute<Double> RATIO = MEASURED.always("ratio", DECIMAL, Measurement::responseRatio);
    private static final Attribute<Double> P50 = MEASURED.always("p50", DECIMAL, Measurement::latencyP50Ms);
    private static final Attribute<Double> P99 = MEASURED.always("p99", DECIMAL, Measurement::latencyP99Ms);
    private static final Attribute<Long> SAMPLES = MEASURED.always("samples", NUMBER, Measurement::sampleCount);
    private static final Attribute<Double> QUALITY =
            MEASURED.optional("quality", DECIMAL.or(Evaluation.NO_QUALITY), measured -> measured.counts()
                    .quality()
                    .orElse(Evaluation.NO_QUALITY));
    private static final Attribute<LifecycleStatus> LIFECYCLE =
            POINT.always("life", HealthItem.LIFECYCLE_TYPE, AgentHealth::lifecycle);

    /** Precedes the number of a change in the sort key. */
    private static final String CHANGE = "#";

    private HistoryItem() {}

    /** Returns the sort key of the first point in the hour of a moment. */
    static String firstOfHour(Instant moment) {
        long hour = Math.floorDiv(moment.getEpochSecond(), SECONDS_PER_HOUR);
        return ItemKind.HISTORY_POINT.sortKey(Attributes.padded(hour, 8));
    }

    /** Returns a sort key after all points in the hour of a moment. */
    static String afterHour(Instant moment) {
        return firstOfHour(moment) + "~";
    }

    /** Returns the point at the beginning of an hour. */
    static Map<String, AttributeValue> ofHour(AgentHealth health) {
        return of(health, firstOfHour(health.computedAt()));
    }

    /**
     * Returns a point at a change.
     *
     * @param revision the revision of the previous health: a repeated computation of the same change replaces the point
     */
    static Map<String, AttributeValue> ofChange(AgentHealth health, long revision) {
        return of(health, firstOfHour(health.computedAt()) + CHANGE + revision);
    }

    private static Map<String, AttributeValue> of(AgentHealth health, String sortKey) {
        Map<String, AttributeValue> key = Attributes.key(ItemKind.HISTORY_POINT.partition(health.agentId()), sortKey);
        return POINT.put(Attributes.item(key, health.computedAt().plus(RETENTION)), health);
    }

    static HistoryPoint read(Map<String, AttributeValue> item) {
        return new HistoryPoint(
                AT.of(item),
                SCORE.of(item),
                STATE.of(item),
                STATUS.of(item),
                LIFECYCLE.of(item),
                new HistoryPoint.Measured(
                        RATIO.of(item), P50.of(item), P99.of(item), SAMPLES.of(item), QUALITY.of(item)));
    }
}
