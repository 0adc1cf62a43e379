package dev.agenthealth.functions.operations.problems;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.problems.ProblemStore;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import dev.agenthealth.testkit.TestDynamoDb;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** From the events of the bus to problems, whatever their order, with and without rules of notifications. */
class ProblemProjectionTest {

    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;

    @AutoClose
    private final ProblemHarness problems = new ProblemHarness();

    @Test
    void a_death_that_arrives_before_an_earlier_problem_of_the_agent_ends_it_all_the_same() {
        String drift = problems.event("agent.clock_drift", "\"agent_id\":\"a\",\"drift_ms\":9000");
        problems.run();
        problems.system.clock().advanceSeconds(1);
        problems.dies("a", "r");
        problems.dies("b", "r");
        problems.run();
        problems.deliver(drift);
        problems.deliver(drift.replace("\"a\"", "\"b\"").replace("\"e1\"", "\"e9\""));
        problems.run();
        assertThat(problems.state("agent.clock_drift:a")).isEqualTo("resolved");
        assertThat(problems.state("agent.clock_drift:b")).isEqualTo("resolved");
        assertThat(problems.list(ADMIN)).hasSize(2).allMatch(summary -> summary.contains("is dead"));
    }

    @Test
    void an_event_of_a_replay_or_one_that_comes_twice_opens_nothing_anew() {
        problems.dies("a", "r");
        problems.system.clock().advanceSeconds(1);
        String over = problems.lifecycle("a", "r", "active", "re_registered");
        problems.run();
        problems.system.clock().advanceSeconds(1);
        String dead = problems.lifecycle("a", "r", "dead", "heartbeat_timeout");
        problems.run();
        problems.post(ADMIN, "agent:a", "dismiss", "");
        problems.deliver(over);
        problems.deliver(dead);
        problems.deliver(
                dead.replace("\"source\"", "\"replay-name\":\"r\",\"source\"").replace("e3", "e7"));
        problems.runAfter(60);
        assertThat(problems.state("agent:a")).isEqualTo("dismissed");
        assertThat(problems.problem("agent:a").path("occurrences").asInt()).isEqualTo(2);
    }

    @Test
    void of_two_runs_at_once_neither_loses_what_the_other_wrote() {
        ReceivedEvent drift = reading(EventType.AGENT_CLOCK_DRIFT, "e1", 1);
        ReceivedEvent death = reading(EventType.AGENT_LIFECYCLE, "e2", 2);
        ProblemStore other = new ProblemStore(problems.system.database());
        AtomicBoolean first = new AtomicBoolean(true);
        ProblemStore interrupted = new ProblemStore(
                problems.system.databaseThrough(new TestDynamoDb(problems.system.dynamoDb()).before(request -> {
                    if (request.getClass().getSimpleName().startsWith("Transact") && first.getAndSet(false)) {
                        other.add(List.of(death));
                    }
                })));
        interrupted.add(List.of(drift));
        assertThat(problems.state("agent:a")).isEqualTo("open");
        assertThat(problems.state("agent.clock_drift:a")).isEqualTo("resolved");
    }

    @Test
    @Tag("slow")
    void the_problems_of_a_thousand_dead_agents_take_some_forty_requests() {
        IntStream.range(0, 1_000).forEach(i -> problems.dies("x" + i, "r"));
        problems.system.meter().reset();
        problems.run();
        assertThat(problems.system.meter().operations()).hasSizeLessThan(60);
        assertThat(problems.list(ADMIN, "limit", "1000")).hasSize(1_000);
    }

    private ReceivedEvent reading(EventType type, String id, int sequence) {
        return ReceivedEvent.of(
                        type,
                        Map.of(
                                "event_id",
                                id,
                                "timestamp",
                                problems.system.clock().instant().toString(),
                                "agent_id",
                                "a",
                                "new_status",
                                "dead",
                                "sequence",
                                String.valueOf(sequence)))
                .get(0);
    }
}
