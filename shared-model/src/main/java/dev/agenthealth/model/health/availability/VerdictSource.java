package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.health.VerdictReason;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A source of reasons for a verdict. At most one reason of a source holds at a time. The agent's events record each change of the first eight. */
public enum VerdictSource {
    LIFECYCLE,
    HEALTH,
    SCORE,
    STALL,
    LOOP,
    USAGE,
    RUN,
    AGENT_BLOCK,
    PROVIDER_BLOCK,
    RESTARTS,
    UPSTREAM,
    SIGNS_OF_LIFE;

    /** Returns the source of a reason. */
    public static VerdictSource of(VerdictReason reason) {
        return switch (reason) {
            case DEREGISTERED, DISMISSED, DEAD, SILENT, REACHABLE_WITHOUT_HEARTBEATS, DRAINING -> LIFECYCLE;
            case HEALTH_UNHEALTHY, LOW_QUALITY, HEALTH_DEGRADED -> HEALTH;
            case SCORE_UNHEALTHY, SCORE_DEGRADED -> SCORE;
            case STALLED, STALLED_TWICE_AS_LONG -> STALL;
            case LOOPING, LOOPING_THREE_TIMES_AS_OFTEN -> LOOP;
            case OVER_LIMIT, NEAR_LIMIT -> USAGE;
            case LAST_RUN_FAILED -> RUN;
            case AGENT_BLOCKED, AGENT_STOPPED -> AGENT_BLOCK;
            case PROVIDER_BLOCKED -> PROVIDER_BLOCK;
            case RESTARTS -> RESTARTS;
            case UPSTREAM -> UPSTREAM;
            case NO_SIGN_OF_LIFE, WAITING_FOR_PERSON -> SIGNS_OF_LIFE;
        };
    }

    /** Returns the worst reason of each source. */
    static Map<VerdictSource, VerdictReason> worst(List<VerdictReason> worstFirst) {
        Map<VerdictSource, VerdictReason> worst = new EnumMap<>(VerdictSource.class);
        worstFirst.forEach(reason -> worst.putIfAbsent(of(reason), reason));
        return worst;
    }
}
