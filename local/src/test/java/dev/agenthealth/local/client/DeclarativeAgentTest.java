package dev.agenthealth.local.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.client.Agent;
import dev.agenthealth.client.AgentBuilder;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.Drain;
import dev.agenthealth.client.ManagedAgent;
import dev.agenthealth.client.OnDead;
import dev.agenthealth.client.OnDrain;
import dev.agenthealth.client.Outcome;
import dev.agenthealth.client.Registration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** RFC-0016 §3.4: a declared agent has the same effects as one that is registered by calls. */
@Tag("slow")
class DeclarativeAgentTest {

    @Agent(
            id = "billing-1",
            role = "billing",
            capabilities = {"invoices", "refunds"},
            maxConcurrentTasks = 4,
            heartbeatSeconds = 10,
            unhealthyAfterSeconds = 30,
            deadAfterSeconds = 90)
    private static final class Billing {

        private final List<String> called;

        Billing(List<String> called) {
            this.called = called;
        }

        @OnDrain
        void drain(Drain drain) {
            called.add("drain " + drain.reason());
        }

        @OnDead
        void dead() {
            called.add("dead");
        }
    }

    /** The life of the agent, from both sides. */
    private record Life(List<RecordingProxy.Sent> requests, JsonNode events, List<String> called) {}

    private static AgentBuilder imperative(AgentHealthClient client, List<String> called) {
        return client.agent(Registration.of("billing-1")
                        .role("billing")
                        .capabilities("invoices", "refunds")
                        .maxConcurrentTasks(4)
                        .heartbeat(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(90)))
                .onDrain(drain -> called.add("drain " + drain.reason()))
                .onDead(death -> called.add("dead"));
    }

    /** Starts, works, is suspended beyond its death, comes back, and follows a drain command. */
    private static Life live(Function<List<String>, Function<AgentHealthClient, AgentBuilder>> style)
            throws IOException {
        List<String> called = new ArrayList<>();
        try (ClientHarness harness = new ClientHarness()) {
            AgentHealthClient client =
                    harness.client(harness.agentKey().secret()).build();
            ManagedAgent agent = style.apply(called).apply(client).start();
            assertThat(harness.administrator
                            .get("/api/v1/agents?role_id=billing")
                            .json()
                            .findValuesAsText("agent_id"))
                    .containsExactly("billing-1");
            harness.advance(Duration.ofSeconds(30));
            agent.run(() -> {});
            agent.record(Outcome.success().latency(Duration.ofMillis(40)));
            harness.advance(Duration.ofSeconds(10));
            harness.suspend(Duration.ofSeconds(120));
            assertThat(harness.status("billing-1")).isEqualTo("dead");
            harness.advance(Duration.ofSeconds(60));
            assertThat(harness.status("billing-1")).isEqualTo("active");
            ObjectNode drain = JsonNodeFactory.instance.objectNode();
            harness.administrator.post(
                    "/api/v1/agents/billing-1/commands",
                    drain.put("command", "drain").put("reason", "upgrade"));
            harness.advance(Duration.ofSeconds(30));
            assertThat(harness.status("billing-1")).isEqualTo("deregistered");
            return new Life(harness.proxy.sent(), harness.events("billing-1"), called);
        }
    }

    @Test
    @Tag("R16-09")
    void an_annotated_agent_sends_the_same_requests_and_causes_the_same_events_as_an_imperative_one()
            throws IOException {
        Life annotated = live(called -> client -> client.annotated(new Billing(called)));
        Life imperative = live(called -> client -> imperative(client, called));

        assertThat(annotated.requests()).isEqualTo(imperative.requests());
        assertThat(annotated.events()).isEqualTo(imperative.events());
        assertThat(annotated.called()).isEqualTo(imperative.called()).containsExactly("dead", "drain upgrade");
        assertThat(annotated.requests().get(0).target()).isEqualTo("/api/v1/agents");
        assertThat(annotated.requests()).hasSizeGreaterThan(10);
        assertThat(lifecycle(annotated.events()))
                .containsExactly("active", "unhealthy", "dead", "active", "draining", "deregistered");
    }

    private static List<String> lifecycle(JsonNode events) {
        List<String> statuses = new ArrayList<>();
        for (JsonNode event : events) {
            if (event.path("type").asText().equals("agent.lifecycle")) {
                statuses.add(event.path("new_status").asText());
            }
        }
        return statuses;
    }
}
