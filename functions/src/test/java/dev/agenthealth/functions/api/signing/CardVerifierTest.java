package dev.agenthealth.functions.api.signing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.registry.profile.CardSignature;
import dev.agenthealth.testkit.MutableClock;
import dev.agenthealth.testkit.Resources;
import dev.agenthealth.testkit.TestJson;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What signatures of cards are worth (A2A 1.0 §8.4.3). */
class CardVerifierTest {

    private static final String HOST = "https://agent.example.com";
    private static final String KEY_SET = HOST + "/jwks.json";
    private static final String CARD = HOST + "/.well-known/agent-card.json";
    private static final LocalCardKey KEY = LocalCardKey.read(LocalCardKey.generate());
    private static final LocalCardKey OTHER = LocalCardKey.read(LocalCardKey.generate());

    private final MutableClock clock = MutableClock.atExampleTime();
    private final List<String> trusted = new ArrayList<>();
    private final Map<String, String> served = new HashMap<>();
    private final List<String> fetched = new ArrayList<>();
    private final CardVerifier verifier = new CardVerifier(new CardKeys(() -> trusted, this::fetch, clock));

    private Optional<String> fetch(Endpoint endpoint) {
        String url = (endpoint.secure() ? "https://" : "http://") + endpoint.authority() + endpoint.target();
        fetched.add(url);
        return Optional.ofNullable(served.get(url));
    }

    private static ObjectNode card() {
        return (ObjectNode)
                TestJson.read(
                        """
                        {"name":"A","description":"B","capabilities":{"streaming":false}}\
                        """);
    }

    private static String kid(CardKey key) {
        return key.publicKey().path("kid").asText();
    }

    private static ObjectNode header(String algorithm, CardKey key) {
        return Json.object().put("alg", algorithm).put("kid", kid(key)).put("jku", KEY_SET);
    }

    private static ObjectNode sign(ObjectNode card, ObjectNode header, CardKey key, byte[] payload) {
        String encoded = CardKey.base64(Json.text(header).getBytes(StandardCharsets.UTF_8));
        byte[] input = (encoded + "." + CardKey.base64(payload)).getBytes(StandardCharsets.US_ASCII);
        card.withArray("signatures")
                .addObject()
                .put("protected", encoded)
                .put("signature", CardKey.base64(key.sign(input)));
        return card;
    }

    private static ObjectNode signed(CardKey key) {
        ObjectNode card = card();
        return sign(card, header("ES256", key), key, CardForms.toSign(card).get(0));
    }

    private static String keySet(CardKey... keys) {
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("keys");
        for (CardKey key : keys) {
            array.add(key.publicKey());
        }
        return Json.text(json);
    }

    private CardSignature verify(ObjectNode card) {
        return verifier.verify(card, CARD);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"name\":\"A\"}", "{\"name\":\"A\",\"signatures\":[]}", "{\"name\":\"A\",\"signatures\":null}"
            })
    void a_card_without_signatures_is_unsigned(String card) {
        assertThat(verify((ObjectNode) TestJson.read(card))).isEqualTo(CardSignature.UNSIGNED);
    }

    @ParameterizedTest
    @CsvSource({"https://agent.example.com", "https://agent.example.com:443"})
    void the_key_of_the_cards_own_host_makes_it_valid(String host) {
        served.put(KEY_SET, keySet(OTHER, KEY));
        assertThat(verifier.verify(signed(KEY), host + "/.well-known/agent-card.json"))
                .isEqualTo(CardSignature.VALID);
    }

    @ParameterizedTest
    @CsvSource({
        "https://another.example.com/card",
        "https://agent.example.com:8443/card",
        "http://agent.example.com/card",
        "https://agent.example.com.evil.test/card"
    })
    void a_key_of_another_host_is_not_even_asked_for(String address) {
        served.put(KEY_SET, keySet(KEY));
        assertThat(verifier.verify(signed(KEY), address)).isEqualTo(CardSignature.UNKNOWN_KEY);
        assertThat(fetched).isEmpty();
    }

    @Test
    void a_key_that_the_operator_trusts_makes_it_valid_without_asking_the_host() {
        trusted.add(Json.text(KEY.publicKey()));
        assertThat(verify(signed(KEY))).isEqualTo(CardSignature.VALID);
        assertThat(verify(signed(OTHER))).isEqualTo(CardSignature.UNKNOWN_KEY);
        assertThat(fetched).containsExactly(KEY_SET);
    }

    @ParameterizedTest
    @CsvSource({"49, VALID", "50, UNKNOWN_KEY"})
    void fifty_keys_of_a_host_are_kept(int before, CardSignature expected) {
        CardKey[] keys = new CardKey[before + 1];
        Arrays.fill(keys, OTHER);
        keys[before] = KEY;
        served.put(KEY_SET, keySet(keys));
        assertThat(verify(signed(KEY))).isEqualTo(expected);
    }

    @Test
    void two_key_sets_are_read_for_a_card_and_a_failure_is_remembered_for_ten_seconds() {
        ObjectNode card = card();
        for (int i = 0; i < 8; i++) {
            ObjectNode header = header("ES256", KEY).put("jku", HOST + "/keys" + i);
            sign(card, header, KEY, CardForms.toSign(card()).get(0));
        }
        assertThat(verify(card)).isEqualTo(CardSignature.UNKNOWN_KEY);
        assertThat(fetched).containsExactly(HOST + "/keys0", HOST + "/keys1");
        assertThat(verify(card)).isEqualTo(CardSignature.UNKNOWN_KEY);
        assertThat(fetched).hasSize(2);
        served.put(HOST + "/keys1", keySet(KEY));
        clock.advanceSeconds(11);
        assertThat(verify(card)).isEqualTo(CardSignature.VALID);
        assertThat(fetched).hasSize(4);
        trusted.add(Json.text(KEY.publicKey()));
        served.clear();
        clock.advanceSeconds(601);
        assertThat(verify(card)).isEqualTo(CardSignature.VALID);
    }

    @Test
    void a_key_set_that_is_not_readable_for_a_moment_does_not_end_known_keys() {
        served.put(KEY_SET, keySet(KEY));
        assertThat(verify(signed(KEY))).isEqualTo(CardSignature.VALID);
        served.clear();
        clock.advanceSeconds(11);
        assertThat(verify(signed(OTHER))).isEqualTo(CardSignature.UNKNOWN_KEY);
        assertThat(fetched).hasSize(2);
        assertThat(verify(signed(KEY))).isEqualTo(CardSignature.VALID);
        clock.advanceSeconds(600);
        assertThat(verify(signed(KEY))).isEqualTo(CardSignature.UNKNOWN_KEY);
    }

    @Test
    void an_altered_card_is_invalid() {
        served.put(KEY_SET, keySet(KEY));
        assertThat(verify(signed(KEY).put("description", "C"))).isEqualTo(CardSignature.INVALID);
        assertThat(verify(signed(KEY).put("iconUrl", "https://evil.test"))).isEqualTo(CardSignature.INVALID);
        ObjectNode card = signed(KEY);
        ((ObjectNode) card.path("capabilities")).put("streaming", true);
        assertThat(verify(card)).isEqualTo(CardSignature.INVALID);
    }

    @Test
    void another_key_with_the_same_id_is_invalid() {
        served.put(KEY_SET, "{\"keys\":[" + Json.text(OTHER.publicKey().put("kid", kid(KEY))) + "]}");
        assertThat(verify(signed(KEY))).isEqualTo(CardSignature.INVALID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "HS256", "ES384", "EdDSA", "X"})
    void another_algorithm_is_invalid(String algorithm) {
        served.put(KEY_SET, keySet(KEY));
        ObjectNode card = card();
        assertThat(verify(sign(
                        card,
                        header(algorithm, KEY),
                        KEY,
                        CardForms.toSign(card).get(0))))
                .isEqualTo(CardSignature.INVALID);
    }

    @Test
    void a_public_key_is_no_secret_of_a_symmetric_algorithm() throws GeneralSecurityException {
        served.put(KEY_SET, keySet(KEY));
        byte[] secret = Json.text(KEY.publicKey()).getBytes(StandardCharsets.UTF_8);
        String encoded = CardKey.base64(Json.text(header("HS256", KEY)).getBytes(StandardCharsets.UTF_8));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        ObjectNode card = card();
        String input = encoded + "." + CardKey.base64(CardForms.toSign(card).get(0));
        card.withArray("signatures")
                .addObject()
                .put("protected", encoded)
                .put("signature", CardKey.base64(mac.doFinal(input.getBytes(StandardCharsets.US_ASCII))));
        assertThat(verify(card)).isEqualTo(CardSignature.INVALID);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"name\":\"A\",\"capabilities\":{\"extensions\":[{\"uri\":\"e\",\"params\":{\"n\":1.0}}]}} | VALID",
                "{\"name\":\"A\",\"capabilities\":{\"extensions\":[{\"uri\":\"e\",\"params\":{\"n\":1}}]}} | VALID",
                "{\"name\":\"A\",\"capabilities\":{\"extensions\":[{\"uri\":\"e\",\"params\":{\"n\":1.5}}]}} | INVALID",
                "{\"name\":\"A\",\"capabilities\":{\"extensions\":[{\"uri\":\"e\",\"params\":{\"n\":1e999}}]}} | INVALID",
            })
    void numbers_are_compared_in_their_canonical_form(String card, CardSignature expected) {
        served.put(KEY_SET, keySet(KEY));
        byte[] canonical =
                """
                {"capabilities":{"extensions":[{"params":{"n":1},"uri":"e"}]},"name":"A"}\
                """
                        .getBytes(StandardCharsets.UTF_8);
        byte[] written =
                """
                {"capabilities":{"extensions":[{"params":{"n":1.0},"uri":"e"}]},"name":"A"}\
                """
                        .getBytes(StandardCharsets.UTF_8);
        ObjectNode json = (ObjectNode) TestJson.read(card);
        assertThat(verify(sign(json.deepCopy(), header("ES256", KEY), KEY, canonical)))
                .isEqualTo(expected);
        assertThat(verify(sign(json, header("ES256", KEY), KEY, written))).isEqualTo(CardSignature.INVALID);
    }

    @Test
    void one_valid_signature_of_several_is_enough() {
        served.put(KEY_SET, keySet(KEY));
        ObjectNode card = signed(OTHER);
        assertThat(verify(card)).isEqualTo(CardSignature.UNKNOWN_KEY);
        sign(card, header("ES256", KEY), KEY, new byte[] {'{', '}'});
        assertThat(verify(card)).isEqualTo(CardSignature.INVALID);
        sign(card, header("ES256", KEY), KEY, CardForms.toSign(card).get(0));
        assertThat(verify(card)).isEqualTo(CardSignature.VALID);
        for (int i = 0; i < 8; i++) {
            sign(card, header("ES256", OTHER), OTHER, new byte[0]);
        }
        assertThat(verify(card)).isEqualTo(CardSignature.INVALID);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[1]",
                "[{\"protected\":\"e30\",\"signature\":\"AA\"}]",
                "[{\"protected\":\"!\",\"signature\":\"AA\"}]",
                "[{\"signature\":\"AA\"}]",
                "\"text\""
            })
    void signatures_of_another_form_are_invalid(String signatures) {
        ObjectNode card = card();
        card.set("signatures", TestJson.read(signatures));
        assertThat(verify(card)).isEqualTo(CardSignature.INVALID);
    }

    @Test
    void an_extension_that_must_be_understood_is_invalid() {
        served.put(KEY_SET, keySet(KEY));
        ObjectNode header = header("ES256", KEY).put("b64", false);
        header.putArray("crit").add("b64");
        ObjectNode card = card();
        assertThat(verify(sign(card, header, KEY, CardForms.toSign(card).get(0))))
                .isEqualTo(CardSignature.INVALID);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no JSON",
                "{}",
                "{\"keys\":[null]}",
                "{\"keys\":[{\"kty\":\"oct\",\"kid\":\"x\",\"k\":\"AAAA\"}]}"
            })
    void a_host_without_keys_leaves_them_unknown(String keySet) {
        served.put(KEY_SET, keySet);
        assertThat(verify(signed(KEY))).isEqualTo(CardSignature.UNKNOWN_KEY);
    }

    @Test
    void keys_of_a_host_are_kept_and_read_again_where_one_is_missing() {
        served.put(KEY_SET, keySet(KEY));
        verify(signed(KEY));
        clock.advanceSeconds(599);
        verify(signed(KEY));
        assertThat(fetched).hasSize(1);
        served.put(KEY_SET, keySet(OTHER));
        assertThat(verify(signed(OTHER))).isEqualTo(CardSignature.VALID);
        assertThat(verify(signed(KEY))).isEqualTo(CardSignature.UNKNOWN_KEY);
        assertThat(fetched).hasSize(2);
        clock.advanceSeconds(600);
        verify(signed(OTHER));
        assertThat(fetched).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"python", "javascript"})
    void a_card_signed_by_an_official_sdk_is_valid(String sdk) {
        ObjectNode fixture = (ObjectNode) TestJson.read(Resources.text("cards/" + sdk + ".json"));
        ObjectNode card = (ObjectNode) fixture.path("card");
        String address = card.at("/supportedInterfaces/0/url").asText();
        served.put(address + ".well-known/jwks.json", Json.text(fixture.path("keys")));
        assertThat(verifier.verify(card, address)).isEqualTo(CardSignature.VALID);
        // What version 0.3 has, which the SDK for Python adds when it serves a signed card.
        card.put("protocolVersion", "0.3.0");
        assertThat(verifier.verify(card, address)).isEqualTo(CardSignature.VALID);
        card.put("version", "2");
        assertThat(verifier.verify(card, address)).isEqualTo(CardSignature.INVALID);
    }

    @Test
    @Tag("slow")
    void a_key_of_rsa_with_enough_bits_verifies() throws GeneralSecurityException {
        for (int bits : new int[] {1_024, 2_048}) {
            var generator = java.security.KeyPairGenerator.getInstance("RSA");
            generator.initialize(bits);
            var pair = generator.generateKeyPair();
            var publicKey = (java.security.interfaces.RSAPublicKey) pair.getPublic();
            ObjectNode jwk = Json.object()
                    .put("kty", "RSA")
                    .put("kid", "r" + bits)
                    .put("n", CardKey.base64(unsigned(publicKey.getModulus().toByteArray())))
                    .put("e", CardKey.base64(publicKey.getPublicExponent().toByteArray()));
            trusted.add(Json.text(jwk));
            String header =
                    CardKey.base64(Json.text(Json.object().put("alg", "RS256").put("kid", "r" + bits))
                            .getBytes(StandardCharsets.UTF_8));
            ObjectNode card = card();
            var signature = java.security.Signature.getInstance("SHA256withRSA");
            signature.initSign(pair.getPrivate());
            signature.update(
                    (header + "." + CardKey.base64(CardForms.toSign(card).get(0))).getBytes(StandardCharsets.US_ASCII));
            card.withArray("signatures")
                    .addObject()
                    .put("protected", header)
                    .put("signature", Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign()));
            assertThat(verify(card)).isEqualTo(bits < 2_048 ? CardSignature.INVALID : CardSignature.VALID);
        }
    }

    /** The larger exponent verifies the same signatures, and takes a hundred times as long. */
    @Test
    @Tag("slow")
    void a_key_of_rsa_with_a_large_exponent_is_not_tried() throws GeneralSecurityException {
        var generator = java.security.KeyPairGenerator.getInstance("RSA");
        generator.initialize(2_048);
        var pair = generator.generateKeyPair();
        var secret = (java.security.interfaces.RSAPrivateCrtKey) pair.getPrivate();
        var one = java.math.BigInteger.ONE;
        var period =
                secret.getPrimeP().subtract(one).multiply(secret.getPrimeQ().subtract(one));
        String header = CardKey.base64(
                Json.text(Json.object().put("alg", "RS256").put("kid", "r")).getBytes(StandardCharsets.UTF_8));
        ObjectNode card = card();
        var signature = java.security.Signature.getInstance("SHA256withRSA");
        signature.initSign(secret);
        signature.update(
                (header + "." + CardKey.base64(CardForms.toSign(card).get(0))).getBytes(StandardCharsets.US_ASCII));
        card.withArray("signatures")
                .addObject()
                .put("protected", header)
                .put("signature", CardKey.base64(signature.sign()));
        List.of(secret.getPublicExponent().add(period), secret.getPublicExponent())
                .forEach(exponent -> {
                    trusted.clear();
                    trusted.add(Json.text(Json.object()
                            .put("kty", "RSA")
                            .put("kid", "r")
                            .put(
                                    "n",
                                    CardKey.base64(unsigned(secret.getModulus().toByteArray())))
                            .put("e", CardKey.base64(unsigned(exponent.toByteArray())))));
                    assertThat(verify(card))
                            .isEqualTo(exponent.bitLength() > 33 ? CardSignature.INVALID : CardSignature.VALID);
                });
    }

    @Test
    void two_keys_with_one_id_are_tried_for_a_signature() {
        CardKey key = LocalCardKey.read(LocalCardKey.generate());
        ObjectNode right = key.publicKey();
        ObjectNode wrong = LocalCardKey.read(LocalCardKey.generate())
                .publicKey()
                .deepCopy()
                .put("kid", kid(key));
        ObjectNode card = signed(key);
        for (int before = 0; before <= 2; before++) {
            trusted.clear();
            java.util.stream.Stream.concat(
                            java.util.Collections.nCopies(before, wrong).stream(), List.of(right).stream())
                    .forEach(one -> trusted.add(Json.text(one)));
            assertThat(verify(card)).isEqualTo(before < 2 ? CardSignature.VALID : CardSignature.INVALID);
        }
    }

    private static byte[] unsigned(byte[] number) {
        return number[0] == 0 ? java.util.Arrays.copyOfRange(number, 1, number.length) : number;
    }
}
