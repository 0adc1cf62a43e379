package dev.agenthealth.functions.operations.administration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.sweep.Sweep;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.testkit.TestTables;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** An agent gets another owner. */
@Tag("R16-31")
@Tag("R16-33")
class OwnerTransferTest {

    private static final String OWNER = "key-" + TestSystem.AGENT_KEY;
    private static final String OTHER = "key-" + TestSystem.OTHER_AGENT_KEY;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TestAgent agent = TestAgent.registered(system, "agent");

    @Test
    void a_transferred_agent_obeys_its_new_owner_at_once_and_goes_on() {
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        JsonNode answer = transfer(OTHER).json();
        assertThat(answer.path("owner_key_id").asText()).isEqualTo(OTHER);
        assertThat(answer.path("previous_owner_key_id").asText()).isEqualTo(OWNER);
        assertThat(heartbeat(TestSystem.AGENT_KEY)).isEqualTo(403);
        assertThat(heartbeat(TestSystem.OTHER_AGENT_KEY)).isEqualTo(200);
        assertThat(agent.pulse().owner()).isEqualTo(new Owner(OTHER, KeyHash.ofKey(TestSystem.OTHER_AGENT_KEY)));
        assertThat(agent.pulse().incarnation()).isEqualTo(1);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(2);
        agent.assertHistoryIsWhole("transferred");
    }

    @Test
    void only_the_new_owner_lists_a_transferred_agent() {
        transfer(OTHER);
        assertThat(below(OWNER)).isEmpty();
        assertThat(below(OTHER)).containsExactly("agent");
        agent.becomeDead();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(below(OTHER)).isEmpty();
    }

    @Test
    void an_agent_whose_key_was_revoked_goes_on_after_a_transfer() {
        assertThat(new KeyStore(system.database()).revoke(OWNER)).isTrue();
        Sweep sweep = system.sweep();
        sweep.passes(null);
        assertThat(heartbeat(TestSystem.AGENT_KEY)).isEqualTo(401);
        assertThat(transfer(OTHER).status()).isEqualTo(200);
        assertThat(heartbeat(TestSystem.OTHER_AGENT_KEY)).isEqualTo(200);
        assertThat(sweep.passes(null).get(0)).containsEntry("credentials_cleared", 0L);
        assertThat(heartbeat(TestSystem.OTHER_AGENT_KEY)).isEqualTo(200);
    }

    @Test
    void an_archived_agent_may_be_registered_again_by_its_new_owner() {
        agent.becomeDead();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(transfer(OTHER).status()).isEqualTo(200);
        assertThat(agent.stored().archived()).isTrue();
        assertThat(register(TestSystem.AGENT_KEY)).isEqualTo(403);
        assertThat(heartbeat(TestSystem.OTHER_AGENT_KEY)).isEqualTo(410);
        assertThat(register(TestSystem.OTHER_AGENT_KEY)).isEqualTo(201);
        assertThat(below(OTHER)).containsExactly("agent");
    }

    @Test
    void a_repeated_transfer_changes_nothing_and_a_lost_answer_loses_nothing() {
        system.faults().loseAnswerOf(TransactWriteItemsRequest.class);
        assertThat(transfer(OTHER).status()).isEqualTo(200);
        assertThat(transfer(OTHER).json().path("previous_owner_key_id").asText())
                .isEqualTo(OTHER);
        assertThat(heartbeat(TestSystem.OTHER_AGENT_KEY)).isEqualTo(200);
    }

    @Test
    void a_transfer_names_a_known_agent_and_a_key_in_force() {
        for (String body : List.of("{}", "{\"key_id\":\"key_unknown\"}", "{\"key_id\":1}", "{\"key_id\":\"a b\"}")) {
            Response refused = put("agent", body);
            assertThat(refused.status()).as(body).isEqualTo(400);
            assertThat(refused.json().findValuesAsText("field")).containsExactly("key_id");
        }
        assertThat(put("unknown", "{\"key_id\":\"" + OTHER + "\"}").status()).isEqualTo(404);
        assertThat(agent.pulse().owner().keyId()).isEqualTo(OWNER);
    }

    private Response transfer(String keyId) {
        return put("agent", "{\"key_id\":\"" + keyId + "\"}");
    }

    private Response put(String agentId, String body) {
        return system.api()
                .put("/v1/admin/agents/" + agentId + "/owner")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(body)
                .send();
    }

    private int register(String key) {
        return system.api()
                .post("/api/v1/agents")
                .key(key)
                .body("{\"agent_id\":\"agent\"}")
                .send()
                .status();
    }

    private int heartbeat(String key) {
        return system.api()
                .post(agent.heartbeatPath())
                .key(key)
                .body(TestAgent.HEARTBEAT_BODY.formatted(system.clock().instant()))
                .send()
                .status();
    }

    /** The agents that stand below the id of a key. */
    private List<String> below(String keyId) {
        return system.tables().dynamoDb().scan(r -> r.tableName(TestTables.REGISTRY)).items().stream()
                .filter(item -> item.get("pk").s().equals(ItemKind.OWNER_TAG.partition(keyId)))
                .map(item -> item.get("sk").s())
                .toList();
    }
}
