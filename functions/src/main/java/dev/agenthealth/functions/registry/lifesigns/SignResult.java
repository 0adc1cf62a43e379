package dev.agenthealth.functions.registry.lifesigns;

/** The result of a sign of life. */
public enum SignResult {
    /** A heartbeat was counted, or the agent was registered again. */
    RECORDED,
    /** Nothing was written: the last heartbeat is recent enough. */
    TOO_EARLY,
    /** The agent is deregistered, or dead and not to be registered again. */
    GONE,
    /** There is no agent of this id. */
    UNKNOWN
}
