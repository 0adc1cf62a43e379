package dev.agenthealth.functions.storage.health;

import static dev.agenthealth.functions.storage.dynamo.Values.decimal;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.score.HealthScore;
import dev.agenthealth.model.score.ScoreState;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** One point of an agent's history. This class owns the attribute names. */
final class HistoryItem {

    /** How long history is kept. */
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

    private HistoryItem() {}

    /** The hour that a moment is in, counted from the epoch. */
    static long hour(Instant moment) {
        return Math.floorDiv(moment.getEpochSecond(), SECONDS_PER_HOUR);
    }

    /** The sort key of an hour. */
    static String sortKey(long hour) {
        return RegistryKeys.HISTORY_PREFIX + RegistryKeys.padded(hour, 8);
    }

    /** A sort key between those of the hour and of its end: of the point at which the score began within it, before that end or after it. */
    private static String sortKeyOfBeginning(long hour) {
        return sortKey(hour) + "!";
    }

    /** The last sort key of an hour: of the point at which the score ended within it. */
    static String sortKeyOfEnd(long hour) {
        return sortKey(hour) + "#";
    }

    /** A health as the point of its hour. */
    static Map<String, AttributeValue> of(AgentHealth health) {
        return of(health, sortKey(hour(health.computedAt())));
    }

    /** A health as the point at which the score began. */
    static Map<String, AttributeValue> ofBeginning(AgentHealth health) {
        return of(health, sortKeyOfBeginning(hour(health.computedAt())));
    }

    /** A health as the point at which the score ended. */
    static Map<String, AttributeValue> ofEnd(AgentHealth health) {
        return of(health, sortKeyOfEnd(hour(health.computedAt())));
    }

    private static Map<String, AttributeValue> of(AgentHealth health, String sortKey) {
        Map<String, AttributeValue> item =
                new HashMap<>(RegistryKeys.key(RegistryKeys.agent(health.agentId()), sortKey));
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put(AT, n(health.computedAt().toEpochMilli()));
        HealthScore score = health.score();
        if (score.active()) {
            item.put(SCORE, AttributeValue.fromN(score.points().toPlainString()));
        }
        item.put(STATE, s(score.state().word()));
        item.put(STATUS, s(health.status().word()));
        item.put(RATIO, decimal(health.measurement().responseRatio()));
        item.put(P50, decimal(health.measurement().latencyP50Ms()));
        item.put(P99, decimal(health.measurement().latencyP99Ms()));
        item.put(SAMPLES, n(health.measurement().sampleCount()));
        item.put(RegistryKeys.EXPIRES, n(health.computedAt().plus(RETENTION).getEpochSecond()));
        return item;
    }

    static HistoryPoint read(Map<String, AttributeValue> item) {
        return new HistoryPoint(
                moment(item, AT, Instant.EPOCH),
                item.containsKey(SCORE)
                        ? Optional.of(new BigDecimal(item.get(SCORE).n()).setScale(2))
                        : Optional.empty(),
                ScoreState.ofWord(text(item, STATE)).orElse(ScoreState.INACTIVE),
                HealthStatus.ofWord(text(item, STATUS)).orElse(HealthStatus.UNKNOWN),
                decimal(item, RATIO),
                decimal(item, P50),
                decimal(item, P99),
                number(item, SAMPLES, 0));
    }
}
