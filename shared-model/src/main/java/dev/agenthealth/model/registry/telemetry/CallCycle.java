package dev.agenthealth.model.registry.telemetry;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The last calls of one kind within one execution, and the loops among them: one call again and again, or up to {@link #MAX_LENGTH} calls in turn.
 *
 * @param last the signatures of the last calls, the newest last; at most {@link #MAX_LENGTH}
 * @param matches how many calls in sequence equal the call before them by 1, 2, … {@link #MAX_LENGTH} places
 * @param since the last call that equals none of the calls before it
 * @param name the name in the last call
 */
public record CallCycle(List<Long> last, List<Integer> matches, Instant since, String name) {

    /** The maximum number of different calls of a loop. */
    public static final int MAX_LENGTH = 4;

    /** The value without calls. */
    public static final CallCycle NONE = new CallCycle(List.of(), List.of(0, 0, 0, 0), Instant.EPOCH, "");

    public CallCycle {
        last = List.copyOf(last);
        matches = List.copyOf(matches);
    }

    /** Returns the cycle after one more call. */
    CallCycle plus(long signature, String newName, Instant endedAt) {
        List<Integer> counts = new ArrayList<>(MAX_LENGTH);
        boolean any = false;
        for (int length = 1; length <= MAX_LENGTH; length++) {
            boolean same = signature != SpanCall.UNKNOWN
                    && last.size() >= length
                    && last.get(last.size() - length) == signature;
            counts.add(same ? matches.get(length - 1) + 1 : 0);
            any |= same;
        }
        List<Long> calls = new ArrayList<>(last);
        calls.add(signature);
        return new CallCycle(
                calls.subList(Math.max(0, calls.size() - MAX_LENGTH), calls.size()),
                counts,
                any ? since : endedAt,
                newName);
    }

    /** Returns the number of repetitions of the loop that was repeated most often. */
    public int repeats() {
        int most = 0;
        for (int length = 1; length <= MAX_LENGTH; length++) {
            most = Math.max(most, matches.get(length - 1) / length);
        }
        return most;
    }
}
