package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Who owns an agent: the key with the id that its registration stored. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-33")
class OwnerTest {

    private static final Owner OWNER = new Owner("key-" + TestSystem.AGENT_KEY, KeyHash.ofKey(TestSystem.AGENT_KEY));

    @AutoClose
    private TestSystem system;

    private RegistryClient client;

    @BeforeAll
    void open() {
        system = new TestSystem();
        client = new RegistryClient(system);
    }

    @Test
    void a_registration_stores_the_id_of_the_owner_key() {
        assertThat(client.newAgent("").pulse().owner()).isEqualTo(OWNER);
    }

    @Test
    void an_administrator_names_the_owner_of_an_agent_that_it_registers() {
        TestAgent agent = new TestAgent(system, client.newId());
        Response response = client.register(TestSystem.ADMINISTRATOR_KEY, body(agent, OWNER.keyId()));
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        assertThat(agent.pulse().owner()).isEqualTo(OWNER);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
    }

    @Test
    void an_administrator_s_key_becomes_no_owner_without_being_named() {
        TestAgent agent = new TestAgent(system, client.newId());
        Response refused = client.register(TestSystem.ADMINISTRATOR_KEY, "{\"agent_id\":\"" + agent.id() + "\"}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().findValuesAsText("field")).containsExactly("owner_key_id");
        assertThat(new AgentStore(system.database()).find(agent.id())).isEmpty();
        assertThat(client.register(TestSystem.ADMINISTRATOR_KEY, body(agent, "administrator"))
                        .status())
                .isEqualTo(201);
        assertThat(agent.pulse().owner().keyId()).isEqualTo("administrator");
    }

    @Test
    void an_owner_must_be_a_key_in_force() {
        TestAgent agent = new TestAgent(system, client.newId());
        Response refused = client.register(TestSystem.ADMINISTRATOR_KEY, body(agent, "key_unknown"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().findValuesAsText("field")).containsExactly("owner_key_id");
    }

    @Test
    void only_an_administrator_registers_for_another_key() {
        TestAgent agent = new TestAgent(system, client.newId());
        for (String key : List.of(TestSystem.OTHER_AGENT_KEY, TestSystem.COORDINATOR_KEY)) {
            assertThat(client.register(key, body(agent, OWNER.keyId())).status())
                    .isEqualTo(403);
        }
        assertThat(client.register(TestSystem.AGENT_KEY, body(agent, OWNER.keyId()))
                        .status())
                .as("its own id")
                .isEqualTo(201);
    }

    private static String body(TestAgent agent, String ownerKeyId) {
        return "{\"agent_id\":\"" + agent.id() + "\",\"owner_key_id\":\"" + ownerKeyId + "\"}";
    }
}
