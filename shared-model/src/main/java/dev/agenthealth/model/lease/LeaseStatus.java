package dev.agenthealth.model.lease;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What has become of a lease. */
public enum LeaseStatus {
    /** In force until it expires. */
    ACTIVE,
    /** Given back by its holder, or with its holder's deregistration. */
    RELEASED,
    /** Ran out, or its holder died. */
    EXPIRED,
    /** Taken away by a coordinator. */
    REVOKED;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The word used in requests, responses and events. */
    public String word() {
        return word;
    }

    /** The status with this word; empty where there is none. */
    public static Optional<LeaseStatus> ofWord(String word) {
        return Arrays.stream(values()).filter(s -> s.word.equals(word)).findFirst();
    }
}
