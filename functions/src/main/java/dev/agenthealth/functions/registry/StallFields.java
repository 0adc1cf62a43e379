package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.registry.lifecycle.Phase;
import dev.agenthealth.model.registry.lifecycle.StallConfig;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Reads and shows the fields of {@code heartbeat_config} about stalls. Records errors on the fields. */
final class StallFields {

    private static final String AFTER = "stall_after_seconds";
    private static final String RELEASE_LEASES = "release_leases_when_stalled";
    private static final String RESTART = "restart_when_stalled";

    private StallFields() {}

    /**
     * Returns the change in these fields; absent fields stay.
     *
     * @param cleared the values of fields that are null
     */
    static UnaryOperator<StallConfig> change(Fields fields, StallConfig cleared) {
        Map<Phase, Integer> after = after(fields, cleared);
        boolean releases = fields.flag(RELEASE_LEASES, cleared.releasesLeases());
        boolean restarts = fields.flag(RESTART, cleared.restarts());
        return kept -> new StallConfig(
                fields.mentions(AFTER) ? after : kept.afterSeconds(),
                fields.mentions(RELEASE_LEASES) ? releases : kept.releasesLeases(),
                fields.mentions(RESTART) ? restarts : kept.restarts());
    }

    private static Map<Phase, Integer> after(Fields fields, StallConfig cleared) {
        JsonNode given = fields.any(AFTER);
        if (given.isMissingNode()) {
            return cleared.afterSeconds();
        }
        if (!given.isObject()) {
            OptionalInt seconds = fields.integer(AFTER, 1, StallConfig.MAX_SECONDS);
            return seconds.isPresent() ? StallConfig.sameForAll(seconds.getAsInt()) : Map.of();
        }
        Fields phases = fields.object(AFTER);
        Map<Phase, Integer> after = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            phases.integer(phase.wireName(), 1, StallConfig.MAX_SECONDS)
                    .ifPresent(seconds -> after.put(phase, seconds));
        }
        phases.refuseUnknown();
        return after;
    }

    /** Puts the declared values; nothing if none is declared. */
    static void put(ObjectNode json, StallConfig config) {
        if (config.equals(StallConfig.NONE)) {
            return;
        }
        Map<Phase, Integer> after = config.afterSeconds();
        Set<Integer> times = new HashSet<>(after.values());
        if (times.size() == 1 && after.keySet().equals(Set.copyOf(StallConfig.JUDGED_BY_DEFAULT))) {
            json.put(AFTER, times.iterator().next());
        } else {
            ObjectNode phases = json.putObject(AFTER);
            for (Phase phase : Phase.values()) {
                config.after(phase).ifPresent(time -> phases.put(phase.wireName(), time.toSeconds()));
            }
        }
        json.put(RELEASE_LEASES, config.releasesLeases());
        json.put(RESTART, config.restarts());
    }
}
