package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BIT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The progress of the erasure of an agent. The agent's items are erased in passes. The last pass begins when no request that has read the
 * agent can still be running. The progress is stored in the tombstone of the erased agent, which is in no index. This class owns the names
 * of the attributes that other tombstones do not have.
 *
 * @param agentId the agent
 * @param begunAt when the agent became unknown
 * @param passes number of complete passes
 * @param passBegunAt when the current pass began; {@link Instant#MAX} if no pass is in progress
 * @param position the sort key after which the current pass continues; empty at its beginning
 * @param done whether the erasure is complete
 */
public record Erasure(
        String agentId, Instant begunAt, long passes, Instant passBegunAt, String position, boolean done) {

    /** The time after which every request that read the agent before has ended. It is longer than any function may run. */
    public static final Duration SETTLING = Duration.ofMinutes(2);

    private static final Codec<Erasure> WHOLE = new Codec<>();
    static final Attribute<Instant> BEGUN_AT = WHOLE.always("ea", MOMENT, Erasure::begunAt);

    /** The attributes that change. */
    static final Codec<Erasure> PROGRESS = WHOLE.part(erasure -> erasure);

    private static final Codec<Erasure> UNDER_WAY =
            PROGRESS.optionalPart(erasure -> Optional.of(erasure).filter(Erasure::isUnderWay));
    private static final Attribute<Long> PASSES = PROGRESS.always("en", NUMBER, Erasure::passes);
    private static final Attribute<Instant> PASS_BEGUN_AT =
            UNDER_WAY.always("eb", MOMENT.or(Instant.MAX), Erasure::passBegunAt);
    private static final Attribute<String> POSITION = UNDER_WAY.always("ek", TEXT, Erasure::position);
    static final Attribute<Boolean> DONE = PROGRESS.optional("ed", BIT, Erasure::done);

    /** The end of the claim of a request on the erasure. */
    static final Attribute<Instant> TAKEN_UNTIL = new Attribute<>("et", MOMENT.or(Instant.MIN));

    /** Returns the earliest moment at which the last pass may begin. */
    public Instant settledAt() {
        return begunAt.plus(SETTLING);
    }

    /** Returns whether a first pass is complete and it is too early for the last pass. */
    public boolean isSettling(Instant now) {
        return passes > 0 && !isUnderWay() && !ClockRule.hasPassed(begunAt, SETTLING, now);
    }

    /** Returns whether a pass has begun and is not complete. */
    public boolean isUnderWay() {
        return passBegunAt.isBefore(Instant.MAX);
    }

    /** Returns the erasure after the beginning of a pass. */
    public Erasure passBegun(Instant now) {
        return new Erasure(agentId, begunAt, passes, now, "", done);
    }

    /** Returns the erasure with a later position in its pass. */
    public Erasure at(String place) {
        return new Erasure(agentId, begunAt, passes, passBegunAt, place, done);
    }

    /** Returns the erasure after the end of its pass, which may have been the last pass. */
    public Erasure passComplete() {
        return new Erasure(
                agentId, begunAt, passes + 1, Instant.MAX, "", ClockRule.hasPassed(begunAt, SETTLING, passBegunAt));
    }

    /** Returns the tombstone of an agent whose erasure begins now. */
    static Map<String, AttributeValue> tombstone(Pulse pulse, Instant now) {
        Map<String, AttributeValue> item = TombstoneItem.of(pulse, now);
        item.remove(Attributes.FEED_PK);
        item.remove(Attributes.FEED_SK);
        return BEGUN_AT.put(item, now);
    }

    /** Returns whether a tombstone belongs to an erased agent. */
    static boolean isOf(Map<String, AttributeValue> tombstone) {
        return BEGUN_AT.isIn(tombstone);
    }

    static Optional<Erasure> read(String agentId, Map<String, AttributeValue> item) {
        return isOf(item)
                ? Optional.of(new Erasure(
                        agentId,
                        BEGUN_AT.of(item),
                        PASSES.of(item),
                        PASS_BEGUN_AT.of(item),
                        POSITION.of(item),
                        DONE.of(item)))
                : Optional.empty();
    }
}
