package dev.agenthealth.model.registry.version;

import dev.agenthealth.model.WireNamed;

/** A way in which a version is worse than the version before it. */
public enum VersionFinding implements WireNamed {
    /** Fewer executions succeed, with a confidence of more than 95 %. */
    SUCCESS,
    /** The 99th percentile of the latencies is at least 1.5 times as high. */
    LATENCY,
    /** An execution uses at least 1.5 times as many tokens. */
    TOKENS
}
