package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.ZoneId;
import java.util.regex.Pattern;

/**
 * The schedule of an agent that does not run all the time. The registry expects a heartbeat for each run. Immutable: {@link #grace} returns
 * a changed copy.
 */
public final class RunSchedule {

    private static final int CRON_FIELDS = 5;

    /** A time zone before the fields, as in crontabs and Kubernetes. */
    private static final Pattern TIME_ZONE = Pattern.compile("^(?:CRON_)?TZ=\\S*\\s+");

    private final ObjectNode json;

    private RunSchedule(ObjectNode json) {
        this.json = json;
    }

    /**
     * Returns a schedule with the times of a cron expression, such as {@code 0 2 * * *} or {@code @daily}. The registry refuses a
     * registration with an expression that names no time.
     *
     * @throws IllegalArgumentException if the expression has not five fields and is no nickname
     */
    public static RunSchedule cron(String expression, ZoneId timeZone) {
        String fields = TIME_ZONE.matcher(expression.strip()).replaceFirst("");
        if (!fields.startsWith("@") && fields.split("\\s+").length != CRON_FIELDS) {
            throw new IllegalArgumentException("a cron expression has five fields, and not: " + expression);
        }
        return new RunSchedule(Json.object().put("cron", expression).put("time_zone", timeZone.getId()));
    }

    /**
     * Returns a schedule with a run after a fixed time since the last heartbeat.
     *
     * @param time in whole seconds
     * @throws IllegalArgumentException for less than a second
     */
    public static RunSchedule every(Duration time) {
        if (time.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a schedule takes at least one second, and not " + time);
        }
        return new RunSchedule(Json.object().put("every_seconds", Json.wholeSeconds(time)));
    }

    /**
     * Sets the maximum delay of a run, in whole seconds; 300 by default.
     *
     * @throws IllegalArgumentException for a negative time
     */
    public RunSchedule grace(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("a grace period is not negative: " + time);
        }
        return new RunSchedule(json.deepCopy().put("grace_seconds", Json.wholeSeconds(time)));
    }

    ObjectNode json() {
        return json.deepCopy();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RunSchedule schedule && json.equals(schedule.json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }

    @Override
    public String toString() {
        return json.toString();
    }
}
