package dev.agenthealth.local.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.local.testing.RegistryCaller.Answer;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two running registries, each with the other as a source that requires signed cards. */
@Tag("slow")
class TwoRegistriesTest {

    private static final String KEY = "test-administrator-key";
    /** A registry lists its search and its MCP server beside agents. */
    private static final int OWN_ENTRIES = 2;

    private static final String IMPORTED = "localhost:agent:";

    /** A running registry with an agent of its own in its public catalogue. */
    private static final class Node implements AutoCloseable {

        private final String name;
        private final MutableClock clock;
        private final LocalSystem system;
        private final RegistryCaller administrator;
        private final RegistryCaller owner;
        private final String keyId;

        Node(String name, MutableClock clock) throws IOException {
            this.name = name;
            this.clock = clock;
            system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                    .allowLoopbackEndpoints()
                    .clock(clock, clock::advance)
                    .byHand()
                    .out(new PrintStream(OutputStream.nullOutputStream())));
            administrator = new RegistryCaller(system.baseUrl(), KEY);
            JsonNode key = done(administrator.post(
                    "/v1/admin/keys", Json.object().put("role", "agent").put("name", "owner")));
            keyId = key.path("key_id").asText();
            owner = new RegistryCaller(system.baseUrl(), key.path("api_key").asText());
            ObjectNode configuration = (ObjectNode) done(administrator.get("/v1/admin/configuration"));
            done(administrator.put("/v1/admin/configuration", configuration.put("public_catalogue", true)));
            done(owner.post(
                    "/api/v1/agents",
                    Json.object().put("agent_id", name).put("endpoint", "http://127.0.0.1:9/" + name)));
            list(name);
        }

        private static JsonNode done(Answer answer) {
            assertThat(answer.status()).as(answer.body()).isBetween(200, 201);
            return answer.json();
        }

        /** Makes an agent one that can be called now and is in the catalogue. */
        void list(String agentId) {
            String path = "/api/v1/agents/" + agentId;
            ObjectNode heartbeat = Json.object()
                    .put("status", "active")
                    .put("client_timestamp", clock.instant().toString());
            done(owner.post(path + "/heartbeat", heartbeat));
            done(owner.patch(path, Json.object().put("listed", true), "*"));
        }

        void importsFrom(Node other, boolean requireSignature) {
            ObjectNode source = Json.object()
                    .put("url", other.system.baseUrl())
                    .put("key_id", keyId)
                    .put("kind", "agent_health")
                    .put("require_signature", requireSignature);
            done(administrator.put("/v1/admin/sources/other", source));
        }

        /** Reads the source as it is now, and not as the catalogue is kept for some seconds; returns the counts that are not 0, by name. */
        String sync() {
            clock.advanceSeconds(6);
            JsonNode result = done(administrator.post("/v1/admin/sources/other/sync"));
            assertThat(result.path("errors")).isEmpty();
            Map<String, Long> counts = new TreeMap<>();
            result.path("counts")
                    .properties()
                    .forEach(
                            count -> counts.put(count.getKey(), count.getValue().asLong()));
            counts.values().removeIf(number -> number == 0);
            return counts.toString();
        }

        int agents() {
            return done(administrator.get("/api/v1/agents")).path("agents").size();
        }

        @Override
        public void close() {
            system.close();
        }
    }

    @Test
    @Timeout(60)
    void two_registries_import_each_other_without_a_loop_and_without_growth() throws IOException {
        MutableClock clock = MutableClock.atExampleTime();
        try (Node one = new Node("one", clock);
                Node two = new Node("two", clock)) {
            one.importsFrom(two, true);
            two.importsFrom(one, true);
            String registered = "{registered=1, skipped=" + OWN_ENTRIES + "}";
            assertThat(one.sync()).isEqualTo(registered);
            assertThat(two.sync()).isEqualTo(registered);
            one.list(IMPORTED + "two");
            two.list(IMPORTED + "one");
            for (int round = 0; round < 3; round++) {
                for (Node node : new Node[] {one, two}) {
                    assertThat(node.sync())
                            .as("its own agent comes back, and is skipped")
                            .isEqualTo("{skipped=" + (OWN_ENTRIES + 1) + ", unchanged=1}");
                    assertThat(node.agents()).as(node.name).isEqualTo(2);
                }
            }
            ObjectNode gone = Json.object().put("status", "deregistered");
            Node.done(two.owner.patch("/api/v1/agents/two/status", gone, "*"));
            assertThat(one.sync()).isEqualTo("{missing=1, skipped=" + (OWN_ENTRIES + 1) + "}");
            assertThat(one.sync()).isEqualTo("{deregistered=1, skipped=" + (OWN_ENTRIES + 1) + "}");
            assertThat(two.sync())
                    .as("its agent does not come back")
                    .isEqualTo("{skipped=" + OWN_ENTRIES + ", unchanged=1}");
        }
    }

    @Test
    @Timeout(60)
    void an_mcp_server_of_another_registry_is_imported_and_does_not_come_back() throws IOException {
        MutableClock clock = MutableClock.atExampleTime();
        try (Node one = new Node("one", clock);
                Node two = new Node("two", clock)) {
            Node.done(two.owner.post(
                    "/api/v1/agents",
                    Json.object()
                            .put("agent_id", "weather")
                            .put("kind", "mcp_server")
                            .put("endpoint", "http://127.0.0.1:9/mcp")));
            two.list("weather");
            one.importsFrom(two, false);
            two.importsFrom(one, false);
            assertThat(one.sync()).isEqualTo("{registered=2, skipped=" + OWN_ENTRIES + "}");
            JsonNode imported = Node.done(one.owner.get("/api/v1/agents/localhost:mcp:weather"));
            assertThat(imported.path("kind").asText()).isEqualTo("mcp_server");
            assertThat(imported.path("endpoint").asText()).isEqualTo("http://127.0.0.1:9/mcp");
            assertThat(imported.at("/watch/by").asText()).isEqualTo("mcp");
            one.list("localhost:mcp:weather");
            assertThat(two.sync()).isEqualTo("{registered=1, skipped=" + (OWN_ENTRIES + 1) + "}");
            Node.done(two.owner.patch(
                    "/api/v1/agents/weather/status", Json.object().put("status", "deregistered"), "*"));
            assertThat(one.sync()).isEqualTo("{missing=1, skipped=" + OWN_ENTRIES + ", unchanged=1}");
            assertThat(one.sync()).isEqualTo("{deregistered=1, skipped=" + OWN_ENTRIES + ", unchanged=1}");
        }
    }
}
