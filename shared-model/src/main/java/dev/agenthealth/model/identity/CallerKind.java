package dev.agenthealth.model.identity;

import dev.agenthealth.model.WireNamed;

/** By what a caller proves who it is. */
public enum CallerKind implements WireNamed {
    /** An API key. */
    KEY,
    /** The token of a person who signed in. */
    PERSON,
    /** The token that a platform gave to an agent. */
    WORKLOAD
}
