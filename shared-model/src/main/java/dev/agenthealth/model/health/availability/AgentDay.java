package dev.agenthealth.model.health.availability;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The states of an agent on a day of UTC on which its state changed.
 *
 * @param day the number of days since 1970-01-01
 * @param heartbeats the states by heartbeats alone, from the first moment of the day to its last
 * @param verdicts the states by the verdict, from the first moment of the day to its last; empty for a day of an earlier version
 */
public record AgentDay(long day, Timeline heartbeats, Timeline verdicts) {

    /** The states of a day by the verdict that was not stored. */
    public static final Timeline NOT_STORED = new Timeline(List.of());

    /** The maximum number of spans by heartbeats, and by the verdict. Both fit into an item of two write units. If a day has more spans, the surplus before the last span is unknown. */
    public static final int MAX_SPANS = 120;

    static final long SECONDS = 86_400;

    /** Returns the number of the day that contains a moment. */
    public static long at(Instant moment) {
        return Math.floorDiv(moment.getEpochSecond(), SECONDS);
    }

    /** Returns the first moment of a day. */
    public static Instant start(long day) {
        return Instant.ofEpochSecond(day * SECONDS);
    }

    /** Returns the day in the form in which it is stored. */
    public static AgentDay of(long day, Timeline heartbeats, Timeline verdicts) {
        return new AgentDay(day, bounded(heartbeats), bounded(verdicts));
    }

    private static Timeline bounded(Timeline states) {
        List<Span> spans = states.spans();
        if (spans.size() <= MAX_SPANS) {
            return states;
        }
        Span last = spans.get(spans.size() - 1);
        List<Span> kept = new ArrayList<>(spans.subList(0, MAX_SPANS - 2));
        kept.add(new Span(spans.get(MAX_SPANS - 2).from(), last.from(), AvailabilityState.UNKNOWN));
        kept.add(last);
        return new Timeline(kept);
    }

    /** Returns whether the state changed on this day. Only days with a change are stored. */
    public boolean hasChange() {
        return heartbeats.spans().size() > 1 || verdicts.spans().size() > 1;
    }

    /** Returns whether the states by the verdict are stored. */
    public boolean hasVerdicts() {
        return !verdicts.spans().isEmpty();
    }

    /** Returns the states by the verdict; by heartbeats alone for a day of an earlier version. */
    public Timeline states() {
        return hasVerdicts() ? verdicts : heartbeats;
    }

    private static AvailabilityState first(Timeline states) {
        return states.spans().get(0).state();
    }

    private static AvailabilityState last(Timeline states) {
        return states.spans().get(states.spans().size() - 1).state();
    }

    /**
     * Returns the states over several days. A day that is not stored had no change. If two neighbouring days contradict each other, a day between
     * them is lost, and the time between them is unknown.
     *
     * @param days the stored days, in ascending order
     * @param of the states of a day: {@link #states} or {@link #heartbeats}
     * @param end the state at the end
     */
    public static Timeline timeline(
            Instant from, Instant to, List<AgentDay> days, Function<AgentDay, Timeline> of, AvailabilityState end) {
        Timeline.Builder states = new Timeline.Builder(from, to);
        states.set(from, days.isEmpty() ? end : first(of.apply(days.get(0))), Optional.empty());
        for (int i = 0; i < days.size(); i++) {
            Timeline day = of.apply(days.get(i));
            day.spans().forEach(states::add);
            AvailabilityState next = i + 1 < days.size() ? first(of.apply(days.get(i + 1))) : end;
            if (next != last(day)) {
                states.set(start(days.get(i).day() + 1), AvailabilityState.UNKNOWN, Optional.empty());
            }
        }
        return states.timeline();
    }
}
