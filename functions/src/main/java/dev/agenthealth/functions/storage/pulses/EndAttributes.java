package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.putNumber;

import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.registry.lifecycle.CleanUp;
import dev.agenthealth.model.registry.lifecycle.EndedBy;
import dev.agenthealth.model.registry.lifecycle.LastEnd;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the ended incarnations with a pending clean-up, and the last end. */
final class EndAttributes {

    private static final int DIGIT = 10;

    /** The kinds of authors of an end, by the digit under {@link PulseItem#LAST_END}. */
    private static final List<EndedBy> ENDED_BY = List.of(EndedBy.OWNER, EndedBy.OPERATOR, EndedBy.REGISTRY);

    /** Reasons for an end by their digit under {@link PulseItem#LAST_END}. */
    private static final List<LifecycleReason> END_REASONS = List.of(
            LifecycleReason.DEREGISTERED,
            LifecycleReason.DRAIN_COMPLETED,
            LifecycleReason.DRAIN_TIMEOUT,
            LifecycleReason.HEARTBEAT_TIMEOUT);

    private EndAttributes() {}

    static void put(Map<String, AttributeValue> item, Pulse pulse) {
        CleanUp cleanUp = pulse.cleanUp();
        putNumber(item, PulseItem.CLEAN_UP_OF, cleanUp.through(), 0);
        putNumber(item, PulseItem.CLEAN_UP_DEAD, cleanUp.dead(), 0);
        putNumber(item, PulseItem.CLEAN_UP_DEREGISTERED, cleanUp.deregistered(), 0);
        putNumber(item, PulseItem.CLEAN_UP_RESTARTED, cleanUp.restarted(), 0);
        putNumber(item, PulseItem.LAST_END, number(pulse.lastEnd()), 0);
    }

    static CleanUp cleanUp(Map<String, AttributeValue> item) {
        return new CleanUp(
                Values.number(item, PulseItem.CLEAN_UP_OF, 0),
                Values.number(item, PulseItem.CLEAN_UP_DEAD, 0),
                Values.number(item, PulseItem.CLEAN_UP_DEREGISTERED, 0),
                Values.number(item, PulseItem.CLEAN_UP_RESTARTED, 0));
    }

    /** Returns the number under {@link PulseItem#LAST_END}; 0 if no end is known. */
    private static long number(LastEnd end) {
        return end.isKnown()
                ? (end.at().toEpochMilli() * DIGIT + ENDED_BY.indexOf(end.by())) * DIGIT
                        + END_REASONS.indexOf(end.reason())
                : 0;
    }

    static LastEnd lastEnd(Map<String, AttributeValue> item) {
        long number = Values.number(item, PulseItem.LAST_END, 0);
        int by = (int) (number / DIGIT % DIGIT);
        int reason = (int) (number % DIGIT);
        return number == 0 || by >= ENDED_BY.size() || reason >= END_REASONS.size()
                ? LastEnd.NONE
                : new LastEnd(
                        ENDED_BY.get(by), END_REASONS.get(reason), Instant.ofEpochMilli(number / (DIGIT * DIGIT)));
    }
}
