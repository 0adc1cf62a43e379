package dev.agenthealth.model.operations.silence;

import dev.agenthealth.model.WireNamed;

/**
 * The events that a silence covers.
 *
 * @param kind the label that selects events
 * @param id the value of the label; empty for {@link Kind#EVERYTHING}
 */
public record SilenceScope(Kind kind, String id) {

    /** The label that selects events. Its wire name is the name of the field. */
    public enum Kind implements WireNamed {
        AGENT_ID,
        ROLE_ID,
        CAPABILITY,
        OWNER_KEY_ID,
        /** All events, including events of the registry itself, which no other kind covers. */
        EVERYTHING;
    }

    /** The scope of every event. */
    public static final SilenceScope EVERYTHING = new SilenceScope(Kind.EVERYTHING, "");

    /** Returns whether the scope covers an event with these labels. */
    public boolean covers(SilenceLabels labels) {
        return switch (kind) {
            case AGENT_ID -> id.equals(labels.agentId());
            case ROLE_ID -> id.equals(labels.roleId());
            case CAPABILITY -> labels.capabilities().contains(id);
            case OWNER_KEY_ID -> id.equals(labels.ownerKeyId());
            case EVERYTHING -> true;
        };
    }

    /** Returns whether the agent has to be read, because events do not have the label of this scope. */
    boolean needsLookup() {
        return kind == Kind.CAPABILITY || kind == Kind.OWNER_KEY_ID;
    }
}
