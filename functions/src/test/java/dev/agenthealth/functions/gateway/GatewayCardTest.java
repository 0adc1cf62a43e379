package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cards that lead to the gateway repeat what the agents' own cards say of skills, and none of their addresses. */
class GatewayCardTest {

    private static final String SKILL =
            """
                    {"id":"route","name":"Route planner","description":"Plans routes.","tags":["maps"],\
                    "examples":["To Oslo"]}\
                    """;

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private final ScriptedServer server = gateway.answeringAgent("a");
    private final TestApi cards = gateway.cards();

    private String own(String more) {
        return "{\"name\":\"Own\",\"description\":\"Plans journeys.\",\"url\":\"" + GatewayHarness.endpoint(server)
                + "/\",\"documentationUrl\":\"http://169.254.169.254/\",\"provider\":{\"url\":\"http://elsewhere.test\"},\"skills\":["
                + SKILL + "],\"defaultInputModes\":[\"application/json\"]" + more + "}";
    }

    private JsonNode card(String name) {
        Response response = cards.get("/agents/a/.well-known/" + name)
                .query("via", "gateway")
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent-card.json", "agent.json"})
    void a_card_shows_the_agent_s_own_skills_and_leads_to_the_gateway(String name) {
        server.plays(Script.body(own(",\"signatures\":[{}]")));
        JsonNode card = card(name);
        assertThat(card.path("description").asText()).isEqualTo("Plans journeys.");
        assertThat(card.path("skills")).isEqualTo(Json.stored("[" + SKILL + "]"));
        assertThat(card.path("defaultInputModes")).isEqualTo(Json.stored("[\"application/json\"]"));
        assertThat(card.path("defaultOutputModes")).isEqualTo(Json.stored("[\"text/plain\"]"));
        assertThat(card.path("name").asText()).as("what was registered").isEqualTo("a");
        assertThat(Json.text(card))
                .doesNotContain("169.254")
                .doesNotContain("elsewhere")
                .doesNotContain("agent.test");
        assertThat(card.path("url").asText()).endsWith("/a2a/agents/a");
        assertThat(server.requests().get(0).line()).isEqualTo("GET /.well-known/agent-card.json HTTP/1.1");
        assertThat(server.requests().get(0).headers()).doesNotContainKey("authorization");
        JsonNode direct = cards.get("/agents/a/.well-known/" + name).send().json();
        assertThat(direct.path("skills").get(0).path("id").asText()).isEqualTo("test");
    }

    @Test
    void a_card_promises_streams_where_the_agent_and_the_process_have_them() {
        server.plays(Script.body(own(",\"capabilities\":{\"streaming\":true,\"pushNotifications\":true}")));
        JsonNode here = gateway.streaming()
                .get("/agents/a/.well-known/agent-card.json")
                .query("via", "gateway")
                .send()
                .json();
        assertThat(here.at("/capabilities/streaming").asBoolean()).isTrue();
        assertThat(here.at("/capabilities/pushNotifications").asBoolean()).isTrue();
        JsonNode there = card("agent-card.json");
        assertThat(there.at("/capabilities/streaming").asBoolean(true)).isFalse();
        assertThat(there.at("/capabilities/pushNotifications").asBoolean())
                .as("they need no streams")
                .isTrue();
        gateway.system().clock().advance(Duration.ofMinutes(6));
        server.plays(Script.body(own("")));
        assertThat(card("agent-card.json").at("/capabilities/pushNotifications").asBoolean(true))
                .isFalse();
    }

    @Test
    void a_card_is_read_again_after_some_minutes_and_its_absence_after_one() {
        server.plays(Script.status(404));
        JsonNode first = card("agent-card.json");
        assertThat(first.path("skills").get(0).path("id").asText()).isEqualTo("test");
        server.plays(Script.body(own("")));
        assertThat(card("agent-card.json")).isEqualTo(first);
        gateway.system().clock().advance(Duration.ofSeconds(61));
        JsonNode second = card("agent-card.json");
        assertThat(second.path("skills").get(0).path("id").asText()).isEqualTo("route");
        assertThat(second.path("version")).isNotEqualTo(first.path("version"));
        server.plays(Script.body(own("").replace("route", "flight")));
        gateway.system().clock().advance(Duration.ofMinutes(4));
        assertThat(card("agent-card.json")).isEqualTo(second);
        gateway.system().clock().advance(Duration.ofMinutes(2));
        assertThat(card("agent-card.json").path("skills").get(0).path("id").asText())
                .isEqualTo("flight");
        assertThat(server.connections()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "[]",
                "null",
                "{\"name\":\"Other\",\"url\":\"http://agent.test:1/\",\"skills\":[" + SKILL + "]}",
                "{\"skills\":[" + SKILL + "]}"
            })
    void a_document_that_is_not_the_card_of_this_endpoint_is_not_shown(String document) {
        server.plays(Script.body(document));
        assertThat(card("agent-card.json").path("skills").get(0).path("id").asText())
                .isEqualTo("test");
    }

    @Test
    void texts_and_lists_of_a_card_are_cut() {
        String skills = SKILL.replace("route", "r".repeat(300)).replace("Plans", "x".repeat(3_000)) + ",7,{},"
                + (SKILL + ",").repeat(8) + SKILL;
        server.plays(Script.body(own("").replace(SKILL, skills)));
        JsonNode shown = card("agent-card.json").path("skills");
        assertThat(shown).hasSize(10);
        assertThat(shown.get(0).path("id").asText()).hasSize(200);
        assertThat(shown.get(0).path("description").asText()).hasSize(2_000);
    }

    @Test
    void a_text_that_no_signature_can_cover_is_left_out() {
        server.plays(Script.body(own("").replace("Plans journeys.", "half \\ud800")
                .replace("To Oslo", "\\udc00")
                .replace("Route planner", "\\ud83d\\ude00")));
        JsonNode card = card("agent-card.json");
        assertThat(card.path("description").asText()).startsWith("An agent with");
        assertThat(card.at("/skills/0/examples").isMissingNode()).isTrue();
        assertThat(card.at("/skills/0/name").asText()).isEqualTo("\ud83d\ude00");
    }

    @Test
    void the_card_of_a_personal_agent_is_not_read() {
        gateway.agent("p", GatewayHarness.endpoint(server), ",\"personal\":true");
        server.plays(Script.body(own("")));
        Response response = cards.get("/agents/p/.well-known/agent-card.json")
                .query("via", "gateway")
                .send();
        assertThat(response.json().path("description").asText()).startsWith("An agent with");
        assertThat(server.connections()).isZero();
    }

    @Test
    void a_deployed_system_does_not_read_cards_of_its_own_machine() {
        server.plays(Script.body(own("")));
        Response response = gateway.cards("")
                .get("/agents/a/.well-known/agent-card.json")
                .query("via", "gateway")
                .send();
        assertThat(response.json().path("skills").get(0).path("id").asText()).isEqualTo("test");
        assertThat(server.connections()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "0.3"})
    void the_extended_card_is_the_agent_s_and_leads_to_the_gateway(String version) {
        String extended = own("").replace("route", "secret-route");
        server.plays((request, out) -> (request.line().startsWith("GET")
                        ? Script.body(own(",\"supportsAuthenticatedExtendedCard\":true"))
                        : AgentScripts.result(extended))
                .play(request, out));
        assertThat(card("agent-card.json").at("/capabilities/extendedAgentCard").asBoolean())
                .isTrue();
        assertThat(card("agent.json").path("supportsAuthenticatedExtendedCard").asBoolean())
                .isTrue();
        JsonNode card = extendedCard(version).path("result");
        assertThat(card.path("skills").get(0).path("id").asText()).isEqualTo("secret-route");
        assertThat(card.has("supportedInterfaces")).isEqualTo(version.equals("1.0"));
        assertThat(card.path("url").asText()).endsWith("/a2a/agents/a");
        assertThat(Json.text(card)).doesNotContain("agent.test");
        JsonNode sent =
                Json.stored(server.requests().get(server.requests().size() - 1).body());
        assertThat(sent.path("method").asText()).isEqualTo("agent/getAuthenticatedExtendedCard");
    }

    @Test
    void an_agent_without_an_extended_card_is_not_asked_for_it() {
        server.plays(Script.body(own("")));
        assertThat(extendedCard("1.0").path("error").path("code").asInt()).isEqualTo(-32_007);
        assertThat(extendedCard("0.3").path("error").path("code").asInt()).isEqualTo(-32_007);
        assertThat(server.requests()).hasSize(1);
        assertThat(server.requests().get(0).line()).startsWith("GET ");
    }

    private JsonNode extendedCard(String version) {
        String method = version.equals("1.0") ? "GetExtendedAgentCard" : "agent/getAuthenticatedExtendedCard";
        return gateway.api()
                .post("/a2a/agents/a")
                .key(TestSystem.OTHER_AGENT_KEY)
                .header("a2a-version", version)
                .body("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\"}")
                .send()
                .json();
    }
}
