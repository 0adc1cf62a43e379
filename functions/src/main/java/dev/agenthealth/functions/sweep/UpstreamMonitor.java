package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.upstreams.UpstreamCallStore;
import dev.agenthealth.functions.storage.upstreams.UpstreamStore;
import dev.agenthealth.model.registry.upstream.UpstreamRule;
import dev.agenthealth.model.registry.upstream.Upstreams;
import java.time.Instant;

/** Finds model providers that fail for many agents at once, and publishes the beginning and the end of each problem. Thread-safe. */
final class UpstreamMonitor {

    private final UpstreamCallStore calls;
    private final UpstreamStore upstreams;
    private final Log log;

    UpstreamMonitor(Database database, Log log) {
        this.calls = new UpstreamCallStore(database);
        this.upstreams = new UpstreamStore(database);
        this.log = log;
    }

    /**
     * Decides about all providers. If this fails, the pass continues, and the next pass decides.
     *
     * @param heardFrom the moment from which the registry hears of calls again, after a time in which it was down
     */
    void decide(Instant heardFrom, Instant now) {
        try {
            Upstreams before = upstreams.inForce();
            // If another pass was faster, this pass changes nothing.
            UpstreamRule.changes(calls.all(), before, heardFrom, now).forEach(change -> upstreams.put(change, now));
        } catch (RuntimeException e) {
            log.failure("upstreams_not_decided", "upstreams", e);
        }
    }
}
