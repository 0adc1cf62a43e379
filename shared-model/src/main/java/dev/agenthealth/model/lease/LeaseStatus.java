package dev.agenthealth.model.lease;

import dev.agenthealth.model.Word;
import java.util.Optional;

/** What has become of a lease. */
public enum LeaseStatus implements Word {
    /** In force until it expires. */
    ACTIVE,
    /** Given back by its holder, or with its holder's deregistration. */
    RELEASED,
    /** Ran out, or its holder is dead. */
    EXPIRED,
    /** Taken away by a coordinator. */
    REVOKED;

    /** The status with this word; empty where there is none. */
    public static Optional<LeaseStatus> ofWord(String word) {
        return Word.find(LeaseStatus.class, word);
    }
}
