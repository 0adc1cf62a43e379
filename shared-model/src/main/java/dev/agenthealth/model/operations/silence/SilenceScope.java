package dev.agenthealth.model.operations.silence;

import dev.agenthealth.model.WireNamed;

/**
 * Which events a silence covers.
 *
 * @param kind by which label they are selected
 * @param id the value of the label; empty for {@link Kind#EVERYTHING}
 */
public record SilenceScope(Kind kind, String id) {

    /** By which label events are selected; the wire name is the name of the field. */
    public enum Kind implements WireNamed {
        AGENT_ID,
        ROLE_ID,
        CAPABILITY,
        OWNER_KEY_ID,
        /** All events, and those of the registry itself, which no other kind covers. */
        EVERYTHING;
    }

    /** Every event. */
    public static final SilenceScope EVERYTHING = new SilenceScope(Kind.EVERYTHING, "");

    /** Returns whether an event with these labels is covered. */
    public boolean covers(SilenceLabels labels) {
        return switch (kind) {
            case AGENT_ID -> id.equals(labels.agentId());
            case ROLE_ID -> id.equals(labels.roleId());
            case CAPABILITY -> labels.capabilities().contains(id);
            case OWNER_KEY_ID -> id.equals(labels.ownerKeyId());
            case EVERYTHING -> true;
        };
    }

    /** Returns whether no event carries the label that it selects by. */
    boolean needsLookup() {
        return kind == Kind.CAPABILITY || kind == Kind.OWNER_KEY_ID;
    }
}
