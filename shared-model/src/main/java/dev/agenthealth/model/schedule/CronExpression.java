package dev.agenthealth.model.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A cron expression with five fields, in a time zone. Immutable and thread-safe.
 *
 * <p>If clocks change, the rules of cron in Debian apply. An expression follows the clock if its minute or hour begins with {@code *}. Any other
 * expression runs once: right after a skipped hour, and in the first of the two equal hours when clocks go back.
 */
final class CronExpression {

    /** The maximum number of years to the next run: 29 February returns after eight years at the latest, as in 2096 and 2104. */
    private static final int MAX_YEARS = 8;

    private static final int DAYS_OF_WEEK = 7;

    /** A list of values and ranges, each with or without a step. */
    private static final Pattern FIELD =
            Pattern.compile("(PART(-PART)?(/PART)?)(,PART(-PART)?(/PART)?)*".replace("PART", "[A-Za-z0-9*]+"));

    private final BitSet minutes;
    private final BitSet hours;
    private final BitSet daysOfMonth;
    private final BitSet months;
    private final BitSet daysOfWeek = new BitSet(DAYS_OF_WEEK);
    private final boolean eitherDay;
    private final boolean followsClock;
    private final ZoneRules zone;

    /**
     * Reads an expression.
     *
     * @throws IllegalArgumentException if the expression is invalid or never runs; the message follows the name of the field
     */
    CronExpression(String text, ZoneId zone) {
        String[] fields = text.trim().split("\\s+");
        for (String field : fields) {
            if (!FIELD.matcher(field).matches()) {
                throw new IllegalArgumentException("must be a cron expression with five fields: '" + field
                        + "' is not a list of values and ranges");
            }
        }
        List<BitSet> values = values(fields);
        this.minutes = values.get(CronField.MINUTE.ordinal());
        this.hours = values.get(CronField.HOUR.ordinal());
        this.daysOfMonth = values.get(CronField.DAY_OF_MONTH.ordinal());
        this.months = values.get(CronField.MONTH.ordinal());
        values.get(CronField.DAY_OF_WEEK.ordinal()).stream().forEach(day -> daysOfWeek.set(day % DAYS_OF_WEEK));
        this.eitherDay = !fields[2].startsWith("*") && !fields[4].startsWith("*");
        this.followsClock = fields[0].startsWith("*") || fields[1].startsWith("*");
        this.zone = zone.getRules();
        if (atOrAfter(LocalDateTime.of(2000, 1, 1, 0, 0)).isEmpty()) {
            throw new IllegalArgumentException(
                    "names no day: day " + fields[2] + " is in none of the months " + fields[3]);
        }
    }

    private static List<BitSet> values(String[] texts) {
        CronField[] fields = CronField.values();
        if (texts.length != fields.length) {
            throw new IllegalArgumentException("must be a cron expression with five fields: Cron expression contains "
                    + texts.length + " parts but we expect one of [" + fields.length + "]");
        }
        try {
            List<List<CronField.Part>> lists = new ArrayList<>();
            for (CronField field : fields) {
                lists.add(field.read(texts[field.ordinal()].toUpperCase(Locale.ROOT)));
            }
            return Stream.of(fields)
                    .map(field -> field.values(lists.get(field.ordinal())))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "must be a cron expression with five fields: Failed to parse cron expression. " + e.getMessage(),
                    e);
        }
    }

    /** Returns the first run after a moment; {@link Instant#MAX} if there is no run within {@link #MAX_YEARS}. */
    Instant nextAfter(Instant moment) {
        Instant from = moment.truncatedTo(ChronoUnit.MINUTES).plus(1, ChronoUnit.MINUTES);
        ZoneOffsetTransition begun = zone.previousTransition(from.plusSeconds(1));
        if (begun != null && begun.getInstant().equals(from) && runsAfterGap(begun)) {
            return from;
        }
        while (true) {
            ZoneOffset offset = zone.getOffset(from);
            ZoneOffsetTransition change = zone.nextTransition(from);
            LocalDateTime local = LocalDateTime.ofEpochSecond(from.getEpochSecond(), 0, offset);
            LocalDateTime first = isRepeated(from, offset) && !followsClock ? afterRepetition(from) : local;
            Instant run = atOrAfter(first).map(found -> found.toInstant(offset)).orElse(Instant.MAX);
            if (change == null || run.isBefore(change.getInstant())) {
                return run;
            }
            if (runsAfterGap(change)) {
                return change.getInstant();
            }
            from = change.getInstant();
        }
    }

    /** Returns whether the local time at this moment occurs for the second time, because clocks were set back. */
    private boolean isRepeated(Instant moment, ZoneOffset offset) {
        ZoneOffsetTransition last = zone.previousTransition(moment.plusSeconds(1));
        return last != null
                && last.isOverlap()
                && moment.isBefore(last.getInstant().plus(last.getDuration().abs()));
    }

    private LocalDateTime afterRepetition(Instant moment) {
        return zone.previousTransition(moment.plusSeconds(1)).getDateTimeBefore();
    }

    /** Returns whether a run is due at this change of clocks, because the clocks skip the time of the run. */
    private boolean runsAfterGap(ZoneOffsetTransition change) {
        return change.isGap()
                && !followsClock
                && atOrAfter(change.getDateTimeBefore())
                        .filter(run -> run.isBefore(change.getDateTimeAfter()))
                        .isPresent();
    }

    /** Returns the first time from {@code from} on that the fields name; empty if there is none within {@link #MAX_YEARS}. */
    private Optional<LocalDateTime> atOrAfter(LocalDateTime from) {
        LocalTime time = from.toLocalTime();
        LocalDate day = from.toLocalDate();
        LocalDate end = day.plusYears(MAX_YEARS).plusDays(1);
        while (day.isBefore(end)) {
            if (!months.get(day.getMonthValue())) {
                day = day.withDayOfMonth(1).plusMonths(1);
                time = LocalTime.MIDNIGHT;
                continue;
            }
            Optional<LocalTime> found = runsOn(day) ? atOrAfter(time) : Optional.empty();
            if (found.isPresent()) {
                return Optional.of(day.atTime(found.get()));
            }
            day = day.plusDays(1);
            time = LocalTime.MIDNIGHT;
        }
        return Optional.empty();
    }

    private boolean runsOn(LocalDate day) {
        boolean ofMonth = daysOfMonth.get(day.getDayOfMonth());
        boolean ofWeek = daysOfWeek.get(day.getDayOfWeek().getValue() % DAYS_OF_WEEK);
        return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
    }

    private Optional<LocalTime> atOrAfter(LocalTime time) {
        int hour = hours.nextSetBit(time.getHour());
        int minute = minutes.nextSetBit(hour == time.getHour() ? time.getMinute() : 0);
        if (hour >= 0 && minute < 0) {
            hour = hours.nextSetBit(hour + 1);
            minute = minutes.nextSetBit(0);
        }
        return hour < 0 ? Optional.empty() : Optional.of(LocalTime.of(hour, minute));
    }
}
