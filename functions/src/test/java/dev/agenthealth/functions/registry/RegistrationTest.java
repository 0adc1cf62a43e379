package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Registration over HTTP (RFC-0016 §3). */
class RegistrationTest {

    private static final String EXAMPLE =
            """
            {
              "agent_id": "agent_billing_01",
              "role_id": "billing-processor",
              "name": "Billing Processor",
              "capabilities": ["billing", "invoicing", "stripe-integration"],
              "capacity": {"max_concurrent_tasks": 5},
              "endpoint": "https://billing-agent.example.com/webhook",
              "heartbeat_config": {"interval_seconds": 30, "unhealthy_after_seconds": 90, "dead_after_seconds": 300},
              "metadata": {"version": "1.2.0", "runtime": "python-3.11"}
            }
            """;

    private final TestSystem system = new TestSystem();

    @AfterEach
    void close() {
        system.close();
    }

    @Test
    @Tag("R16-04")
    void the_example_of_the_specification_is_registered() {
        Response response = system.api()
                .post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body(EXAMPLE)
                .send();
        assertThat(response.text()).contains("agent_billing_01");
        assertThat(response.status()).isEqualTo(201);
        assertThat(response.header("ETag")).isEqualTo("\"1\"");
        Response beat = system.api()
                .post("/api/v1/agents/agent_billing_01/heartbeat")
                .key(TestSystem.AGENT_KEY)
                .body(
                        "{\"status\":\"active\",\"current_load\":3,\"tasks_in_progress\":[],\"client_timestamp\":\"2026-02-08T10:00:00Z\"}")
                .send();
        assertThat(beat.text()).contains("acknowledged");
        System.out.println(response.text());
        System.out.println(beat.text());
        for (String p : new String[] {
            "/api/v1/agents",
            "/api/v1/agents/agent_billing_01",
            "/api/v1/agents/agent_billing_01/events",
            "/api/v1/events"
        }) {
            system.meter().reset();
            System.out.println(
                    system.api().get(p).key(TestSystem.ADMINISTRATOR_KEY).send().text()
                            + system.meter().calls());
        }
    }
}
