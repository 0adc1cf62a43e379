package dev.agenthealth.functions.storage.events;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.BlockAction;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.event.HealthEvents;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.VerdictReason;
import dev.agenthealth.model.health.availability.VerdictChange;
import dev.agenthealth.model.health.availability.VerdictSource;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.usage.UsageLevel;
import java.time.Instant;
import java.util.Optional;

/** Reads the change of a reason for the verdict on an agent from its event. */
final class VerdictChanges {

    private static final Optional<VerdictReason> NO_REASON = Optional.empty();

    private VerdictChanges() {}

    /** Returns the change; empty if an event of this type changes no reason. */
    static Optional<VerdictChange> of(String type, Instant at, JsonNode detail) {
        return WireNamed.find(EventType.class, type).flatMap(known -> of(known, at, detail));
    }

    private static Optional<VerdictChange> of(EventType type, Instant at, JsonNode detail) {
        return switch (type) {
            case AGENT_LIFECYCLE ->
                Optional.of(new VerdictChange(
                        at,
                        VerdictSource.LIFECYCLE,
                        lifecycle(detail.path("previous_status")),
                        lifecycle(detail.path("new_status")),
                        WireNamed.find(
                                LifecycleReason.class, detail.path("reason").asText())));
            case AGENT_DISMISSED ->
                Optional.of(
                        change(at, VerdictSource.LIFECYCLE, VerdictReason.DEAD, Optional.of(VerdictReason.DISMISSED)));
            case AGENT_HEALTH ->
                // Health that follows the lifecycle adds no reason of its own.
                detail.path("reason").asText().equals(HealthEvents.BY_LIFECYCLE)
                        ? Optional.empty()
                        : Optional.of(new VerdictChange(
                                at,
                                VerdictSource.HEALTH,
                                health(detail.path("previous_status")),
                                health(detail.path("new_status"))
                                        .map(reason -> reason == VerdictReason.HEALTH_DEGRADED
                                                        && detail.path(HealthEvents.LOW_QUALITY)
                                                                .asBoolean()
                                                ? VerdictReason.LOW_QUALITY
                                                : reason),
                                Optional.empty()));
            case AGENT_SCORE ->
                Optional.of(new VerdictChange(
                        at,
                        VerdictSource.SCORE,
                        score(detail.path("previous_state")),
                        score(detail.path("new_state")),
                        Optional.empty()));
            case AGENT_STALLED ->
                Optional.of(begun(
                        at,
                        VerdictSource.STALL,
                        detail.path("severity").asText().equals(Severity.ERROR.wireName())
                                ? VerdictReason.STALLED_TWICE_AS_LONG
                                : VerdictReason.STALLED));
            case AGENT_STALL_OVER -> Optional.of(change(at, VerdictSource.STALL, VerdictReason.STALLED, NO_REASON));
            case AGENT_LOOPING ->
                Optional.of(begun(
                        at,
                        VerdictSource.LOOP,
                        detail.path("severity").asText().equals(Severity.ERROR.wireName())
                                ? VerdictReason.LOOPING_THREE_TIMES_AS_OFTEN
                                : VerdictReason.LOOPING));
            case AGENT_LOOPING_OVER -> Optional.of(change(at, VerdictSource.LOOP, VerdictReason.LOOPING, NO_REASON));
            case AGENT_USAGE ->
                Optional.of(new VerdictChange(
                        at,
                        VerdictSource.USAGE,
                        usage(detail.path("previous_level")),
                        usage(detail.path("level")),
                        Optional.empty()));
            case AGENT_RUN_FAILED -> Optional.of(begun(at, VerdictSource.RUN, VerdictReason.LAST_RUN_FAILED));
            case AGENT_RUN_RECOVERED ->
                Optional.of(change(at, VerdictSource.RUN, VerdictReason.LAST_RUN_FAILED, NO_REASON));
            case AGENT_TRUST ->
                Optional.of(
                        detail.path("action").asText().equals(BlockAction.BLOCKED.wireName())
                                ? begun(at, VerdictSource.AGENT_BLOCK, VerdictReason.AGENT_BLOCKED)
                                : change(at, VerdictSource.AGENT_BLOCK, VerdictReason.AGENT_BLOCKED, NO_REASON));
            default -> Optional.empty();
        };
    }

    private static VerdictChange begun(Instant at, VerdictSource source, VerdictReason reason) {
        return new VerdictChange(at, source, NO_REASON, Optional.of(reason), Optional.empty());
    }

    private static VerdictChange change(
            Instant at, VerdictSource source, VerdictReason before, Optional<VerdictReason> after) {
        return new VerdictChange(at, source, Optional.of(before), after, Optional.empty());
    }

    /** Returns the reason by a lifecycle status. An agent that is about to register was not there before. */
    private static Optional<VerdictReason> lifecycle(JsonNode status) {
        return WireNamed.find(LifecycleStatus.class, status.asText()).flatMap(known -> switch (known) {
            case ACTIVE -> NO_REASON;
            case DRAINING -> Optional.of(VerdictReason.DRAINING);
            case UNHEALTHY -> Optional.of(VerdictReason.SILENT);
            case DEAD -> Optional.of(VerdictReason.DEAD);
            case REGISTERING, DEREGISTERED -> Optional.of(VerdictReason.DEREGISTERED);
        });
    }

    private static Optional<VerdictReason> usage(JsonNode level) {
        return WireNamed.find(UsageLevel.class, level.asText()).flatMap(known -> switch (known) {
            case NONE -> NO_REASON;
            case WARNING -> Optional.of(VerdictReason.NEAR_LIMIT);
            case EXCEEDED -> Optional.of(VerdictReason.OVER_LIMIT);
        });
    }

    private static Optional<VerdictReason> health(JsonNode status) {
        return WireNamed.find(HealthStatus.class, status.asText()).flatMap(known -> switch (known) {
            case HEALTHY, UNKNOWN -> NO_REASON;
            case DEGRADED -> Optional.of(VerdictReason.HEALTH_DEGRADED);
            case UNHEALTHY -> Optional.of(VerdictReason.HEALTH_UNHEALTHY);
        });
    }

    private static Optional<VerdictReason> score(JsonNode state) {
        return WireNamed.find(ScoreState.class, state.asText()).flatMap(known -> switch (known) {
            case HEALTHY, INACTIVE -> NO_REASON;
            case DEGRADED -> Optional.of(VerdictReason.SCORE_DEGRADED);
            case UNHEALTHY -> Optional.of(VerdictReason.SCORE_UNHEALTHY);
        });
    }
}
