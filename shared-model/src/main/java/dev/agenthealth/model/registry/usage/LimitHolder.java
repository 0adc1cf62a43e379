package dev.agenthealth.model.registry.usage;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.identity.GroupNumber;
import java.util.Optional;

/**
 * A role or an owner whose agents share limits.
 *
 * @param kind the kind of the holder
 * @param id the id of the role, or of the key that owns the agents
 */
public record LimitHolder(Kind kind, String id) {

    /** The kind of a holder. */
    public enum Kind implements WireNamed {
        ROLE,
        OWNER
    }

    private static final String SEPARATOR = "/";

    /** Returns the role as a holder. */
    public static LimitHolder role(String roleId) {
        return new LimitHolder(Kind.ROLE, roleId);
    }

    /** Returns the key that owns agents as a holder. */
    public static LimitHolder owner(String keyId) {
        return new LimitHolder(Kind.OWNER, keyId);
    }

    /** Returns the holder of a text; empty for any other text. */
    public static Optional<LimitHolder> of(String text) {
        int end = text.indexOf(SEPARATOR);
        return end < 0
                ? Optional.empty()
                : WireNamed.find(Kind.class, text.substring(0, end))
                        .map(kind -> new LimitHolder(kind, text.substring(end + 1)));
    }

    /** Returns the holder as a text, such as {@code role/coder}. */
    public String text() {
        return kind.wireName() + SEPARATOR + id;
    }

    /** Returns the name of the holder for people, such as {@code role coder}. */
    public String name() {
        return kind.wireName() + " " + id;
    }

    /** Returns whether an agent with this role number and this owner shares the limits. */
    public boolean covers(long roleNumber, String ownerKeyId) {
        return switch (kind) {
            case ROLE -> GroupNumber.of(id) == roleNumber;
            case OWNER -> id.equals(ownerKeyId);
        };
    }
}
