package dev.agenthealth.emulator.scheduler;

import dev.agenthealth.emulator.support.EmulatedAccount;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.template.ScheduleDefinition;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/** The payload that a schedule passes to its function. */
final class ScheduledPayload {

    private final ScheduleDefinition schedule;

    ScheduledPayload(ScheduleDefinition schedule) {
        this.schedule = schedule;
    }

    /** Returns the payload of the run at {@code time}: the schedule's input with its placeholders filled, or the service's own event. */
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
        var event = Json.object();
        event.put("version", "0")
                .put("id", UUID.randomUUID().toString())
                .put("detail-type", "Scheduled Event")
                .put("source", "aws.scheduler")
                .put("account", EmulatedAccount.ID)
                .put("time", seconds(time))
                .put("region", EmulatedAccount.REGION);
        event.putArray("resources").add(arn());
        // A text, unlike in events of other services.
        event.put("detail", "{}");
        return Json.text(event);
    }

    private String arn() {
        return "arn:aws:scheduler:" + EmulatedAccount.REGION + ":" + EmulatedAccount.ID + ":schedule/default/"
                + schedule.name();
    }

    private static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
