package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.profile.ProfileField;
import dev.agenthealth.model.registry.profile.ProfileField.Editors;
import dev.agenthealth.testkit.ProjectFiles;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of the fields of a profile and of their editors: each field is changed by each kind of key. */
class ProfileEditorsTest {

    private static final String NAMED = TestSystem.COORDINATOR_KEY;
    private static final String UNNAMED = "coordinator-that-is-not-named";

    /** Another value of each field than the agent has. */
    private static final Map<ProfileField, String> VALUES = values();

    @AutoClose
    private final TestSystem system = new TestSystem();

    private TestAgent agent;

    @BeforeEach
    void register() {
        system.addKey(UNNAMED, Role.COORDINATOR, Set.of());
        agent = registered("a");
    }

    private TestAgent registered(String id) {
        TestAgent registered = new TestAgent(system, id);
        assertThat(registered
                        .register(",\"endpoint\":\"https://8.8.8.8/a2a\",\"instance\":\"host-1\","
                                + "\"coordinator_key_ids\":[\"" + TestSystem.keyId(NAMED) + "\"]")
                        .status())
                .isEqualTo(201);
        return registered;
    }

    private static Map<ProfileField, String> values() {
        Map<ProfileField, String> values = new EnumMap<>(ProfileField.class);
        values.put(ProfileField.NAME, "\"Billing\"");
        values.put(ProfileField.PLATFORM, "\"kubernetes\"");
        values.put(ProfileField.METADATA, "{\"v\":1}");
        values.put(ProfileField.AGENT_VERSION, "\"1.2.0\"");
        values.put(ProfileField.AGENT_URI, "\"https://agents.example.com/a\"");
        values.put(ProfileField.PROVIDER_ID, "\"acme-labs\"");
        values.put(ProfileField.PERSONAL, "true");
        values.put(ProfileField.LISTED, "true");
        values.put(ProfileField.COORDINATOR_KEY_IDS, "[\"" + TestSystem.keyId(UNNAMED) + "\"]");
        values.put(ProfileField.KIND, "\"mcp_server\"");
        values.put(ProfileField.CAPABILITIES, "[\"billing\"]");
        values.put(ProfileField.ENDPOINT, "\"https://elsewhere.example.com/a2a\"");
        values.put(ProfileField.A2A_VERSION, "\"1.0\"");
        values.put(ProfileField.A2A_BINDING, "\"HTTP+JSON\"");
        values.put(ProfileField.A2A_TENANT, "\"acme/eu\"");
        values.put(ProfileField.ACCEPTS_PUSH, "true");
        values.put(ProfileField.CAPACITY, "{\"max_concurrent_tasks\":0}");
        values.put(
                ProfileField.HEARTBEAT_CONFIG,
                "{\"interval_seconds\":1,\"unhealthy_after_seconds\":2,\"dead_after_seconds\":4}");
        values.put(
                ProfileField.WATCH,
                """
                {"by":"http","url":"https://8.8.8.8/","interval_seconds":60}\
                """);
        values.put(ProfileField.MODEL, "{\"name\":\"other\"}");
        values.put(ProfileField.EXPECTATIONS, "{\"success_rate\":0.5}");
        values.put(ProfileField.INSTANCE, "null");
        return values;
    }

    @ParameterizedTest
    @EnumSource(ProfileField.class)
    void a_field_is_changed_by_its_editors_only(ProfileField field) {
        JsonNode before = record();
        Response ofUnnamed = change("a", UNNAMED, field);
        boolean everybody = field.editors() == Editors.EVERY_COORDINATOR;
        assertThat(ofUnnamed.status()).as(ofUnnamed.text()).isEqualTo(everybody ? 200 : 403);
        if (!everybody) {
            assertThat(ofUnnamed.json().path("detail").asText()).contains(field.wireName());
            assertThat(record()).isEqualTo(before);
            Response ofNamed = change("a", NAMED, field);
            assertThat(ofNamed.status()).as(ofNamed.text()).isEqualTo(200);
        }
        assertThat(record().path(field.wireName())).isNotEqualTo(before.path(field.wireName()));
    }

    @ParameterizedTest
    @EnumSource(ProfileField.class)
    void the_owner_and_administrators_change_every_field(ProfileField field) {
        registered("b");
        assertChanges("a", TestSystem.AGENT_KEY, field);
        assertChanges("b", TestSystem.ADMINISTRATOR_KEY, field);
    }

    private void assertChanges(String id, String key, ProfileField field) {
        Response changed = change(id, key, field);
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.json().path("version").asLong()).isEqualTo(2);
    }

    @Test
    void a_coordinator_that_is_not_named_sends_a_record_back_as_it_was_read() {
        assertThat(system.api()
                        .patch("/api/v1/agents/a")
                        .key(UNNAMED)
                        .header("if-match", "*")
                        .body(record().toString())
                        .send()
                        .status())
                .isEqualTo(200);
    }

    /** The attack: thresholds of seconds make the agent dead before its next heartbeat. */
    @Test
    void a_coordinator_that_is_not_named_kills_no_agent_by_its_thresholds_or_by_a_watch() {
        assertThat(change("a", UNNAMED, ProfileField.HEARTBEAT_CONFIG).status()).isEqualTo(403);
        assertThat(change("a", UNNAMED, ProfileField.WATCH).status()).isEqualTo(403);
        for (int i = 0; i < 5; i++) {
            system.clock().advanceSeconds(5);
            system.sweep().passes(null);
        }
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
    }

    @Test
    void the_table_has_every_field_of_a_change() {
        String description = ProjectFiles.text("docs/openapi.yaml");
        String schema = description.substring(description.indexOf("\n    AgentChange:"));
        Set<String> described = schema.substring(1, schema.indexOf("\n    Capabilities:"))
                .lines()
                .filter(line -> line.matches(" {8}[a-z0-9_]+:.*"))
                .map(line -> line.trim().split(":")[0])
                .collect(Collectors.toSet());
        assertThat(Arrays.stream(ProfileField.values()).map(ProfileField::wireName))
                .containsExactlyInAnyOrderElementsOf(described);
        assertThat(VALUES.keySet()).containsExactlyInAnyOrder(ProfileField.values());
    }

    @Test
    void the_guide_says_who_changes_which_field() {
        String guide = ProjectFiles.text("docs/operations/keys.md");
        List<String> rows = guide.substring(guide.indexOf("<!-- editors -->"), guide.indexOf("<!-- end of editors -->"))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .toList();
        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Editors.values())
                        .map(editors -> Arrays.stream(ProfileField.values())
                                        .filter(field -> field.editors() == editors)
                                        .map(field -> "`" + field.wireName() + "`")
                                        .collect(Collectors.joining(", ", "| ", " | "))
                                + (editors == Editors.EVERY_COORDINATOR
                                        ? "every coordinator of the agent's role |"
                                        : "the coordinators that the agent names |"))
                        .toList());
    }

    private Response change(String id, String key, ProfileField field) {
        return system.api()
                .patch("/api/v1/agents/" + id)
                .key(key)
                .header("if-match", "*")
                .body("{\"" + field.wireName() + "\":" + VALUES.get(field) + "}")
                .send();
    }

    private JsonNode record() {
        return system.api()
                .get("/api/v1/agents/a")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json();
    }
}
