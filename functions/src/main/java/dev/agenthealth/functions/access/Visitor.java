package dev.agenthealth.functions.access;

import dev.agenthealth.model.identity.Caller;

/** Who makes a request that needs no key. */
public sealed interface Visitor {

    /** Somebody without a key. */
    record Anybody() implements Visitor {}

    /** The holder of a key. */
    record KeyHolder(Caller caller) implements Visitor {}
}
