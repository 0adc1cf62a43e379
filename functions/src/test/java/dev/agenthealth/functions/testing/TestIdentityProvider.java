package dev.agenthealth.functions.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.jwk.JWK;
import dev.agenthealth.functions.AdministrationFunction;
import dev.agenthealth.functions.HealthFunction;
import dev.agenthealth.functions.HeartbeatFunction;
import dev.agenthealth.functions.RegistryFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An identity provider on a local socket, and a system that may call it. */
public final class TestIdentityProvider implements AutoCloseable {

    public static final String DISCOVERY = "/.well-known/openid-configuration";

    public final TestSystem system = new TestSystem();
    public final ScriptedServer server = ScriptedServer.http();
    public final TestApi api;

    private final Map<String, Script> scripts = new ConcurrentHashMap<>();

    public TestIdentityProvider() {
        Wiring wiring = system.wiring(Map.of("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true"));
        api = new TestApi(List.of(
                new RegistryFunction(wiring),
                new HeartbeatFunction(wiring),
                new HealthFunction(wiring, TestSystem.NO_NAMES),
                new AdministrationFunction(wiring)));
        server.plays((request, out) -> scripts.getOrDefault(request.line().split(" ")[1], Script.status(404))
                .play(request, out));
    }

    public String issuer() {
        return "http://127.0.0.1:" + server.port();
    }

    /** Serves something at a path. */
    public TestIdentityProvider serves(String path, Script script) {
        scripts.put(path, script);
        return this;
    }

    /** Serves the usual documents with these keys. */
    public TestIdentityProvider serves(JWK... keys) {
        String document = Json.text(Json.object()
                .put("issuer", issuer())
                .put("jwks_uri", issuer() + "/jwks")
                .put("authorization_endpoint", issuer() + "/authorize")
                .put("token_endpoint", issuer() + "/token")
                .put("device_authorization_endpoint", issuer() + "/device"));
        return serves(DISCOVERY, Script.body(document)).serves("/jwks", Script.body(TestTokens.jwks(keys)));
    }

    /** Configures it with grants, in which apostrophes stand for quotation marks. */
    public TestIdentityProvider configured(String grants) {
        TestApi.Response response = api.put("/v1/admin/identity-providers/acme")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"issuer\":\"" + issuer()
                        + "\",\"audiences\":[\"agent-health\"],\"client_id\":\"page\",\"grants\":"
                        + grants.replace('\'', '"') + "}")
                .send();
        if (response.status() > 201) {
            throw new AssertionError(response.text());
        }
        return this;
    }

    /** Claims of a token that it issues now. */
    public ObjectNode claims(String subject) {
        return TestTokens.claims(subject, system.clock().instant()).put("iss", issuer());
    }

    /** The number of requests to a path. */
    public long requests(String path) {
        return server.requests().stream()
                .filter(request -> request.line().split(" ")[1].equals(path))
                .count();
    }

    @Override
    public void close() {
        server.close();
        system.close();
    }
}
