package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.WireNamed;

/** The results of verifying the signatures of an agent's card (A2A 1.0 §8.4.3). */
public enum CardSignature implements WireNamed {
    /** At least one is by a key that the operator trusts or that the card's own host serves. */
    VALID,
    /** There is none. */
    UNSIGNED,
    /** None can be verified, because no key is known for it. */
    UNKNOWN_KEY,
    /** One is wrong, and none is valid. */
    INVALID
}
