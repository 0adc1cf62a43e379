package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.WireNamed;

/** The result of verifying the signatures of an agent card (A2A 1.0 §8.4.3). */
public enum CardSignature implements WireNamed {
    /** At least one signature is valid, made with a key that the operator trusts or that the card's own host serves. */
    VALID,
    /** The card has no signature. */
    UNSIGNED,
    /** No signature can be verified, because no key is known for any of them. */
    UNKNOWN_KEY,
    /** A signature is wrong, and none is valid. */
    INVALID
}
