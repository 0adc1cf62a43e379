package dev.agenthealth.functions.registry.leases;

import static dev.agenthealth.functions.registry.leases.LeaseClient.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AcquireLeaseTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final LeaseClient leases = new LeaseClient(system.api());
    private int number;
    private TestAgent agent;
    private String scope;

    @BeforeEach
    void register() {
        number++;
        agent = TestAgent.registered(system, "agent-" + number);
        scope = "scope-" + number;
    }

    @Test
    @Tag("R16-17")
    void a_grant_returns_the_whole_lease() {
        TestApi.Response response = leases.acquire(agent.id(), scope, 60);
        assertThat(response.status()).isEqualTo(201);
        JsonNode lease = response.json();
        JsonNode expected = Json.stored("{\"id\":" + lease.get("id") + ",\"intent_id\":\"intent-1\",\"agent_id\":\""
                + agent.id() + "\",\"scope\":\"" + scope + "\",\"status\":\"active\",\"fencing_token\":"
                + lease.get("fencing_token") + ",\"acquired_at\":\""
                + Timestamps.text(system.clock().instant()) + "\",\"expires_at\":\""
                + Timestamps.text(system.clock().instant().plusSeconds(60)) + "\",\"released_at\":null}");
        assertThat(lease).isEqualTo(expected);
        assertThat(lease.get("id").textValue()).matches("lease_[0-9A-HJKMNP-TV-Z]{26}");
        assertThat(lease.get("fencing_token").isIntegralNumber()).isTrue();
        assertThat(leases.history(lease)).containsExactly("lease.acquired");
    }

    @Test
    @Tag("R16-17")
    void a_repeated_request_of_the_holder_returns_its_lease_without_a_second_event() {
        JsonNode lease = leases.granted(agent.id(), scope, 60);
        system.clock().advanceSeconds(5);
        TestApi.Response again = leases.acquire(agent.id(), scope, 600);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json()).isEqualTo(lease);
        assertThat(leases.history(lease)).containsExactly("lease.acquired");
    }

    @Test
    @Tag("R16-17")
    void a_conflict_names_the_holder_of_the_scope_and_the_expiry() {
        JsonNode lease = leases.granted(agent.id(), scope, 60);
        TestAgent.registered(system, "rival-" + number);
        TestApi.Response refused = leases.acquire("rival-" + number, scope, 60);
        assertError(refused, 409, "lease_held");
        assertThat(refused.json().get("detail").textValue())
                .contains(agent.id())
                .contains(lease.get("expires_at").textValue());
        assertThat(leases.events().stream()
                        .filter(e -> e.get("scope").textValue().equals(scope)))
                .hasSize(1);
    }

    @Test
    @Tag("R16-17")
    void a_conflict_with_another_owner_names_neither_agent_nor_time() {
        JsonNode lease = leases.granted(agent.id(), scope, 60);
        String key = TestSystem.OTHER_AGENT_KEY;
        String id = "stranger-" + number;
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(key)
                        .body("{\"agent_id\":\"" + id + "\"}")
                        .send()
                        .status())
                .isEqualTo(201);
        assertTellsNothing(leases.acquire(key, id, scope, 60), "lease_held", "62");
        system.clock().advanceSeconds(61);
        assertTellsNothing(leases.acquire(key, id, scope, 60), "lease_just_expired", "1");
        system.clock().advanceSeconds(1);
        assertThat(leases.acquire(key, id, scope, 60).status()).isEqualTo(201);
        TestApi.Response renewed = system.api()
                .patch(LeaseClient.path(lease))
                .key(key)
                .body("{\"duration_seconds\":60}")
                .send();
        for (TestApi.Response refused : List.of(leases.get(key, lease), leases.release(key, lease), renewed)) {
            assertError(refused, 403, "forbidden");
            assertThat(refused.text()).doesNotContain(agent.id());
        }
    }

    private void assertTellsNothing(TestApi.Response refused, String error, String wait) {
        assertError(refused, 409, error);
        assertThat(refused.text()).doesNotContain(agent.id()).doesNotContain("available_at");
        assertThat(refused.text()).doesNotContainPattern("[0-9]{4}-[0-9]{2}-[0-9]{2}");
        assertThat(refused.header("Retry-After")).isEqualTo(wait);
    }

    @Test
    @Tag("R16-17")
    void exactly_one_of_sixteen_concurrent_requests_gets_the_scope() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            ids.add(TestAgent.registered(system, "racer-" + number + "-" + i).id());
        }
        ExecutorService threads = Executors.newFixedThreadPool(16);
        CountDownLatch start = new CountDownLatch(1);
        List<TestApi.Response> responses;
        try {
            List<CompletableFuture<TestApi.Response>> requests = ids.stream()
                    .map(id -> CompletableFuture.supplyAsync(
                            () -> {
                                await(start);
                                return leases.acquire(id, scope, 60);
                            },
                            threads))
                    .toList();
            start.countDown();
            responses = requests.stream().map(CompletableFuture::join).toList();
        } finally {
            threads.shutdownNow();
        }
        assertThat(responses.stream().filter(r -> r.status() == 201)).hasSize(1);
        assertThat(responses.stream().filter(r -> r.status() == 409)).hasSize(15);
        assertThat(leases.events().stream()
                        .filter(e -> e.get("scope").textValue().equals(scope)))
                .hasSize(1);
    }

    @Test
    @Tag("R16-17")
    void the_agent_is_optional_if_the_key_has_registered_exactly_one() {
        String key = "key of one " + number;
        system.addKey(key, Role.AGENT, Set.of());
        String body = "{\"scope\":\"" + scope + "\"}";
        assertError(leases.acquire(key, body), 400, "invalid_request");
        register(key, "only-" + number);
        TestApi.Response granted = leases.acquire(key, body);
        assertThat(granted.status()).as(granted.text()).isEqualTo(201);
        assertThat(granted.json().get("agent_id").textValue()).isEqualTo("only-" + number);
        assertThat(granted.json().get("expires_at").textValue())
                .as("five minutes by default")
                .isEqualTo(Timestamps.text(system.clock().instant().plusSeconds(300)));
        register(key, "second-" + number);
        TestApi.Response ambiguous = leases.acquire(key, body);
        assertError(ambiguous, 400, "invalid_request");
        assertThat(ambiguous.json().get("errors").get(0).get("field").textValue())
                .isEqualTo("agent_id");
    }

    @ParameterizedTest
    @Tag("R16-17")
    @ValueSource(
            strings = {
                "{}",
                "{\"agent_id\":\"a\"}",
                "{\"scope\":\"\"}",
                "{\"scope\":\"a/b\"}",
                "{\"scope\":7}",
                "{\"scope\":\"s\",\"agent_id\":\"a b\"}",
                "{\"scope\":\"s\",\"duration_seconds\":0}",
                "{\"scope\":\"s\",\"duration_seconds\":86401}",
                "{\"scope\":\"s\",\"duration_seconds\":1.5}",
                "{\"scope\":\"s\",\"duration_seconds\":\"60\"}",
                "{\"scope\":\"s\",\"unheard_of\":1}",
                "[]",
                "nonsense"
            })
    void an_invalid_body_is_refused(String body) {
        assertThat(leases.acquire(TestSystem.AGENT_KEY, body).status()).isEqualTo(400);
    }

    @Test
    @Tag("R16-17")
    @Tag("R16-31")
    @Tag("R16-39")
    void a_lease_is_granted_only_for_registered_agents_of_the_caller() {
        assertError(leases.acquire("unknown", scope, 60), 404, "agent_not_found");
        assertThat(leases.acquire(TestSystem.OTHER_AGENT_KEY, agent.id(), scope, 60)
                        .status())
                .isEqualTo(403);
        assertThat(leases.acquire("unknown-key", agent.id(), scope, 60).status())
                .isEqualTo(401);
        assertThat(leases.acquire(TestSystem.COORDINATOR_KEY, agent.id(), scope, 60)
                        .status())
                .isEqualTo(201);
    }

    @Test
    @Tag("R16-29")
    void a_draining_agent_gets_no_lease() {
        JsonNode before = leases.granted(agent.id(), scope, 60);
        assertThat(agent.drain(system.api()).status()).isEqualTo(200);
        assertError(leases.acquire(agent.id(), scope + "-new", 60), 409, "agent_takes_no_work");
        assertThat(leases.verify(before).status()).as("its lease stays valid").isEqualTo(200);
        assertThat(leases.renew(before, 600).status()).as("and may be renewed").isEqualTo(200);
    }

    @Test
    @Tag("R16-26")
    void a_dead_or_deregistered_agent_gets_no_lease() {
        agent.becomeDead();
        assertError(leases.acquire(agent.id(), scope, 60), 409, "agent_takes_no_work");
        agent.deregister();
        assertError(leases.acquire(agent.id(), scope, 60), 409, "agent_takes_no_work");
        assertThat(agent.register("").status()).isEqualTo(201);
        leases.granted(agent.id(), scope, 60);
    }

    @Test
    @Tag("R16-28")
    void an_unhealthy_agent_keeps_its_leases_and_gets_new_ones() {
        JsonNode before = leases.granted(agent.id(), scope, 600);
        agent.becomeUnhealthy();
        assertThat(leases.verify(before).status()).isEqualTo(200);
        assertThat(leases.renew(before, 600).status()).isEqualTo(200);
        leases.granted(agent.id(), scope + "-new", 60);
    }

    @Test
    @Tag("R16-17")
    void the_token_of_a_scope_increases_with_every_lease_even_in_the_same_millisecond() {
        long token = 0;
        for (int i = 0; i < 4; i++) {
            JsonNode lease = leases.granted(agent.id(), scope, 1);
            assertThat(lease.get("fencing_token").longValue()).isGreaterThan(token);
            token = lease.get("fencing_token").longValue();
            if (i == 2) {
                system.clock().advanceSeconds(3);
            } else {
                assertThat(leases.release(lease).status()).isEqualTo(204);
            }
        }
    }

    private void register(String key, String id) {
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(key)
                        .body("{\"agent_id\":\"" + id + "\"}")
                        .send()
                        .status())
                .isEqualTo(201);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
