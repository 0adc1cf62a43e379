package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Caching of health documents (Agent Health State §7). */
@Tag("AHS-14")
class HealthCachingTest {

    private static final String SHARED = "public, max-age=60";
    private static final String PRIVATE = "private, no-cache";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final HealthClient client = new HealthClient(system.api());
    private final Healths healths = new Healths(system);
    private final TestAgent agent = TestAgent.registered(system, "a");

    @Test
    void a_public_document_is_cacheable_for_a_minute_and_one_with_a_key_must_be_validated() {
        healths.compute(agent, 20, 0);
        for (Request request : List.of(client.ofAgent("a"), client.ofHost().query("agent_id", "a"), client.ofHost())) {
            Response shared = client.read(request);
            assertThat(shared.header("Cache-Control")).isEqualTo(SHARED);
            assertThat(shared.header("Vary")).isEqualTo("X-API-Key, Authorization");
            assertThat(shared.header("ETag")).matches("W/\"[A-Za-z0-9_-]+\"");
            Response own = client.read(request.key(TestSystem.AGENT_KEY));
            assertThat(own.header("Cache-Control")).isEqualTo(PRIVATE);
            assertThat(own.header("Vary")).isEqualTo("X-API-Key, Authorization");
        }
    }

    @Test
    void an_equivalent_document_is_answered_304_without_a_body() {
        healths.compute(agent, 20, 0);
        String tag = tag(client.ofAgent("a"));
        system.clock().advanceSeconds(300);
        Response unchanged = getUnless(tag);
        assertThat(unchanged.status()).isEqualTo(304);
        assertThat(unchanged.text()).isEmpty();
        assertThat(unchanged.header("ETag")).isEqualTo(tag);
        assertThat(unchanged.header("Cache-Control")).isEqualTo(SHARED);
        assertThat(unchanged.header("Vary")).isEqualTo("X-API-Key, Authorization");
        assertThat(unchanged.header("Content-Type")).isEmpty();
    }

    @Test
    void every_http_form_of_if_none_match_is_accepted() {
        healths.compute(agent, 20, 0);
        String tag = tag(client.ofAgent("a"));
        for (String same : List.of("*", tag, tag.substring(2), "\"x\", " + tag, "W/\"x\"," + tag + " ,\"y\"")) {
            assertThat(getUnless(same).status()).as(same).isEqualTo(304);
        }
        for (String other : List.of("", "\"x\"", "W/\"\"", tag.substring(3), tag + "x", ",", "W/", "\"*\"")) {
            assertThat(getUnless(other).status()).as(other).isEqualTo(200);
        }
    }

    @Test
    void every_change_of_the_document_changes_its_tag() {
        healths.compute(agent, 20, 0);
        String tag = tag(client.ofAgent("a"));
        healths.compute(agent, 21, 0);
        String another = changed(tag);
        agent.becomeUnhealthy();
        String degraded = changed(another);
        system.clock().advanceSeconds(5);
        assertThat(getUnless(degraded).status()).as("passing time is no change").isEqualTo(304);
        agent.becomeDead();
        changed(degraded);
    }

    @Test
    void a_new_computation_with_the_same_result_changes_nothing() {
        healths.compute(agent, 20, 0);
        String tag = tag(client.ofAgent("a"));
        system.clock().advanceSeconds(60);
        healths.compute(agent, 20, 0);
        assertThat(getUnless(tag).status()).isEqualTo(304);
    }

    @Test
    void a_restart_changes_the_tag_even_if_all_figures_stay() {
        healths.compute(agent, 20, 0);
        String tag = tag(client.ofAgent("a"));
        agent.becomeDead();
        assertThat(agent.register("").status()).isEqualTo(201);
        healths.compute(agent, 20, 0);
        changed(tag);
    }

    @Test
    void the_registry_s_own_document_keeps_its_tag_before_and_after_its_first_computation() {
        String tag = tag(client.ofHost());
        system.clock().advanceSeconds(1);
        assertThat(tag(client.ofHost())).isEqualTo(tag);
        healths.computeRegistry(60, 0, system.clock().instant());
        String computed = tag(client.ofHost());
        assertThat(computed).isNotEqualTo(tag);
        system.clock().advanceSeconds(60);
        assertThat(tag(client.ofHost())).isEqualTo(computed);
    }

    @Test
    void cross_origin_scripts_may_read_public_documents_and_their_problems() {
        healths.compute(agent, 20, 0);
        String tag = tag(client.ofAgent("a"));
        for (Response open : List.of(
                client.ofAgent("a").send(),
                client.ofHost().send(),
                client.ofAgent("a").header("if-none-match", tag).send(),
                client.ofAgent("never").send(),
                system.api().get("/agents/a/.well-known/agent.json").send())) {
            assertThat(open.header("Access-Control-Allow-Origin")).isEqualTo("*");
        }
        Response score = system.api()
                .get("/api/v1/agents/a/health")
                .key(TestSystem.AGENT_KEY)
                .send();
        assertThat(score.status()).isEqualTo(200);
        assertThat(score.header("Access-Control-Allow-Origin")).isEmpty();
    }

    @Test
    void every_view_has_its_own_tag() {
        healths.compute(agent, 20, 0);
        String general = tag(client.ofAgent("a"));
        String own = tag(client.ofAgent("a").key(TestSystem.AGENT_KEY));
        assertThat(own).isNotEqualTo(general);
        Response unchanged = client.ofAgent("a")
                .key(TestSystem.AGENT_KEY)
                .header("if-none-match", own)
                .send();
        assertThat(unchanged.status()).isEqualTo(304);
        assertThat(unchanged.header("Cache-Control")).isEqualTo(PRIVATE);
    }

    private String tag(Request request) {
        return client.read(request).header("ETag");
    }

    private Response getUnless(String ifNoneMatch) {
        return client.ofAgent("a").header("if-none-match", ifNoneMatch).send();
    }

    private String changed(String tag) {
        assertThat(getUnless(tag).status()).isEqualTo(200);
        return tag(client.ofAgent("a"));
    }
}
