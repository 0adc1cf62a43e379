package dev.agenthealth.functions.storage.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.event.AgentEvents;
import dev.agenthealth.model.event.RunResult;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.StallChange;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Writes to an agent's row say whether they happened, and happen on the reading only that they rest on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WritesAsReadTest {

    /** A write that rests on a reading; returns whether it happened. */
    private interface Write {
        boolean on(Database database, StoredAgent seen, Instant now);
    }

    @AutoClose
    private TestSystem system;

    private AgentStore agents;
    private FindingStore findings;
    private int ids;

    @BeforeAll
    void open() {
        system = new TestSystem();
        agents = new AgentStore(system.database());
        findings = new FindingStore(system.database());
    }

    private static Named<Write> write(String name, Write write) {
        return Named.of(name, write);
    }

    static List<Named<Write>> ofLivingAgents() {
        PendingDrain drain = new PendingDrain("", Duration.ofMinutes(1), "key");
        return List.of(
                write("another owner", (database, seen, now) -> new AgentStore(database)
                        .changeOwner(seen.pulse(), owner("other", "secret"))),
                write("another secret", (database, seen, now) -> new AgentStore(database)
                        .changeOwner(seen.pulse(), owner(seen.pulse().owner().keyId(), "new secret"))),
                write("requested drain", (database, seen, now) -> new AgentStore(database)
                        .putPendingDrain(seen.pulse(), drain)),
                write("clock drift", (database, seen, now) -> {
                    Pulse counted = seen.pulse().withDriftReported(now);
                    return new FindingStore(database)
                            .appendDriftEvent(counted, AgentEvents.clockDrift(counted, Duration.ofMinutes(5), now));
                }),
                write("run", (database, seen, now) -> new FindingStore(database)
                        .changeRun(seen, RunResult.ADDRESS_REVOKED, "", false)),
                write("run published again", (database, seen, now) -> new FindingStore(database)
                        .publishRunAgain(seen.pulse(), "")),
                write("stall", (database, seen, now) -> new FindingStore(database)
                        .change(
                                new StallChange(
                                        seen.pulse(),
                                        seen.pulse().withOneMoreEvent(),
                                        StallChange.Reason.PROGRESS,
                                        now),
                                "worker")));
    }

    private static Owner owner(String keyId, String secret) {
        return new Owner(keyId, KeyHash.ofKey(secret));
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "written-" + ++ids);
    }

    @ParameterizedTest
    @MethodSource("ofLivingAgents")
    @Tag("R16-02")
    void of_two_writes_on_one_reading_the_first_happens(Write write) {
        TestAgent agent = newAgent();
        StoredAgent seen = agent.stored();

        assertThat(write.on(system.database(), seen, system.clock().instant())).isTrue();

        StoredAgent written = agent.stored();
        assertThat(written).isNotEqualTo(seen);
        assertThat(write.on(system.database(), seen, system.clock().instant())).isFalse();
        assertThat(agent.stored()).isEqualTo(written);
    }

    @ParameterizedTest
    @MethodSource("ofLivingAgents")
    @Tag("R16-06")
    void nothing_is_written_on_a_reading_of_the_incarnation_before(Write write) {
        TestAgent agent = newAgent();
        StoredAgent seen = agent.stored();
        agent.deregister();
        agent.register("");
        StoredAgent again = agent.stored();
        List<?> events = agent.events();

        assertThat(write.on(system.database(), seen, system.clock().instant())).isFalse();
        assertThat(agent.stored()).isEqualTo(again);
        assertThat(agent.events()).isEqualTo(events);
    }

    @Test
    @Tag("R16-18")
    void of_two_deadlines_on_one_reading_of_a_drain_the_first_is_stored() {
        TestAgent agent = newAgent();
        agent.drain(system.api());
        Pulse seen = agent.pulse();
        Instant now = system.clock().instant();

        assertThat(agents.changeDrain(seen, seen.withDrainRestarted(Duration.ofMinutes(9), true, now)))
                .isTrue();
        Pulse written = agent.pulse();
        assertThat(written.drain().timeout()).hasMinutes(9);
        assertThat(agents.changeDrain(seen, seen.withDrainRestarted(Duration.ofMinutes(8), true, now)))
                .isFalse();
        assertThat(agent.pulse()).isEqualTo(written);
    }

    @Test
    void a_dead_agent_is_dismissed_once() {
        TestAgent agent = newAgent();
        agent.becomeDead();
        Pulse dead = agent.pulse();

        assertThat(agents.dismiss(dead, "worker", "administrator", "")).isTrue();
        assertThat(agents.dismiss(dead, "worker", "administrator", "")).isFalse();
        assertThat(agent.events()).last().satisfies(event -> assertThat(
                        event.get("sequence").longValue())
                .isEqualTo(dead.sequence() + 1));
    }

    @Test
    void a_run_that_a_ping_reports_is_not_written_after_its_address_was_revoked() {
        TestAgent agent = newAgent();
        StoredAgent seen = agent.stored();

        assertThat(findings.changeRun(seen, RunResult.FAILED, "1", false)).isFalse();
        assertThat(agent.stored()).isEqualTo(seen);
    }

    @Test
    void a_run_that_failed_is_over_with_another_owner_and_not_with_another_secret() {
        TestAgent agent = newAgent();
        system.dynamoDb()
                .putItem(request -> request.tableName(TestTables.REGISTRY).item(ItemKind.PING_ADDRESS.key(agent.id())));
        assertThat(findings.changeRun(agent.stored(), RunResult.FAILED, "1", false))
                .isTrue();

        Owner rotated = owner(agent.pulse().owner().keyId(), "new secret");
        assertThat(agents.transfer(agent.stored(), rotated)).isTrue();
        assertThat(agent.pulse().runFailed()).isTrue();
        StoredAgent seen = agent.stored();
        assertThat(agents.transfer(seen, owner("other", "secret"))).isTrue();
        assertThat(agents.transfer(seen, owner("third", "secret"))).isFalse();
        assertThat(agent.pulse().runFailed()).isFalse();
        assertThat(agent.pulse().owner()).isEqualTo(owner("other", "secret"));
        assertThat(agent.events())
                .last()
                .satisfies(event -> assertThat(event.get("result").textValue()).isEqualTo("address_revoked"));

        StoredAgent again = agent.stored();
        assertThat(agents.transfer(again, owner("third", "secret"))).isTrue();
        assertThat(agents.transfer(again, owner("fourth", "secret"))).isFalse();
        assertThat(agent.pulse().sequence())
                .as("no run failed")
                .isEqualTo(again.pulse().sequence());
        List<String> tags = system
                .dynamoDb()
                .scan(request -> request.tableName(TestTables.REGISTRY)
                        .filterExpression("sk = :id AND begins_with(pk, :owner)")
                        .expressionAttributeValues(Map.of(
                                ":id", AttributeValue.fromS(agent.id()),
                                ":owner", AttributeValue.fromS("O#"))))
                .items()
                .stream()
                .map(item -> item.get("pk").s())
                .toList();
        assertThat(tags).containsExactly(ItemKind.OWNER_TAG.partition("third"));
    }

    @Test
    void tasks_are_stored_for_the_incarnation_that_named_them() {
        TestAgent agent = newAgent();
        Pulse seen = agent.pulse();
        TaskStore tasks = new TaskStore(system.database());

        assertThat(tasks.storeTasks(seen, 7, List.of("t"))).isTrue();
        agent.deregister();
        agent.register("");
        assertThat(tasks.storeTasks(seen, 8, List.of("u"))).isFalse();
    }

    @Test
    void the_pulses_of_archived_agents_leave_out_erased_ones_and_those_on_their_rows() {
        TestAgent archived = newAgent();
        TestAgent erased = newAgent();
        TestAgent onItsRow = newAgent();
        for (TestAgent agent : List.of(archived, erased)) {
            agent.deregister();
            agent.finishCleanUp();
            assertThat(agent.archive()).isTrue();
        }
        assertThat(new ErasureStore(system.database()).begin(erased.stored())).isTrue();

        List<String> ids = List.of(archived.id(), erased.id(), onItsRow.id(), "unknown");
        assertThat(agents.tombstones(ids)).containsExactly(archived.pulse());
        assertThat(agents.tombstone(archived.id())).contains(archived.pulse());
        assertThat(agents.findWhole(archived.id())).contains(archived.stored());
        assertThat(agents.tombstone(erased.id())).isEmpty();
    }
}
