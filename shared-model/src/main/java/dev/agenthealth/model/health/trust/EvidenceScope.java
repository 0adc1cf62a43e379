package dev.agenthealth.model.health.trust;

/** The purposes for which an invocation is evidence. Health counts every invocation, whatever its scope. */
public enum EvidenceScope {
    /** The invocation is no evidence, such as a failure that the caller may have caused. */
    NONE,
    /** The invocation counts for online status and health only, such as a success of a call by the agent's owner. */
    STATUS,
    /** The invocation counts for online status, health and reputation. */
    REPUTATION
}
