package dev.agenthealth.functions.runtime.schedule;

import dev.agenthealth.model.registry.lifecycle.FixedInterval;
import dev.agenthealth.model.registry.lifecycle.LifeSigns;
import dev.agenthealth.model.registry.lifecycle.RunSchedule;
import dev.agenthealth.model.registry.lifecycle.SignOfLife;
import dev.agenthealth.model.schedule.CronSchedule;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Converts the signs of life of an agent to the text of an item. {@code n} means none. A schedule follows its grace period in seconds, such
 * as {@code 300|0 2 * * *|Europe/Berlin} or {@code 300|3600}. Codes of signs of life other than heartbeats precede it, such as {@code co:}.
 */
public final class ScheduleText {

    private static final String SEPARATOR = "|";
    private static final String NONE = "n";

    /** The first code, if the registry probes the agent before it marks the agent as dead. */
    private static final String CONFIRMS_DEATH = "c";

    private static final int PARTS_OF_CRON = 3;

    /** Ends the codes of {@link SignOfLife}. Neither an expression nor the name of a time zone contains it. */
    private static final String OTHERS_END = ":";

    private static final Map<SignOfLife, String> CODES =
            Map.of(SignOfLife.CALLS, "c", SignOfLife.OUTCOMES, "o", SignOfLife.SPANS, "s");

    private ScheduleText() {}

    /** Returns the text; empty for heartbeats at an interval. */
    public static String of(LifeSigns signs) {
        String others = signs.others().stream().sorted().map(CODES::get).collect(Collectors.joining());
        return (others.isEmpty() ? "" : others + OTHERS_END)
                + (signs.confirmsDeath() ? CONFIRMS_DEATH : "")
                + expected(signs);
    }

    private static String expected(LifeSigns signs) {
        return signs.mode() == LifeSigns.Mode.NONE
                ? NONE
                : signs.schedule().map(ScheduleText::of).orElse("");
    }

    private static String of(RunSchedule schedule) {
        String grace = schedule.grace().toSeconds() + SEPARATOR;
        return schedule instanceof CronSchedule cron
                ? grace + cron.cron() + SEPARATOR + cron.timeZone()
                : grace + ((FixedInterval) schedule).everySeconds();
    }

    /** Returns the signs of life in a text of {@link #of}. */
    public static LifeSigns read(String text) {
        if (text.isEmpty()) {
            return LifeSigns.HEARTBEATS;
        }
        int end = text.indexOf(OTHERS_END);
        String codes = text.substring(0, Math.max(end, 0));
        String rest = text.substring(end + 1);
        boolean confirmsDeath = rest.startsWith(CONFIRMS_DEATH);
        String expected = confirmsDeath ? rest.substring(CONFIRMS_DEATH.length()) : rest;
        return new LifeSigns(
                expected.equals(NONE) ? LifeSigns.Mode.NONE : LifeSigns.Mode.HEARTBEATS,
                expected.isEmpty() || expected.equals(NONE)
                        ? Optional.empty()
                        : Optional.of(schedule(expected.split("\\|"))),
                confirmsDeath,
                CODES.keySet().stream()
                        .filter(sign -> codes.contains(CODES.get(sign)))
                        .collect(Collectors.toSet()));
    }

    private static RunSchedule schedule(String[] parts) {
        int grace = Integer.parseInt(parts[0]);
        return parts.length == PARTS_OF_CRON
                ? new CronSchedule(parts[1], parts[2], grace)
                : new FixedInterval(Integer.parseInt(parts[1]), grace);
    }
}
