package dev.agenthealth.emulator.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import dev.agenthealth.template.ScheduleDefinition;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ScheduledPayloadTest {

    private static final Instant TIME = Instant.parse("2026-02-08T10:00:00.750Z");

    private static ScheduledEvent read(ScheduleDefinition schedule) {
        String payload = new String(new ScheduledPayload(schedule).at(TIME), StandardCharsets.UTF_8);
        return LambdaEventSerializers.serializerFor(ScheduledEvent.class, ScheduledPayloadTest.class.getClassLoader())
                .fromJson(payload);
    }

    @Test
    void placeholders_of_an_input_are_filled() {
        String input =
                """
                {"time":"<aws.scheduler.scheduled-time>","id":"<aws.scheduler.execution-id>",\
                "resources":["<aws.scheduler.schedule-arn>"],"detail":{"n":<aws.scheduler.attempt-number>}}\
                """;
        ScheduledEvent event = read(new ScheduleDefinition("Tick", "rate(1 minute)", input));
        assertThat(event.getTime().getMillis())
                .isEqualTo(Instant.parse("2026-02-08T10:00:00Z").toEpochMilli());
        assertThat(event.getId()).isNotBlank();
        assertThat(event.getResources())
                .containsExactly("arn:aws:scheduler:us-east-1:000000000000:schedule/default/Tick");
        assertThat(event.getDetail()).containsEntry("n", 1);
    }

    @Test
    void the_event_of_the_scheduler_itself_has_a_text_for_its_detail() {
        ScheduleDefinition schedule = new ScheduleDefinition("Tick", "rate(1 minute)", "");
        assertThatThrownBy(() -> read(schedule)).hasMessageContaining("detail");
    }
}
