package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import dev.agenthealth.testkit.WriteFailure;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Names of roles, providers and platforms are noted with what names them, and not by refused requests. */
@Tag("R16-09")
class GroupNamesTest {

    private static final String INVENTED =
            """
                    ,"role_id":"invented","provider_id":"invented","platform":"invented"}\
                    """;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final GroupStore groups = new GroupStore(system.database());

    @Test
    void a_refused_registration_leaves_nothing_behind() {
        system.addKey("of-billing", Role.COORDINATOR, Set.of("billing"));
        assertThat(register(TestSystem.AGENT_KEY, "{\"agent_id\":\"taken\"}")).isEqualTo(201);
        assertThat(register(TestSystem.AGENT_KEY, "{\"agent_id\":\"gone\"}")).isEqualTo(201);
        assertThat(system.api()
                        .delete("/api/v1/agents/gone")
                        .key(TestSystem.AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(204);
        TableContents before = TableContents.of(system.tables());
        assertThat(register(TestSystem.AGENT_KEY, "{\"agent_id\":\"taken\"" + INVENTED))
                .isEqualTo(409);
        assertThat(register(TestSystem.OTHER_AGENT_KEY, "{\"agent_id\":\"gone\"" + INVENTED))
                .isEqualTo(403);
        assertThat(register("of-billing", "{\"name\":\"a\"" + INVENTED)).isEqualTo(403);
        assertThat(register(TestSystem.AGENT_KEY, "{\"name\":7" + INVENTED)).isEqualTo(400);
        assertThat(TableContents.of(system.tables())).isEqualTo(before);
    }

    @Test
    void a_refused_workflow_leaves_nothing_behind() {
        assertThat(put("first", "agents:\n  taken: {}\n")).isEqualTo(201);
        TableContents before = TableContents.of(system.tables());
        assertThat(put("second", "agents:\n  invented: {}\n  taken: {}\n")).isEqualTo(409);
        assertThat(TableContents.of(system.tables())).isEqualTo(before);
    }

    /** Figures are counted by number: an agent that is stored before its names would be counted in a group without a name. */
    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    void an_agent_that_is_stored_has_the_names_of_its_groups(WriteFailure way) {
        boolean failed = true;
        for (int write = 1; failed; write++) {
            TestDynamoDb crashing = new TestDynamoDb(system.dynamoDb()).failAt(write, way);
            String id = "a" + write;
            try {
                system.apiThrough(crashing)
                        .post("/api/v1/agents")
                        .key(TestSystem.AGENT_KEY)
                        .body(
                                """
                                        {"agent_id":"%s","role_id":"r-%s","provider_id":"p-%s","platform":"f-%s"}\
                                        """
                                        .formatted(id, id, id, id))
                        .send();
            } catch (Crash e) {
                assertThat(crashing.hasFailed()).isTrue();
            }
            failed = crashing.hasFailed();
            if (new AgentStore(system.database()).find(id).isPresent()) {
                assertThat(groups.find(GroupKind.ROLE, "r-" + id))
                        .as("write %d", write)
                        .isPresent();
                assertThat(groups.find(GroupKind.PROVIDER, "p-" + id))
                        .as("write %d", write)
                        .isPresent();
                assertThat(groups.find(GroupKind.PLATFORM, "f-" + id))
                        .as("write %d", write)
                        .isPresent();
            }
        }
        assertThat(groups.names(GroupKind.ROLE, "", 9)).isNotEmpty();
    }

    @Test
    void names_that_were_not_noted_are_noted_when_the_registration_is_repeated() {
        String body =
                """
                {"agent_id":"a","role_id":"r","provider_id":"p","platform":"f"}\
                """;
        assertThat(register(TestSystem.AGENT_KEY, body)).isEqualTo(201);
        for (var key : List.of(
                ItemKind.ROLE_NAME.key("r"), ItemKind.PROVIDER_NAME.key("p"), ItemKind.PLATFORM_NAME.key("f"))) {
            system.dynamoDb().deleteItem(r -> r.tableName(TestTables.REGISTRY).key(key));
        }
        assertThat(register(TestSystem.OTHER_AGENT_KEY, body)).isEqualTo(409);
        assertThat(groups.names(GroupKind.ROLE, "", 1)).isEmpty();
        assertThat(register(TestSystem.AGENT_KEY, body)).isEqualTo(409);
        assertThat(groups.names(GroupKind.ROLE, "", 2)).containsExactly("r");
        assertThat(groups.names(GroupKind.PROVIDER, "", 2)).containsExactly("p");
        assertThat(groups.names(GroupKind.PLATFORM, "", 2)).containsExactly("f");
    }

    private int register(String key, String body) {
        return send(system.api().post("/api/v1/agents").key(key), body);
    }

    private int put(String workflow, String body) {
        return send(system.api().put("/api/v1/workflows/" + workflow).key(TestSystem.ADMINISTRATOR_KEY), body);
    }

    private static int send(TestApi.Request request, String body) {
        return request.body(body).send().status();
    }
}
