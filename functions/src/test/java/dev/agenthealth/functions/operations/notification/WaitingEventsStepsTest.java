package dev.agenthealth.functions.operations.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.events.EventItem;
import dev.agenthealth.functions.storage.notifications.DigestStore;
import dev.agenthealth.functions.storage.problems.ProblemStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.event.AgentEvents;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.testkit.CountedSteps;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** The steps of reading and adding events, problems and digests. They do not grow with the events, problems and subjects of digests that are stored. */
@Tag("slow")
class WaitingEventsStepsTest {

    private static final String RULE = "on-call";

    /** As many events in the feed and in an agent's log, open problems, and subjects of a rule that were reported. */
    public static final class Stored implements IntFunction<Map<String, Runnable>>, AutoCloseable {

        private static final int BATCH = 25;
        private static final int GROUP = 1_000;

        private final NotificationHarness notifications = new NotificationHarness();
        private final TestSystem system = notifications.system;
        private final ProblemStore problems = new ProblemStore(system.database());
        private final DigestStore digests = new DigestStore(system.database());
        private int sequence;

        @Override
        public Map<String, Runnable> apply(int things) {
            notifications.rule(RULE, NotificationHarness.LIFECYCLE);
            TestAgent.registered(system, "one");
            Pulse pulse = new TestAgent(system, "one").pulse();
            for (int written = 0; written < things; written += BATCH) {
                pulse = writeEvents(pulse);
            }
            for (int from = 0; from < things; from += GROUP) {
                List<ReceivedEvent> deaths = IntStream.range(from, from + GROUP)
                        .mapToObj(i -> lifecycle("a" + i, "dead"))
                        .toList();
                problems.add(deaths);
                digests.add(RULE, deaths);
            }
            system.clock().advance(Duration.ofMinutes(2));
            String middle = "a" + things / 2;
            Map<String, Runnable> operations = new LinkedHashMap<>();
            operations.put("read a page of the feed", () -> read("/api/v1/events?limit=100"));
            operations.put("read a page of an agent's events", () -> read("/api/v1/agents/one/events?limit=100"));
            operations.put("read a page of problems", () -> read("/api/v1/problems?limit=100"));
            operations.put(
                    "add a death and a return to problems",
                    () -> problems.add(List.of(lifecycle("new", "dead"), lifecycle(middle, "active"))));
            operations.put(
                    "add a death and a return to digests",
                    () -> digests.add(RULE, List.of(lifecycle("new", "dead"), lifecycle(middle, "active"))));
            operations.put("count the open problems", problems::countOpen);
            operations.put("read the digests", () -> digests.open(RULE));
            return operations;
        }

        /** Writes the next events of an agent, all at the same moment, which is the worst case for a page of the feed. */
        private Pulse writeEvents(Pulse pulse) {
            Pulse last = pulse;
            List<WriteRequest> events = new ArrayList<>();
            for (int i = 0; i < BATCH; i++) {
                last = last.withOneMoreEvent();
                Map<String, AttributeValue> item = EventItem.of(
                        AgentEvents.clockDrift(
                                last, Duration.ofSeconds(90), system.clock().instant()),
                        system.database());
                events.add(
                        WriteRequest.builder().putRequest(put -> put.item(item)).build());
            }
            system.tables().dynamoDb().batchWriteItem(r -> r.requestItems(Map.of(TestTables.REGISTRY, events)));
            return last;
        }

        private ReceivedEvent lifecycle(String agentId, String status) {
            sequence++;
            return ReceivedEvent.of(
                            EventType.AGENT_LIFECYCLE,
                            Map.of(
                                    "agent_id",
                                    agentId,
                                    "event_id",
                                    agentId + ":" + sequence,
                                    "sequence",
                                    String.valueOf(sequence),
                                    "new_status",
                                    status,
                                    "reason",
                                    status.equals("dead") ? "heartbeat_timeout" : "re_registered",
                                    "timestamp",
                                    system.clock().instant().toString()))
                    .get(0);
        }

        private void read(String path) {
            String[] parts = path.split("[?=]");
            assertThat(system.api()
                            .get(parts[0])
                            .query(parts[1], parts[2])
                            .key(TestSystem.ADMINISTRATOR_KEY)
                            .send()
                            .status())
                    .isEqualTo(200);
        }

        @Override
        public void close() {
            notifications.close();
        }
    }

    @Test
    void events_problems_and_digests_take_as_many_steps_whatever_is_stored() {
        Map<String, Long> few = CountedSteps.of(Stored.class, 1_000);
        Map<String, Long> many = CountedSteps.of(Stored.class, 100_000);
        // Some ids are longer, and a retry after a conflict repeats an operation; a loop over all would take a hundred
        // times as many steps.
        assertThat(many)
                .allSatisfy((operation, steps) ->
                        assertThat(steps).as("%s: %s", operation, few).isLessThan(few.get(operation) * 5 / 4));
    }
}
