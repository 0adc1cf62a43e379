package dev.agenthealth.model.health.availability;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The states of an agent on a day of UTC on which its state changed.
 *
 * @param day the number of days since 1970-01-01
 * @param states the states from the first moment of the day to its last
 */
public record AgentDay(long day, Timeline states) {

    /** The maximum number of spans, which fit into an item of one write unit. If a day has more spans, the surplus before the last span is unknown. */
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
    public static AgentDay of(long day, Timeline states) {
        List<Span> spans = states.spans();
        if (spans.size() <= MAX_SPANS) {
            return new AgentDay(day, states);
        }
        Span last = spans.get(spans.size() - 1);
        List<Span> kept = new ArrayList<>(spans.subList(0, MAX_SPANS - 2));
        kept.add(new Span(spans.get(MAX_SPANS - 2).from(), last.from(), AvailabilityState.UNKNOWN));
        kept.add(last);
        return new AgentDay(day, new Timeline(kept));
    }

    /** Returns whether the state changed on this day. Only days with a change are stored. */
    public boolean hasChange() {
        return states.spans().size() > 1;
    }

    private AvailabilityState first() {
        return states.spans().get(0).state();
    }

    private AvailabilityState last() {
        return states.spans().get(states.spans().size() - 1).state();
    }

    /**
     * Returns the states over several days. A day that is not stored had no change. If two neighbouring days contradict each other, a day between
     * them is lost, and the time between them is unknown.
     *
     * @param days the stored days, in ascending order
     * @param end the state at the end
     */
    public static Timeline timeline(Instant from, Instant to, List<AgentDay> days, AvailabilityState end) {
        Timeline.Builder states = new Timeline.Builder(from, to);
        states.set(from, days.isEmpty() ? end : days.get(0).first(), Optional.empty());
        for (int i = 0; i < days.size(); i++) {
            AgentDay day = days.get(i);
            day.states().spans().forEach(states::add);
            AvailabilityState next = i + 1 < days.size() ? days.get(i + 1).first() : end;
            if (next != day.last()) {
                states.set(start(day.day() + 1), AvailabilityState.UNKNOWN, Optional.empty());
            }
        }
        return states.timeline();
    }
}
