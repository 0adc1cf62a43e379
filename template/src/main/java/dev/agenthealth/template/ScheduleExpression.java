package dev.agenthealth.template;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The schedule expressions that AWS accepts: {@code rate(value unit)} in minutes, hours or days (there is nothing
 * shorter than a minute, and the unit is singular exactly for 1), {@code cron(six fields)} and {@code at(date-time)}.
 */
public final class ScheduleExpression {

    private static final Pattern RATE = Pattern.compile("rate\\(([0-9]{1,9}) (minute|hour|day)(s?)\\)");
    private static final Pattern CRON = Pattern.compile("cron\\(([^()]*)\\)");
    private static final Pattern AT = Pattern.compile("at\\(([^()]*)\\)");

    private static final List<CronField> CRON_FIELDS = List.of(
            new CronField("minutes", 0, 59, ""),
            new CronField("hours", 0, 23, ""),
            new CronField("day of month", 1, 31, "?LW"),
            new CronField("month", 1, 12, "", "JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC"),
            new CronField("day of week", 1, 7, "?L#", "SUN|MON|TUE|WED|THU|FRI|SAT"),
            new CronField("year", 1970, 2199, ""));
    private static final int DAY_OF_MONTH = 2;
    private static final int DAY_OF_WEEK = 4;

    private ScheduleExpression() {}

    /** @throws TemplateException when AWS would refuse the expression; the message says why */
    public static void check(String expression) {
        Matcher rate = RATE.matcher(expression);
        Matcher cron = CRON.matcher(expression);
        Matcher at = AT.matcher(expression);
        if (rate.matches()) {
            checkRate(expression, Long.parseLong(rate.group(1)), !rate.group(3).isEmpty());
        } else if (cron.matches()) {
            checkCron(expression, List.of(cron.group(1).split(" ", -1)));
        } else if (at.matches()) {
            checkAt(expression, at.group(1));
        } else {
            throw refused(expression, "neither rate(value minute|minutes|hour|hours|day|days), cron(...) nor at(...)");
        }
    }

    /** The time between two runs of a {@code rate} expression; empty for {@code cron} and {@code at}. */
    public static Optional<Duration> period(String expression) {
        Matcher rate = RATE.matcher(expression);
        if (!rate.matches()) {
            return Optional.empty();
        }
        long value = Long.parseLong(rate.group(1));
        return Optional.of(
                switch (rate.group(2)) {
                    case "minute" -> Duration.ofMinutes(value);
                    case "hour" -> Duration.ofHours(value);
                    default -> Duration.ofDays(value);
                });
    }

    private static void checkRate(String expression, long value, boolean plural) {
        if (value == 0) {
            throw refused(expression, "the value must be positive");
        }
        if (plural == (value == 1)) {
            throw refused(expression, "the unit is singular for 1 and plural for anything else");
        }
    }

    private static void checkCron(String expression, List<String> fields) {
        if (fields.size() != CRON_FIELDS.size()) {
            throw refused(expression, "needs six fields separated by one space each");
        }
        for (int i = 0; i < fields.size(); i++) {
            CronField field = CRON_FIELDS.get(i);
            if (!field.accepts(fields.get(i))) {
                throw refused(expression, "wrong " + field.name() + " '" + fields.get(i) + "'");
            }
        }
        if (fields.get(DAY_OF_MONTH).equals("?") == fields.get(DAY_OF_WEEK).equals("?")) {
            throw refused(expression, "exactly one of day of month and day of week must be ?");
        }
    }

    private static void checkAt(String expression, String dateTime) {
        try {
            LocalDateTime.parse(dateTime);
        } catch (DateTimeParseException e) {
            throw new TemplateException(
                    refused(expression, "needs yyyy-mm-ddThh:mm:ss").getMessage(), e);
        }
    }

    private static TemplateException refused(String expression, String why) {
        return new TemplateException("schedule expression '" + expression + "': " + why);
    }

    private record CronField(String name, int minimum, int maximum, String special, String names) {

        CronField(String name, int minimum, int maximum, String special) {
            this(name, minimum, maximum, special, "[^\\s\\S]");
        }

        boolean accepts(String text) {
            if (text.equals("*") || text.equals("?") && special.contains("?")) {
                return true;
            }
            return List.of(text.split(",", -1)).stream().allMatch(this::acceptsElement);
        }

        private boolean acceptsElement(String element) {
            if (special.contains("L") && element.equals("L")
                    || special.contains("W") && element.matches("[0-9]{1,2}W") && inRange(element.replace("W", ""))
                    || special.contains("#") && element.matches("[1-7](L|#[1-5])")) {
                return true;
            }
            String[] step = element.split("/", -1);
            if (step.length > 2 || step.length == 2 && !step[1].matches("[1-9][0-9]{0,3}")) {
                return false;
            }
            if (step.length == 2 && step[0].equals("*")) {
                return true;
            }
            String[] range = step[0].split("-", -1);
            return range.length <= 2 && List.of(range).stream().allMatch(this::inRange);
        }

        private boolean inRange(String value) {
            if (value.matches(names)) {
                return true;
            }
            return value.matches("[0-9]{1,4}")
                    && Integer.parseInt(value) >= minimum
                    && Integer.parseInt(value) <= maximum;
        }
    }
}
