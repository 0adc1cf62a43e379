package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.VerdictReason;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Computes the states of an agent by its verdict, from the events that changed a reason of the verdict. A reason without events, such as the block of
 * a provider, counts from the agent's last event on if it holds now.
 */
public final class VerdictTimeline {

    private static final Set<VerdictSource> OF_ENDED =
            EnumSet.of(VerdictSource.LIFECYCLE, VerdictSource.AGENT_BLOCK, VerdictSource.PROVIDER_BLOCK);

    private final Map<VerdictSource, VerdictReason> reasons = new EnumMap<>(VerdictSource.class);
    private final Map<VerdictReason, WireNamed> causes = new HashMap<>();
    private final Timeline.Builder builder;

    private VerdictTimeline(Instant from, Instant to) {
        this.builder = new Timeline.Builder(from, to);
    }

    /**
     * Returns the states from {@code from} to {@code to}, both cut to whole seconds.
     *
     * @param knownFrom the moment before which the state is unknown
     * @param changes all changes from {@code knownFrom} on, in their order, also the changes after {@code to}
     * @param current the reasons that hold now, the worst first
     */
    public static Timeline of(
            Instant from, Instant to, Instant knownFrom, List<VerdictChange> changes, List<VerdictReason> current) {
        VerdictTimeline states = new VerdictTimeline(from, to);
        Map<VerdictSource, VerdictReason> now = VerdictSource.worst(current);
        states.reasons.putAll(now);
        Set<VerdictSource> recorded = EnumSet.noneOf(VerdictSource.class);
        for (VerdictChange change : changes) {
            if (recorded.add(change.source())) {
                states.put(change.source(), change.before());
            }
        }
        Set<VerdictSource> unrecorded = EnumSet.range(VerdictSource.PROVIDER_BLOCK, VerdictSource.SIGNS_OF_LIFE);
        if (!changes.isEmpty()) {
            unrecorded.forEach(states.reasons::remove);
        }
        states.show(Timeline.later(from, knownFrom));
        for (VerdictChange change : changes) {
            states.put(change.source(), change.after());
            change.after().ifPresent(reason -> change.cause()
                    .ifPresentOrElse(cause -> states.causes.put(reason, cause), () -> states.causes.remove(reason)));
            states.show(change.at());
        }
        if (!changes.isEmpty()) {
            unrecorded.forEach(source -> states.put(source, Optional.ofNullable(now.get(source))));
            states.show(changes.get(changes.size() - 1).at());
        }
        return states.builder.timeline();
    }

    private void put(VerdictSource source, Optional<VerdictReason> reason) {
        reason.ifPresentOrElse(one -> reasons.put(source, one), () -> reasons.remove(source));
    }

    /** Sets the state from a moment on. Measurements of a dead agent, and of an agent that has left, do not count. */
    private void show(Instant at) {
        boolean ended = Optional.ofNullable(reasons.get(VerdictSource.LIFECYCLE))
                .filter(lifecycle -> lifecycle == VerdictReason.DEAD || lifecycle.verdict() == Verdict.GONE)
                .isPresent();
        Optional<VerdictReason> worst = reasons.entrySet().stream()
                .filter(reason -> !ended || OF_ENDED.contains(reason.getKey()))
                .map(Map.Entry::getValue)
                .min(Comparator.naturalOrder());
        builder.set(
                at,
                worst.map(reason -> AvailabilityState.of(reason.verdict())).orElse(AvailabilityState.UP),
                worst.map(reason -> causes.getOrDefault(reason, reason)));
    }
}
