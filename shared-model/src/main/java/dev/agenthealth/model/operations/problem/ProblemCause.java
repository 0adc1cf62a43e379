package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.WireNamed;

/**
 * A known or likely cause of the silence of an agent, which other agents may have in common.
 *
 * @param id the key, the source or the host
 */
public record ProblemCause(Kind kind, String id) {

    /** The kind of a cause. */
    public enum Kind implements WireNamed {
        /** The key that owns the agent has ended: it was revoked, or it expired. */
        KEY,
        /** The source that declares the agent cannot be read. */
        SOURCE,
        /** The agent's last process ran at this place, such as a host or a pod. */
        HOST
    }
}
