package dev.agenthealth.functions.operations.statuspage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.sweep.SweepHarness;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.operations.status.StatusPage;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** An administrator publishes a status page for outsiders, and operators write its incidents. */
class StatusPageTest {

    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;
    private static final String PAGE = "/api/v1/status-page";
    private static final String SEARCH =
            "{\"name\":\"search\",\"label\":\"<Search> & \\\"more\\\"\",\"agent_id\":\"a-secret-id\"}";

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final TestSystem system = harness.system();

    @Test
    void nothing_is_published_until_an_administrator_publishes_it() {
        assertThat(page().path("published").asBoolean()).isFalse();
        assertThat(status("/status/acme")).isEqualTo(404);
        write(false, SEARCH);
        assertThat(status("/status/acme")).isEqualTo(404);
        assertThat(status("/status/acme/badges/search")).isEqualTo(404);
        write(true, SEARCH);
        assertThat(status("/status/acme")).isEqualTo(200);
        assertThat(status("/status/other")).isEqualTo(404);
        assertThat(status("/status/acme/badges/other")).isEqualTo(404);
        write(false, SEARCH);
        assertThat(status("/status/acme")).isEqualTo(404);
    }

    @Test
    void readers_see_labels_and_states_and_neither_ids_nor_reasons() {
        harness.sweep();
        TestAgent agent = harness.agent("a-secret-id");
        harness.passTime(600, agent::sendHeartbeat);
        write(true, SEARCH);
        Response html = published("/status/acme");
        assertThat(html.text())
                .contains("&lt;Search&gt; &amp; &quot;more&quot;", "operational", "100.00 % available")
                .doesNotContain("a-secret-id", "<Search>", "<script");
        assertThat(html.header("Content-Security-Policy")).startsWith("default-src 'none'; style-src 'sha256-");
        JsonNode entry =
                published("/status/acme/summary").json().path("entries").path(0);
        assertThat(entry.path("state").asText()).isEqualTo("operational");
        assertThat(entry.path("days")).hasSize(90);
        assertThat(entry.path("days").get(89).asText()).isEqualTo("up");
        assertThat(entry.path("days").get(0).asText()).isNotEqualTo("up");
        assertThat(entry.has("agent_id")).isFalse();
        Response badge = published("/status/acme/badges/search");
        assertThat(badge.header("Content-Type")).isEqualTo("image/svg+xml");
        assertThat(badge.text())
                .contains("&lt;Search&gt;", "operational, 100.00 %")
                .doesNotContain("a-secret-id");
    }

    @Test
    void an_agent_that_is_unknown_is_shown_as_unknown() {
        write(true, SEARCH);
        assertThat(published("/status/acme/badges/search").text()).contains("unknown");
        assertThat(published("/status/acme").text()).contains("The state of some services is unknown");
    }

    @Test
    void operators_write_incidents_that_readers_see_until_they_are_removed() {
        write(true, SEARCH);
        Response written =
                incident("slow", "{\"title\":\"Search is <slow>\",\"text\":\"One.\\nTwo.\",\"state\":\"identified\"}");
        assertThat(written.status()).isEqualTo(200);
        assertThat(published("/status/acme").text())
                .contains("Search is &lt;slow&gt;", "<p>One.</p><p>Two.</p>", "identified");
        system.clock().advanceSeconds(60);
        incident(
                "slow",
                "{\"title\":\"Search was slow\",\"state\":\"resolved\",\"started_at\":\"2026-02-08T09:59:00Z\"}");
        JsonNode stored = page().path("incidents");
        assertThat(stored).hasSize(1);
        assertThat(stored.get(0).path("resolved_at").asText()).isEqualTo("2026-02-08T10:01:00.000Z");
        write(true, SEARCH);
        assertThat(page().path("incidents"))
                .as("incidents stay when the page is written")
                .hasSize(1);
        for (int i = 0; i < 2; i++) {
            assertThat(system.api()
                            .delete(PAGE + "/incidents/slow")
                            .key(TestSystem.COORDINATOR_KEY)
                            .send()
                            .status())
                    .isEqualTo(204);
        }
        assertThat(page().path("incidents")).isEmpty();
    }

    @Test
    void only_the_newest_incidents_are_kept() {
        write(true, SEARCH);
        for (int i = 0; i <= StatusPage.MAX_INCIDENTS; i++) {
            system.clock().advanceSeconds(1);
            incident("i" + i, "{\"title\":\"t\",\"state\":\"investigating\"}");
        }
        assertThat(page().path("incidents").findValuesAsText("incident_id"))
                .hasSize(StatusPage.MAX_INCIDENTS)
                .startsWith("i" + StatusPage.MAX_INCIDENTS)
                .doesNotContain("i0");
    }

    @Test
    void every_bad_field_is_named_and_nothing_changes() {
        Response page = system.api()
                .put(PAGE)
                .key(ADMIN)
                .body(
                        "{\"path\":\"a/b\",\"entries\":[{\"name\":\"x\",\"label\":\"X\"},{\"name\":\"x\",\"label\":\"\",\"agent_id\":\"a\",\"role_id\":\"r\"}],\"more\":1}")
                .send();
        assertThat(page.status()).isEqualTo(400);
        assertThat(page.json().path("errors").findValuesAsText("field"))
                .contains(
                        "title",
                        "path",
                        "more",
                        "entries[0].role_id",
                        "entries[1].name",
                        "entries[1].label",
                        "entries[1].role_id");
        Response incident = incident(
                "late",
                "{\"state\":\"identified\",\"started_at\":\"2026-02-08T10:00:01Z\",\"resolved_at\":\"2026-02-08T09:00:00Z\",\"text\":\""
                        + "x".repeat(1001) + "\"}");
        assertThat(incident.status()).isEqualTo(400);
        assertThat(incident.json().path("errors").findValuesAsText("field"))
                .contains("title", "started_at", "resolved_at", "text");
        assertThat(page().path("path").asText()).isEmpty();
    }

    @Test
    void only_administrators_publish_and_viewers_change_nothing() {
        assertThat(system.api()
                        .put(PAGE)
                        .key(TestSystem.COORDINATOR_KEY)
                        .body("{}")
                        .send()
                        .status())
                .isEqualTo(403);
        assertThat(system.api().get(PAGE).key(TestSystem.AGENT_KEY).send().status())
                .isEqualTo(403);
    }

    private void write(boolean published, String... entries) {
        String body = "{\"path\":\"acme\",\"title\":\"Acme\",\"published\":" + published + ",\"entries\":"
                + List.of(entries) + "}";
        assertThat(system.api().put(PAGE).key(ADMIN).body(body).send().status()).isEqualTo(200);
    }

    private Response incident(String id, String body) {
        return system.api()
                .put(PAGE + "/incidents/" + id)
                .key(TestSystem.COORDINATOR_KEY)
                .body(body)
                .send();
    }

    private JsonNode page() {
        return system.api().get(PAGE).key(ADMIN).send().json();
    }

    private Response published(String path) {
        Response response = system.api().get(path).send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response;
    }

    private int status(String path) {
        return system.api().get(path).send().status();
    }
}
