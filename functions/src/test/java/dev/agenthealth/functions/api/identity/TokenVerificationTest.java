package dev.agenthealth.functions.api.identity;

import static dev.agenthealth.functions.testing.TestTokens.EC;
import static dev.agenthealth.functions.testing.TestTokens.OTHER_EC;
import static dev.agenthealth.functions.testing.TestTokens.claims;
import static dev.agenthealth.functions.testing.TestTokens.jwks;
import static dev.agenthealth.functions.testing.TestTokens.me;
import static dev.agenthealth.functions.testing.TestTokens.rsa;
import static dev.agenthealth.functions.testing.TestTokens.symmetric;
import static dev.agenthealth.functions.testing.TestTokens.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.util.Base64URL;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.TestTokens;
import dev.agenthealth.testkit.Attack;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tokens that are accepted, and tokens that are refused, each with the reason. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag(Attack.TAG)
class TokenVerificationTest {

    private static final String GRANTS =
            """
            [{'claim':'groups','value':'platform','role':'administrator'},
             {'claim':'realm_access.roles','value':'ops-*','role':'coordinator','role_ids':['billing']},
             {'claim':'https://example.com/team','value':'readers','role':'viewer'},
             {'claim':'email_domain','value':'example.com','role':'viewer','role_ids':['sales']},
             {'claim':'sub','value':'system:serviceaccount:billing:*','role':'agent','owner':'billing','provider_ids':['acme']}]
            """;

    private static final String HEADER = "{\"alg\":\"ES256\",\"kid\":\"ec-1\"%s}";

    @AutoClose
    private final TestSystem system = new TestSystem();

    @BeforeAll
    void configure() {
        TestTokens.configure(system.api(), "acme", GRANTS, EC, rsa());
    }

    private Instant now() {
        return system.clock().instant();
    }

    private ObjectNode person() {
        ObjectNode claims = claims("user-1", now());
        claims.putArray("groups").add("all").add("platform");
        return claims;
    }

    private ObjectNode workload() {
        return claims("system:serviceaccount:billing:worker", now());
    }

    private ObjectNode with(String name, String json) {
        ObjectNode claims = person();
        return json.isEmpty() ? claims.without(name) : claims.set(name, Json.stored(json));
    }

    @Test
    void a_person_is_known_by_issuer_and_subject_and_shown_by_name() {
        JsonNode me = me(system.api(), token(person().put("preferred_username", "Ada\u202e\n Lovelace"), EC));
        assertThat(me.path("kind").asText()).isEqualTo("person");
        assertThat(me.path("name").asText()).isEqualTo("Ada Lovelace");
        assertThat(me.path("role").asText()).isEqualTo("administrator");
        assertThat(me.path("key_id").asText()).matches("person_[0-9a-f]{20}");
        assertThat(me.path("ends_at").asText())
                .isEqualTo(now().plusSeconds(300).toString().replace("Z", ".000Z"));
        assertThat(me(system.api(), token(person().put("email", "ada@example.com"), rsa()))
                        .path("key_id"))
                .as("the same person with another token")
                .isEqualTo(me.path("key_id"));
        assertThat(me(system.api(), token(person().put("sub", "user-2"), EC)).path("key_id"))
                .isNotEqualTo(me.path("key_id"));
    }

    @Test
    void a_workload_is_its_owner() {
        JsonNode me = me(system.api(), token(workload(), EC));
        assertThat(me.path("key_id").asText()).isEqualTo("workload_billing");
        assertThat(me.path("kind").asText()).isEqualTo("workload");
        assertThat(me.path("name").asText()).isEqualTo("system:serviceaccount:billing:worker");
        assertThat(me.path("role").asText()).isEqualTo("agent");
    }

    Stream<org.junit.jupiter.params.provider.Arguments> refused() {
        String claims = Json.text(person());
        long now = now().getEpochSecond();
        String publicKey = rsa().toPublicJWK().toJSONString();
        return Stream.of(
                arguments("expired", token(person().put("exp", now - 61), EC), "has expired"),
                arguments("not yet valid", token(person().put("nbf", now + 61), EC), "is not valid yet"),
                arguments("issued in the future", token(person().put("iat", now + 61), EC), "is not valid yet"),
                arguments(
                        "a person's, issued too long ago",
                        token(person().put("iat", now - 961).put("exp", now + 600), EC),
                        "was issued more than 15 minutes ago: get a new one"),
                arguments(
                        "a workload's, for too long",
                        token(workload().put("exp", now + 86_401), EC),
                        "is valid for more than 24 hours"),
                arguments("wrong audience", token(person().put("aud", "other"), EC), "is for another audience"),
                arguments("no audience", token(with("aud", ""), EC), "is for another audience"),
                arguments(
                        "wrong issuer",
                        token(person().put("iss", "https://evil.example"), EC),
                        "has an issuer that is not configured"),
                arguments(
                        "issuer with a slash",
                        token(person().put("iss", TestTokens.ISSUER + "/"), EC),
                        "has an issuer that is not configured"),
                arguments(
                        "issuer in upper case",
                        token(person().put("iss", TestTokens.ISSUER.toUpperCase()), EC),
                        "has an issuer that is not configured"),
                arguments("no subject", token(with("sub", ""), EC), "names no subject"),
                arguments("a number as subject", token(with("sub", "1"), EC), "names no subject"),
                arguments(
                        "date as text",
                        token(with("exp", "\"" + (now + 300) + "\""), EC),
                        "has no number of seconds as 'exp'"),
                arguments(
                        "date beyond every date", token(with("exp", "1e99"), EC), "has no number of seconds as 'exp'"),
                arguments("no end", token(with("exp", ""), EC), "has no number of seconds as 'exp'"),
                arguments("no issue", token(with("iat", ""), EC), "has no number of seconds as 'iat'"),
                arguments(
                        "repeated claim",
                        token(HEADER.formatted(""), claims.replaceFirst("\\{", "{\"sub\":\"x\","), EC, "ES256"),
                        "cannot be read"),
                arguments(
                        "repeated header",
                        token(
                                """
                                {"alg":"none","alg":"ES256","kid":"ec-1"}\
                                """,
                                claims,
                                EC,
                                "ES256"),
                        "cannot be read"),
                arguments(
                        "unsigned",
                        Base64URL.encode("{\"alg\":\"none\"}") + "." + Base64URL.encode(claims) + ".",
                        "is signed with an algorithm that its provider may not use"),
                arguments(
                        "algorithm is no text",
                        token("{\"alg\":1,\"kid\":\"ec-1\"}", claims, EC, "ES256"),
                        "is signed with an algorithm that its provider may not use"),
                arguments(
                        "HS256 with the public key",
                        symmetric("{\"alg\":\"HS256\",\"kid\":\"rsa-1\"}", claims, publicKey),
                        "is signed with an algorithm that its provider may not use"),
                arguments(
                        "HS256 called RS256",
                        symmetric("{\"alg\":\"RS256\",\"kid\":\"rsa-1\"}", claims, publicKey),
                        "is not signed by a key of its issuer"),
                arguments(
                        "algorithm of another key",
                        token("{\"alg\":\"RS256\",\"kid\":\"ec-1\"}", claims, EC, "ES256"),
                        "is not signed by a key of its issuer"),
                arguments(
                        "algorithm that is not configured",
                        token("{\"alg\":\"PS256\",\"kid\":\"rsa-1\"}", claims, rsa(), "PS256"),
                        "is signed with an algorithm that its provider may not use"),
                arguments("unknown key", token(person(), OTHER_EC), "is not signed by a key of its issuer"),
                arguments(
                        "key of another",
                        token(HEADER.formatted(""), claims, OTHER_EC, "ES256"),
                        "is not signed by a key of its issuer"),
                arguments(
                        "no key id where there are two",
                        token("{\"alg\":\"ES256\"}", claims, EC, "ES256"),
                        "is not signed by a key of its issuer"),
                arguments(
                        "its own key in the header",
                        token(
                                "{\"alg\":\"ES256\",\"kid\":\"ec-2\",\"jwk\":"
                                        + OTHER_EC.toPublicJWK().toJSONString() + "}",
                                claims,
                                OTHER_EC,
                                "ES256"),
                        "is not signed by a key of its issuer"),
                arguments(
                        "critical extension",
                        token(HEADER.formatted(",\"crit\":[\"b64\"],\"b64\":false"), claims, EC, "ES256"),
                        "needs an extension that is not supported"),
                arguments(
                        "token of another type",
                        token(HEADER.formatted(",\"typ\":\"logout+jwt\""), claims, EC, "ES256"),
                        "is one of another type"),
                arguments("claims are no object", token(HEADER.formatted(""), "[]", EC, "ES256"), "cannot be read"),
                arguments(
                        "two signatures",
                        token(person(), EC) + ".c2ln",
                        "has another form than that of a signed JSON Web Token"),
                arguments("9 KB", token(person().put("padding", "x".repeat(9_000)), EC), "is larger than 8 KB"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void a_token_is_refused_with_its_reason(String name, String token, String reason) {
        Response response = system.api()
                .get("/api/v1/me")
                .header("authorization", "Bearer " + token)
                .send();
        assertThat(response.status()).isEqualTo(401);
        assertThat(response.json().path("error").asText()).isEqualTo("invalid_token");
        assertThat(response.json().path("detail").asText()).isEqualTo("The token " + reason + ".");
        assertThat(response.header("WWW-Authenticate")).contains("error=\"invalid_token\"");
    }

    @Test
    void a_token_is_refused_where_one_character_of_its_signature_is_another() {
        String token = token(person(), EC);
        int at = token.lastIndexOf('.') + 20;
        char other = token.charAt(at) == 'A' ? 'B' : 'A';
        assertThat(me(system.api(), token.substring(0, at) + other + token.substring(at + 1))
                        .path("error")
                        .asText())
                .isEqualTo("invalid_token");
        String moved = token(person().put("sub", "user-9"), EC);
        String[] parts = token.split("\\.");
        assertThat(me(system.api(), parts[0] + "." + moved.split("\\.")[1] + "." + parts[2])
                        .path("error")
                        .asText())
                .isEqualTo("invalid_token");
    }

    @Test
    void addresses_of_keys_in_the_header_are_ignored() {
        String header = HEADER.formatted(",\"jku\":\"https://evil.example/jwks\",\"x5u\":\"https://evil.example/x\"");
        assertThat(me(system.api(), token(header, Json.text(person()), EC, "ES256"))
                        .path("kind")
                        .asText())
                .isEqualTo("person");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {'groups':['all','platform']}                                | administrator |
                    {'groups':'platform'}                                        | administrator |
                    {'realm_access':{'roles':['x','ops-billing']}}               | coordinator   | billing
                    {'https://example.com/team':'readers'}                       | viewer        |
                    {'email':'a@Example.com','email_verified':true}              | viewer        | sales
                    {'email':'a@example.com'}                                    |               |
                    {'email':'a@example.com','email_verified':false}             |               |
                    {'email':'a@example.com@evil.example','email_verified':true} |               |
                    {'email':'@example.com','email_verified':true}               |               |
                    {'email_domain':'example.com'}                               |               |
                    {'groups':{'platform':true}}                                 |               |
                    {'groups':[['platform'],null,1]}                             |               |
                    {'realm_access':['ops-billing']}                             |               |
                    {'groups':'platform2'}                                       |               |
                    {}                                                           |               |
                    """)
    void the_first_grant_that_matches_decides(String claims, String role, String roleIds) {
        ObjectNode all = claims("user-1", now()).setAll((ObjectNode) Json.stored(claims.replace('\'', '"')));
        JsonNode me = me(system.api(), token(all, EC));
        assertThat(me.path("role").asText()).isEqualTo(role == null ? "" : role);
        assertThat(me.path("error").asText()).isEqualTo(role == null ? "not_granted" : "");
        assertThat(me.path("role_ids").path(0).asText()).isEqualTo(roleIds == null ? "" : roleIds);
    }

    @Test
    void a_removed_group_takes_effect_with_the_next_token_at_most_16_minutes_after_the_last() {
        try (TestSystem other = new TestSystem()) {
            TestTokens.configure(other.api(), "acme", GRANTS, EC);
            Instant begin = other.clock().instant();
            ObjectNode claims = claims("user-1", begin).put("exp", begin.getEpochSecond() + 86_400);
            claims.putArray("groups").add("platform");
            String token = token(claims, EC);
            other.clock().advanceSeconds(960);
            assertThat(me(other.api(), token).path("role").asText()).isEqualTo("administrator");
            other.clock().advanceSeconds(31);
            assertThat(me(other.api(), token).path("error").asText()).isEqualTo("invalid_token");
        }
    }

    @Test
    void a_deleted_or_changed_provider_ends_its_tokens_within_a_minute() {
        for (UnaryOperator<String> change : java.util.List.<UnaryOperator<String>>of(
                grants -> "", grants -> grants.replace("platform", "nobody"))) {
            try (TestSystem other = new TestSystem()) {
                TestTokens.configure(other.api(), "acme", GRANTS, EC);
                ObjectNode claims = claims("user-1", other.clock().instant());
                claims.putArray("groups").add("platform");
                String token = token(claims, EC);
                assertThat(me(other.api(), token).path("role").asText()).isEqualTo("administrator");
                String grants = change.apply(GRANTS);
                if (grants.isEmpty()) {
                    assertThat(other.api()
                                    .delete("/v1/admin/identity-providers/acme")
                                    .key(TestSystem.ADMINISTRATOR_KEY)
                                    .send()
                                    .status())
                            .isEqualTo(204);
                } else {
                    TestTokens.configure(other.api(), "acme", grants, EC);
                }
                other.clock().advanceSeconds(60);
                assertThat(me(other.api(), token).path("status").asInt()).isIn(401, 403);
            }
        }
    }

    @Test
    void a_token_costs_one_read_in_half_a_minute_and_no_answer_shows_it() {
        try (TestSystem other = new TestSystem()) {
            TestTokens.configure(other.api(), "acme", GRANTS, EC);
            other.meter().reset();
            for (int i = 0; i < 3; i++) {
                String token = token(
                        claims(
                                "system:serviceaccount:billing:" + i,
                                other.clock().instant()),
                        EC);
                Response response = other.api()
                        .get("/api/v1/me")
                        .header("authorization", "Bearer " + token)
                        .send();
                assertThat(response.text()).doesNotContain(token);
            }
            assertThat(other.meter().operations()).containsExactly("Query");
        }
    }

    @Test
    void a_token_may_be_signed_by_ed25519() throws GeneralSecurityException {
        KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        byte[] encoded = keys.getPublic().getEncoded();
        Base64URL x = Base64URL.encode(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
        String body =
                "{\"issuer\":\"https://ed.example.com\",\"audiences\":[\"agent-health\"],\"algorithms\":[\"EdDSA\"],\"jwks\":"
                        + "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"" + x + "\"}]},"
                        + "\"grants\":[{\"claim\":\"sub\",\"value\":\"*\",\"role\":\"viewer\"}]}";
        try (TestSystem other = new TestSystem()) {
            assertThat(other.api()
                            .put("/v1/admin/identity-providers/ed")
                            .key(TestSystem.ADMINISTRATOR_KEY)
                            .body(body)
                            .send()
                            .status())
                    .isEqualTo(201);
            String claims = Json.text(claims("user-1", other.clock().instant()).put("iss", "https://ed.example.com"));
            String input = Base64URL.encode("{\"alg\":\"EdDSA\"}") + "." + Base64URL.encode(claims);
            Signature signer = Signature.getInstance("Ed25519");
            signer.initSign(keys.getPrivate());
            signer.update(input.getBytes(StandardCharsets.US_ASCII));
            byte[] signature = signer.sign();
            assertThat(me(other.api(), input + "." + Base64URL.encode(signature))
                            .path("role")
                            .asText())
                    .as("by the only key, as the token names none")
                    .isEqualTo("viewer");
            signature[5] ^= 1;
            assertThat(me(other.api(), input + "." + Base64URL.encode(signature))
                            .path("error")
                            .asText())
                    .isEqualTo("invalid_token");
            assertThat(me(other.api(), input + ".AAAA").path("error").asText()).isEqualTo("invalid_token");
        }
    }

    @Test
    void private_parts_of_written_keys_are_not_stored() {
        try (TestSystem other = new TestSystem()) {
            String body =
                    "{\"issuer\":\"" + TestTokens.ISSUER + "\",\"audiences\":[\"agent-health\"],\"jwks\":{\"keys\":["
                            + EC.toJSONString() + ",{\"kty\":\"oct\",\"k\":\"c2VjcmV0\",\"kid\":\"s\"}]},"
                            + "\"grants\":[{\"claim\":\"sub\",\"value\":\"*\",\"role\":\"viewer\"}]}";
            Response response = other.api()
                    .put("/v1/admin/identity-providers/acme")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .body(body)
                    .send();
            assertThat(response.status()).as(response.text()).isEqualTo(201);
            assertThat(response.text()).doesNotContain("\"d\"", "c2VjcmV0");
            assertThat(me(other.api(), token(claims("user-1", other.clock().instant()), EC))
                            .path("role")
                            .asText())
                    .isEqualTo("viewer");
        }
    }

    @Test
    void keys_of_a_set_that_cannot_verify_are_left_out() {
        String set = jwks(EC, rsa())
                .replace(
                        "]}",
                        ",{\"kty\":\"oct\",\"k\":\"c2VjcmV0\",\"kid\":\"s\"},{\"kty\":\"x\"},1,{\"kty\":\"RSA\","
                                + "\"n\":\"AQAB\",\"e\":\"AQAB\",\"kid\":\"short\"},"
                                + EC.toPublicJWK().toJSONString().replace("{", "{\"use\":\"enc\",") + ","
                                + EC.toPublicJWK().toJSONString().replace("{", "{\"key_ops\":[\"encrypt\"],") + "]}");
        assertThat(SigningKeys.of(set).orElseThrow().keys()).hasSize(2).noneMatch(key -> key.isPrivate());
        assertThat(SigningKeys.of("{\"keys\":[" + EC.toJSONString() + "]}")
                        .orElseThrow()
                        .keys())
                .singleElement()
                .matches(key -> !key.isPrivate());
        String key = EC.toPublicJWK().toJSONString();
        assertThat(SigningKeys.of("{\"keys\":[" + (key + ",").repeat(999) + key + "]}")
                        .orElseThrow()
                        .keys())
                .hasSize(100);
        assertThat(SigningKeys.of("{\"keys\":1}")).isEmpty();
        assertThat(SigningKeys.of("no JSON")).isEmpty();
    }
}
