package dev.agenthealth.functions.storage.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.storage.pulses.SeededFleet;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.lifecycle.HeartbeatTimeoutRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.testkit.TestTables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a listing is read, and which agent a key means that names none. */
class DiscoveryStoreTest {

    private static final int AGENTS = 600;
    private static final String KEY_ID = "key-" + TestSystem.AGENT_KEY;
    private static final Set<LifecycleStatus> ACTIVE = Set.of(LifecycleStatus.ACTIVE);
    private static final Set<LifecycleStatus> MONITORED = Set.copyOf(LifecycleStatus.MONITORED);
    private static final Caller CALLER = Caller.ofKey(KEY_ID, "", Role.AGENT, Set.of(), KeyHash.NONE);

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final DiscoveryStore agents = new DiscoveryStore(system.database());

    private ListPage<ListedAgent> page(Set<LifecycleStatus> statuses, String capability, int limit) {
        system.meter().reset();
        return agents.page(
                query(statuses, capability.isEmpty() ? List.of() : List.of(capability)),
                limit,
                DiscoveryStore.Cursor.START);
    }

    private static DiscoveryQuery query(Set<LifecycleStatus> statuses, List<String> capabilities) {
        return new DiscoveryQuery(
                statuses,
                new DiscoveryQuery.Capabilities(capabilities, false),
                Set.of(),
                Optional.empty(),
                OptionalInt.empty(),
                false,
                true);
    }

    @Test
    @Tag("R16-22")
    void the_pages_of_two_capabilities_have_each_agent_once() {
        SeededFleet fleet = new SeededFleet(system);
        List<String> ids = new ArrayList<>();
        for (int i = 100; i < 140; i++) {
            for (String capability : List.of("left", "right")) {
                fleet.add(capability + "-" + i, "", List.of(capability), 2);
                ids.add(capability + "-" + i);
            }
            fleet.add("both-" + i, "", List.of("left", "right"), 2);
            ids.add("both-" + i);
        }
        fleet.write();
        for (int limit : List.of(1, 10, 25)) {
            List<String> listed = new ArrayList<>();
            ListPage<ListedAgent> page = new ListPage<>(List.of(), "");
            do {
                page = agents.page(
                        query(ACTIVE, List.of("left", "right")), limit, DiscoveryStore.Cursor.ofText(page.next()));
                page.items().forEach(agent -> listed.add(agent.pulse().agentId()));
                assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            } while (page.hasMore());
            assertThat(listed).containsExactlyInAnyOrderElementsOf(ids);
        }
    }

    private static boolean continuesInSequence(ListPage<ListedAgent> page) {
        return DiscoveryStore.Cursor.ofText(page.next()).inSequence();
    }

    @Test
    @Tag("R16-22")
    void the_rows_are_read_in_sequence_where_one_in_four_matches() {
        SeededFleet fleet = new SeededFleet(system);
        for (int i = 0; i < AGENTS; i++) {
            List<String> capabilities = new ArrayList<>(List.of("common"));
            if (i % 5 < 2) {
                capabilities.add("two-in-five");
            }
            if (i % 6 == 0) {
                capabilities.add("one-in-six");
            }
            if (i % 5 == 4) {
                capabilities.add("one-in-five");
            }
            if (i % 10 == 0) {
                capabilities.add("one-in-ten");
            }
            fleet.add("seeded-" + i, "", capabilities, 2);
        }
        fleet.write();
        int sample = PulseStore.SAMPLE;

        assertThat(continuesInSequence(page(ACTIVE, "common", sample))).isTrue();
        assertThat(system.meter().operations()).containsExactly("Query", "Scan");
        assertThat(continuesInSequence(page(ACTIVE, "two-in-five", sample))).isTrue();
        ListPage<ListedAgent> few = page(ACTIVE, "one-in-five", sample);
        assertThat(continuesInSequence(few)).isFalse();
        assertThat(few.items())
                .hasSize(sample)
                .allSatisfy(agent -> assertThat(agent.profile().capabilities()).contains("one-in-five"));

        assertThat(continuesInSequence(page(ACTIVE, "common", sample - 1)))
                .as("a small page reads no sample")
                .isFalse();
        assertThat(system.meter().operations()).doesNotContain("Scan");
        assertThat(page(ACTIVE, "one-in-ten", sample).items()).hasSize(AGENTS / 10);
        assertThat(system.meter().operations()).as("all tags are read").doesNotContain("Scan");

        assertThat(continuesInSequence(page(ACTIVE, "", 1))).isTrue();
        assertThat(continuesInSequence(page(MONITORED, "", sample))).isTrue();
        Set<LifecycleStatus> others = Set.of(LifecycleStatus.UNHEALTHY, LifecycleStatus.DRAINING);
        assertThat(page(others, "", sample).items()).isEmpty();
        assertThat(system.meter().operations())
                .as("there is an index of statuses")
                .doesNotContain("Scan");
        assertThat(page(others, "common", sample).items()).isEmpty();
    }

    @Test
    void active_agents_are_read_by_their_status_where_few_are_active() {
        SeededFleet fleet = new SeededFleet(system);
        for (int i = 0; i < AGENTS / 3; i++) {
            fleet.add("seeded-" + i, "", List.of("common"), 2);
        }
        fleet.write();
        makeUnhealthy(AGENTS / 3 - 10);

        assertThat(page(ACTIVE, "", 20).items()).hasSize(10);
        assertThat(continuesInSequence(page(ACTIVE, "", 5))).isFalse();
        assertThat(continuesInSequence(page(MONITORED, "", 5))).isTrue();
        assertThat(continuesInSequence(page(Set.of(LifecycleStatus.ACTIVE, LifecycleStatus.UNHEALTHY), "", 5)))
                .isTrue();
    }

    private void makeUnhealthy(int count) {
        AgentStore store = new AgentStore(system.database());
        system.clock().advanceSeconds(91);
        for (int i = 0; i < count; i++) {
            StoredAgent agent = store.find("seeded-" + i).orElseThrow();
            assertThat(store.change(
                            HeartbeatTimeoutRule.due(
                                            agent.pulse(),
                                            Instant.EPOCH,
                                            system.clock().instant())
                                    .orElseThrow(),
                            agent.profile()))
                    .isTrue();
        }
    }

    @Test
    void a_key_means_its_only_agent_or_its_only_one_that_is_not_gone() {
        assertThat(agents.onlyAgentOf(CALLER)).isEmpty();
        TestAgent first = TestAgent.registered(system, "a");
        assertThat(agents.onlyAgentOf(CALLER)).contains("a");
        first.becomeDead();
        assertThat(agents.onlyAgentOf(CALLER)).as("its only one is dead").contains("a");
        TestAgent second = TestAgent.registered(system, "b");
        assertThat(agents.onlyAgentOf(CALLER)).contains("b");
        second.becomeUnhealthy();
        assertThat(agents.onlyAgentOf(CALLER)).contains("b");
        TestAgent third = TestAgent.registered(system, "c");
        assertThat(agents.onlyAgentOf(CALLER)).as("two").isEmpty();
        third.deregister();
        assertThat(agents.onlyAgentOf(CALLER)).contains("b");
        second.deregister();
        assertThat(agents.onlyAgentOf(CALLER)).as("three that are gone").isEmpty();
    }

    @Test
    void a_key_of_more_than_a_sample_of_agents_means_none_of_them() {
        TestAgent.registered(system, "a");
        for (int i = 1; i < PulseStore.SAMPLE; i++) {
            putOwnerTag("gone-" + i);
        }
        assertThat(agents.onlyAgentOf(CALLER)).contains("a");
        putOwnerTag("gone");
        assertThat(agents.onlyAgentOf(CALLER)).isEmpty();
    }

    private void putOwnerTag(String agentId) {
        system.dynamoDb().putItem(request -> request.tableName(TestTables.REGISTRY)
                .item(ItemKind.OWNER_TAG.key(KEY_ID, agentId)));
    }
}
