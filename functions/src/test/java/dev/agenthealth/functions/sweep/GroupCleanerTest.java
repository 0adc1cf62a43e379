package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.testkit.TestTables;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The names of roles, providers and platforms disappear when no agent has them any more. */
@Tag("AHM-08")
class GroupCleanerTest {

    private static final String GROUPS = ",\"provider_id\":\"p\",\"platform\":\"f\"";

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final TestSystem system = harness.system();
    private final GroupStore groups = new GroupStore(system.database());

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00Z, 2026-02-08T10:00:00Z, false",
        "2026-02-08T09:59:59Z, 2026-02-08T10:00:00Z, true",
        "2026-02-08T08:30:00Z, 2026-02-08T10:59:00Z, true",
        "2026-02-08T10:00:00Z, 2026-02-08T10:59:59Z, false"
    })
    void the_first_pass_of_an_hour_does_it(Instant previousStart, Instant now, boolean due) {
        assertThat(GroupCleaner.isDue(previousStart, now)).isEqualTo(due);
    }

    @Test
    void names_disappear_after_the_last_agent_is_archived() {
        TestAgent last = register("last");
        TestAgent other = register("other");
        last.deregister();
        pass(4);
        for (GroupKind kind : GroupKind.values()) {
            assertThat(groups.names(kind, "", 10)).as("other has it").hasSize(1);
        }
        other.deregister();
        pass(10);
        for (GroupKind kind : GroupKind.values()) {
            assertThat(groups.names(kind, "", 10)).isEmpty();
            assertThat(groups.named(kind, Set.of(GroupNumber.of("worker"), GroupNumber.of("p"), GroupNumber.of("f"))))
                    .isEmpty();
        }
    }

    @Test
    void a_name_that_is_used_again_stays() {
        TestAgent agent = register("agent");
        agent.deregister();
        while (groups.find(GroupKind.PROVIDER, "p").orElseThrow().unusedSince().equals(Instant.MAX)) {
            pass(1);
        }
        register("next");
        for (GroupKind kind : GroupKind.values()) {
            assertThat(groups.page(kind, "", 10).get(0).unusedSince()).isEqualTo(Instant.MAX);
        }
        pass(6);
        assertThat(groups.names(GroupKind.ROLE, "", 10)).containsExactly("worker");
    }

    @Test
    void a_registration_wins_against_a_removal_that_was_decided_before() {
        register("agent");
        groups.markUnused(GroupKind.ROLE, List.of("worker"), harness.now(), () -> true);
        GroupStore.Group seen = groups.find(GroupKind.ROLE, "worker").orElseThrow();
        register("next");
        assertThat(groups.remove(GroupKind.ROLE, List.of(seen), () -> true)).isEmpty();
        assertThat(groups.named(GroupKind.ROLE, Set.of(GroupNumber.of("worker"))))
                .containsValue("worker");
    }

    @Test
    void a_mark_that_came_too_early_is_taken_back() {
        register("agent");
        groups.markUnused(GroupKind.PLATFORM, List.of("f"), harness.now(), () -> true);
        pass(3);
        assertThat(groups.find(GroupKind.PLATFORM, "f").orElseThrow().unusedSince())
                .isEqualTo(Instant.MAX);
    }

    @Test
    void a_declared_role_and_a_blocked_provider_stay() {
        put("agents:\n  declared: {}\n");
        TestAgent agent = register("agent");
        assertThat(system.api()
                        .post("/v1/admin/providers/p/block")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"reason\":\"fraud\"}")
                        .send()
                        .status())
                .isEqualTo(200);
        agent.deregister();
        pass(10);
        assertThat(groups.names(GroupKind.ROLE, "", 10)).containsExactly("declared");
        assertThat(groups.names(GroupKind.PROVIDER, "", 10)).containsExactly("p");
        assertThat(groups.names(GroupKind.PLATFORM, "", 10)).isEmpty();
    }

    @Test
    void a_name_that_was_not_noted_with_its_workflow_is_noted_later() {
        put("agents:\n  declared: {}\n");
        system.dynamoDb().deleteItem(r -> r.tableName(TestTables.REGISTRY).key(ItemKind.ROLE_NAME.key("declared")));
        harness.sweep();
        pass(2);
        assertThat(groups.names(GroupKind.ROLE, "", 10)).containsExactly("declared");
    }

    private TestAgent register(String id) {
        TestAgent agent = new TestAgent(system, id);
        assertThat(agent.register(GROUPS).status()).isEqualTo(201);
        return agent;
    }

    private void put(String workflow) {
        assertThat(system.api()
                        .put("/api/v1/workflows/w")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(workflow)
                        .send()
                        .status())
                .isEqualTo(201);
    }

    /** Passes half an hour apart, with heartbeats of the agents that are there. */
    private void pass(int halfHours) {
        for (int i = 0; i < halfHours; i++) {
            system.clock().advanceSeconds(1_800);
            for (String id : List.of("agent", "last", "other", "next")) {
                new TestAgent(system, id).sendHeartbeat();
            }
            harness.sweep();
        }
    }
}
