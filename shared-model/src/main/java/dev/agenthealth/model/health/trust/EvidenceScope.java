package dev.agenthealth.model.health.trust;

/** The purposes for which an invocation is evidence. Health records count every invocation, whatever its scope. */
public enum EvidenceScope {
    /** Nothing, such as a failure that the caller may have caused. */
    NONE,
    /** Online status and health only, such as a success of a call by the agent's owner. */
    STATUS,
    /** Online status, health and reputation. */
    REPUTATION
}
