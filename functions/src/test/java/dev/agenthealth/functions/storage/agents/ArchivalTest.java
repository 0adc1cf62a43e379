package dev.agenthealth.functions.storage.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Archived agents are removed from the table of pulses and kept as tombstones. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-13")
@Tag("R16-30")
class ArchivalTest {

    @AutoClose
    private TestSystem system;

    private int agents;

    @BeforeAll
    void open() {
        system = new TestSystem();
    }

    @Test
    void the_row_moves_to_a_tombstone_with_all_its_attributes() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("active", ",\"current_load\":3,\"tasks_in_progress\":[\"t\"]");
        agent.becomeDead();
        agent.finishCleanUp();
        Pulse pulse = agent.pulse();
        assertThat(agent.archive()).isTrue();
        assertThat(row(agent.id())).isEmpty();
        assertThat(agent.stored().archived()).isTrue();
        assertThat(agent.pulse()).isEqualTo(pulse);
        assertThat(agent.archive()).as("a second time").isFalse();
        agent.assertHistoryIsWhole("archival");
    }

    @Test
    void discovery_tags_and_tasks_are_removed_and_the_rest_expires_with_the_tombstone() {
        TestAgent agent = newAgent();
        agent.sendHeartbeat("active", ",\"tasks_in_progress\":[\"t\"]");
        agent.deregister();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        List<Map<String, AttributeValue>> left =
                system.dynamoDb().scan(r -> r.tableName(TestTables.REGISTRY)).items().stream()
                        .filter(i -> i.get("pk").s().equals("A#" + agent.id())
                                || i.get("sk").s().equals(agent.id()))
                        .toList();
        assertThat(left.stream().map(i -> i.get("sk").s()))
                .containsExactlyInAnyOrder("P", "M", "T", "H", "E#000000000001", "E#000000000002");
        assertThat(left).allMatch(item -> item.containsKey("ttl"));
    }

    @Test
    void an_expired_tombstone_does_not_block_the_registration_of_its_id() {
        TestSystem own = new TestSystem();
        try (own) {
            TestAgent agent = TestAgent.registered(own, "agent");
            agent.deregister();
            agent.finishCleanUp();
            assertThat(agent.archive()).isTrue();
            own.clock().advance(Duration.ofDays(400));
            assertThat(agent.sendHeartbeat().status()).isEqualTo(404);
            // DynamoDB removes expired events long before; here they are still in the way of the same numbers.
            removeEvents(own, agent.id());
            assertThat(agent.register("").status()).isEqualTo(201);
            assertThat(agent.pulse().incarnation()).isEqualTo(1);
            assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        }
    }

    @Test
    void the_health_of_a_new_agent_does_not_expire_with_that_of_a_forgotten_one() {
        TestSystem own = new TestSystem();
        try (own) {
            TestAgent agent = TestAgent.registered(own, "agent");
            new DueStore(own.database()).markDue(agent.id());
            agent.deregister();
            agent.finishCleanUp();
            assertThat(agent.archive()).isTrue();
            own.clock().advance(Duration.ofDays(400));
            removeEvents(own, agent.id());
            assertThat(health(own, agent.id())).as("expired, but not removed").containsKey("ttl");
            assertThat(agent.register("").status()).isEqualTo(201);
            assertThat(health(own, agent.id())).isEmpty();
        }
    }

    @Test
    void an_agent_that_is_not_cleaned_up_is_not_archived() {
        TestAgent agent = newAgent();
        agent.deregister();
        assertThat(agent.pulse().cleanUp().through()).isPositive();
        assertThat(agent.archive()).isFalse();
        assertThat(row(agent.id())).isNotEmpty();
        assertThat(agent.stored().archived()).isFalse();
    }

    @Test
    void an_agent_that_registered_again_is_not_archived() {
        TestAgent agent = newAgent();
        agent.deregister();
        agent.finishCleanUp();
        StoredAgent seen = agent.stored();
        agent.register("");
        assertThat(new AgentStore(system.database()).archive(seen.pulse(), seen.profile()))
                .isFalse();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        agent.deregister();
        agent.finishCleanUp();
        assertThat(new AgentStore(system.database()).archive(seen.pulse(), seen.profile()))
                .as("deregistered again, in another incarnation")
                .isFalse();
        agent.assertHistoryIsWhole("no archival");
    }

    @Test
    void a_monitored_agent_is_not_archived() {
        TestAgent agent = newAgent();
        StoredAgent seen = agent.stored();
        assertThatThrownBy(() -> new AgentStore(system.database()).archive(seen.pulse(), seen.profile()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
    }

    @Test
    void an_archived_dead_agent_can_be_deregistered() {
        TestAgent agent = newAgent();
        agent.becomeDead();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(agent.deregister().status()).isEqualTo(204);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEREGISTERED);
        assertThat(agent.stored().archived()).isTrue();
        assertThat(agent.sendHeartbeat().status()).isEqualTo(410);
        agent.assertHistoryIsWhole("deregistered in the grave");
    }

    private static void removeEvents(TestSystem system, String agentId) {
        system.dynamoDb().scan(r -> r.tableName(TestTables.REGISTRY)).items().stream()
                .filter(i -> i.get("pk").s().equals("A#" + agentId)
                        && i.get("sk").s().startsWith("E#"))
                .forEach(i -> system.dynamoDb().deleteItem(r -> r.tableName(TestTables.REGISTRY)
                        .key(Map.of("pk", i.get("pk"), "sk", i.get("sk")))));
    }

    private static Map<String, AttributeValue> health(TestSystem system, String agentId) {
        return system.dynamoDb()
                .getItem(get -> get.tableName(TestTables.REGISTRY).key(ItemKind.HEALTH.key(agentId)))
                .item();
    }

    private Map<String, AttributeValue> row(String agentId) {
        return system.dynamoDb()
                .getItem(r -> r.tableName(TestTables.PULSES).key(Map.of("id", AttributeValue.fromS(agentId))))
                .item();
    }

    private TestAgent newAgent() {
        return TestAgent.registered(system, "agent_" + agents++);
    }
}
