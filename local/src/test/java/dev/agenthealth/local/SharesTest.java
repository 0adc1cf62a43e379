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

    @Test
    void routes_that_wait_for_other_systems_take_no_turn_of_long_requests() {
        Set<String> waiting = new TreeSet<>();
        Resolution resolution = Resolution.local().withParameter("AdminKeySha256", "0".repeat(64));
        for (FunctionDefinition function : Template.find().stack(resolution).functions()) {
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
