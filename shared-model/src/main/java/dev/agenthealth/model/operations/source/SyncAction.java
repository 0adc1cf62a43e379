package dev.agenthealth.model.operations.source;

import dev.agenthealth.model.WireNamed;

/** The action of a sync on an entry. */
public enum SyncAction implements WireNamed {
    /** The entry is new: its agent is registered. */
    REGISTERED,
    /** The declaration changed: its agent is updated. */
    UPDATED,
    /** Nothing changed, and nothing is written. */
    UNCHANGED,
    /** The entry is back unchanged after it was missing. Its number of missed syncs is reset. */
    RETURNED,
    /** The entry is missing for the first time. */
    MISSING,
    /** The entry is missing again, or was removed: its agent is deregistered. */
    DEREGISTERED,
    /** An agent with the same id does not belong to this source. Nothing is written. */
    CONFLICT
}
