package dev.agenthealth.model.schedule;

import dev.agenthealth.model.registry.lifecycle.FixedInterval;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A schedule in the form of crontabs and Kubernetes: five fields, a nickname such as {@code @daily}, or {@code @every 1h30m}. A time zone
 * may precede the schedule, as in {@code CRON_TZ=Europe/Berlin 0 2 * * *}.
 *
 * @param cron five fields with single spaces between them; empty for {@code @every}
 * @param timeZone the time zone before the fields; empty for none
 * @param every the time between two runs; zero for five fields
 */
public record DeclaredSchedule(String cron, Optional<ZoneId> timeZone, Duration every) {

    /** The maximum length of the text in characters: fields after the longest name of a time zone. */
    static final int MAX_LENGTH = 128;

    private static final Map<String, String> NICKNAMES = Map.of(
            "@hourly", "0 * * * *",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@weekly", "0 0 * * 0",
            "@monthly", "0 0 1 * *",
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *");

    private static final String REBOOT = "@reboot";
    private static final Pattern ZONE = Pattern.compile("(?:CRON_)?TZ=(\\S*)\\s*(.*)");
    private static final Pattern EVERY = Pattern.compile("@every\\s+(\\S+)");

    /** A duration of Go: {@code 1h30m}, {@code 1.5h}. */
    private static final Pattern DURATION = Pattern.compile("(?:[0-9]{1,9}(?:\\.[0-9]{1,9})?(?:h|ms|m|s))+");

    private static final Pattern PART = Pattern.compile("([0-9.]+)([a-z]+)");

    private static final Map<String, Duration> UNITS = Map.of(
            "h", Duration.ofHours(1),
            "m", Duration.ofMinutes(1),
            "s", Duration.ofSeconds(1),
            "ms", Duration.ofMillis(1));

    /**
     * Reads a schedule.
     *
     * @throws IllegalArgumentException if the text is no schedule, or never runs; the message follows the name of the field
     */
    public static DeclaredSchedule of(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("must have at most " + MAX_LENGTH + " characters");
        }
        String words = text.strip().replaceAll("\\s+", " ");
        Matcher zoned = ZONE.matcher(words);
        if (!zoned.matches()) {
            return of(words, Optional.empty());
        }
        ZoneId zone = TimeZones.find(zoned.group(1))
                .orElseThrow(() -> new IllegalArgumentException(
                        "must have the name of an IANA time zone after TZ=, unlike '" + zoned.group(1) + "'"));
        return of(zoned.group(2), Optional.of(zone));
    }

    private static DeclaredSchedule of(String words, Optional<ZoneId> zone) {
        String lower = words.toLowerCase(Locale.ROOT);
        if (lower.equals(REBOOT)) {
            throw new IllegalArgumentException("must name times, and @reboot names none: "
                    + "the registry does not see when a machine starts. Leave the schedule out, and send heartbeats");
        }
        if (lower.startsWith("@every")) {
            return new DeclaredSchedule("", zone, every(lower));
        }
        if (words.startsWith("@") && !NICKNAMES.containsKey(lower)) {
            throw new IllegalArgumentException("must be a cron expression with five fields, one of @hourly, @daily, "
                    + "@midnight, @weekly, @monthly and @yearly, or @every with a duration such as 1h30m");
        }
        // In Kubernetes, ? stands for every value.
        String cron = NICKNAMES.getOrDefault(lower, words).replace('?', '*');
        if (cron.length() > CronSchedule.MAX_CRON_LENGTH) {
            throw new IllegalArgumentException(
                    "must have at most " + CronSchedule.MAX_CRON_LENGTH + " characters after the time zone");
        }
        new CronExpression(cron, ZoneOffset.UTC);
        return new DeclaredSchedule(cron, zone, Duration.ZERO);
    }

    private static Duration every(String text) {
        Matcher named = EVERY.matcher(text);
        if (!named.matches() || !DURATION.matcher(named.group(1)).matches()) {
            throw new IllegalArgumentException("must have one duration after @every, such as 90s or 1h30m");
        }
        BigDecimal millis = PART.matcher(named.group(1))
                .results()
                .map(part -> new BigDecimal(part.group(1))
                        .multiply(BigDecimal.valueOf(UNITS.get(part.group(2)).toMillis())))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        long seconds = millis.longValue() / 1_000;
        if (seconds < 1 || seconds > FixedInterval.MAX_SECONDS) {
            throw new IllegalArgumentException("must have a duration of a second to 366 days after @every");
        }
        return Duration.ofSeconds(seconds);
    }

    /** Returns whether the schedule is an interval without times of day. */
    public boolean isInterval() {
        return !every.isZero();
    }
}
