package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.FieldError;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The declaration of the times after which an agent counts as stalled, and of the consequences.
 *
 * @param afterSeconds the seconds without progress after which a task in a phase is stalled; tasks in other phases are never stalled
 * @param releasesLeases whether a stall ends the agent's leases
 * @param restarts whether a stall asks the agent to restart
 */
public record StallConfig(Map<Phase, Integer> afterSeconds, boolean releasesLeases, boolean restarts) {

    /** The value without a declaration. The agent is never stalled. */
    public static final StallConfig NONE = new StallConfig(Map.of(), false, false);

    /** Creates a declaration without consequences. */
    public StallConfig(Map<Phase, Integer> afterSeconds, boolean releasesLeases) {
        this(afterSeconds, releasesLeases, false);
    }

    /** The maximum time without progress that can be declared: thirty days. */
    public static final int MAX_SECONDS = HeartbeatConfig.MAX_THRESHOLD_SECONDS;

    /** The phases for which a single number counts. Waiting for a person is not among them. */
    public static final List<Phase> JUDGED_BY_DEFAULT = List.of(Phase.MODEL, Phase.TOOL, Phase.OTHER);

    public StallConfig {
        afterSeconds = Map.copyOf(afterSeconds);
    }

    /** Returns a declaration with the same time for every phase except waiting for a person. */
    public static Map<Phase, Integer> sameForAll(int seconds) {
        Map<Phase, Integer> all = new EnumMap<>(Phase.class);
        JUDGED_BY_DEFAULT.forEach(phase -> all.put(phase, seconds));
        return all;
    }

    /** Returns the time without progress after which a task in a phase is stalled; empty if tasks in this phase are never stalled. */
    public Optional<Duration> after(Phase phase) {
        return Optional.ofNullable(afterSeconds.get(phase)).map(Duration::ofSeconds);
    }

    /** Returns the rules that the numbers break, with field names below {@code heartbeat_config}; empty if the numbers are valid. */
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
