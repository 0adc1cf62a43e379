package dev.agenthealth.local.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.ScheduleDefinition;
import dev.agenthealth.template.ScheduleDefinition.Service;
import dev.agenthealth.template.Template;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduledPayloadTest {

    private static final Instant TIME = Instant.parse("2026-02-08T10:00:00.750Z");

    private static ScheduledEvent read(ScheduleDefinition schedule) {
        String payload = new String(new ScheduledPayload(schedule).at(TIME), StandardCharsets.UTF_8);
        return LambdaEventSerializers.serializerFor(ScheduledEvent.class, ScheduledPayloadTest.class.getClassLoader())
                .fromJson(payload);
    }

    @Test
    void everyScheduleOfTheDeployedSystemGivesAnEventThatLambdasRuntimeCanRead() {
        List<ScheduleDefinition> schedules =
                Template.find()
                        .stack(Resolution.local().withParameter("AdminKeySha256", "0".repeat(64)))
                        .functions()
                        .stream()
                        .map(FunctionDefinition::schedules)
                        .flatMap(List::stream)
                        .toList();
        assertThat(schedules).isNotEmpty().allSatisfy(schedule -> {
            ScheduledEvent event = read(schedule);
            assertThat(event.getTime().toInstant().getMillis())
                    .isEqualTo(Instant.parse("2026-02-08T10:00:00Z").toEpochMilli());
            assertThat(event.getSource()).isEqualTo("aws.scheduler");
            assertThat(event.getDetailType()).isEqualTo("Scheduled Event");
            assertThat(event.getId()).isNotBlank();
            assertThat(event.getDetail()).isEmpty();
            assertThat(event.getResources()).singleElement().asString().startsWith("arn:aws:scheduler:");
        });
    }

    @Test
    void theSchedulersOwnEventCannotBeReadWhichIsWhyTheTemplateGivesAnInput() {
        ScheduleDefinition schedule = new ScheduleDefinition("Tick", Service.SCHEDULER, "rate(1 minute)", "");
        assertThatThrownBy(() -> read(schedule)).hasMessageContaining("detail");
    }

    @Test
    void aRulesOwnEventCanBeRead() {
        ScheduledEvent event = read(new ScheduleDefinition("Tick", Service.RULE, "rate(1 minute)", ""));
        assertThat(event.getSource()).isEqualTo("aws.events");
        assertThat(event.getDetail()).isEmpty();
    }
}
