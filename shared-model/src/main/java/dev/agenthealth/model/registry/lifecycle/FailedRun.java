package dev.agenthealth.model.registry.lifecycle;

/** The published state of the last run that a ping reported. */
public enum FailedRun {
    /** No run was reported, or the last one succeeded. */
    NONE,
    /** The last run failed, and has a problem of its own. */
    OWN,
    /** The last run failed as a part of the problem of a model provider, and has no problem of its own. */
    SHARED;

    /**
     * Returns the value after a run.
     *
     * @param shared whether a problem of a model provider concerns the agent
     */
    public static FailedRun of(boolean failed, boolean shared) {
        if (!failed) {
            return NONE;
        }
        return shared ? SHARED : OWN;
    }

    /**
     * Returns whether the failed run has to be published again, because it outlives the problem of the model provider that it was a part of.
     *
     * @param shared whether a problem of a model provider concerns the agent now
     */
    public static boolean outlivesProvider(Pulse pulse, boolean shared) {
        return pulse.failedRun() == SHARED && !shared && !pulse.status().hasEnded();
    }
}
