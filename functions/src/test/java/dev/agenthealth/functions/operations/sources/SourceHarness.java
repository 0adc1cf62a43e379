package dev.agenthealth.functions.operations.sources;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.AdministrationFunction;
import dev.agenthealth.functions.HealthFunction;
import dev.agenthealth.functions.RegistryFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TestCertificates;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** A registry and a server with documents, which sources read. */
final class SourceHarness implements AutoCloseable {

    static final String KEY_ID = TestSystem.keyId(TestSystem.AGENT_KEY);

    private static final TestCertificates CERTIFICATES = TestCertificates.of("catalogue.test");

    final TestSystem system = new TestSystem();
    final ScriptedServer server = ScriptedServer.http();
    final Wiring wiring = system.wiring(Map.of("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true"));
    final TestApi api = new TestApi(List.of(
            new RegistryFunction(wiring),
            new HealthFunction(wiring, TestSystem.NO_NAMES),
            new AdministrationFunction(
                    wiring,
                    host -> List.of(InetAddress.getLoopbackAddress()),
                    SecureSockets.trusting(CERTIFICATES.trust()))));

    private final Map<String, Script> documents = new ConcurrentHashMap<>();

    SourceHarness() {
        server.plays((request, out) -> documents
                .getOrDefault(request.line().split(" ")[1], Script.status(404))
                .play(request, out));
    }

    /** The address of a document of the server. */
    String url(String path) {
        return "http://catalogue.test:" + server.port() + path;
    }

    /** The document that {@link #serve(String, String)} serves. */
    JsonNode json(String document) {
        return Json.stored(document.replace('\'', '"').replace("@", url("")));
    }

    /** Serves a document; {@code @} stands for the server's origin, and apostrophes for quotation marks. */
    void serve(String target, String document) {
        documents.put(target, Script.body(document.replace('\'', '"').replace("@", url(""))));
    }

    void serve(String target, Script script) {
        documents.put(target, script);
    }

    Response put(String name, String path, String more) {
        return api.put("/v1/admin/sources/" + name)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"url\":\"" + url(path) + "\",\"key_id\":\"" + KEY_ID + "\"" + more.replace('\'', '"') + "}")
                .send();
    }

    void source(String name, String path) {
        Response response = put(name, path, "");
        assertThat(response.status()).as(response.text()).isEqualTo(201);
    }

    void source(String name, String path, String kind) {
        Response response = put(name, path, ",'kind':'" + kind + "'");
        assertThat(response.status()).as(response.text()).isEqualTo(201);
    }

    JsonNode read(String name) {
        return api.get("/v1/admin/sources/" + name)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json();
    }

    JsonNode sync(String name) {
        return sync(name, false);
    }

    JsonNode sync(String name, boolean dryRun) {
        TestApi.Request request =
                api.post("/v1/admin/sources/" + name + "/sync").key(TestSystem.ADMINISTRATOR_KEY);
        Response response = (dryRun ? request.query("dry_run", "true") : request).send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    /** A sync of what the body has, in which {@code @} stands for the server's origin, and apostrophes for quotation marks. */
    Response sync(String name, String body, boolean dryRun) {
        TestApi.Request request =
                api.post("/v1/admin/sources/" + name + "/sync").key(TestSystem.ADMINISTRATOR_KEY);
        return (dryRun ? request.query("dry_run", "true") : request)
                .body(body.replace('\'', '"').replace("@", url("")))
                .send();
    }

    /** The counts of a sync that are not 0, by name. */
    static String counts(JsonNode sync) {
        Map<String, Long> counts = new TreeMap<>();
        sync.path("counts")
                .properties()
                .forEach(count -> counts.put(count.getKey(), count.getValue().asLong()));
        counts.values().removeIf(number -> number == 0);
        return counts.toString();
    }

    Response agent(String agentId) {
        return api.get("/api/v1/agents/" + agentId).key(TestSystem.AGENT_KEY).send();
    }

    @Override
    public void close() {
        server.close();
        system.close();
    }
}
