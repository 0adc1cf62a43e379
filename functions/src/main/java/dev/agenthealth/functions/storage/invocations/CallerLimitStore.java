package dev.agenthealth.functions.storage.invocations;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.model.gateway.CallerLimit;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * What each caller has used up of its limit of invocations: one number a caller, changed by one conditional write an invocation, so that the
 * limit holds exactly however many functions count at once. Thread-safe.
 */
public final class CallerLimitStore {

    private static final String EARNED_BACK = "tat";

    /** Of those who ask at once, each goes back and forth between the two writes at most as often as others come between. */
    private static final int TRIES = 10;

    /** Long after the last invocation nothing is left to be remembered. */
    private static final Duration REMEMBERED = Duration.ofDays(1);

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final Clock clock;

    public CallerLimitStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.clock = clock;
    }

    /**
     * Takes one invocation off a caller's limit.
     *
     * @return how long the caller has to wait; zero where the invocation is let through
     */
    public Duration take(String keyId, CallerLimit limit) {
        long now = clock.millis() * 1_000;
        for (int i = 0; i < TRIES; i++) {
            OptionalLong earnedBack = begin(keyId, limit, now);
            if (earnedBack.isPresent() && earnedBack.getAsLong() <= limit.latest(now)) {
                earnedBack = proceed(keyId, limit, now);
            }
            if (earnedBack.isEmpty()) {
                return Duration.ZERO;
            }
            if (earnedBack.getAsLong() > limit.latest(now)) {
                return limit.wait(earnedBack.getAsLong(), now);
            }
        }
        return Duration.ofNanos(limit.spacing() * 1_000);
    }

    /** Where everything is earned back, or what is counted makes no sense any more: counts from now. */
    private OptionalLong begin(String keyId, CallerLimit limit, long now) {
        return write(
                keyId,
                "SET #tat = :next, #v = :v, #ttl = :ttl",
                "attribute_not_exists(#tat) OR #tat <= :now OR #tat > :farthest",
                Map.of(":next", n(now + limit.spacing()), ":now", n(now), ":farthest", n(limit.farthest(now))));
    }

    /** Where something is left. */
    private OptionalLong proceed(String keyId, CallerLimit limit, long now) {
        return write(
                keyId,
                "SET #tat = #tat + :spacing, #v = :v, #ttl = :ttl",
                "#tat > :now AND #tat <= :latest",
                Map.of(":spacing", n(limit.spacing()), ":now", n(now), ":latest", n(limit.latest(now))));
    }

    /** Empty where the condition held, else the number as it is. */
    private OptionalLong write(
            String keyId, String update, String condition, Map<String, AttributeValue> conditionValues) {
        Map<String, AttributeValue> values = new HashMap<>(conditionValues);
        values.put(":ttl", n(clock.instant().plus(REMEMBERED).getEpochSecond()));
        values.put(":v", n(RegistryKeys.SCHEMA));
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.callerLimit(keyId))
                .updateExpression(update)
                .conditionExpression(condition)
                .expressionAttributeNames(
                        Map.of("#tat", EARNED_BACK, "#v", RegistryKeys.SCHEMA_NUMBER, "#ttl", RegistryKeys.EXPIRES))
                .expressionAttributeValues(values)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
        try {
            retries.call("limit of a caller", () -> dynamoDb.updateItem(request));
            return OptionalLong.empty();
        } catch (ConditionalCheckFailedException e) {
            return OptionalLong.of(number(e.item(), EARNED_BACK, 0));
        }
    }
}
