package dev.agenthealth.emulator.scheduler;

import dev.agenthealth.emulator.support.EmulatedAccount;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.template.ScheduleDefinition;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/** What a schedule hands to its function. */
final class ScheduledPayload {

    private final ScheduleDefinition schedule;

    ScheduledPayload(ScheduleDefinition schedule) {
        this.schedule = schedule;
    }

    /** The payload of the run at {@code time}: the schedule's input with its placeholders filled, or the service's own event. */
    byte[] at(Instant time) {
        String text = schedule.input().isEmpty() ? ownEvent(time) : filled(time);
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String filled(Instant time) {
        return schedule.input()
                .replace("<aws.scheduler.schedule-arn>", arn())
                .replace("<aws.scheduler.scheduled-time>", seconds(time))
                .replace("<aws.scheduler.execution-id>", UUID.randomUUID().toString())
                .replace("<aws.scheduler.attempt-number>", "1");
    }

    private String ownEvent(Instant time) {
        boolean scheduler = schedule.service() == ScheduleDefinition.Service.SCHEDULER;
        var event = Json.object();
        event.put("version", "0")
                .put("id", UUID.randomUUID().toString())
                .put("detail-type", "Scheduled Event")
                .put("source", scheduler ? "aws.scheduler" : "aws.events")
                .put("account", EmulatedAccount.ID)
                .put("time", seconds(time))
                .put("region", EmulatedAccount.REGION);
        event.putArray("resources").add(arn());
        // The two services differ here, and a function that can read the one may be unable to read the other.
        if (scheduler) {
            event.put("detail", "{}");
        } else {
            event.putObject("detail");
        }
        return Json.text(event);
    }

    private String arn() {
        return schedule.service() == ScheduleDefinition.Service.SCHEDULER
                ? "arn:aws:scheduler:" + EmulatedAccount.REGION + ":" + EmulatedAccount.ID + ":schedule/default/"
                        + schedule.name()
                : "arn:aws:events:" + EmulatedAccount.REGION + ":" + EmulatedAccount.ID + ":rule/" + schedule.name();
    }

    private static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
