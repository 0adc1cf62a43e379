package dev.agenthealth.functions.api.identity;

import static dev.agenthealth.functions.testing.TestTokens.EC;
import static dev.agenthealth.functions.testing.TestTokens.OTHER_EC;
import static dev.agenthealth.functions.testing.TestTokens.me;
import static dev.agenthealth.functions.testing.TestTokens.rsa;
import static dev.agenthealth.functions.testing.TestTokens.token;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.jwk.JWK;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestIdentityProvider;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys that a provider serves: read once, kept while it is down, read again for a new one. */
class ProviderKeysTest {

    private static final String ADMINISTRATORS = "[{'claim':'sub','value':'*','role':'administrator'}]";
    private static final String DISCOVERY = TestIdentityProvider.DISCOVERY;

    @AutoClose
    private final TestIdentityProvider provider = new TestIdentityProvider();

    private String outcome(JWK key) {
        JsonNode me = me(provider.api, token(provider.claims("user-1"), key));
        return me.has("error") ? me.path("error").asText() : me.path("kind").asText();
    }

    @Test
    void keys_are_read_once_in_ten_minutes() {
        provider.serves(EC, rsa()).configured(ADMINISTRATORS);
        for (int i = 0; i < 3; i++) {
            assertThat(outcome(EC)).isEqualTo("person");
            assertThat(outcome(rsa())).isEqualTo("person");
            provider.system.clock().advanceSeconds(180);
        }
        assertThat(provider.requests("/jwks")).isEqualTo(1);
        provider.system.clock().advanceSeconds(60);
        assertThat(outcome(EC)).isEqualTo("person");
        assertThat(provider.requests("/jwks")).isEqualTo(2);
    }

    @Test
    void an_unknown_key_is_looked_for_once_in_half_a_minute() {
        provider.serves(EC).configured(ADMINISTRATORS);
        assertThat(outcome(EC)).isEqualTo("person");
        provider.serves(OTHER_EC);
        assertThat(outcome(OTHER_EC)).isEqualTo("invalid_token");
        assertThat(provider.requests("/jwks")).isEqualTo(1);
        provider.system.clock().advanceSeconds(30);
        assertThat(outcome(OTHER_EC)).as("rotated").isEqualTo("person");
        assertThat(outcome(rsa())).isEqualTo("invalid_token");
        assertThat(outcome(EC)).isEqualTo("invalid_token");
        assertThat(provider.requests("/jwks")).isEqualTo(2);
    }

    @Test
    void keys_are_used_for_a_day_while_the_provider_is_down() {
        provider.serves(EC).configured(ADMINISTRATORS);
        assertThat(outcome(EC)).isEqualTo("person");
        provider.serves(DISCOVERY, Script.status(500));
        provider.system.clock().advanceSeconds(86_399);
        assertThat(outcome(EC)).isEqualTo("person");
        provider.system.clock().advanceSeconds(1);
        assertThat(outcome(EC)).isEqualTo("identity_provider_unavailable");
    }

    @Test
    void a_failure_is_remembered_for_ten_seconds_and_keys_work_meanwhile() {
        provider.serves(DISCOVERY, Script.status(500)).configured(ADMINISTRATORS);
        for (int i = 0; i < 3; i++) {
            Response response = provider.api
                    .get("/api/v1/me")
                    .header("authorization", "Bearer " + token(provider.claims("user-1"), EC))
                    .send();
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.header("Retry-After")).isEqualTo("10");
        }
        assertThat(provider.requests(DISCOVERY)).isEqualTo(1);
        assertThat(provider.api
                        .get("/api/v1/me")
                        .key(TestSystem.AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(200);
        provider.system.clock().advanceSeconds(10);
        provider.serves(EC);
        assertThat(outcome(EC)).isEqualTo("person");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"issuer\":\"@/\",\"jwks_uri\":\"@/jwks\"}",
                "{\"issuer\":\"https://evil.example\",\"jwks_uri\":\"@/jwks\"}",
                "{\"jwks_uri\":\"@/jwks\"}",
                "{\"issuer\":\"@\"}",
                "{\"issuer\":\"@\",\"jwks_uri\":\"https://10.0.0.1/jwks\"}",
                "{\"issuer\":\"@\",\"jwks_uri\":\"https://user:secret@127.0.0.1/jwks\"}",
                "{\"issuer\":\"@\",\"jwks_uri\":\"@/redirect\"}",
                "{\"issuer\":\"@\",\"jwks_uri\":\"file:///etc/passwd\"}",
                "no JSON"
            })
    void a_document_that_is_not_the_issuers_own_or_leads_elsewhere_gives_no_keys(String document) {
        provider.serves(EC)
                .serves("/redirect", Script.status(302, "Location: " + provider.issuer() + "/jwks"))
                .serves(
                        DISCOVERY,
                        Script.body(document.replace("@/", provider.issuer() + "/")
                                .replace("\"@\"", "\"" + provider.issuer() + "\"")))
                .configured(ADMINISTRATORS);
        assertThat(outcome(EC)).isEqualTo("identity_provider_unavailable");
    }

    @Test
    void a_document_that_redirects_is_not_followed() {
        provider.serves(EC)
                .serves("/moved", Script.body("{}"))
                .serves(DISCOVERY, Script.status(301, "Location: " + provider.issuer() + "/moved"))
                .configured(ADMINISTRATORS);
        assertThat(outcome(EC)).isEqualTo("identity_provider_unavailable");
        assertThat(provider.requests("/moved")).isZero();
    }

    @Test
    void keys_of_more_than_256_kilobytes_are_not_read() {
        provider.serves(EC)
                .serves("/jwks", Script.body("{\"keys\":[],\"padding\":\"" + "x".repeat(256 * 1024) + "\"}"))
                .configured(ADMINISTRATORS);
        assertThat(outcome(EC)).isEqualTo("identity_provider_unavailable");
    }

    @Test
    @Tag("slow")
    void many_requests_at_once_read_the_keys_once() {
        provider.serves(EC).configured(ADMINISTRATORS);
        CountDownLatch arrived = new CountDownLatch(8);
        Script keys = Script.body(dev.agenthealth.functions.testing.TestTokens.jwks(EC));
        provider.serves("/jwks", (request, out) -> {
            try {
                arrived.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            keys.play(request, out);
        });
        List<CompletableFuture<String>> all = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> {
                            arrived.countDown();
                            return outcome(EC);
                        },
                        task -> new Thread(task).start()))
                .toList();
        assertThat(all).allMatch(one -> one.join().equals("person"));
        assertThat(provider.requests("/jwks")).isEqualTo(1);
    }

    @Test
    @Tag("exhaustive")
    void a_provider_that_is_slow_costs_one_request_three_seconds() {
        provider.serves(DISCOVERY, (request, out) -> {
                    out.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
                            .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                    for (int i = 0; i < 100; i++) {
                        out.write(' ');
                        out.flush();
                        java.util.concurrent.locks.LockSupport.parkNanos(100_000_000);
                    }
                })
                .configured(ADMINISTRATORS);
        long begin = System.nanoTime();
        assertThat(outcome(EC)).isEqualTo("identity_provider_unavailable");
        assertThat(outcome(EC)).isEqualTo("identity_provider_unavailable");
        assertThat((System.nanoTime() - begin) / 1_000_000).isBetween(2_500L, 4_500L);
        assertThat(provider.requests(DISCOVERY)).isEqualTo(1);
    }
}
