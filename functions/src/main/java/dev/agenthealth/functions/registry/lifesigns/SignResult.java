package dev.agenthealth.functions.registry.lifesigns;

/** The result of a sign of life. */
public enum SignResult {
    /** A heartbeat was counted, or the agent was registered again. */
    RECORDED,
    /** The last heartbeat is recent enough, so nothing was written. */
    TOO_EARLY,
    /** The agent is deregistered, or dead and not to be registered again. */
    GONE,
    /** The agent does not exist. */
    UNKNOWN
}
