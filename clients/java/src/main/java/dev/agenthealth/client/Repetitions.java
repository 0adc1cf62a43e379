package dev.agenthealth.client;

import java.util.Arrays;

/**
 * Repeated calls of tools within one task: one call again and again, or up to four calls in turn. It keeps hashes only. Not thread-safe:
 * {@link Activities} guards it.
 */
final class Repetitions {

    /** The maximum number of different calls of a loop. */
    private static final int MAX_LENGTH = 4;

    /** The maximum number of repetitions, and of characters in the name of a tool, that the registry accepts. */
    private static final int MAX_REPEATS = 1_000_000;

    private static final int MAX_TOOL = 128;

    private final long[] last = new long[MAX_LENGTH];
    private final int[] matches = new int[MAX_LENGTH];
    private int known;
    private String tool = "";

    /** Returns the hash of a call. Equal arguments have equal hashes, also if they are arrays. */
    static long signature(String tool, Object... arguments) {
        return 31L * tool.hashCode() + ((long) Arrays.deepHashCode(arguments) << 32);
    }

    /** Counts a call whose tool and arguments are unknown. */
    void unknownCall() {
        Arrays.fill(matches, 0);
        known = 0;
        tool = "";
    }

    /** Counts a call. Returns whether it repeats an earlier call. */
    boolean call(String name, long signature) {
        for (int length = 1; length <= MAX_LENGTH; length++) {
            boolean same = known >= length && last[length - 1] == signature;
            matches[length - 1] = same ? matches[length - 1] + 1 : 0;
        }
        System.arraycopy(last, 0, last, 1, MAX_LENGTH - 1);
        last[0] = signature;
        known = Math.min(known + 1, MAX_LENGTH);
        tool = name.length() > MAX_TOOL ? name.substring(0, MAX_TOOL) : name;
        return repeats() > 0;
    }

    /** Returns how often the calls were repeated. */
    int repeats() {
        int most = 0;
        for (int length = 1; length <= MAX_LENGTH; length++) {
            most = Math.max(most, matches[length - 1] / length);
        }
        return Math.min(most, MAX_REPEATS);
    }

    /** Returns the tool of the last call. */
    String tool() {
        return tool;
    }
}
