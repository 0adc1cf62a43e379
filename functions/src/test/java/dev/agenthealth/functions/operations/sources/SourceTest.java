package dev.agenthealth.functions.operations.sources;

import static dev.agenthealth.functions.operations.sources.SourceHarness.counts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.SourceFunction;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.health.CardAvailability;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sources from their declaration over the document to the agents. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SourceTest extends SourceCase {

    @Test
    void a_byte_order_mark_before_a_document_is_no_part_of_it() {
        harness.serve("/cards", "\ufeff[" + CARD_03 + "]");
        harness.source("marked", "/cards");
        assertThat(counts(harness.sync("marked"))).isEqualTo("{registered=1}");
    }

    @Test
    void a_card_becomes_a_watched_agent_with_its_skills() {
        harness.serve("/.well-known/agent-card.json", CARD_03);
        harness.source("labs", "/.well-known/agent-card.json");
        JsonNode sync = harness.sync("labs");
        assertThat(counts(sync)).isEqualTo("{registered=1}");
        assertThat(sync.at("/changes/0/agent_id").asText()).isEqualTo(id("-research"));
        JsonNode agent = harness.agent(id("-research")).json();
        assertThat(agent.path("name").asText()).isEqualTo("Research");
        assertThat(agent.path("a2a_version").asText()).isEqualTo("0.3");
        assertThat(agent.path("capabilities").toString()).isEqualTo("[\"papers\",\"a  b\"]");
        assertThat(agent.at("/watch/by").asText()).isEqualTo("a2a");
        assertThat(agent.at("/watch/url").asText()).isEqualTo(harness.url("/.well-known/agent-card.json"));
        assertThat(agent.at("/metadata/imported_from/source").asText()).isEqualTo("labs");
        assertThat(harness.read("labs").at("/last_sync/counts/registered").asLong())
                .isEqualTo(1);
    }

    @Test
    void a_list_of_cards_registers_each_by_its_callable_interface() {
        harness.serve("/cards", "[" + CARD_03 + "," + CARD_10 + ",{'name':'none'}]");
        harness.source("labs", "/cards");
        JsonNode sync = harness.sync("labs");
        assertThat(counts(sync)).isEqualTo("{failed=1, registered=2}");
        assertThat(sync.path("errors").toString()).contains("no agent card");
        JsonNode agent = harness.agent(id("-billing")).json();
        assertThat(agent.path("endpoint").asText()).isEqualTo(harness.url("/billing"));
        assertThat(agent.path("a2a_version").asText()).isEqualTo("1.0");
        assertThat(agent.at("/watch/url").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'supportedInterfaces':[{'url':'@/rest','protocolBinding':'HTTP+JSON','protocolVersion':'1.0'}]|/rest|HTTP+JSON|1.0",
                "'supportedInterfaces':[{'url':'@/rest','protocolBinding':'HTTP+JSON','protocolVersion':'1.0'},"
                        + "{'url':'@/rpc','protocolBinding':'JSONRPC','protocolVersion':'1.0'}]|/rpc|JSONRPC|1.0",
                "'supportedInterfaces':[{'url':'@/rpc','protocolBinding':'GRPC','protocolVersion':'1.0'},"
                        + "{'url':'@/rest','protocolBinding':'HTTP+JSON','protocolVersion':'1.0'}]|/rest|HTTP+JSON|1.0",
                "'url':'@/rest','preferredTransport':'HTTP+JSON','protocolVersion':'0.3.0'|/rest|HTTP+JSON|0.3",
                "'url':'@/grpc','preferredTransport':'GRPC','additionalInterfaces':[{'url':'@/rest','transport':'HTTP+JSON'}]|/rest|HTTP+JSON|0.3",
                "'url':'@/rest','preferredTransport':'HTTP+JSON','additionalInterfaces':[{'url':'@/rpc','transport':'JSONRPC'}]|/rpc|JSONRPC|0.3",
                "'url':'@/grpc','preferredTransport':'GRPC','protocolVersion':'0.3.0'|/grpc|JSONRPC|0.3",
            })
    void a_card_decides_at_which_address_and_how_its_agent_is_called(
            String interfaces, String path, String binding, String version) {
        harness.serve("/card", "{'name':'Billing'," + interfaces + "}");
        harness.source("labs", "/card");
        String agentId = harness.sync("labs").at("/changes/0/agent_id").asText();
        JsonNode agent = harness.agent(agentId).json();
        assertThat(agent.path("endpoint").asText()).isEqualTo(harness.url(path));
        assertThat(agent.path("a2a_binding").asText()).isEqualTo(binding);
        assertThat(agent.path("a2a_version").asText()).isEqualTo(version);
    }

    @Test
    void a_card_decides_which_tenant_calls_name() {
        String card = "{'name':'Billing','supportedInterfaces':[{'url':'@/rpc','protocolBinding':'JSONRPC',"
                + "'protocolVersion':'1.0','tenant':'%s'},{'url':'@/rest','protocolBinding':'HTTP+JSON','protocolVersion':'1.0'}]}";
        harness.serve("/card", "[" + card.formatted("acme/eu") + "," + card.formatted("acme/us") + "]");
        harness.source("labs", "/card");
        JsonNode sync = harness.sync("labs");
        assertThat(counts(sync)).as("agents at one URL").isEqualTo("{registered=2}");
        List<String> tenants = new ArrayList<>();
        for (JsonNode change : sync.path("changes")) {
            JsonNode agent = harness.agent(change.path("agent_id").asText()).json();
            assertThat(agent.path("endpoint").asText()).isEqualTo(harness.url("/rpc"));
            tenants.add(agent.path("a2a_tenant").asText());
        }
        assertThat(tenants).containsExactlyInAnyOrder("acme/eu", "acme/us");
        harness.serve("/other", card.formatted("../eu"));
        harness.source("other", "/other");
        JsonNode agent = harness.agent(
                        harness.sync("other").at("/changes/0/agent_id").asText())
                .json();
        assertThat(agent.path("endpoint").asText())
                .as("an interface with such a tenant is not called")
                .isEqualTo(harness.url("/rest"));
        assertThat(agent.has("a2a_tenant")).isFalse();
    }

    @Test
    void the_availability_in_a_card_of_another_registry_is_no_change() {
        String card = "{'name':'Billing','url':'@/rpc','capabilities':{'extensions':[{'uri':'" + CardAvailability.URI
                + "','params':{'state':'ready','as_of':'%s'}}]}}";
        harness.serve("/card", card.formatted("2026-02-08T10:30:00.000Z"));
        harness.source("labs", "/card");
        harness.sync("labs");
        harness.serve("/card", card.formatted("2026-02-08T10:31:00.000Z"));
        assertThat(counts(harness.sync("labs"))).isEqualTo("{unchanged=1}");
    }

    @Test
    void a_provider_is_taken_over_where_it_is_granted_to_the_key() {
        harness.api
                .patch("/v1/admin/keys/" + SourceHarness.KEY_ID)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"provider_ids\":[\"example-labs\",\"other\"]}")
                .send();
        harness.serve("/card", CARD_03);
        harness.source("labs", "/card");
        harness.sync("labs");
        assertThat(harness.agent(id("-research")).json().path("provider_id").asText())
                .isEqualTo("example-labs");
    }

    @Test
    void an_unchanged_source_costs_one_write_of_its_state_and_none_of_its_agents() {
        harness.serve("/c", catalogue(embedded("one", "x"), embedded("two", "x")));
        harness.source("c", "/c");
        harness.sync("c");
        harness.system.meter().reset();
        assertThat(counts(harness.sync("c"))).isEqualTo("{unchanged=2}");
        assertThat(harness.system.meter().writeUnits()).isEqualTo(1);
    }

    @Test
    void an_address_that_is_not_public_is_refused() {
        for (String url : new String[] {"https://10.0.0.1/", "ftp://example.com", "nonsense"}) {
            Response response = harness.api
                    .put("/v1/admin/sources/s")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .body("{\"url\":\"" + url + "\",\"key_id\":\"" + SourceHarness.KEY_ID + "\"}")
                    .send();
            assertThat(response.status()).as(url).isEqualTo(400);
            assertThat(response.json().at("/errors/0/field").asText()).isEqualTo("url");
        }
    }

    @Test
    void the_key_of_a_source_must_be_in_force_and_does_not_change() {
        assertThat(harness.put("s", "/c", ",'unknown':1").status()).isEqualTo(400);
        harness.source("s", "/c");
        harness.system.addKey("other-key", Role.AGENT, Set.of());
        for (String keyId : new String[] {"unknown", TestSystem.keyId("other-key")}) {
            Response response = harness.api
                    .put("/v1/admin/sources/s")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .body("{\"url\":\"" + harness.url("/c") + "\",\"key_id\":\"" + keyId + "\"}")
                    .send();
            assertThat(response.json().at("/errors/0/field").asText()).isEqualTo("key_id");
        }
        assertThat(harness.put("s", "/d", "").status()).isEqualTo(200);
        harness.api
                .delete("/v1/admin/keys/" + SourceHarness.KEY_ID)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
        assertThat(harness.sync("s").at("/errors/0").asText()).contains("no longer in force");
    }

    @Test
    void what_a_source_would_do_is_shown_before_it_is_written() {
        harness.serve("/c", catalogue(embedded("one", "x")));
        String body = "{'url':'" + harness.url("/c") + "','key_id':'" + SourceHarness.KEY_ID + "'}";
        assertThat(counts(harness.sync("new", body, true).json())).isEqualTo("{registered=1}");
        assertThat(harness.read("new").path("error").asText()).isEqualTo("source_not_found");
        assertThat(harness.agent("example.com:agents:one").status()).isEqualTo(404);
        assertThat(harness.sync("new", body, false).text()).contains("PUT writes the source");
        assertThat(harness.sync("new", "{'key_id':'" + SourceHarness.KEY_ID + "'}", true)
                        .text())
                .contains("\"url\"", "is required");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "'schedule':'\\u0040hourly'; {'cron':'0 * * * *','time_zone':'UTC','grace_seconds':300}",
                "'schedule':'0\\t9\\t?\\t*\\tMON'; {'cron':'0 9 * * MON','time_zone':'UTC','grace_seconds':300}",
                "'schedule':'CRON_TZ=US/Pacific 0 2 * * *'; {'cron':'0 2 * * *','time_zone':'US/Pacific','grace_seconds':300}",
                "'schedule':'\\u0040daily','timeZone':'EST'; {'cron':'0 0 * * *','time_zone':'America/Panama','grace_seconds':300}",
                "'schedule':'\\u0040every 1h30m'; {'every_seconds':5400,'grace_seconds':300}",
                "'schedule':'\\u0040every 10m','timeZone':'Europe/Berlin'; {'every_seconds':600,'grace_seconds':300}",
            })
    // The sign @ stands for the address of the harness.
    void a_cron_job_may_have_every_schedule_that_kubernetes_accepts(String spec, String schedule) {
        String job = resource("CronJob", "nightly", "'agent-health/id':'nightly-1'", spec);
        assertThat(counts(harness.sync("k", document(job), false).json())).isEqualTo("{registered=1}");
        assertThat(harness.agent("nightly-1")
                        .json()
                        .at("/heartbeat_config/schedule")
                        .toString())
                .isEqualTo(schedule.replace('\'', '"'));
        assertThat(counts(harness.sync("k", document(job), false).json())).isEqualTo("{unchanged=1}");
    }

    @Test
    void sources_are_listed_by_name_in_pages() {
        for (String name : new String[] {"b", "a", "c"}) {
            harness.source(name, "/c");
        }
        JsonNode page = harness.api
                .get("/v1/admin/sources")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .query("limit", "2")
                .send()
                .json();
        assertThat(page.path("sources").findValuesAsText("name")).containsExactly("a", "b");
        assertThat(page.path("next_token").asText()).isNotEmpty();
    }

    @Test
    void the_schedule_reads_a_source_once_an_hour() {
        harness.serve("/c", catalogue(embedded("one", "x")));
        harness.source("c", "/c");
        SourceFunction function = new SourceFunction(
                harness.wiring, host -> List.of(InetAddress.getLoopbackAddress()), SecureSockets.usualWhenUsed());
        assertThat(function.handleRequest(Map.of(), null)).hasToString("Result[due=1, read=1]");
        assertThat(harness.agent("example.com:agents:one").status()).isEqualTo(200);
        harness.system.clock().advanceSeconds(3_599);
        assertThat(function.handleRequest(Map.of(), null).due()).isZero();
        harness.system.clock().advanceSeconds(1);
        assertThat(function.handleRequest(Map.of(), null).due()).isEqualTo(1);
    }

    @Test
    void two_registries_import_each_other_without_a_loop() {
        harness.serve("/cards", CARD_10);
        harness.source("labs", "/cards");
        harness.sync("labs");
        String imported = id("-billing");
        String own = "{\"agent_id\":\"native\",\"name\":\"Native\",\"endpoint\":\"" + harness.url("/native") + "\"}";
        harness.api.post("/api/v1/agents").key(TestSystem.AGENT_KEY).body(own).send();
        StringBuilder entries = new StringBuilder();
        for (String agent : new String[] {imported, "native"}) {
            String path = "/agents/" + agent + "/.well-known/agent-card.json";
            Response card = harness.api
                    .get(path)
                    .query("via", "gateway")
                    .domain("other.test")
                    .send();
            assertThat(card.status()).isEqualTo(200);
            harness.serve(path + "?via=gateway", card.text().replace("https://other.test", harness.url("")));
            harness.serve("/agents/" + agent + "/.well-known/agent-health", "{}");
            entries.append(entries.isEmpty() ? "" : ",")
                    .append("{'identifier':'urn:air:other.test:agent:" + agent
                            + "','displayName':'a','type':'application/a2a-agent-card+json','url':'@" + path
                            + "?via=gateway'}");
        }
        harness.serve("/.well-known/ard.json", "{'specVersion':'1.0','entries':[" + entries + "]}");
        harness.source("other", "", "agent_health");
        JsonNode sync = harness.sync("other");
        assertThat(counts(sync)).isEqualTo("{registered=1, skipped=1}");
        assertThat(reasons(sync)).singleElement().asString().endsWith(" was itself imported from elsewhere");
        JsonNode agent = harness.agent("other.test:agent:native").json();
        assertThat(agent.path("endpoint").asText()).isEqualTo(harness.url("/a2a/agents/native"));
        assertThat(agent.at("/watch/by").asText()).isEqualTo("agent_health");
        assertThat(agent.at("/watch/url").asText()).isEqualTo(harness.url("/agents/native/.well-known/agent-health"));
        // It is not listed while it cannot be called, and is missing once its registry does not have it.
        harness.serve("/.well-known/ard.json", "{'specVersion':'1.0','entries':[]}");
        assertThat(counts(harness.sync("other"))).isEqualTo("{unchanged=1}");
        harness.serve("/agents/native/.well-known/agent-health", Script.status(410));
        assertThat(counts(harness.sync("other"))).isEqualTo("{missing=1}");
    }

    @Test
    void a_sync_without_time_registers_nothing_and_is_continued_by_the_next_one() {
        harness.serve("/c", catalogue(embedded("one", "x"), embedded("two", "x"), embedded("three", "x")));
        harness.source("c", "/c");
        harness.system.clock().advanceSeconds(1);
        Instant past = harness.system.clock().instant().minusSeconds(1);
        Source source = new SourceStore(harness.system.database()).find("c").orElseThrow();
        SourceSync sync = new SourceSync(
                harness.wiring,
                harness.system.database(),
                Authenticator.of(harness.wiring, harness.system.database()),
                host -> List.of(InetAddress.getLoopbackAddress()),
                SecureSockets.usualWhenUsed(),
                harness.system.log());
        sync.run(source, Optional.empty(), false, past);
        assertThat(harness.read("c").at("/last_sync/errors/0").asText()).contains("the time for one sync was over");
        assertThat(harness.agent("example.com:agents:one").status()).isEqualTo(404);
        assertThat(counts(harness.sync("c"))).isEqualTo("{registered=3}");
    }
}
