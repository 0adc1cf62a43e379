package dev.agenthealth.model.schedule;

import dev.agenthealth.model.registry.lifecycle.RunSchedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The run times or start times that a cron expression names in a time zone. The expression is parsed on first use, and cached by its text.
 *
 * @param cron the expression, with five fields
 * @param timeZone an IANA time zone
 * @param graceSeconds the maximum delay of a run
 */
public record CronSchedule(String cron, String timeZone, int graceSeconds) implements RunSchedule {

    /** The maximum length of an expression, in characters: the row of an agent has one write unit. */
    public static final int MAX_CRON_LENGTH = 64;

    /** The maximum length of the name of a time zone, in characters. The longest IANA name has 32. */
    public static final int MAX_ZONE_LENGTH = 40;

    /** The time by which a run may begin early, because clocks differ. */
    static final Duration EARLY = Duration.ofSeconds(10);

    private static final int MAX_CACHED = 10_000;
    private static final Map<String, CronExpression> READ = new ConcurrentHashMap<>();

    /**
     * Checks a schedule in the form of crontabs and Kubernetes: {@code 0 2 * * *}, {@code @daily}, {@code @every 1h30m},
     * {@code CRON_TZ=US/Pacific 0 2 * * *}.
     *
     * @throws IllegalArgumentException if the schedule is invalid or never runs; the message follows the name of the field
     */
    public static void check(String declared) {
        DeclaredSchedule.of(declared);
    }

    @Override
    public Instant expectedAfter(Instant seenAt) {
        return expression().nextAfter(seenAt.plus(EARLY));
    }

    @Override
    public Duration grace() {
        return Duration.ofSeconds(graceSeconds);
    }

    /** Returns the first start later than a moment; {@link Instant#MAX} without one. */
    public Instant nextAfter(Instant moment) {
        return expression().nextAfter(moment);
    }

    private CronExpression expression() {
        String text = timeZone + ' ' + cron;
        CronExpression known = READ.get(text);
        if (known != null) {
            return known;
        }
        if (READ.size() >= MAX_CACHED) {
            READ.clear();
        }
        return READ.computeIfAbsent(text, absent -> new CronExpression(cron, ZoneId.of(timeZone)));
    }
}
