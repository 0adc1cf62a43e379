package dev.agenthealth.functions.operations.notification.channel.slack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.operations.notification.channel.MessageText;
import dev.agenthealth.functions.operations.notification.channel.Messages;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SlackChannelTest {

    static Stream<NotificationMessage> messages() {
        return Stream.of(
                Messages.deaths(1),
                Messages.deaths(37),
                Messages.of(Messages.recovery(1)),
                Messages.test(),
                Messages.nasty());
    }

    @ParameterizedTest
    @MethodSource("messages")
    void every_message_is_within_the_limits_of_slack(NotificationMessage message) {
        Messages.check("slack-message", SlackChannel.body(message));
    }

    @Test
    void the_title_of_several_events_names_the_most_severe_one() {
        NotificationMessage message = Messages.of(
                Messages.recovery(1),
                Messages.entry("agent_2", "warning", "Agent agent_2 is unhealthy.", false),
                Messages.death(3),
                Messages.death(4));
        assertThat(MessageText.title(message)).isEqualTo("4 events: Agent agent_3 is dead.");
        assertThat(MessageText.title(Messages.of(Messages.recovery(1), Messages.recovery(2))))
                .isEqualTo("2 recoveries: Agent agent_1 is active again.");
    }

    @Test
    void many_deaths_are_one_message_that_says_how_many() {
        JsonNode json = SlackChannel.body(Messages.deaths(37));
        assertThat(json.path("blocks").get(0).path("text").path("text").asText())
                .isEqualTo("37 events: Agent agent_1 is dead.");
        assertThat(json.path("blocks")).hasSize(22);
        assertThat(json.path("blocks").get(21).toString()).contains("and 17 more");
        assertThat(json.path("text").asText())
                .contains("37 events")
                .contains("[critical] Agent agent_20 is dead.")
                .endsWith("and 17 more");
    }

    @Test
    void one_death_and_its_recovery_are_said_in_the_first_line() {
        assertThat(title(Messages.of(Messages.death(7)))).isEqualTo("Agent agent_7 is dead.");
        assertThat(title(Messages.of(Messages.recovery(7)))).isEqualTo("Agent agent_7 is active again.");
        assertThat(title(Messages.test())).isEqualTo("Test of the notification rule on-call");
    }

    @Test
    void texts_of_agents_can_neither_notify_a_channel_nor_hide_a_link() {
        JsonNode json = SlackChannel.body(Messages.of(
                Messages.entry("a", "error", "<!channel> <@U1> & <https://evil.example|docs> &lt;!here&gt;", false)));
        String section = json.path("blocks").get(1).path("text").path("text").asText();
        assertThat(section)
                .startsWith(
                        "*error* &lt;!channel&gt; &lt;@U1&gt; &amp; &lt;https://evil.example|docs&gt; &amp;lt;!here&amp;gt;")
                .endsWith("<!date^1770544800^{date_short_pretty} {time_secs}|2026-02-08T10:00:00.000Z>");
        assertThat(json.path("text").asText()).doesNotContain("<").doesNotContain(">");
    }

    private static String title(NotificationMessage message) {
        return SlackChannel.body(message)
                .path("blocks")
                .get(0)
                .path("text")
                .path("text")
                .asText();
    }
}
