package dev.agenthealth.functions.registry.leases;

import static dev.agenthealth.functions.registry.leases.LeaseClient.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestDynamoDb;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Lease requests of a process that was replaced. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-17")
class SupersededHolderTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final LeaseClient leases = new LeaseClient(system.api());
    private int number;

    @Test
    void a_replaced_process_acquires_nothing() {
        TestAgent agent = replaced();
        assertError(acquire(agent, 1), 410, "superseded");
        assertThat(acquire(agent, 2).status()).isEqualTo(201);
        agent.deregister();
        assertError(acquire(agent, 1), 410, "superseded");
        assertError(acquire(agent, 2), 409, "agent_takes_no_work");
    }

    @Test
    void a_replaced_process_renews_nothing() {
        TestAgent agent = TestAgent.registered(system, "renewing");
        JsonNode old = leases.granted(agent.id(), "renewed", 60);
        assertThat(renew(system.api(), old, 1).status()).isEqualTo(200);
        agent.deregister();
        agent.register("");
        assertError(renew(system.api(), old, 1), 410, "superseded");
        assertError(renew(system.api(), old, 2), 412, "lease_not_in_force");
        assertError(leases.renew(old, 60), 412, "lease_not_in_force");
        JsonNode current = leases.granted(agent.id(), "renewed", 60);
        assertError(renew(system.api(), current, 1), 410, "superseded");
        assertThat(renew(system.api(), current, 2).status()).isEqualTo(200);
    }

    @Test
    void a_process_that_is_replaced_during_its_renewal_gets_410() {
        TestAgent agent = TestAgent.registered(system, "renewing-late");
        JsonNode lease = leases.granted(agent.id(), "renewed-late", 60);
        AtomicBoolean once = new AtomicBoolean(true);
        TestApi racing = system.apiThrough(new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest && once.getAndSet(false)) {
                agent.deregister();
                agent.register("");
            }
        }));
        assertError(renew(racing, lease, 1), 410, "superseded");
        assertThat(leases.history(lease)).containsExactly("lease.acquired", "lease.released agent_deregistered");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "\"1\"", "1.5", "{}"})
    void an_incarnation_that_is_no_positive_number_is_refused(String incarnation) {
        TestAgent agent = replaced();
        TestApi.Response refused = leases.acquire(
                TestSystem.AGENT_KEY,
                "{\"agent_id\":\"" + agent.id() + "\",\"scope\":\"s\",\"incarnation\":" + incarnation + "}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("errors").findValuesAsText("field")).containsExactly("incarnation");
    }

    private TestApi.Response acquire(TestAgent agent, int incarnation) {
        return leases.acquire(
                TestSystem.AGENT_KEY,
                "{\"agent_id\":\"" + agent.id() + "\",\"scope\":\"of-" + agent.id() + "\",\"incarnation\":"
                        + incarnation + "}");
    }

    private TestApi.Response renew(TestApi api, JsonNode lease, int incarnation) {
        return api.patch("/api/v1/intents/" + LeaseClient.INTENT + "/leases/"
                        + lease.get("id").textValue())
                .key(TestSystem.AGENT_KEY)
                .body("{\"duration_seconds\":60,\"incarnation\":" + incarnation + "}")
                .send();
    }

    /** An agent of the second incarnation. */
    private TestAgent replaced() {
        TestAgent agent = TestAgent.registered(system, "agent-" + number++);
        agent.deregister();
        assertThat(agent.register("").status()).isEqualTo(201);
        return agent;
    }
}
