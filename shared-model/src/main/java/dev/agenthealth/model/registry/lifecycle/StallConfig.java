package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.FieldError;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The declaration of when an agent is stalled, and what follows.
 *
 * @param afterSeconds the time without progress after which a task in this phase is stalled; a phase without one is not judged
 * @param releasesLeases whether the leases of the agent end when it stalls
 * @param restarts whether the agent is asked to restart when it stalls
 */
public record StallConfig(Map<Phase, Integer> afterSeconds, boolean releasesLeases, boolean restarts) {

    /** Nothing is declared, so nothing is judged. */
    public static final StallConfig NONE = new StallConfig(Map.of(), false, false);

    /** Times alone. */
    public StallConfig(Map<Phase, Integer> afterSeconds, boolean releasesLeases) {
        this(afterSeconds, releasesLeases, false);
    }

    /** The longest time without progress that may be declared: thirty days. */
    public static final int MAX_SECONDS = HeartbeatConfig.MAX_THRESHOLD_SECONDS;

    /** The phases that one number for all covers: people may take their time. */
    public static final List<Phase> JUDGED_BY_DEFAULT = List.of(Phase.MODEL, Phase.TOOL, Phase.OTHER);

    public StallConfig {
        afterSeconds = Map.copyOf(afterSeconds);
    }

    /** Returns a declaration with this time for every phase but waiting for a person. */
    public static Map<Phase, Integer> sameForAll(int seconds) {
        Map<Phase, Integer> all = new EnumMap<>(Phase.class);
        JUDGED_BY_DEFAULT.forEach(phase -> all.put(phase, seconds));
        return all;
    }

    /** The time without progress after which a task in this phase is stalled; empty where the phase is not judged. */
    public Optional<Duration> after(Phase phase) {
        return Optional.ofNullable(afterSeconds.get(phase)).map(Duration::ofSeconds);
    }

    /** Returns the violations of rules, with field names below {@code heartbeat_config}; empty when there are none. */
    List<FieldError> errors() {
        if (!afterSeconds.isEmpty()) {
            return List.of();
        }
        return Stream.of(releasesLeases ? "release_leases_when_stalled" : "", restarts ? "restart_when_stalled" : "")
                .filter(field -> !field.isEmpty())
                .map(field -> new FieldError("heartbeat_config." + field, "needs stall_after_seconds to say when"))
                .toList();
    }
}
