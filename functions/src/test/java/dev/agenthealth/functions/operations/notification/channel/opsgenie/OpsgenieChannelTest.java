package dev.agenthealth.functions.operations.notification.channel.opsgenie;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.operations.notification.channel.Messages;
import dev.agenthealth.functions.runtime.outbound.Post;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpsgenieChannelTest {

    private static final String URL = "https://api.opsgenie.com/v2/alerts";

    @Test
    void the_recovery_of_an_agent_closes_the_alert_of_its_death() {
        Post created = of(Messages.of(Messages.death(1))).get(0);
        JsonNode alert = Messages.json(created);
        assertThat(created.url()).hasToString(URL);
        assertThat(created.headers()).containsEntry("Authorization", "GenieKey " + Messages.ROUTING_KEY);
        assertThat(alert.path("alias").asText()).isEqualTo(ProblemId.of("agent:agent_1"));
        assertThat(alert.path("message").asText()).isEqualTo("Agent agent_1 is dead.");
        assertThat(alert.path("priority").asText()).isEqualTo("P1");
        assertThat(alert.path("entity").asText()).isEqualTo("agent_1");
        List<Post> closed = of(Messages.of(Messages.recovery(1)));
        assertThat(closed).hasSize(1);
        assertThat(closed.get(0).url())
                .hasToString(URL + "/" + ProblemId.of("agent:agent_1") + "/close?identifierType=alias");
    }

    @Test
    void more_than_five_problems_are_one_alert_that_says_which() {
        assertThat(of(Messages.deaths(5))).hasSize(5);
        List<Post> one = of(Messages.deaths(37));
        assertThat(one).hasSize(1);
        assertThat(Messages.json(one.get(0)).path("description").asText())
                .startsWith("37 events: Agent agent_1 is dead.\n[critical] Agent agent_1 is dead.\n")
                .endsWith("and 17 more");
    }

    @Test
    void a_test_opens_an_alert_and_closes_it() {
        List<Post> posts = of(Messages.test());
        assertThat(posts).hasSize(2);
        assertThat(posts.get(1).url().getPath()).endsWith("/close");
    }

    private static List<Post> of(NotificationMessage message) {
        String target = "'type':'opsgenie','url':'" + URL + "','api_key':'" + Messages.ROUTING_KEY + "'";
        return OpsgenieChannel.render(Messages.target(target), message);
    }
}
