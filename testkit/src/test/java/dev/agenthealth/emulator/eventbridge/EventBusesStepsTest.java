package dev.agenthealth.emulator.eventbridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.template.RuleDefinition;
import dev.agenthealth.template.RuleTarget;
import dev.agenthealth.testkit.CountedSteps;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The steps of the buses. They do not grow with the events that were put on a bus. */
@Tag("slow")
class EventBusesStepsTest {

    /** As many events that were put on a bus. */
    public static final class Happened implements IntFunction<Map<String, Runnable>> {

        private static final RuleTarget TARGET = new RuleTarget("log", "arn:aws:logs:us-east-1:0:log-group:x:*");

        private final EventBuses buses = new EventBuses(
                Set.of("bus"),
                List.of(new RuleDefinition("Rule", "bus", "{\"source\":[\"s\"]}", List.of(TARGET))),
                (target, envelopes) -> {});

        @Override
        public Map<String, Runnable> apply(int things) {
            for (int i = 0; i < things; i++) {
                put();
            }
            Map<String, Runnable> operations = new LinkedHashMap<>();
            operations.put("put an event", this::put);
            operations.put("read the last events", () -> assertThat(
                            buses.events().find(Instant.EPOCH, "t", BusEvents.CAPACITY))
                    .hasSize(BusEvents.CAPACITY));
            return operations;
        }

        private void put() {
            buses.put(List.of(
                    new BusEntry(Instant.EPOCH, true, "s", "t", "{\"agent_id\":\"a\"}", List.of("arn:r"), "bus")));
        }
    }

    @Test
    void an_event_takes_as_many_steps_whatever_happened() {
        assertThat(CountedSteps.of(Happened.class, 100_000)).isEqualTo(CountedSteps.of(Happened.class, 1_000));
    }
}
