package dev.agenthealth.functions.storage.agents;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads and writes of agents: no write is based on outdated data. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentStoreTest {

    @AutoClose
    private TestSystem system;

    private AgentStore agents;
    private RegistrationStore registrations;
    private int ids;

    @BeforeAll
    void open() {
        system = new TestSystem();
        agents = new AgentStore(system.database());
        registrations = new RegistrationStore(system.database());
    }

    @ParameterizedTest
    @ValueSource(strings = {"P", "M", "P M", "pulse", "pulse P"})
    void a_profile_change_based_on_a_torn_read_keeps_the_concurrent_change(String readFirst) {
        TestAgent agent = newAgent();
        List<String> first = List.of(readFirst.split(" "));
        TestDynamoDb torn = new TestDynamoDb(system.dynamoDb())
                .tearFirstBatchRead(
                        key -> first.contains(
                                key.containsKey("sk") ? key.get("sk").s() : "pulse"),
                        () -> assertThat(patch(
                                        system.dynamoDb(),
                                        agent,
                                        "{\"capabilities\":[\"met\"],\"metadata\":{\"met\":1}}"))
                                .isEqualTo(200));
        assertThat(patch(torn, agent, "{\"name\":\"second\"}")).isEqualTo(200);
        StoredAgent stored = agent.stored();
        assertThat(stored.profile().description().name()).isEqualTo("second");
        assertThat(stored.profile().agentInterface().capabilities()).containsExactly("met");
        assertThat(stored.profile().description().metadata()).isEqualTo("{\"met\":1}");
        assertThat(stored.pulse().version()).isEqualTo(3);
        assertThat(stored.profileRevision()).isEqualTo(3);
        assertThat(tags(agent)).filteredOn(tag -> !tag.startsWith("O#")).containsExactlyInAnyOrder("C#met", "R#worker");
    }

    @ParameterizedTest
    @ValueSource(strings = {"P", "M", "P M", "pulse", "pulse P"})
    void an_answer_never_has_a_version_with_the_profile_of_another_one(String readFirst) {
        for (boolean recovered : List.of(true, false)) {
            TestAgent agent = newAgent();
            if (recovered) {
                agent.becomeUnhealthy();
                agent.sendHeartbeat();
            }
            long version = agent.pulse().version();
            List<String> first = List.of(readFirst.split(" "));
            TestDynamoDb torn = new TestDynamoDb(system.dynamoDb())
                    .tearFirstBatchRead(
                            key -> first.contains(
                                    key.containsKey("sk") ? key.get("sk").s() : "pulse"),
                            () -> assertThat(patch(
                                            system.dynamoDb(), agent, "{\"name\":\"met\",\"metadata\":{\"met\":1}}"))
                                    .isEqualTo(200));
            JsonNode json = system.apiThrough(torn)
                    .get("/api/v1/agents/" + agent.id())
                    .key(TestSystem.AGENT_KEY)
                    .send()
                    .json();
            assertThat(json.path("version").asLong()).isEqualTo(version + 1);
            assertThat(json.path("name").asText()).isEqualTo("met");
            assertThat(json.path("metadata").path("met").asInt()).isEqualTo(1);
        }
    }

    @Test
    void a_change_based_on_a_torn_read_does_not_count_as_made_already() {
        TestAgent agent = newAgent();
        assertThat(patch(system.dynamoDb(), agent, "{\"name\":\"first\"}")).isEqualTo(200);
        TestDynamoDb torn = new TestDynamoDb(system.dynamoDb())
                .tearFirstBatchRead(key -> key.containsKey("sk"), () -> assertThat(
                                patch(system.dynamoDb(), agent, "{\"name\":\"met\"}"))
                        .isEqualTo(200));
        assertThat(patch(torn, agent, "{\"name\":\"first\"}")).isEqualTo(200);
        assertThat(agent.stored().profile().description().name()).isEqualTo("first");
    }

    @Test
    void an_agent_archived_between_the_reads_of_row_and_tombstone_is_found() {
        TestAgent agent = newAgent();
        agent.becomeDead();
        agent.finishCleanUp();
        TestDynamoDb torn = new TestDynamoDb(system.dynamoDb())
                .tearFirstBatchRead(key -> key.containsKey("sk"), () -> assertThat(agent.archive())
                        .isTrue());
        assertThat(new AgentStore(system.databaseThrough(torn)).find(agent.id()))
                .hasValueSatisfying(found -> assertThat(found.archived()).isTrue());
    }

    @Test
    @Tag("R16-02")
    void a_change_based_on_an_older_read_is_not_written() {
        TestAgent agent = newAgent();
        StoredAgent seen = agent.stored();
        for (Runnable somethingElse : List.<Runnable>of(
                () -> agent.sendHeartbeat(),
                () -> patch(system.dynamoDb(), agent, "{\"name\":\"n\"}"),
                agent::becomeUnhealthy,
                () -> agent.sendHeartbeat())) {
            somethingElse.run();
            assertThat(agents.change(deregistration(seen.pulse()), seen.profile()))
                    .isFalse();
            seen = agent.stored();
        }
        assertThat(agents.change(deregistration(seen.pulse()), seen.profile())).isTrue();
        assertThat(agent.changes()).last().isEqualTo("active->deregistered deregistered");
        assertThat(agents.change(deregistration(seen.pulse()), seen.profile()))
                .as("the same change again")
                .isFalse();
    }

    @Test
    @Tag("R16-06")
    void a_registration_based_on_an_older_read_is_not_written() {
        TestAgent agent = newAgent();
        agent.deregister();
        StoredAgent seen = agent.stored();
        agent.register("");
        agent.deregister();
        assertThat(registrations.registerAgain(seen, Optional.empty(), registration(seen), seen.profile()))
                .isFalse();
        agent.finishCleanUp();
        StoredAgent onItsRow = agent.stored();
        agent.archive();
        assertThat(registrations.registerAgain(onItsRow, Optional.empty(), registration(onItsRow), onItsRow.profile()))
                .isFalse();
        StoredAgent archived = agent.stored();
        assertThat(registrations.registerAgain(archived, Optional.empty(), registration(archived), archived.profile()))
                .isTrue();
        assertThat(registrations.registerAgain(archived, Optional.empty(), registration(archived), archived.profile()))
                .isFalse();
        agent.assertHistoryIsWhole("returned once");
    }

    @Test
    void a_write_of_a_whole_item_does_not_bring_back_an_owner_or_a_secret_that_was_replaced() {
        TestAgent agent = newAgent();
        agent.becomeDead();
        agent.finishCleanUp();
        Owner own = agent.pulse().owner();
        Owner rotated = new Owner(own.keyId(), KeyHash.ofKey("another secret"));
        for (boolean archived : List.of(false, true)) {
            assertThat(archived && !agent.archive()).isFalse();
            for (Owner owner : List.of(rotated, new Owner("key-of-another-owner", own.credential()), own)) {
                StoredAgent seen = agent.stored();
                assertThat(agents.transfer(seen, owner)).isTrue();
                assertThat(registrations.registerAgain(seen, Optional.empty(), registration(seen), seen.profile()))
                        .isFalse();
                assertThat(
                                archived
                                        ? agents.changeArchived(deregistration(seen.pulse()), seen.profile())
                                        : agents.archive(seen.pulse(), seen.profile()))
                        .isFalse();
                assertThat(new ErasureStore(system.database()).begin(seen)).isFalse();
                assertThat(agent.stored().pulse().owner()).isEqualTo(owner);
            }
        }
    }

    @Test
    @Tag("R16-30")
    void an_archived_agent_leaves_discovery_and_its_tombstone_is_kept_for_400_days() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("active", ",\"tasks_in_progress\":[\"t\"]");
        agent.deregister();
        StoredAgent before = agent.stored();
        assertThat(agent.archive()).as("before its clean-up is done").isFalse();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(tags(agent)).isEmpty();
        StoredAgent archived = agent.stored();
        assertThat(archived.profile()).isEqualTo(before.profile());
        assertThat(archived.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        assertThat(archived.pulse().owner()).isEqualTo(before.pulse().owner());
        assertThat(archived.pulse().sequence()).isEqualTo(before.pulse().sequence());
        system.clock().advance(TombstoneItem.RETENTION.minusSeconds(1));
        assertThat(agents.find(agent.id())).isPresent();
        system.clock().advanceSeconds(1);
        assertThat(agents.find(agent.id())).isEmpty();
        assertThat(agents.tombstone(agent.id())).isEmpty();
    }

    private Transition deregistration(Pulse seen) {
        Instant now = system.clock().instant();
        return Transition.now(
                seen,
                seen.withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, now),
                LifecycleReason.DEREGISTERED,
                now);
    }

    private Transition registration(StoredAgent seen) {
        Instant now = system.clock().instant();
        Pulse pulse = seen.pulse();
        return Transition.now(
                pulse,
                RegistrationRule.again(pulse, pulse.config(), 0, pulse.coordination(), pulse.owner(), now),
                LifecycleReason.RE_REGISTERED,
                now);
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "stored-" + ++ids);
    }

    private int patch(DynamoDbClient through, TestAgent agent, String body) {
        return system.apiThrough(through)
                .patch("/api/v1/agents/" + agent.id())
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body(body)
                .send()
                .status();
    }

    /** The partitions of the agent's discovery tags. */
    private List<String> tags(TestAgent agent) {
        return system
                .tables()
                .dynamoDb()
                .scan(r -> r.tableName(TestTables.REGISTRY)
                        .filterExpression("sk = :id")
                        .expressionAttributeValues(Map.of(":id", AttributeValue.fromS(agent.id()))))
                .items()
                .stream()
                .map(item -> item.get("pk").s())
                .toList();
    }
}
