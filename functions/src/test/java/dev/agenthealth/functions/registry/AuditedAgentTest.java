package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The fields of an agent that entries of the audit log show. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuditedAgentTest {

    @AutoClose
    private TestSystem system;

    private RegistryClient client;

    @BeforeAll
    void open() {
        system = new TestSystem();
        client = new RegistryClient(system);
    }

    @Test
    void the_fields_equal_the_fields_of_the_record() {
        assertFieldsEqualRecord(client.newAgent(""));
        assertFieldsEqualRecord(client.newAgent(",\"role_id\":\"writer\",\"personal\":true,"
                + "\"endpoint\":\"https://agent.example/a2a\",\"capacity\":{\"max_concurrent_tasks\":3}"));
    }

    private void assertFieldsEqualRecord(TestAgent registered) {
        StoredAgent agent =
                new AgentStore(system.database()).find(registered.id()).orElseThrow();
        ObjectNode shown = AuditedAgent.shown(agent);
        ObjectNode record = AgentRecordJson.full(agent, List.of());
        List<String> names = new ArrayList<>();
        shown.fieldNames().forEachRemaining(names::add);
        ((ObjectNode) record.get("capacity")).remove("current_load");

        assertThat(names).contains("role_id", "owner_key_id", "status", "capacity", "heartbeat_config");
        assertThat(shown).isEqualTo(record.retain(names));
    }
}
