package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.Resources;
import dev.agenthealth.testkit.TableContents;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requested changes of status (RFC-0016 §2.2, §5.1, §11, Security Considerations). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StatusChangeTest {

    private static final String LIMITED_COORDINATOR = "limited-coordinator";
    private static final List<String> STATUSES = List.of(
            "active", "unhealthy", "draining", "dead", "deregistered", "archived-dead", "archived-deregistered");
    private static final Map<String, Set<String>> ALLOWED = Map.of(
            "active", Set.of("draining", "deregistered"),
            "unhealthy", Set.of("draining", "deregistered"),
            "draining", Set.of("deregistered"),
            "dead", Set.of("deregistered"),
            "deregistered", Set.of(),
            "archived-dead", Set.of("deregistered"),
            "archived-deregistered", Set.of());

    @AutoClose
    private TestSystem system;

    private RegistryClient client;

    @BeforeAll
    void open() {
        system = new TestSystem();
        system.addKey(LIMITED_COORDINATOR, Role.COORDINATOR, Set.of("billing"));
        client = new RegistryClient(system);
    }

    @Test
    @Tag("R16-03")
    @Tag("R16-18")
    void a_drain_has_the_form_of_the_specification() {
        TestAgent agent = client.newAgent(",\"capabilities\":[\"draining-soon\"]");
        Instant now = system.clock().instant();
        Response response = client.patchStatus(agent.id(), "\"1\"", Resources.text("rfc-0016/drain-request.json"));
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        assertThat(response.header("ETag")).isEqualTo("\"2\"");
        JsonNode record = response.json();
        assertThat(record.get("status").textValue()).isEqualTo("draining");
        assertThat(record.get("version").intValue()).isEqualTo(2);
        assertThat(record.get("drain_deadline").textValue()).isEqualTo(Timestamps.text(now.plusSeconds(120)));
        assertThat(client.get(agent.id()).json()).isEqualTo(record);
        assertThat(agent.pulse().drain().timeout()).isEqualTo(Duration.ofSeconds(120));
        assertThat(agent.changes()).last().isEqualTo("active->draining drain_initiated");
        assertThat(client.listed(Map.of("capabilities", "draining-soon"))).isEmpty();
        assertThat(agent.sendHeartbeat("draining", ",\"current_load\":1").status())
                .isEqualTo(200);
        agent.assertHistoryIsWhole("after a drain");
    }

    @ParameterizedTest
    @CsvSource({
        "'', 120",
        "',\"drain_timeout_seconds\":null', 120",
        "',\"drain_timeout_seconds\":1', 1",
        "',\"drain_timeout_seconds\":86400', 86400",
        "',\"drain_timeout_seconds\":60.0', 60"
    })
    @Tag("R16-18")
    void a_drain_lasts_for_the_requested_time_or_two_minutes(String more, int seconds) {
        TestAgent agent = client.newAgent("");
        assertThat(client.patchStatus(agent.id(), "*", "{\"status\":\"draining\"" + more + "}")
                        .status())
                .isEqualTo(200);
        assertThat(agent.pulse().drain().timeout()).isEqualTo(Duration.ofSeconds(seconds));
        assertThat(agent.pulse().drain().deadline())
                .isEqualTo(system.clock().instant().plusSeconds(seconds));
    }

    private static Stream<Arguments> everyChange() {
        return STATUSES.stream()
                .flatMap(from -> Stream.of("registering", "active", "draining", "unhealthy", "dead", "deregistered")
                        .filter(to -> !(from.equals("draining") && to.equals("draining")))
                        .map(to -> Arguments.of(from, to)));
    }

    @ParameterizedTest
    @MethodSource("everyChange")
    @Tag("R16-02")
    @Tag("R16-03")
    @Tag("R16-30")
    void only_allowed_transitions_can_be_requested(String from, String to) {
        TestAgent agent = agentThatIs(from);
        TableContents before = TableContents.of(system.tables());
        long version = agent.pulse().version();
        Response response = client.patchStatus(agent.id(), "\"" + version + "\"", "{\"status\":\"" + to + "\"}");
        if (ALLOWED.get(from).contains(to)) {
            assertThat(response.status()).as(response.text()).isEqualTo(200);
            assertThat(response.json().get("status").textValue()).isEqualTo(to);
            assertThat(response.header("ETag")).isEqualTo("\"" + (version + 1) + "\"");
            assertThat(agent.pulse().version()).isEqualTo(version + 1);
            assertThat(client.get(agent.id()).json()).isEqualTo(response.json());
            String status = from.replace("archived-", "");
            assertThat(agent.changes()).last().asString().startsWith(status + "->" + to);
        } else {
            assertThat(response.status()).isEqualTo(409);
            assertThat(response.json().get("error").textValue()).isEqualTo("transition_not_allowed");
            assertThat(response.json().get("detail").textValue()).contains(from.replace("archived-", ""), to);
            assertThat(TableContents.of(system.tables())).isEqualTo(before);
        }
        agent.assertHistoryIsWhole(from + " to " + to);
    }

    @Test
    @Tag("R16-18")
    void a_drain_request_for_a_draining_agent_moves_its_deadline_counted_from_now() {
        TestAgent agent = client.newAgent("");
        agent.sendHeartbeat("active", ",\"current_load\":1");
        client.patchStatus(agent.id(), "\"1\"", "{\"status\":\"draining\",\"drain_timeout_seconds\":60}");
        system.clock().advanceSeconds(50);
        Instant now = system.clock().instant();
        Response longer =
                client.patchStatus(agent.id(), "\"2\"", "{\"status\":\"draining\",\"drain_timeout_seconds\":3600}");
        assertThat(longer.status()).as(longer.text()).isEqualTo(200);
        assertThat(longer.header("ETag")).isEqualTo("\"3\"");
        assertThat(longer.json().get("drain_deadline").textValue()).isEqualTo(Timestamps.text(now.plusSeconds(3_600)));
        assertThat(client.get(agent.id()).json()).isEqualTo(longer.json());
        assertThat(agent.changes()).as("no status changed").hasSize(2);

        system.clock().advanceSeconds(7);
        assertThat(client.patchStatus(agent.id(), "\"3\"", "{\"status\":\"draining\",\"drain_timeout_seconds\":5}")
                        .status())
                .isEqualTo(200);
        assertThat(agent.pulse().drain().deadline()).isEqualTo(now.plusSeconds(12));
        system.clock().advanceSeconds(2);
        assertThat(client.patchStatus(agent.id(), "*", "{\"status\":\"draining\"}")
                        .status())
                .isEqualTo(200);
        assertThat(agent.pulse().drain().deadline())
                .as("without a time, that of the drain counts from now")
                .isEqualTo(now.plusSeconds(14));
        assertThat(client.patchStatus(agent.id(), "\"3\"", "{\"status\":\"draining\"}")
                        .status())
                .isEqualTo(412);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
    }

    @Test
    @Tag("R16-18")
    void a_moved_deadline_keeps_who_asked_for_the_drain() {
        TestAgent agent = client.newAgent("");
        agent.sendHeartbeat("active", ",\"current_load\":1");
        client.patchStatus(TestSystem.COORDINATOR_KEY, agent.id(), "*", "{\"status\":\"draining\"}");
        client.patchStatus(TestSystem.ADMINISTRATOR_KEY, agent.id(), "*", "{\"status\":\"draining\"}");
        assertThat(agent.pulse().drain().isKnownAfter(1)).isFalse();
        client.patchStatus(agent.id(), "*", "{\"status\":\"draining\"}");
        assertThat(agent.pulse().drain().isKnownAfter(1)).as("it asked itself").isTrue();
        assertThat(agent.pulse().drain().requestedBy()).isEqualTo(TestSystem.keyId(TestSystem.COORDINATOR_KEY));
    }

    @ParameterizedTest
    @CsvSource({
        "\"1\", 200",
        "1, 200",
        "*, 200",
        "' \"1\" ', 200",
        "\"2\", 412",
        "2, 412",
        "\"0\", 412",
        "\"01x\", 412",
        "W/\"1\", 200",
        "'\"2\", \"1\"', 200",
        "'W/\"2\" ,W/\"1\"', 200",
        "'\"2\", \"3\"', 412",
        "'\"1,2\"', 412",
        "\", 412",
        "\"\", 412",
        "-1, 412",
        "1e0, 412",
        "\"99999999999999999999\", 412",
        "١, 412",
        "'', 428",
        "' ', 428"
    })
    @Tag("R16-18")
    @Tag("R16-31")
    void a_change_without_the_current_version_is_refused(String ifMatch, int status) {
        TestAgent agent = client.newAgent("");
        Response response = client.patchStatus(agent.id(), ifMatch, "{\"status\":\"draining\"}");
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        if (status == 412) {
            assertThat(response.json().get("error").textValue()).isEqualTo("version_mismatch");
            assertThat(response.header("ETag")).isEqualTo("\"1\"");
        } else if (status == 428) {
            assertThat(response.json().get("error").textValue()).isEqualTo("if_match_required");
        }
        assertThat(agent.pulse().version()).isEqualTo(status == 200 ? 2 : 1);
        assertThat(agent.changes()).hasSize(status == 200 ? 2 : 1);
    }

    @Test
    @Tag("R16-18")
    void an_outdated_version_is_refused_with_the_current_one() {
        TestAgent agent = client.newAgent("");
        client.patchProfile(agent.id(), "1", "{\"name\":\"n\"}");
        Response stale = client.patchStatus(agent.id(), "\"1\"", "{\"status\":\"draining\"}");
        assertThat(stale.status()).isEqualTo(412);
        assertThat(stale.header("ETag")).isEqualTo("\"2\"");
        assertThat(client.patchStatus(agent.id(), stale.header("ETag"), "{\"status\":\"draining\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    @Tag("R16-18")
    void a_heartbeat_does_not_outdate_the_version() {
        TestAgent agent = client.newAgent("");
        for (int i = 0; i < 3; i++) {
            agent.sendHeartbeat("active", ",\"current_load\":" + i);
        }
        assertThat(client.patchStatus(agent.id(), "\"1\"", "{\"status\":\"draining\"}")
                        .status())
                .isEqualTo(200);
        assertThat(agent.pulse().workload().load()).isEqualTo(2);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(3);
    }

    @Test
    @Tag("R16-35")
    void only_the_agent_its_coordinator_and_administrators_may_drain_it() {
        for (String key : List.of(
                TestSystem.AGENT_KEY, TestSystem.COORDINATOR_KEY, LIMITED_COORDINATOR, TestSystem.ADMINISTRATOR_KEY)) {
            TestAgent agent = client.newAgent(",\"role_id\":\"billing\"");
            assertThat(client.patchStatus(key, agent.id(), "*", "{\"status\":\"draining\"}")
                            .status())
                    .as(key)
                    .isEqualTo(200);
        }
        TestAgent billing = client.newAgent(",\"role_id\":\"billing\"");
        TestAgent other = client.newAgent(",\"role_id\":\"other\"");
        TestAgent without = client.newAgent("");
        // The audit log has one refused request in a minute.
        assertForbidden(TestSystem.OTHER_AGENT_KEY, billing);
        TableContents before = TableContents.of(system.tables());
        assertForbidden(TestSystem.OTHER_AGENT_KEY, billing);
        assertForbidden(LIMITED_COORDINATOR, other);
        assertForbidden(LIMITED_COORDINATOR, without);
        assertThat(TableContents.of(system.tables())).isEqualTo(before);
    }

    private void assertForbidden(String key, TestAgent agent) {
        for (Response response : List.of(
                client.patchStatus(key, agent.id(), "*", "{\"status\":\"draining\"}"),
                client.patchStatus(key, agent.id(), "", "no JSON"),
                client.delete(key, agent.id()))) {
            assertThat(response.status()).isEqualTo(403);
            assertThat(response.json().get("error").textValue()).isEqualTo("forbidden");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"active", "unhealthy", "draining", "dead", "archived-dead"})
    @Tag("R16-02")
    @Tag("R16-30")
    void delete_deregisters_immediately_and_keeps_the_record(String from) {
        TestAgent agent = agentThatIs(from);
        Response deleted = client.delete(TestSystem.AGENT_KEY, agent.id());
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(deleted.text()).isEmpty();
        assertThat(agent.changes()).last().isEqualTo(from.replace("archived-", "") + "->deregistered deregistered");
        assertThat(client.get(agent.id()).json().get("status").textValue()).isEqualTo("deregistered");
        assertThat(client.get(agent.id()).json().has("drain_deadline")).isFalse();
        assertThat(client.listed(Map.of("status", "deregistered"))).contains(agent.id());
        assertThat(agent.pulse().cleanUp().through())
                .as("its leases are released")
                .isEqualTo(agent.pulse().incarnation());

        TableContents before = TableContents.of(system.tables());
        assertThat(client.delete(TestSystem.AGENT_KEY, agent.id()).status()).isEqualTo(204);
        assertThat(TableContents.of(system.tables())).isEqualTo(before);
        agent.assertHistoryIsWhole("deleted twice");
    }

    @ParameterizedTest
    @CsvSource({"'', 204", "\"1\", 204", "'\"3\", \"1\"', 204", "*, 204", "\"2\", 412", "x, 412"})
    @Tag("R16-30")
    void delete_honours_if_match(String ifMatch, int status) {
        TestAgent agent = client.newAgent("");
        Response deleted = delete(agent, ifMatch);
        assertThat(deleted.status()).isEqualTo(status);
        assertThat(agent.changes()).hasSize(status == 204 ? 2 : 1);
        if (status == 412) {
            assertThat(deleted.header("ETag")).isEqualTo("\"1\"");
        } else {
            assertThat(delete(agent, ifMatch).status())
                    .as("a retry with the version of before")
                    .isEqualTo(204);
        }
    }

    private Response delete(TestAgent agent, String ifMatch) {
        return system.api()
                .delete("/api/v1/agents/" + agent.id())
                .key(TestSystem.AGENT_KEY)
                .header("if-match", ifMatch)
                .send();
    }

    @Test
    @Tag("R16-30")
    void an_unknown_agent_cannot_be_deleted_or_changed() {
        for (Response response : List.of(
                client.delete(TestSystem.ADMINISTRATOR_KEY, "unknown"),
                client.get(TestSystem.ADMINISTRATOR_KEY, "unknown"),
                client.patchProfile("unknown", "*", "{}"),
                client.patchStatus("unknown", "*", "{\"status\":\"draining\"}"))) {
            assertThat(response.status()).isEqualTo(404);
            assertThat(response.json().get("error").textValue()).isEqualTo("agent_not_found");
        }
    }

    private TestAgent agentThatIs(String status) {
        TestAgent agent = client.newAgent("");
        switch (status.replace("archived-", "")) {
            case "unhealthy" -> agent.becomeUnhealthy();
            case "draining" -> agent.drain(system.api());
            case "dead" -> agent.becomeDead();
            case "deregistered" -> agent.deregister();
            default -> assertThat(status).isEqualTo("active");
        }
        if (status.startsWith("archived-")) {
            agent.finishCleanUp();
            assertThat(agent.archive()).isTrue();
        }
        return agent;
    }
}
