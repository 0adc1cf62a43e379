package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.TestTokens;
import dev.agenthealth.testkit.ProjectFiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The table "What stops what" of {@code docs/operations/keys.md}: each cell is tried. */
class StoppedCredentialsTest {

    private static final String INSIDE = "203.0.113.9";
    private static final String OUTSIDE = "198.51.100.9";
    private static final String READER = "an open page or a reader with the key";

    @Test
    void every_cell_of_the_table_is_what_happens() {
        List<Map<String, String>> columns = new ArrayList<>();
        columns.add(outcomes(INSIDE, "", scene -> scene.gateway.block("agents/a")));
        columns.add(outcomes(INSIDE, "", scene -> assertThat(
                        scene.admin(scene.gateway.system().api().delete(scene.keyPath()))
                                .send()
                                .status())
                .isEqualTo(204)));
        columns.add(outcomes(INSIDE, "2026-02-08T10:01:00Z", scene -> scene.passTime(60)));
        columns.add(outcomes(OUTSIDE, "", scene -> scene.change("{\"allowed_addresses\":[\"203.0.113.0/24\"]}")));
        Map<String, String> reading = outcomes(INSIDE, "", scene -> scene.change("{\"actions\":[\"read\"]}"));
        Map<String, String> sending = outcomes(INSIDE, "", scene -> scene.change("{\"actions\":[\"heartbeat\"]}"));
        assertThat(reading.get(READER)).as("with the action").isEqualTo("goes on");
        assertThat(sending.get("heartbeats with the key")).as("with the action").isEqualTo("goes on");
        reading.put(READER, sending.get(READER));
        columns.add(reading);
        Map<String, List<String>> table = table();
        assertThat(table.keySet()).isEqualTo(columns.get(0).keySet());
        table.forEach((row, cells) -> assertThat(cells)
                .as(row)
                .isEqualTo(columns.stream().map(column -> column.get(row)).toList()));
    }

    /** The cells in the singular, by the first column. */
    private static Map<String, List<String>> table() {
        Map<String, List<String>> table = new LinkedHashMap<>();
        String document = ProjectFiles.text("docs/operations/keys.md");
        document.substring(document.indexOf("<!-- what stops -->"), document.indexOf("<!-- end -->"))
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| |"))
                .forEach(line -> {
                    List<String> cells =
                            List.of(line.substring(2, line.length() - 2).split(" \\| "));
                    table.put(
                            cells.get(0),
                            cells.subList(1, cells.size()).stream()
                                    .map(cell -> cell.replaceFirst("^go on$", "goes on")
                                            .replaceFirst("^stop ", "stops "))
                                    .toList());
                });
        return table;
    }

    private static Map<String, String> outcomes(String address, String expiresAt, Consumer<Scene> stop) {
        try (Scene scene = new Scene(expiresAt)) {
            Map<String, BooleanSupplier> all = scene.everything(address);
            if (expiresAt.isEmpty()) {
                scene.everything(INSIDE).forEach((name, works) -> {
                    if (!name.contains("queue")) {
                        assertThat(works.getAsBoolean()).as(name + " before").isTrue();
                    }
                });
            }
            stop.accept(scene);
            Map<String, Boolean> first = new LinkedHashMap<>();
            all.forEach((name, works) -> first.put(name, works.getAsBoolean()));
            scene.passTime(31);
            Map<String, String> outcomes = new LinkedHashMap<>();
            all.forEach((name, works) -> outcomes.put(
                    name,
                    !first.get(name) ? "stops at once" : works.getAsBoolean() ? "goes on" : "stops within a minute"));
            return outcomes;
        }
    }

    /** An agent with a key, a lease, a ping address and a call in the queue. */
    private static final class Scene implements AutoCloseable {

        private final GatewayHarness gateway = new GatewayHarness();
        private final String keyId;
        private final String key;
        private final String lease;
        private final long fencingToken;
        private final String ping;
        private final String receipt;
        private final String person;

        Scene(String expiresAt) {
            TestApi api = gateway.system().api();
            String end = expiresAt.isEmpty() ? "" : ",\"expires_at\":\"" + expiresAt + "\"";
            JsonNode issued = admin(api.post("/v1/admin/keys"))
                    .body("{\"role\":\"agent\",\"provider_ids\":[\"acme-labs\"]" + end + "}")
                    .send()
                    .json();
            keyId = issued.path("key_id").asText();
            key = issued.path("api_key").asText();
            String endpoint = GatewayHarness.endpoint(gateway.server().plays(AgentScripts.message()));
            send(201, api.post("/api/v1/agents"), "{\"agent_id\":\"a\",\"endpoint\":\"" + endpoint + "\"}");
            gateway.answeringAgent("b");
            String leases = "/api/v1/intents/i/leases";
            JsonNode granted = send(
                    201,
                    api.post(leases),
                    """
                            {"agent_id":"a","scope":"s","duration_seconds":600}\
                            """);
            lease = leases + "/" + granted.path("id").asText();
            fencingToken = granted.path("fencing_token").asLong();
            String url = send(201, api.post("/api/v1/agents/a/ping-url"), "")
                    .path("ping_url")
                    .asText();
            ping = url.substring(url.indexOf("/p/"));
            receipt = gateway.accepted("a");
            TestTokens.configure(api, "acme", "[{'claim':'sub','value':'viewer','role':'viewer'}]", TestTokens.EC);
            person = TestTokens.token(
                    TestTokens.claims("viewer", gateway.system().clock().instant()), TestTokens.EC);
        }

        Map<String, BooleanSupplier> everything(String address) {
            TestApi api = gateway.system().api();
            Map<String, BooleanSupplier> all = new LinkedHashMap<>();
            all.put(
                    "heartbeats with the key",
                    () -> works(
                            api.post("/api/v1/agents/a/heartbeat"),
                            address,
                            TestAgent.HEARTBEAT_BODY.formatted(
                                    gateway.system().clock().instant())));
            all.put(
                    "a lease that its agent holds, until its time",
                    () -> admin(api.post(lease + "/verify"))
                                    .body("{\"fencing_token\":" + fencingToken + "}")
                                    .send()
                                    .status()
                            == 200);
            all.put("renewing that lease", () -> works(api.patch(lease), address, "{\"duration_seconds\":600}"));
            all.put(
                    "new calls of its agent by others",
                    () -> gateway.invoke("a", GatewayHarness.HELLO).status() == 200);
            all.put(
                    "new calls by the key",
                    () -> works(gateway.api().post("/v1/agents/b/invoke"), address, GatewayHarness.HELLO));
            all.put("a call that waits in the queue", () -> {
                gateway.deliver();
                return gateway.status(receipt).equals("succeeded");
            });
            all.put(READER, () -> works(api.get("/api/v1/agents/a"), address, null));
            all.put(
                    "the page of a person who signed in",
                    () -> api.get("/api/v1/agents/a")
                                    .header("authorization", "Bearer " + person)
                                    .from(address)
                                    .send()
                                    .status()
                            == 200);
            all.put(
                    "the ping address that it issued",
                    () -> api.get(ping).from(address).send().status() == 200);
            return all;
        }

        void change(String limits) {
            assertThat(admin(gateway.system().api().patch(keyPath()))
                            .body(limits)
                            .send()
                            .status())
                    .isEqualTo(200);
        }

        String keyPath() {
            return "/v1/admin/keys/" + keyId;
        }

        void passTime(int seconds) {
            gateway.system().clock().advanceSeconds(seconds);
            if (seconds < 60) {
                gateway.system().sweep().passes(null);
            }
        }

        TestApi.Request admin(TestApi.Request request) {
            return request.key(TestSystem.ADMINISTRATOR_KEY);
        }

        private boolean works(TestApi.Request request, String address, String body) {
            int status = request.key(key).from(address).body(body).send().status();
            assertThat(status).isIn(200, 401, 403);
            return status == 200;
        }

        private JsonNode send(int status, TestApi.Request request, String body) {
            TestApi.Response response = request.key(key).from(INSIDE).body(body).send();
            assertThat(response.status()).as(response.text()).isEqualTo(status);
            return response.json();
        }

        @Override
        public void close() {
            gateway.close();
        }
    }
}
