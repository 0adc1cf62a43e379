package dev.agenthealth.model.operations.source;

import dev.agenthealth.model.WireNamed;

/** The actions of a sync on an entry. */
public enum SyncAction implements WireNamed {
    /** It is new: its agent is registered. */
    REGISTERED,
    /** It declares something else: its agent is updated. */
    UPDATED,
    /** It is as it was; nothing is written. */
    UNCHANGED,
    /** It is as it was before it was missing; that it was missing is forgotten. */
    RETURNED,
    /** It is missing for the first time. */
    MISSING,
    /** It is missing once more, or was removed: its agent is deregistered. */
    DEREGISTERED,
    /** Its agent would take the place of one that is not of this source; nothing is written. */
    CONFLICT
}
