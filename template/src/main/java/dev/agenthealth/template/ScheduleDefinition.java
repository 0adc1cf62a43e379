package dev.agenthealth.template;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A schedule of EventBridge Scheduler that invokes a function.
 *
 * @param name logical id of the event within the function
 * @param expression {@code rate(value unit)} in minutes, hours or days; the unit is singular exactly for 1
 * @param input JSON text passed to the function; empty if the service itself makes the event
 */
public record ScheduleDefinition(String name, String expression, String input) {

    private static final Pattern RATE = Pattern.compile(
            "rate\\((?:1 (?<one>minute|hour|day)|(?<value>[1-9][0-9]{0,8}) (?<unit>minute|hour|day)s)\\)");

    /** @throws TemplateException if the expression is not a rate that AWS accepts */
    public ScheduleDefinition {
        Matcher rate = RATE.matcher(expression);
        if (!rate.matches() || "1".equals(rate.group("value"))) {
            throw new TemplateException("schedule expression '" + expression
                    + "' must be rate(1 minute|hour|day) or rate(n minutes|hours|days)");
        }
    }

    /** Returns the time between two runs. */
    public Duration period() {
        Matcher rate = RATE.matcher(expression);
        rate.matches();
        boolean one = rate.group("one") != null;
        long value = one ? 1 : Long.parseLong(rate.group("value"));
        return switch (one ? rate.group("one") : rate.group("unit")) {
            case "minute" -> Duration.ofMinutes(value);
            case "hour" -> Duration.ofHours(value);
            default -> Duration.ofDays(value);
        };
    }
}
