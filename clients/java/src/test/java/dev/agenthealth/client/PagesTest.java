package dev.agenthealth.client;

import static dev.agenthealth.client.ScriptedTransport.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.client.testing.ManualScheduler;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists are read page by page, as far as the caller reads. */
class PagesTest {

    private final ScriptedTransport registry = new ScriptedTransport();
    private final AgentHealthClient client = AgentHealthClient.builder("http://registry")
            .apiKey("secret")
            .transport(registry)
            .scheduler(new ManualScheduler())
            .build();

    private List<String> queries() {
        return registry.requests().stream()
                .map(request -> request.uri().getRawQuery())
                .toList();
    }

    @Test
    void further_pages_are_requested_when_they_are_needed() {
        registry.answers(
                answer(200, "{'agents':[{'agent_id':'a'},{'agent_id':'b'}],'next_token':'t+1'}"),
                answer(200, "{'agents':[],'next_token':'t2'}"),
                answer(200, "{'agents':[{'agent_id':'c'}]}"));
        AgentQuery query =
                client.agents().find().capabilities("code review", "x").status("active", "unhealthy");

        assertThat(query.stream().limit(2).map(AgentSummary::agentId)).containsExactly("a", "b");
        assertThat(queries()).containsExactly("capabilities=code%20review%2Cx&status=active%2Cunhealthy");
    }

    @Test
    void agents_have_all_of_the_capabilities_where_the_caller_says_so() {
        registry.answers(answer(200, "{'agents':[]}"));

        client.agents().find().allCapabilities("billing", "x").list();
        client.agents().find().capabilities("billing", "x").list();

        assertThat(queries())
                .containsExactly("capabilities=billing%2Cx&capabilities_match=all", "capabilities=billing%2Cx");
    }

    @Test
    void an_empty_page_is_not_the_end() {
        registry.answers(
                answer(200, "{'agents':[{'agent_id':'a'}],'next_token':'t+1'}"),
                answer(200, "{'agents':[],'next_token':'t2'}"),
                answer(200, "{'agents':[{'agent_id':'c'}]}"));

        assertThat(client.agents().find().list())
                .extracting(AgentSummary::agentId)
                .containsExactly("a", "c");
        assertThat(queries()).containsExactly(null, "next_token=t%2B1", "next_token=t2");
    }

    @Test
    void the_best_agent_is_one_request_for_one_agent() {
        registry.answers(
                answer(200, "{'agents':[{'agent_id':'a','score':null,'capacity':{'current_load':1}}],'total':7}"));

        AgentSummary best = client.agents()
                .find()
                .kind("mcp_server")
                .role("r")
                .byAvailableCapacity()
                .first()
                .orElseThrow();

        assertThat(best.score()).isEmpty();
        assertThat(queries()).containsExactly("kind=mcp_server&role_id=r&sort=available_capacity&limit=1");
    }
}
