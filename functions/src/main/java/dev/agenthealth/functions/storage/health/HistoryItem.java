package dev.agenthealth.functions.storage.health;

import static dev.agenthealth.functions.storage.dynamo.Values.decimal;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.pulses.StatusShard;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.score.HealthScore;
import dev.agenthealth.model.score.ScoreState;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** One point of an agent's history. */
final class HistoryItem {

    static final Duration RETENTION = Duration.ofDays(30);

    private static final long SECONDS_PER_HOUR = 3_600;

    private static final String AT = "at";
    private static final String SCORE = "score";
    private static final String STATE = "state";
    private static final String STATUS = "status";
    private static final String RATIO = "ratio";
    private static final String P50 = "p50";
    private static final String P99 = "p99";
    private static final String SAMPLES = "samples";
    private static final String LIFECYCLE = "life";

    /** Before the number of a change. */
    private static final String CHANGE = "#";

    private HistoryItem() {}

    /** The sort key of the first point in the hour of a moment. */
    static String firstOfHour(Instant moment) {
        long hour = Math.floorDiv(moment.getEpochSecond(), SECONDS_PER_HOUR);
        return ItemKind.HISTORY_POINT.sortKey(Attributes.padded(hour, 8));
    }

    /** A sort key after those of all points in the hour of a moment. */
    static String afterHour(Instant moment) {
        return firstOfHour(moment) + "~";
    }

    /** The point at the beginning of an hour. */
    static Map<String, AttributeValue> ofHour(AgentHealth health) {
        return of(health, firstOfHour(health.computedAt()));
    }

    /**
     * A point at a change.
     *
     * @param revision the revision of the health before: a repeated computation of the same change replaces the point
     */
    static Map<String, AttributeValue> ofChange(AgentHealth health, long revision) {
        return of(health, firstOfHour(health.computedAt()) + CHANGE + revision);
    }

    private static Map<String, AttributeValue> of(AgentHealth health, String sortKey) {
        Map<String, AttributeValue> item = Attributes.item(
                Attributes.key(ItemKind.HISTORY_POINT.partition(health.agentId()), sortKey),
                health.computedAt().plus(RETENTION));
        item.put(AT, moment(health.computedAt()));
        HealthScore score = health.score();
        if (score.active()) {
            item.put(SCORE, AttributeValue.fromN(score.points().toPlainString()));
        }
        item.put(STATE, s(score.state().wireName()));
        item.put(STATUS, s(health.status().wireName()));
        item.put(LIFECYCLE, s(StatusShard.code(health.lifecycle())));
        item.put(RATIO, decimal(health.measurement().responseRatio()));
        item.put(P50, decimal(health.measurement().latencyP50Ms()));
        item.put(P99, decimal(health.measurement().latencyP99Ms()));
        item.put(SAMPLES, n(health.measurement().sampleCount()));
        return item;
    }

    static HistoryPoint read(Map<String, AttributeValue> item) {
        return new HistoryPoint(
                moment(item, AT, Instant.EPOCH),
                item.containsKey(SCORE)
                        ? Optional.of(new BigDecimal(item.get(SCORE).n()).setScale(2))
                        : Optional.empty(),
                ScoreState.ofWireName(text(item, STATE)).orElse(ScoreState.INACTIVE),
                HealthStatus.ofWireName(text(item, STATUS)).orElse(HealthStatus.UNKNOWN),
                StatusShard.status(text(item, LIFECYCLE)),
                decimal(item, RATIO),
                decimal(item, P50),
                decimal(item, P99),
                number(item, SAMPLES, 0));
    }
}
