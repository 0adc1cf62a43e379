package dev.agenthealth.functions.runtime.schedule;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.registry.lifecycle.FixedInterval;
import dev.agenthealth.model.registry.lifecycle.RunSchedule;
import dev.agenthealth.model.schedule.CronSchedule;
import dev.agenthealth.model.schedule.DeclaredSchedule;
import dev.agenthealth.model.schedule.TimeZones;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Reads the fields {@code cron} and {@code time_zone} of several requests. Each method records an error for a wrong field. Use its result
 * only if no error was recorded.
 */
public final class CronFields {

    private static final String CRON = "cron";
    private static final String TIME_ZONE = "time_zone";
    private static final String DEFAULT_ZONE = "UTC";
    private static final DeclaredSchedule INVALID = new DeclaredSchedule("", Optional.empty(), Duration.ofSeconds(1));

    private CronFields() {}

    /** Reads the runs of an agent. {@code @every} becomes an interval from one sign of life to the next run. */
    public static RunSchedule runs(Fields fields, int graceSeconds) {
        DeclaredSchedule declared = declared(fields);
        String zone = zone(fields, declared);
        return declared.isInterval()
                ? new FixedInterval((int) declared.every().toSeconds(), graceSeconds)
                : new CronSchedule(declared.cron(), zone, graceSeconds);
    }

    /** Reads the start times of a recurring period. {@code @every} is refused, because an interval has no first start. */
    public static CronSchedule starts(Fields fields) {
        int errors = fields.errorCount();
        DeclaredSchedule declared = declared(fields);
        if (declared.isInterval() && fields.errorCount() == errors) {
            fields.refuse(CRON, "must name times, and @every names none");
        }
        return new CronSchedule(declared.cron(), zone(fields, declared), 0);
    }

    private static DeclaredSchedule declared(Fields fields) {
        try {
            return DeclaredSchedule.of(fields.text(CRON));
        } catch (IllegalArgumentException e) {
            fields.refuse(CRON, e.getMessage());
            return INVALID;
        }
    }

    /** Returns the time zone of the field, else the time zone before the expression, else UTC. */
    private static String zone(Fields fields, DeclaredSchedule declared) {
        String name = fields.text(TIME_ZONE, CronSchedule.MAX_ZONE_LENGTH);
        Optional<ZoneId> zone = TimeZones.find(name);
        if (zone.isEmpty() && !name.isEmpty()) {
            fields.refuse(TIME_ZONE, "must be the name of an IANA time zone, such as Europe/Berlin");
        }
        if (zone.isPresent() && declared.timeZone().isPresent() && !zone.equals(declared.timeZone())) {
            fields.refuse(TIME_ZONE, "must be absent or " + declared.timeZone().get() + ", which stands in " + CRON);
        }
        return zone.or(declared::timeZone).map(ZoneId::getId).orElse(DEFAULT_ZONE);
    }
}
