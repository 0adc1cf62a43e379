package dev.agenthealth.functions.api.identity;

import static dev.agenthealth.functions.testing.TestTokens.EC;
import static dev.agenthealth.functions.testing.TestTokens.OTHER_EC;
import static dev.agenthealth.functions.testing.TestTokens.me;
import static dev.agenthealth.functions.testing.TestTokens.token;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestIdentityProvider;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.TestTokens;
import dev.agenthealth.testkit.ScriptedServer.Script;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workloads of a SPIFFE trust domain prove who they are by JWT-SVIDs. */
class SpiffeTokenTest {

    private static final String WORKER = "spiffe://example.org/ns/billing/worker";
    private static final String GRANTS =
            """
            [{"claim":"sub","value":"spiffe://example.org/ns/billing/*","role":"agent","owner":"billing"},
             {"claim":"sub","value":"spiffe://example.org/ns/ops/*","role":"coordinator"},
             {"claim":"sub","value":"spiffe://*","role":"agent","owner":"anything"}]
            """;

    @AutoClose
    private final TestIdentityProvider spire = new TestIdentityProvider();

    @BeforeEach
    void configure() {
        spire.serves(EC);
        assertThat(put("spire", spire.issuer(), "example.org", GRANTS).status()).isEqualTo(201);
    }

    private Response put(String name, String issuer, String trustDomain, String grants) {
        return spire.api
                .put("/v1/admin/identity-providers/" + name)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"issuer\":\"" + issuer + "\",\"trust_domain\":\"" + trustDomain
                        + "\",\"audiences\":[\"agent-health\"],\"grants\":" + grants + "}")
                .send();
    }

    /** The claims that each JWT-SVID has. */
    private ObjectNode svid(String subject) {
        ObjectNode claims = Json.object().put("sub", subject);
        claims.putArray("aud").add("agent-health");
        return claims.put("exp", spire.system.clock().instant().getEpochSecond() + 300);
    }

    private JsonNode caller(ObjectNode claims) {
        return me(spire.api, token(claims, EC));
    }

    private String refusal(ObjectNode claims) {
        JsonNode answer = caller(claims);
        assertThat(answer.path("error").asText()).isEqualTo("invalid_token");
        return answer.path("detail").asText();
    }

    @Test
    void a_workload_without_issuer_and_time_of_issue_is_its_owner() {
        JsonNode me = caller(svid(WORKER));
        assertThat(me.path("key_id").asText()).as(me.toString()).isEqualTo("workload_billing");
        assertThat(me.path("kind").asText()).isEqualTo("workload");
        assertThat(me.path("name").asText()).isEqualTo(WORKER);
        Response registered = spire.api
                .post("/api/v1/agents")
                .header("authorization", "Bearer " + token(svid(WORKER), EC))
                .body("{\"agent_id\":\"worker\"}")
                .send();
        assertThat(registered.json().path("owner_key_id").asText()).isEqualTo("workload_billing");
    }

    @Test
    void a_token_with_issuer_has_to_name_it() {
        assertThat(caller(svid(WORKER).put("iss", spire.issuer()))
                        .path("key_id")
                        .asText())
                .isEqualTo("workload_billing");
        assertThat(refusal(svid(WORKER).put("iss", "https://elsewhere.example.org")))
                .contains("not configured");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spiffe://other.example/ns/billing/worker",
                "spiffe://example.org.evil.example/ns/billing/worker",
                "spiffe://example.org",
                "https://example.org/ns/billing/worker",
                "spiffe://Example.org/ns/billing/worker"
            })
    void a_subject_outside_the_trust_domain_is_refused(String subject) {
        assertThat(refusal(svid(subject))).contains("not configured");
        assertThat(refusal(svid(subject).put("iss", spire.issuer()))).contains("not configured");
    }

    @Test
    void audience_and_end_are_required() {
        assertThat(refusal(svid(WORKER).without("aud"))).contains("another audience");
        assertThat(refusal(svid(WORKER).without("exp"))).contains("'exp'");
        long now = spire.system.clock().instant().getEpochSecond();
        assertThat(refusal(svid(WORKER).put("exp", now - 61))).contains("has expired");
        assertThat(caller(svid(WORKER).put("exp", now + 86_400)).path("key_id").asText())
                .isEqualTo("workload_billing");
        assertThat(refusal(svid(WORKER).put("exp", now + 86_401))).contains("more than 24 hours");
        assertThat(refusal(svid(WORKER).put("nbf", now + 61))).contains("is not valid yet");
    }

    @Test
    void a_token_without_time_of_issue_is_one_of_a_workload() {
        ObjectNode ops = svid("spiffe://example.org/ns/ops/deployer");
        assertThat(refusal(ops)).contains("when it was issued");
        ops.put("iat", spire.system.clock().instant().getEpochSecond());
        assertThat(caller(ops).path("role").asText()).isEqualTo("coordinator");
    }

    @Test
    void a_workload_without_a_grant_is_told_so() {
        put(
                "spire",
                spire.issuer(),
                "example.org",
                "[{\"claim\":\"sub\",\"value\":\"x\",\"role\":\"agent\",\"owner\":\"x\"}]");
        assertThat(caller(svid(WORKER)).path("error").asText()).isEqualTo("not_granted");
    }

    @Test
    void another_provider_demands_issuer_and_time_of_issue() {
        TestTokens.configure(
                spire.api, "acme", "[{'claim':'sub','value':'*','role':'agent','owner':'acme'}]", OTHER_EC);
        ObjectNode claims = TestTokens.claims(
                "spiffe://other.example/a", spire.system.clock().instant());
        assertThat(me(spire.api, token(claims, OTHER_EC)).path("key_id").asText())
                .isEqualTo("workload_acme");
        assertThat(me(spire.api, token(claims.deepCopy().without("iat"), OTHER_EC))
                        .path("detail")
                        .asText())
                .contains("'iat'");
        assertThat(me(spire.api, token(claims.deepCopy().without("iss"), OTHER_EC))
                        .path("detail")
                        .asText())
                .contains("not configured");
        assertThat(me(spire.api, token(svid(WORKER), OTHER_EC)).path("detail").asText())
                .as("a key of another provider")
                .contains("not signed");
    }

    @ParameterizedTest
    @CsvSource({"jwt-svid, workload_billing", "x509-svid, ''"})
    void a_key_of_the_bundle_signs_tokens_unless_it_signs_certificates(String use, String keyId) {
        String key = EC.toPublicJWK().toJSONString().replaceFirst("\\{", "{\"use\":\"" + use + "\",");
        spire.serves(
                "/jwks", Script.body("{\"keys\":[" + key + "],\"spiffe_sequence\":1,\"spiffe_refresh_hint\":300}"));
        assertThat(caller(svid(WORKER)).path("key_id").asText()).isEqualTo(keyId);
    }

    @ParameterizedTest
    @CsvSource({"JWT, workload_billing", "JOSE, workload_billing", "wimse, ''"})
    void the_type_of_a_token_is_one_of_the_standard(String type, String keyId) {
        String header = "{\"alg\":\"ES256\",\"typ\":\"" + type + "\",\"kid\":\"" + EC.getKeyID() + "\"}";
        String token = token(header, Json.text(svid(WORKER)), EC, "ES256");
        assertThat(me(spire.api, token).path("key_id").asText()).isEqualTo(keyId);
    }

    @Test
    void a_trust_domain_has_one_provider_and_a_valid_name() {
        Response second = put("second", "http://127.0.0.1:1", "example.org", GRANTS);
        assertThat(second.json().path("error").asText()).isEqualTo("issuer_in_use");
        for (String bad : new String[] {"spiffe://example.org", "Example.org", "example.org/ns", "a b"}) {
            Response refused = put("spire", spire.issuer(), bad, GRANTS);
            assertThat(refused.status()).as(bad).isEqualTo(400);
            assertThat(refused.text()).contains("trust_domain");
        }
        assertThat(spire.api
                        .get("/v1/admin/identity-providers/spire")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .json()
                        .path("trust_domain")
                        .asText())
                .isEqualTo("example.org");
    }
}
