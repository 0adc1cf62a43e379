package dev.agenthealth.functions.api.signing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.HealthFunction;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.PolicyStatement;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.TestJson;
import dev.agenthealth.testkit.TestKms;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.kms.model.KmsInternalException;

/** The signatures of cards that the registry serves, and the keys with which they are verified. */
class CardSignerTest {

    private static final String KEY = "arn:aws:kms:us-east-1:000000000000:key/CardKey";
    private static final String ENDPOINT = ",\"endpoint\":\"https://agent.example.com/a2a\"";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TestKms kms = new TestKms();
    private final TestAgent agent = new TestAgent(system, "a");

    /** An API with a key that the process holds, or with one of KMS. */
    private TestApi signed(boolean byKms) {
        Wiring wiring = system.wiring(
                byKms
                        ? Map.of(FunctionSettings.CARD_KEY_ARN.name(), KEY)
                        : Map.of(FunctionSettings.CARD_LOCAL_KEY.name(), LocalCardKey.generate()));
        Wiring withKms = wiring.toBuilder().kms(kms::client).build();
        return new TestApi(List.of(new HealthFunction(withKms, TestSystem.NO_NAMES)));
    }

    private static TestApi.Request request(TestApi api, String path) {
        return api.get(path).domain("registry.example.com");
    }

    private static TestApi.Request card(TestApi api) {
        return request(api, "/agents/a/.well-known/agent-card.json");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_card_is_signed_by_a_key_of_the_key_set(boolean byKms) throws GeneralSecurityException {
        agent.register(ENDPOINT);
        TestApi api = signed(byKms);
        JsonNode key = request(api, "/.well-known/jwks.json").send().json().at("/keys/0");
        for (Response response :
                List.of(card(api).send(), card(api).query("via", "gateway").send())) {
            ObjectNode card = (ObjectNode) response.json();
            JsonNode signature = card.at("/signatures/0");
            JsonNode header = TestJson.read(new String(
                    Base64.getUrlDecoder().decode(signature.path("protected").asText()), StandardCharsets.UTF_8));
            assertThat(header)
                    .isEqualTo(TestJson.read("{\"alg\":\"ES256\",\"typ\":\"JOSE\",\"kid\":\""
                            + key.path("kid").asText()
                            + "\",\"jku\":\"https://registry.example.com/.well-known/jwks.json\"}"));
            assertThat(verifies(key, signature, CardForms.toSign(card).get(0))).isTrue();
            card.put("name", "another");
            assertThat(verifies(key, signature, CardForms.toSign(card).get(0))).isFalse();
        }
        assertThat(kms.signRequests()).hasSize(byKms ? 3 : 0).allMatch(request -> request.keyId()
                .equals(KEY));
        assertThat(kms.publicKeyRequests()).hasSize(byKms ? 1 : 0);
    }

    @Test
    void a_card_with_a_required_field_that_is_empty_has_a_signature_of_each_form() throws GeneralSecurityException {
        system.api()
                .post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"a\"" + ENDPOINT + "}")
                .send();
        TestApi api = signed(false);
        JsonNode key = request(api, "/.well-known/jwks.json").send().json().at("/keys/0");
        ObjectNode card = (ObjectNode) card(api).send().json();
        assertThat(card.path("skills")).isEmpty();
        List<byte[]> forms = CardForms.toSign(card);
        assertThat(card.path("signatures")).hasSize(2);
        for (int i = 0; i < 2; i++) {
            assertThat(verifies(key, card.path("signatures").get(i), forms.get(i)))
                    .isTrue();
        }
    }

    @Test
    void a_signature_is_asked_for_once_and_equivalent_cards_have_one_tag() {
        agent.register(ENDPOINT);
        TestApi api = signed(true);
        Response first = card(api).send();
        assertThat(card(api).send().json()).isEqualTo(first.json());
        assertThat(kms.signRequests()).hasSize(1);
        Response another = card(signed(true)).send();
        assertThat(another.json()).isNotEqualTo(first.json());
        assertThat(another.header("ETag")).isEqualTo(first.header("ETag"));
        assertThat(card(api)
                        .header("if-none-match", first.header("ETag"))
                        .send()
                        .status())
                .isEqualTo(304);
        assertThat(card(system.api()).send().header("ETag")).isNotEqualTo(first.header("ETag"));
    }

    @Test
    void a_card_is_not_served_without_its_signature_while_kms_does_not_answer() {
        agent.register(ENDPOINT);
        TestApi api = signed(true);
        kms.failSign(KmsInternalException.builder().build());
        Response refused = card(api).send();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isNotEmpty();
        assertThat(card(api).send().json().path("signatures")).hasSize(1);
    }

    @Test
    void without_a_key_cards_are_unsigned_and_the_key_set_is_empty() {
        agent.register(ENDPOINT);
        assertThat(card(system.api()).send().json().has("signatures")).isFalse();
        assertThat(request(system.api(), "/.well-known/jwks.json").send().json())
                .isEqualTo(TestJson.read("{\"keys\":[]}"));
    }

    @Test
    void a_stack_that_signs_lets_one_function_sign_with_its_key_and_do_nothing_else_with_it() {
        List<FunctionDefinition> functions = Template.find()
                .stack(Resolution.local()
                        .withParameter("AdminKeySha256", "0".repeat(64))
                        .withParameter("CardSigning", "true"))
                .functions();
        for (FunctionDefinition function : functions) {
            boolean signs = function.logicalId().equals("HealthFunction");
            assertThat(function.environment().getOrDefault(FunctionSettings.CARD_KEY_ARN.name(), ""))
                    .isEqualTo(signs ? KEY : "");
            assertThat(function.policies())
                    .filteredOn(statement -> statement.resources().contains(KEY))
                    .hasSize(signs ? 1 : 0)
                    .extracting(PolicyStatement::actions)
                    .allSatisfy(
                            actions -> assertThat(actions).containsExactlyInAnyOrder("kms:GetPublicKey", "kms:Sign"));
        }
    }

    private static boolean verifies(JsonNode key, JsonNode signature, byte[] form) throws GeneralSecurityException {
        AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
        curve.init(new ECGenParameterSpec("secp256r1"));
        Signature verifier = Signature.getInstance("SHA256withECDSAinP1363Format");
        verifier.initVerify(KeyFactory.getInstance("EC")
                .generatePublic(new ECPublicKeySpec(
                        new ECPoint(number(key, "x"), number(key, "y")),
                        curve.getParameterSpec(ECParameterSpec.class))));
        verifier.update((signature.path("protected").asText() + "." + CardKey.base64(form))
                .getBytes(StandardCharsets.US_ASCII));
        return verifier.verify(
                Base64.getUrlDecoder().decode(signature.path("signature").asText()));
    }

    private static BigInteger number(JsonNode key, String name) {
        return new BigInteger(1, Base64.getUrlDecoder().decode(key.path(name).asText()));
    }
}
