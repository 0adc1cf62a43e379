package dev.agenthealth.functions.operations.sources;

import static dev.agenthealth.functions.operations.sources.SourceHarness.counts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Documents that are imported once, and resources of Kubernetes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ImportedDocumentTest extends SourceCase {

    @Test
    void a_document_is_imported_once_and_what_it_lacks_is_not_missing() {
        String first = document(catalogue(embedded("one", "x"), embedded("two", "x")));
        assertThat(counts(harness.sync("file", first, true).json())).isEqualTo("{registered=2}");
        assertThat(counts(harness.sync("file", first, false).json())).isEqualTo("{registered=2}");
        harness.system.meter().reset();
        assertThat(counts(harness.sync("file", first, false).json())).isEqualTo("{unchanged=2}");
        assertThat(harness.system.meter().writeUnits()).isZero();
        String second = document(catalogue(embedded("two", "y")));
        assertThat(counts(harness.sync("file", second, false).json())).isEqualTo("{updated=1}");
        assertThat(counts(harness.sync("file", second, false).json())).isEqualTo("{unchanged=1}");
        assertThat(harness.agent("example.com:agents:one").json().path("status").asText())
                .isEqualTo("active");
        assertThat(counts(harness.sync("other", second, false).json())).isEqualTo("{conflict=1}");
        harness.source("file", "/c");
        assertThat(harness.sync("file", second, false).json().path("error").asText())
                .isEqualTo("source_exists");
    }

    @Test
    void documents_of_every_kind_are_imported() {
        String servers =
                "{'servers':[{'server':{'name':'example.com/s','remotes':[{'type':'streamable-http','url':'@/s'}]}}]}";
        for (String document : new String[] {"[" + CARD_03 + "," + CARD_10 + "]", CARD_03, servers}) {
            assertThat(harness.sync("f", document(document), false)
                            .json()
                            .path("complete")
                            .asBoolean())
                    .isTrue();
        }
        assertThat(harness.agent("example.com-s").json().at("/watch/by").asText())
                .isEqualTo("mcp");
        assertThat(harness.sync("f", document("{'a':1}"), false).text()).contains("the document: no agent card");
        assertThat(harness.sync("f", document("[],'kind':'ai_catalog'"), false).text())
                .contains("it says what it is");
    }

    @Test
    void annotated_resources_of_kubernetes_become_agents() {
        harness.serve("/.well-known/agent-card.json", CARD_10);
        String list = "{'apiVersion':'v1','kind':'List','items':["
                + resource(
                        "Service",
                        "site",
                        "'agent-health/watch':'@/status','agent-health/capabilities':'pages, search'",
                        "")
                + "," + resource("Service", "tools", "'agent-health/watch':'@/mcp','agent-health/id':'tools-1'", "")
                + "," + resource("Service", "bills", "'agent-health/watch':'@/.well-known/agent-card.json'", "")
                + ","
                + resource(
                        "CronJob",
                        "nightly",
                        "'agent-health/id':'nightly-1'",
                        "'schedule':'0 2 * * *','timeZone':'Europe/Berlin'")
                + "," + resource("CronJob", "off", "'agent-health/id':'off'", "'schedule':'0 2 * * *','suspend':true")
                + "," + resource("Service", "plain", "", "") + ","
                + resource("ConfigMap", "c", "'agent-health/id':'c'", "") + "]}";
        JsonNode sync = harness.sync("cluster", document(list), false).json();
        assertThat(sync.path("errors")).isEmpty();
        assertThat(counts(sync)).isEqualTo("{registered=4, skipped=3}");
        assertThat(reasons(sync))
                .containsExactly(
                        "shop:CronJob:off is suspended",
                        "shop:Service:plain has no annotation that begins with agent-health/",
                        "shop:ConfigMap:c is no service and no cron job");
        JsonNode site = harness.agent("shop:service:site").json();
        assertThat(site.at("/watch/by").asText()).isEqualTo("http");
        assertThat(site.path("capabilities").toString()).isEqualTo("[\"pages\",\"search\"]");
        assertThat(harness.agent("tools-1").json().at("/watch/by").asText()).isEqualTo("mcp");
        assertThat(harness.agent("shop:service:bills").json().path("endpoint").asText())
                .isEqualTo(harness.url("/billing"));
        JsonNode nightly = harness.agent("nightly-1").json();
        assertThat(nightly.at("/heartbeat_config/schedule/cron").asText()).isEqualTo("0 2 * * *");
        assertThat(nightly.at("/heartbeat_config/schedule/time_zone").asText()).isEqualTo("Europe/Berlin");
        assertThat(nightly.path("watch").isObject()).isFalse();
        String again =
                document(list.replace("0 2 * * *", "0 3 * * *").replace("'apiVersion'", "'more':1,'apiVersion'"));
        assertThat(counts(harness.sync("cluster", again, false).json()))
                .isEqualTo("{skipped=3, unchanged=3, updated=1}");
        assertThat(harness.agent("nightly-1")
                        .json()
                        .at("/heartbeat_config/schedule/cron")
                        .asText())
                .isEqualTo("0 3 * * *");
    }

    @Test
    void a_path_of_a_service_is_one_of_its_load_balancer() {
        String balanced = "},'status':{'loadBalancer':{'ingress':[{'hostname':'shop.example.com'}]}},'more':{";
        String service = resource(
                "Service",
                "site",
                "'agent-health/watch':'/status'",
                "'ports':[{'port':8443,'name':'https'}]" + balanced);
        assertThat(counts(harness.sync("k", document(service), false).json())).isEqualTo("{registered=1}");
        assertThat(harness.agent("shop:service:site").json().path("endpoint").asText())
                .isEqualTo("https://shop.example.com:8443/status");
    }

    @Test
    void a_resource_with_a_mistake_is_named_and_not_registered() {
        String list = "{'apiVersion':'v1','kind':'List','items':["
                + resource("CronJob", "nightly", "'agent-health/id':'n'", "'schedule':'61 2 * * *'")
                + "," + resource("CronJob", "start", "'agent-health/id':'s'", "'schedule':'\\u0040reboot'")
                + "," + resource("Service", "inside", "'agent-health/watch':'/status'", "")
                + "," + resource("Service", "words", "'agent-health/capabilities':'x'", "")
                + "," + resource("Service", "one", "'agent-health/id':'n1','agent-health/watch':'@/1'", "")
                + "," + resource("Service", "two", "'agent-health/id':'n1','agent-health/watch':'@/2'", "") + "]}";
        JsonNode sync = harness.sync("k", document(list), false).json();
        assertThat(counts(sync)).isEqualTo("{failed=5, registered=1}");
        assertThat(sync.path("errors").toString())
                .contains(
                        "shop:CronJob:nightly: its schedule '61 2 * * *' must be",
                        "shop:CronJob:start: its schedule '@reboot' must name times, and @reboot names none",
                        "shop:Service:inside: has no load balancer",
                        "shop:Service:words: its annotation agent-health/watch must be",
                        "two resources have the id n1");
    }
}
