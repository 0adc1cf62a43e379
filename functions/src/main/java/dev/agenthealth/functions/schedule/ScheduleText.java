package dev.agenthealth.functions.schedule;

import dev.agenthealth.model.lifecycle.FixedInterval;
import dev.agenthealth.model.lifecycle.LifeSigns;
import dev.agenthealth.model.lifecycle.RunSchedule;
import java.util.Optional;

/**
 * How items keep the signs of life of an agent: {@code n} for none, or a schedule after its grace period in seconds, such as
 * {@code 300|0 2 * * *|Europe/Berlin} or {@code 300|3600}.
 */
public final class ScheduleText {

    private static final String SEPARATOR = "|";
    private static final String NONE = "n";

    /** Before the rest, of an agent that is asked before it is marked as dead. */
    private static final String CONFIRMS_DEATH = "c";

    private static final int PARTS_OF_CRON = 3;

    private ScheduleText() {}

    /** The text; empty for heartbeats at an interval. */
    public static String of(LifeSigns signs) {
        String text = signs.mode() == LifeSigns.Mode.NONE
                ? NONE
                : signs.schedule().map(ScheduleText::of).orElse("");
        return signs.confirmsDeath() ? CONFIRMS_DEATH + text : text;
    }

    private static String of(RunSchedule schedule) {
        String grace = schedule.grace().toSeconds() + SEPARATOR;
        return schedule instanceof CronSchedule cron
                ? grace + cron.cron() + SEPARATOR + cron.timeZone()
                : grace + ((FixedInterval) schedule).everySeconds();
    }

    /** The signs of life in a text of {@link #of}. */
    public static LifeSigns read(String text) {
        if (text.isEmpty()) {
            return LifeSigns.HEARTBEATS;
        }
        if (text.startsWith(CONFIRMS_DEATH)) {
            LifeSigns others = read(text.substring(CONFIRMS_DEATH.length()));
            return new LifeSigns(others.mode(), others.schedule(), true);
        }
        return text.equals(NONE)
                ? new LifeSigns(LifeSigns.Mode.NONE, Optional.empty())
                : new LifeSigns(LifeSigns.Mode.HEARTBEATS, Optional.of(schedule(text.split("\\|"))));
    }

    private static RunSchedule schedule(String[] parts) {
        int grace = Integer.parseInt(parts[0]);
        return parts.length == PARTS_OF_CRON
                ? new CronSchedule(parts[1], parts[2], grace)
                : new FixedInterval(Integer.parseInt(parts[1]), grace);
    }
}
