package dev.agenthealth.functions.schedule;

import dev.agenthealth.functions.http.Fields;
import java.time.ZoneId;

/** Reads the fields {@code cron} and {@code time_zone}, which stand in several requests. */
public final class CronFields {

    private static final String CRON = "cron";
    private static final String TIME_ZONE = "time_zone";
    private static final String DEFAULT_ZONE = "UTC";

    private CronFields() {}

    /** Reads a schedule, and records an error for each field that is wrong. It is to be used only where none was recorded. */
    public static CronSchedule read(Fields fields, int graceSeconds) {
        String zone = fields.text(TIME_ZONE, CronSchedule.MAX_ZONE_LENGTH);
        String cron = fields.text(CRON, CronSchedule.MAX_CRON_LENGTH);
        if (!zone.isEmpty() && !ZoneId.getAvailableZoneIds().contains(zone)) {
            fields.refuse(TIME_ZONE, "must be the name of an IANA time zone, such as Europe/Berlin");
        }
        try {
            CronSchedule.check(cron);
        } catch (IllegalArgumentException e) {
            fields.refuse(CRON, e.getMessage());
        }
        return new CronSchedule(cron, zone.isEmpty() ? DEFAULT_ZONE : zone, graceSeconds);
    }
}
