package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.asSeen;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.incarnationIs;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.repetitionAsSeen;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.spansAsSeen;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.statusIs;
import static dev.agenthealth.functions.storage.pulses.PulseConditions.unchanged;

import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.registry.lifecycle.LoopChange;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Repetition;
import dev.agenthealth.model.registry.lifecycle.StallChange;
import dev.agenthealth.model.registry.lifecycle.UsageChange;
import dev.agenthealth.model.registry.lifecycle.WaitingChange;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Builds the updates of a row that store the published findings about an agent, and the observations that lead to them: spans, repeated calls and
 * waits for a person.
 */
public final class FindingWrites {

    private FindingWrites() {}

    /** Stores the end of a span that counts as progress, if incarnation and the previous end are as seen. */
    static Update progress(Pulse seen, Instant spanEndedAt) {
        return Update.of(PulseItem.key(seen.agentId()))
                .set(PulseItem.SPAN_ENDED, moment(spanEndedAt))
                .when(incarnationIs(seen.incarnation()))
                .when(spansAsSeen(seen));
    }

    /** Stores the repetition of calls in spans, if incarnation, status and the previous repetition are as seen. */
    static Update repetition(Pulse seen, Repetition inSpans) {
        Map<String, AttributeValue> row = new HashMap<>();
        LoopAttributes.putInSpans(row, inSpans);
        return Update.of(PulseItem.key(seen.agentId()))
                .replace(List.of(PulseItem.REPEATED_IN_SPANS), row)
                .when(incarnationIs(seen.incarnation()))
                .when(statusIs(seen.status()))
                .when(repetitionAsSeen(seen));
    }

    /**
     * Counts the event of a stall and stores the published stall, if the pulse is unchanged. Heartbeats and spans also count as changes,
     * because they report progress.
     */
    public static Update stall(StallChange change) {
        Map<String, AttributeValue> row = PulseItem.of(change.after());
        Update update = Update.of(PulseItem.key(change.after().agentId()))
                .setPresent(List.of(PulseItem.SEQUENCE), row)
                .replace(List.of(PulseItem.STALL), row)
                .when(unchanged(change.before()));
        if (change.before().activity().isRunning()) {
            update.when(spansAsSeen(change.before()));
        }
        return change.asksToRestart() ? askingToRestart(update, row) : update;
    }

    /** Adds the command to restart to an update, which must keep a command that arrived at the same time. */
    private static Update askingToRestart(Update update, Map<String, AttributeValue> row) {
        return update.replace(PulseWrites.PENDING_DRAIN, row).when(Condition.absent(PulseItem.PENDING_DRAIN_TIMEOUT));
    }

    /** Counts the event of a loop and stores the published loop, if the pulse is unchanged, also by heartbeats and spans. */
    public static Update loop(LoopChange change) {
        Map<String, AttributeValue> row = PulseItem.of(change.after());
        Update update = Update.of(PulseItem.key(change.after().agentId()))
                .setPresent(List.of(PulseItem.SEQUENCE), row)
                .replace(List.of(PulseItem.LOOP), row)
                .when(unchanged(change.before()))
                .when(repetitionAsSeen(change.before()));
        return change.asksToRestart() ? askingToRestart(update, row) : update;
    }

    /** Stores the level of usage, and counts its event if the change is published, if no other event was counted and the level is as seen. */
    public static Update usage(UsageChange change) {
        Map<String, AttributeValue> row = PulseItem.of(change.after());
        Map<String, AttributeValue> before = PulseItem.of(change.before());
        Update update = Update.of(PulseItem.key(change.after().agentId()))
                .setPresent(List.of(PulseItem.SEQUENCE), row)
                .replace(List.of(PulseItem.USAGE, PulseItem.LIMIT_ACTION), row)
                .when(incarnationIs(change.before().incarnation()))
                .when(statusIs(change.before().status()))
                .when(Condition.equal(PulseItem.SEQUENCE, n(change.before().sequence())))
                .when(asSeen(PulseItem.USAGE, before))
                .when(asSeen(PulseItem.LIMIT_ACTION, before));
        if (change.asksToDrain()) {
            update.replace(PulseWrites.PENDING_DRAIN, row);
            PulseWrites.PENDING_DRAIN.forEach(name -> update.when(asSeen(name, before)));
        }
        return update;
    }

    /** Stores that the leases for a published loop are ended, if the loop is as seen. */
    static Update leasesOfLoopEnded(Pulse seen) {
        return Update.of(PulseItem.key(seen.agentId()))
                .set(PulseItem.LOOP, PulseItem.of(seen.withLeasesOfLoopEnded()).get(PulseItem.LOOP))
                .when(incarnationIs(seen.incarnation()))
                .when(asSeen(PulseItem.LOOP, PulseItem.of(seen)));
    }

    /** Counts the event of a wait for a person and stores the published wait, if the pulse and the waits of its tasks are unchanged. */
    public static Update waiting(WaitingChange change) {
        Map<String, AttributeValue> row = PulseItem.of(change.after());
        return Update.of(PulseItem.key(change.after().agentId()))
                .setPresent(List.of(PulseItem.SEQUENCE), row)
                .replace(List.of(PulseItem.PUBLISHED_WAIT), row)
                .when(unchanged(change.before()))
                .when(asSeen(PulseItem.TASK_WAIT, PulseItem.of(change.before())));
    }

    /** Stores since when a task waits for a person, if incarnation and previous beginning are as seen. */
    public static Update taskWait(Pulse seen, Pulse after) {
        return Update.of(PulseItem.key(seen.agentId()))
                .replace(List.of(PulseItem.TASK_WAIT), PulseItem.of(after))
                .when(incarnationIs(seen.incarnation()))
                .when(statusIs(seen.status()))
                .when(asSeen(PulseItem.TASK_WAIT, PulseItem.of(seen)));
    }

    /** Stores the hash of the text that says what the agent waits for, if the incarnation is as seen. */
    public static Update waitsFor(Pulse seen, int hash) {
        return Update.of(PulseItem.key(seen.agentId()))
                .set(PulseItem.WAITS_FOR, n(hash))
                .when(incarnationIs(seen.incarnation()));
    }

    /** Stores that the leases for a published stall are ended, if the stall is as seen. */
    public static Update leasesOfStallEnded(Pulse seen) {
        Map<String, AttributeValue> before = PulseItem.of(seen);
        return Update.of(PulseItem.key(seen.agentId()))
                .set(
                        PulseItem.STALL,
                        PulseItem.of(seen.withLeasesOfStallEnded()).get(PulseItem.STALL))
                .when(incarnationIs(seen.incarnation()))
                .when(asSeen(PulseItem.STALL, before));
    }
}
