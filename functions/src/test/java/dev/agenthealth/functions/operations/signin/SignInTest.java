package dev.agenthealth.functions.operations.signin;

import static dev.agenthealth.functions.testing.TestTokens.EC;
import static dev.agenthealth.functions.testing.TestTokens.token;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestIdentityProvider;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the page and the terminal send while a person signs in. */
class SignInTest {

    private static final String CODE =
            """
                    {"grant_type":"authorization_code","code":"c&de","code_verifier":"v",\
                    "redirect_uri":"https://registry.example/"}\
                    """;

    @AutoClose
    private final TestIdentityProvider provider = new TestIdentityProvider();

    @BeforeEach
    void configure() {
        provider.serves(EC).configured("[{'claim':'groups','value':'platform','role':'administrator'}]");
    }

    private Response post(String path, String body) {
        return provider.api.post("/api/v1/sign-in/" + path).body(body).send();
    }

    private ObjectNode answer(String access, String id) {
        return Json.object().put("access_token", access).put("id_token", id).put("refresh_token", "r");
    }

    private String ofGroup(String audience) {
        ObjectNode claims = provider.claims("user-1").put("aud", audience);
        return token(claims.put("groups", "platform"), EC);
    }

    private JsonNode signedIn(ObjectNode answer) {
        provider.serves("/token", Script.body(Json.text(answer)));
        Response response = post("acme/token", CODE);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    @Test
    void the_page_learns_where_people_sign_in() {
        Response response = provider.api.get("/api/v1/sign-in").send();
        assertThat(response.header("Cache-Control")).isEqualTo("public, max-age=60");
        JsonNode shown = response.json().path("providers").path(0);
        assertThat(shown.path("name").asText()).isEqualTo("acme");
        assertThat(shown.path("client_id").asText()).isEqualTo("page");
        assertThat(shown.path("scopes").asText()).isEqualTo("openid profile email");
        assertThat(shown.path("authorization_endpoint").asText()).isEqualTo(provider.issuer() + "/authorize");
        assertThat(shown.path("device").asBoolean()).isTrue();
    }

    @Test
    void a_provider_that_does_not_answer_is_shown_without_addresses() {
        provider.serves(TestIdentityProvider.DISCOVERY, Script.status(500));
        JsonNode shown = provider.api
                .get("/api/v1/sign-in")
                .send()
                .json()
                .path("providers")
                .path(0);
        assertThat(shown.has("authorization_endpoint")).isFalse();
        assertThat(shown.path("device").asBoolean()).isFalse();
        assertThat(post("acme/token", CODE).status()).isEqualTo(503);
    }

    @Test
    void a_code_becomes_the_access_token_where_the_api_takes_it() {
        String access = ofGroup("agent-health");
        JsonNode token = signedIn(answer(access, ofGroup("agent-health")));
        assertThat(token.path("token").asText()).isEqualTo(access);
        assertThat(token.path("expires_in").asInt()).isEqualTo(300);
        assertThat(token.path("refresh_token").asText()).isEqualTo("r");
        assertThat(provider.server.requests().get(provider.server.requests().size() - 1))
                .satisfies(request -> {
                    assertThat(request.headers())
                            .containsEntry("content-type", "application/x-www-form-urlencoded")
                            .containsEntry("accept", "application/json");
                    assertThat(request.body())
                            .isEqualTo("client_id=page&code=c%26de&code_verifier=v&grant_type=authorization_code"
                                    + "&redirect_uri=https%3A%2F%2Fregistry.example%2F");
                });
    }

    @Test
    void the_id_token_stands_in_for_an_access_token_that_the_api_does_not_take() {
        String id = ofGroup("agent-health");
        assertThat(signedIn(answer("opaque", id)).path("token").asText()).isEqualTo(id);
        assertThat(signedIn(answer(ofGroup("graph"), id)).path("token").asText())
                .isEqualTo(id);
        String bare = token(provider.claims("user-1"), EC);
        assertThat(signedIn(answer(bare, id)).path("token").asText())
                .as("groups in the id token alone")
                .isEqualTo(id);
        assertThat(signedIn(answer(bare, bare)).path("token").asText()).isEqualTo(bare);
    }

    @Test
    void a_token_is_said_to_last_as_long_as_the_api_accepts_it() {
        long now = provider.system.clock().instant().getEpochSecond();
        String token = token(provider.claims("user-1").put("exp", now + 3_600).put("groups", "platform"), EC);
        assertThat(signedIn(answer(token, "")).path("expires_in").asInt()).isEqualTo(900);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {'error':'authorization_pending'}                              | authorization_pending | The identity provider refuses: authorization_pending
                    {'error':'invalid_grant','error_description':'Code\\u0000 used'} | invalid_grant         | The identity provider refuses: Code  used
                    {'access_token':'opaque'}                                      |                       | The identity provider gave no token that the registry accepts.
                    {}                                                             |                       | The identity provider gave no token that the registry accepts.
                    """)
    void a_refusal_of_the_provider_is_passed_on(String answer, String code, String detail) {
        provider.serves("/token", Script.body(answer.replace('\'', '"')));
        Response response = post("acme/token", CODE);
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().path("error").asText()).isEqualTo("sign_in_refused");
        assertThat(response.json().path("provider_error").asText()).isEqualTo(code == null ? "" : code);
        assertThat(response.json().path("detail").asText()).isEqualTo(detail);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void a_provider_that_fails_or_is_busy_refuses_nothing(int status) {
        String error = "{\"error\":\"server_error\"}";
        provider.serves(
                "/token",
                Script.bytes("HTTP/1.1 " + status + " X\r\nContent-Length: " + error.length() + "\r\n\r\n" + error));
        assertThat(post("acme/token", CODE).status()).isEqualTo(503);
    }

    @Test
    void a_device_gets_its_codes_and_asks_with_them() {
        provider.serves(
                "/device",
                Script.body(
                        """
                                {"device_code":"d","user_code":"U","verification_uri":"https://sso/device",\
                                "expires_in":600}\
                                """));
        Response response = post("acme/device", "{}");
        assertThat(response.text())
                .isEqualTo(
                        """
                                {"device_code":"d","user_code":"U","verification_uri":"https://sso/device",\
                                "expires_in":600,"interval":5}\
                                """);
        provider.serves("/token", Script.body("{\"error\":\"slow_down\"}"));
        assertThat(post("acme/token", "{\"grant_type\":\"device_code\",\"device_code\":\"d\"}")
                        .json()
                        .path("provider_error")
                        .asText())
                .isEqualTo("slow_down");
        assertThat(provider.server
                        .requests()
                        .get(provider.server.requests().size() - 1)
                        .body())
                .contains("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code");
    }

    @Test
    void a_token_is_revoked_where_the_provider_offers_it() {
        String token = "{\"token\":\"r\"}";
        assertThat(post("acme/revoke", token).text()).isEqualTo("{\"revoked\":false}");
        provider.system.clock().advanceSeconds(600);
        provider.serves(
                        TestIdentityProvider.DISCOVERY,
                        Script.body(Json.text(Json.object()
                                .put("issuer", provider.issuer())
                                .put("jwks_uri", provider.issuer() + "/jwks")
                                .put("revocation_endpoint", provider.issuer() + "/revoke"))))
                .serves("/revoke", Script.body(""));
        assertThat(post("acme/revoke", token).text()).isEqualTo("{\"revoked\":true}");
        assertThat(provider.server
                        .requests()
                        .get(provider.server.requests().size() - 1)
                        .body())
                .isEqualTo("client_id=page&token=r");
        provider.serves("/revoke", Script.body("{\"error\":\"unsupported_token_type\"}"));
        assertThat(post("acme/revoke", token).json().path("provider_error").asText())
                .isEqualTo("unsupported_token_type");
        provider.serves("/revoke", Script.status(500));
        assertThat(post("acme/revoke", token).status()).isEqualTo(503);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    acme/revoke   | {}                                                       | 400
                    acme/token    | {'grant_type':'password','username':'a'}                 | 400
                    acme/token    | {'grant_type':'refresh_token'}                           | 400
                    acme/token    | {'grant_type':'refresh_token','refresh_token':'r','x':1} | 400
                    acme/token    | {'grant_type':'authorization_code','code':'c','redirect_uri':'u'} | 400
                    acme/device   | {'scope':'all'}                                          | 400
                    other/token   | {'grant_type':'refresh_token','refresh_token':'r'}       | 404
                    a~b/token     | {}                                                       | 400
                    """)
    void other_requests_are_refused_and_go_nowhere(String path, String body, int status) {
        int before = provider.server.connections();
        assertThat(post(path, body.replace('\'', '"')).status()).isEqualTo(status);
        assertThat(provider.server.connections()).isEqualTo(before);
    }

    /** An attack: an address without a key holds all places, while the provider is slow. */
    @ParameterizedTest
    @ValueSource(strings = {"acme/token", "acme/device"})
    void one_address_keeps_nobody_else_from_signing_in(String path) throws InterruptedException {
        Semaphore asked = new Semaphore(0);
        CountDownLatch release = new CountDownLatch(1);
        Script slow = (request, out) -> {
            asked.release();
            waitFor(release);
            Script.body("{\"device_code\":\"d\"}").play(request, out);
        };
        provider.serves("/token", slow).serves("/device", slow);
        String body = path.endsWith("token") ? CODE : "{}";
        ExecutorService attacker = Executors.newCachedThreadPool();
        try {
            List<Future<Integer>> held = new ArrayList<>();
            for (int i = 0; i < ProviderPlaces.MAX_OF_ADDRESS; i++) {
                held.add(attacker.submit(() -> from("203.0.113.7", path, body).status()));
            }
            asked.acquire(ProviderPlaces.MAX_OF_ADDRESS);
            Response refused = from("203.0.113.7", path, body);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            Future<Integer> other =
                    attacker.submit(() -> from("203.0.113.8", path, body).status());
            // The provider hears of it while the attacker holds its places.
            asked.acquire();
            release.countDown();
            assertThat(status(other)).isNotEqualTo(429);
            for (Future<Integer> one : held) {
                assertThat(status(one)).isNotEqualTo(429);
            }
            assertThat(from("203.0.113.7", path, body).status())
                    .as("places are free again")
                    .isNotEqualTo(429);
        } finally {
            release.countDown();
            attacker.shutdown();
        }
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int status(Future<Integer> answer) {
        try {
            return answer.get(30, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private Response from(String address, String path, String body) {
        return provider.api
                .post("/api/v1/sign-in/" + path)
                .from(address)
                .body(body)
                .send();
    }
}
