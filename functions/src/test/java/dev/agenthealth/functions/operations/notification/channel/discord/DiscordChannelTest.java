package dev.agenthealth.functions.operations.notification.channel.discord;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.operations.notification.channel.Messages;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import org.junit.jupiter.api.Test;

class DiscordChannelTest {

    @Test
    void texts_of_agents_are_shown_as_they_are() {
        assertThat(content(Messages.of(Messages.entry(
                        "a", "error", "@everyone <@&1> **a** [docs](https://evil.example) \\ `x`", false))))
                .isEqualTo(
                        "@everyone \\<@&1\\> \\*\\*a\\*\\* \\[docs\\](https://evil.example) \\\\ \\`x\\`\n"
                                + "\\[error\\] @everyone \\<@&1\\> \\*\\*a\\*\\* \\[docs\\](https://evil.example) \\\\ \\`x\\`");
    }

    @Test
    void many_deaths_are_one_message_that_says_how_many() {
        assertThat(content(Messages.deaths(37))).startsWith("37 events: ").endsWith("\nand 17 more");
    }

    private static String content(NotificationMessage message) {
        return DiscordChannel.body(message).path("content").asText();
    }
}
