package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.event.RegistryEvents;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Registrations that replace a live agent from another host. */
@Tag("R16-06")
class InstanceTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final RegistryClient client = new RegistryClient(system);

    @Test
    void the_record_shows_the_instance_and_a_change_of_the_profile_keeps_it() {
        TestAgent agent = client.newAgent(",\"instance\":\"host-a\"");
        String path = "/api/v1/agents/" + agent.id();
        assertThat(client.get(agent.id()).json().get("instance").textValue()).isEqualTo("host-a");
        Response changed = patch(path, "{\"name\":\"New\",\"instance\":\"host-a\"}");
        assertThat(changed.json().get("instance").textValue()).isEqualTo("host-a");
        assertThat(patch(path, "{\"instance\":\"host-b\"}").status()).isEqualTo(400);
        assertThat(replace(agent, "").json().get("instance").isNull()).isTrue();
    }

    @Test
    void another_instance_waits_until_the_one_before_is_silent() {
        TestAgent agent = client.newAgent(",\"instance\":\"host-a\"");
        system.clock().advanceSeconds(10);
        assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
        String heardAt = Timestamps.text(system.clock().instant());
        system.clock().advanceSeconds(59);
        Response refused = replace(agent, "host-b");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().get("error").textValue()).isEqualTo("agent_already_running");
        assertThat(refused.json().get("running_instance").textValue()).isEqualTo("host-a");
        assertThat(refused.json().get("last_heartbeat_at").textValue()).isEqualTo(heardAt);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(agent.pulse().incarnation()).isEqualTo(1);
        assertThat(agent.events()).hasSize(1);

        system.clock().advanceSeconds(1);
        Response taken = replace(agent, "host-b");
        assertThat(taken.status()).as(taken.text()).isEqualTo(201);
        assertThat(taken.json().get("instance").textValue()).isEqualTo("host-b");
        assertThat(taken.json().get("incarnation").longValue()).isEqualTo(2);
        assertThat(replace(agent, "host-a").status()).isEqualTo(409);
    }

    @ParameterizedTest
    @ValueSource(strings = {"host-a", ""})
    void the_same_instance_and_one_without_a_name_replace_at_once(String instance) {
        TestAgent agent = client.newAgent(",\"instance\":\"host-a\"");
        assertThat(replace(agent, instance).status()).isEqualTo(201);
    }

    @Test
    void a_process_that_has_ended_leaves_the_place_to_any_other() {
        TestAgent agent = client.newAgent(",\"instance\":\"host-a\"");
        String path = "/api/v1/agents/" + agent.id();
        assertThat(patch(path, "{\"instance\":null,\"incarnation\":2}").status())
                .as("of another incarnation")
                .isEqualTo(400);
        assertThat(replace(agent, "host-b").status()).isEqualTo(409);
        assertThat(patch(path, "{\"instance\":null,\"incarnation\":1}")
                        .json()
                        .get("instance")
                        .isNull())
                .isTrue();
        assertThat(replace(agent, "host-b").status()).isEqualTo(201);
    }

    @Test
    void another_instance_takes_over_as_soon_as_the_one_before_has_drained() {
        TestAgent agent = client.newAgent(",\"instance\":\"host-a\"");
        assertThat(agent.sendHeartbeat("draining", ",\"current_load\":1").status())
                .isEqualTo(200);
        assertThat(replace(agent, "host-b").status()).isEqualTo(409);
        agent.deregister();
        assertThat(replace(agent, "host-b").status()).isEqualTo(201);
    }

    @Test
    void a_process_that_shows_an_old_record_to_another_key_learns_nothing_of_the_instance() {
        TestAgent agent = client.newAgent(",\"instance\":\"host-a\"");
        Response refused = system.api()
                .post("/api/v1/agents")
                .key(TestSystem.OTHER_AGENT_KEY)
                .body(body(agent, "host-b"))
                .send();
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text()).doesNotContain("host-a");
    }

    @Test
    void the_silence_of_an_outage_of_the_registry_is_none() {
        SweepStateStore sweep = new SweepStateStore(system.database());
        Duration maxPause = Duration.ofMinutes(2);
        sweep.begin(system.clock().instant(), maxPause, SweepStateStore.Learnt.NOTHING);
        TestAgent agent = client.newAgent(",\"instance\":\"host-a\"");
        system.clock().advanceSeconds(600);
        assertThat(replace(agent, "host-b").status()).as("no pass since").isEqualTo(409);
        sweep.begin(system.clock().instant(), maxPause, SweepStateStore.Learnt.NOTHING);
        system.clock().advanceSeconds(59);
        assertThat(replace(agent, "host-b").status()).as("grace period").isEqualTo(409);
        system.clock().advanceSeconds(1);
        assertThat(replace(agent, "host-b").status()).isEqualTo(201);
        system.clock().advanceSeconds(60);
        Instant now = system.clock().instant();
        sweep.beginBlackout(now, at -> RegistryEvents.blackout(3, 0, at));
        assertThat(replace(agent, "host-a").status()).as("self-check fails").isEqualTo(409);
    }

    @Test
    void a_heartbeat_that_comes_while_another_instance_takes_over_keeps_the_process() {
        TestAgent agent = client.newAgent(",\"instance\":\"host-a\"");
        system.clock().advanceSeconds(60);
        AtomicInteger tries = new AtomicInteger();
        TestApi racing = system.apiThrough(new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest transaction
                    && transaction.transactItems().stream()
                            .anyMatch(write -> write.put() != null
                                    && write.put().tableName().equals(TestTables.PULSES))) {
                tries.incrementAndGet();
                assertThat(agent.sendHeartbeat().status()).isEqualTo(200);
            }
        }));
        Response refused = agent.register(racing, ",\"replace\":true,\"instance\":\"host-b\"");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().get("error").textValue()).isEqualTo("agent_already_running");
        assertThat(tries).hasValue(1);
        assertThat(agent.pulse().incarnation()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "\"a\\u0000\"", "[]"})
    void an_instance_that_is_no_text_is_refused(String value) {
        Response refused = client.register("{\"agent_id\":\"" + client.newId() + "\",\"instance\":" + value + "}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("errors").findValuesAsText("field")).containsExactly("instance");
    }

    private Response patch(String path, String body) {
        return system.api()
                .patch(path)
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body(body)
                .send();
    }

    private Response replace(TestAgent agent, String instance) {
        return client.register(body(agent, instance));
    }

    private static String body(TestAgent agent, String instance) {
        return "{\"agent_id\":\"" + agent.id() + "\",\"replace\":true,\"instance\":\"" + instance + "\"}";
    }
}
