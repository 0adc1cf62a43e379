package dev.agenthealth.functions.registry.ping;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.registry.ping.PingAddress.Token;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.TestTokens;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The issuers of ping addresses, and the end of an address with the key that issued it. */
@Tag("R16-11")
class PingIssuersTest {

    private static final String OWNER = TestSystem.AGENT_KEY;
    private static final String ADMINISTRATOR = TestSystem.ADMINISTRATOR_KEY;
    private static final String VIEWER = "the-viewer";
    private static final String INSIDE = "203.0.113.9";
    private static final String OUTSIDE = "198.51.100.9";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TestApi api = system.api();
    private TestAgent agent;

    @BeforeEach
    void register() {
        agent = TestAgent.registered(system, "job");
        system.addKey(VIEWER, Role.VIEWER, Set.of());
    }

    @ParameterizedTest
    @CsvSource({
        OWNER + ", 201, 204",
        ADMINISTRATOR + ", 201, 204",
        TestSystem.COORDINATOR_KEY + ", 403, 403",
        TestSystem.OTHER_AGENT_KEY + ", 403, 403",
        VIEWER + ", 403, 403"
    })
    void only_the_owner_and_administrators_issue_and_revoke_an_address(String key, int issued, int revoked) {
        String ofOwner = issue(OWNER);
        assertThat(request("POST", key).status()).isEqualTo(issued);
        assertThat(request("DELETE", key).status()).isEqualTo(revoked);
        assertThat(ping(ofOwner)).isEqualTo(revoked == 204 || key.equals(OWNER) ? 404 : 200);
    }

    @Test
    void a_coordinator_issues_the_addresses_of_the_agents_that_it_registered() {
        assertThat(api.post("/api/v1/agents")
                        .key(TestSystem.COORDINATOR_KEY)
                        .body("{\"agent_id\":\"own\"}")
                        .send()
                        .status())
                .isEqualTo(201);
        Response issued = api.post("/api/v1/agents/own/ping-url")
                .key(TestSystem.COORDINATOR_KEY)
                .send();
        assertThat(ping(path(issued))).isEqualTo(200);
    }

    @Test
    void a_person_issues_none() {
        configureAda();
        Response refused = api.post("/api/v1/agents/job/ping-url")
                .header("authorization", "Bearer " + ada())
                .send();
        assertThat(refused.status()).as(refused.text()).isEqualTo(403);
        assertThat(refused.json().path("detail").asText()).contains("a person has none");
    }

    @Test
    void an_administrators_address_and_the_owners_leave_each_other_as_they_are() {
        String ofOwner = issue(OWNER);
        send(ofOwner + "/start");
        String first = issue(ADMINISTRATOR);
        system.clock().advanceSeconds(5);
        assertThat(send(ofOwner + "/0").json().path("duration_ms").asLong())
                .as("the run under way")
                .isEqualTo(5_000);
        String second = issue(ADMINISTRATOR);
        assertThat(ping(first)).isEqualTo(404);
        assertThat(ping(second)).isEqualTo(200);
        assertThat(ping(ofOwner)).isEqualTo(200);
        String next = issue(OWNER);
        assertThat(ping(ofOwner)).isEqualTo(404);
        assertThat(ping(second)).isEqualTo(200);
        JsonNode shown = request("GET", OWNER).json();
        assertThat(shown.path("tokens").findValuesAsText("key_id"))
                .containsExactly(TestSystem.keyId(OWNER), "administrator");
        assertThat(shown.path("tokens").findValuesAsText("registers_again")).containsExactly("true", "false");
        assertThat(request("DELETE", OWNER).status()).isEqualTo(204);
        assertThat(ping(next)).isEqualTo(404);
        assertThat(ping(second)).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void only_the_owners_address_brings_a_dead_agent_back(boolean archived) {
        String ofOwner = issue(OWNER);
        String ofAdministrator = issue(ADMINISTRATOR);
        agent.becomeUnhealthy();
        assertThat(ping(ofAdministrator)).isEqualTo(200);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        agent.becomeDead();
        if (archived) {
            agent.finishCleanUp();
            assertThat(agent.archive()).isTrue();
        }
        for (String signal : new String[] {"", "/start", "/fail"}) {
            Response refused = send(ofAdministrator + signal);
            assertThat(refused.status()).as(signal).isEqualTo(410);
            assertThat(refused.json().path("detail").asText()).contains("is dead");
        }
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(ping(ofOwner)).isEqualTo(200);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
    }

    @Test
    void an_address_ends_at_once_with_the_administrators_key_that_issued_it() {
        String ofOwner = issue(OWNER);
        JsonNode key = issuedKey("{\"role\":\"administrator\"}");
        String ping = issue(key.path("api_key").asText());
        assertThat(ping(ping)).isEqualTo(200);
        assertThat(api.delete("/v1/admin/keys/" + key.path("key_id").asText())
                        .key(ADMINISTRATOR)
                        .send()
                        .status())
                .isEqualTo(204);
        assertThat(ping(ping)).isEqualTo(404);
        assertThat(ping(ofOwner)).isEqualTo(200);
        assertThat(request("GET", OWNER).json().path("tokens")).hasSize(1);
    }

    @Test
    void an_address_ends_at_once_with_the_end_of_its_key() {
        JsonNode key = issuedKey("{\"role\":\"administrator\",\"expires_at\":\"2026-02-08T10:01:00Z\"}");
        String ping = issue(key.path("api_key").asText());
        assertThat(ping(ping)).isEqualTo(200);
        system.clock().advanceSeconds(60);
        assertThat(ping(ping)).isEqualTo(404);
        assertThat(request("GET", OWNER).status()).isEqualTo(404);
    }

    @Test
    void an_address_has_the_limits_of_its_key() {
        JsonNode key = issuedKey("{\"role\":\"agent\"}");
        String owner = key.path("api_key").asText();
        String keyId = key.path("key_id").asText();
        assertThat(api.put("/v1/admin/agents/job/owner")
                        .key(ADMINISTRATOR)
                        .body("{\"key_id\":\"" + keyId + "\"}")
                        .send()
                        .status())
                .isEqualTo(200);
        String ping = issue(owner);
        limit(keyId, "{\"allowed_addresses\":[\"203.0.113.0/24\"]}");
        assertRefused(ping, OUTSIDE, "address_not_allowed");
        assertThat(api.get(ping).from(INSIDE).send().status()).isEqualTo(200);
        limit(keyId, "{\"actions\":[\"read\"]}");
        assertRefused(ping, INSIDE, "action_not_allowed");
        limit(keyId, "{\"actions\":[\"heartbeat\"]}");
        assertThat(api.get(ping).from(INSIDE).send().status()).isEqualTo(200);
    }

    @Test
    void an_address_ends_when_the_deployments_key_is_switched_off_or_changed() {
        configureAda();
        String ping = issue(ADMINISTRATOR);
        assertThat(ping(ping)).isEqualTo(200);
        assertThat(ping(storedFor(new Owner("administrator", KeyHash.ofKey("the key before")))))
                .as("of the key before")
                .isEqualTo(404);
        assertThat(ping(storedFor(new Owner("administrator", KeyHash.NONE))))
                .as("of a version that did not note it")
                .isEqualTo(200);
        String again = issue(ADMINISTRATOR);
        assertThat(api.put("/v1/admin/administrator-key")
                        .header("authorization", "Bearer " + ada())
                        .body("{\"enabled\":false}")
                        .send()
                        .status())
                .isEqualTo(200);
        system.clock().advanceSeconds(60);
        assertThat(ping(again)).isEqualTo(404);
    }

    @Test
    void an_address_that_an_owner_of_workloads_issued_ends_with_its_grant() {
        String grants = "[{'claim':'sub','value':'%s','role':'agent','owner':'team'}]";
        TestTokens.configure(api, "acme", grants.formatted("pod"), TestTokens.EC);
        String token = TestTokens.token(TestTokens.claims("pod", system.clock().instant()), TestTokens.EC);
        assertThat(api.post("/api/v1/agents")
                        .header("authorization", "Bearer " + token)
                        .body("{\"agent_id\":\"pod\"}")
                        .send()
                        .status())
                .isEqualTo(201);
        String ping = path(api.post("/api/v1/agents/pod/ping-url")
                .header("authorization", "Bearer " + token)
                .send());
        assertThat(ping(ping)).isEqualTo(200);
        TestTokens.configure(api, "acme", grants.replace("team", "others").formatted("pod"), TestTokens.EC);
        assertThat(ping(ping)).isEqualTo(404);
    }

    @Test
    void another_token_is_issued_while_pings_come() {
        String ofOwner = issue(OWNER);
        PingStore store = new PingStore(system.database());
        Optional<PingAddress> seen = store.find("job");
        send(ofOwner + "/start");
        PingAddress after = seen.orElseThrow()
                .with(new Token(
                        KeyHash.ofKey("other"),
                        new Owner("administrator", KeyHash.NONE),
                        system.clock().instant()));
        assertThat(store.issue("job", seen, after)).isTrue();
        assertThat(store.issue("job", seen, after))
                .as("a token was issued meanwhile")
                .isFalse();
        assertThat(store.issue("job", Optional.empty(), after)).isFalse();
        assertThat(store.remove("job", seen.orElseThrow())).isFalse();
        assertThat(store.change("job", seen.orElseThrow(), after)).isFalse();
    }

    /** Stores an administrator's token that this key issued, and returns its path. */
    private String storedFor(Owner issuer) {
        PingStore store = new PingStore(system.database());
        Optional<PingAddress> seen = store.find("job");
        Token token = new Token(KeyHash.ofKey("s"), issuer, system.clock().instant());
        assertThat(store.issue("job", seen, seen.orElseThrow().with(token))).isTrue();
        return "/p/job.s";
    }

    private void configureAda() {
        TestTokens.configure(api, "acme", "[{'claim':'sub','value':'ada','role':'administrator'}]", TestTokens.EC);
    }

    private String ada() {
        return TestTokens.token(TestTokens.claims("ada", system.clock().instant()), TestTokens.EC);
    }

    private JsonNode issuedKey(String body) {
        Response issued =
                api.post("/v1/admin/keys").key(ADMINISTRATOR).body(body).send();
        assertThat(issued.status()).as(issued.text()).isEqualTo(201);
        return issued.json();
    }

    private void limit(String keyId, String limits) {
        assertThat(api.patch("/v1/admin/keys/" + keyId)
                        .key(ADMINISTRATOR)
                        .body(limits)
                        .send()
                        .status())
                .isEqualTo(200);
    }

    private void assertRefused(String ping, String from, String error) {
        long before = agent.pulse().heartbeatCount();
        system.clock().advanceSeconds(30);
        Response refused = api.get(ping).from(from).send();
        assertThat(refused.status()).as(refused.text()).isEqualTo(403);
        assertThat(refused.json().path("error").asText()).isEqualTo(error);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(before);
    }

    private String issue(String key) {
        return path(request("POST", key));
    }

    private static String path(Response issued) {
        assertThat(issued.status()).as(issued.text()).isEqualTo(201);
        String url = issued.json().path("ping_url").asText();
        return url.substring(url.indexOf("/p/"));
    }

    private Response request(String method, String key) {
        return api.request(method, "/api/v1/agents/job/ping-url").key(key).send();
    }

    private Response send(String path) {
        return api.get(path).send();
    }

    private int ping(String path) {
        return send(path).status();
    }
}
