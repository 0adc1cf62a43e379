package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.emulator.http.Share;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Route;
import dev.agenthealth.template.Template;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SharesTest {

    private static final Resolution RESOLUTION = Resolution.local().withParameter("AdminKeySha256", "0".repeat(64));

    @Test
    void a_batch_of_heartbeats_is_not_brief() {
        Set<String> brief = new TreeSet<>();
        for (FunctionDefinition function : Template.find().stack(RESOLUTION).functions()) {
            for (Route route : function.routes()) {
                boolean isBrief = Shares.of(function, route.routeKey()).kind() == Share.Kind.BRIEF;
                if (isBrief && !route.routeKey().startsWith("ANY ")) {
                    brief.add(route.routeKey());
                }
            }
        }
        assertThat(brief)
                .containsExactly(
                        "POST /api/v1/agents/{agent_id}/heartbeat",
                        "POST /api/v1/agents/{agent_id}/outcomes",
                        "POST /openintent/api/v1/agents/{agent_id}/heartbeat");
    }

    @Test
    void routes_that_wait_for_other_systems_take_no_turn_of_long_requests() {
        Set<String> waiting = new TreeSet<>();
        for (FunctionDefinition function : Template.find().stack(RESOLUTION).functions()) {
            for (Route route : function.routes()) {
                if (Shares.of(function, route.routeKey()).kind() == Share.Kind.WAITING
                        && !function.logicalId().equals("GatewayFunction")) {
                    waiting.add(route.routeKey());
                }
            }
        }
        assertThat(waiting)
                .containsExactly(
                        "GET /.well-known/agent-card.json",
                        "GET /.well-known/agent.json",
                        "GET /agents/{agent_id}/.well-known/agent-card.json",
                        "GET /agents/{agent_id}/.well-known/agent.json",
                        "HEAD /.well-known/agent-card.json",
                        "HEAD /.well-known/agent.json",
                        "HEAD /agents/{agent_id}/.well-known/agent-card.json",
                        "HEAD /agents/{agent_id}/.well-known/agent.json",
                        "POST /v1/admin/notifications/{name}/test");
    }
}
