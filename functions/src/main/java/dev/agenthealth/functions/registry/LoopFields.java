package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.registry.lifecycle.LoopConfig;
import java.util.function.UnaryOperator;

/** Reads and shows the fields of {@code heartbeat_config} about loops. Records errors on the fields. */
final class LoopFields {

    private static final String MAX_REPEATS = "max_repeats";
    private static final String RELEASE_LEASES = "release_leases_when_looping";
    private static final String RESTART = "restart_when_looping";

    private LoopFields() {}

    /**
     * Returns the change in these fields; absent fields stay.
     *
     * @param cleared the values of fields that are null
     */
    static UnaryOperator<LoopConfig> change(Fields fields, LoopConfig cleared) {
        int repeats = fields.integer(MAX_REPEATS, LoopConfig.MIN_REPEATS, LoopConfig.MAX_REPEATS)
                .orElse(cleared.maxRepeats());
        boolean releases = fields.flag(RELEASE_LEASES, cleared.releasesLeases());
        boolean restarts = fields.flag(RESTART, cleared.restarts());
        return kept -> new LoopConfig(
                fields.mentions(MAX_REPEATS) ? repeats : kept.maxRepeats(),
                fields.mentions(RELEASE_LEASES) ? releases : kept.releasesLeases(),
                fields.mentions(RESTART) ? restarts : kept.restarts());
    }

    /** Puts the declared values; nothing if none is declared. */
    static void put(ObjectNode json, LoopConfig config) {
        if (config.isJudged()) {
            json.put(MAX_REPEATS, config.maxRepeats());
            json.put(RELEASE_LEASES, config.releasesLeases());
            json.put(RESTART, config.restarts());
        }
    }
}
