package dev.agenthealth.model.identity;

import dev.agenthealth.model.WireNamed;

/** The kind of credential with which a caller authenticates. */
public enum CallerKind implements WireNamed {
    /** An API key. */
    KEY,
    /** The token of a person who signed in. */
    PERSON,
    /** The token that a platform gave to an agent. */
    WORKLOAD
}
