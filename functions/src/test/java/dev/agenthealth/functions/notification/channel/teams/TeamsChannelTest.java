package dev.agenthealth.functions.notification.channel.teams;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.notification.channel.Messages;
import dev.agenthealth.model.notification.NotificationMessage;
import org.junit.jupiter.api.Test;

class TeamsChannelTest {

    @Test
    void a_card_has_a_title_the_events_with_their_times_and_the_rule() {
        JsonNode body = body(Messages.of(Messages.entry("a", "error", "**Agent** [a](https://evil.example)", false)));
        assertThat(body).hasSize(4);
        assertThat(body.get(0).path("inlines").get(0).path("text").asText())
                .isEqualTo("**Agent** [a](https://evil.example)");
        assertThat(body.get(1).path("inlines").get(0).path("text").asText()).isEqualTo("error ");
        assertThat(body.get(1).path("type").asText())
                .as("a block in which no markup is read")
                .isEqualTo("RichTextBlock");
        assertThat(body.get(2).path("text").asText())
                .isEqualTo("{{DATE(2026-02-08T10:00:00Z, SHORT)}} {{TIME(2026-02-08T10:00:00Z)}}");
        assertThat(body.get(3).path("inlines").get(0).path("text").asText()).isEqualTo("Rule on-call");
    }

    @Test
    void many_deaths_are_one_card_that_says_how_many() {
        JsonNode body = body(Messages.deaths(37));
        assertThat(body.get(0).toString()).contains("37 events: ");
        assertThat(body.get(body.size() - 1).toString()).contains("Rule on-call · and 17 more");
    }

    private static JsonNode body(NotificationMessage message) {
        return Messages.json(TeamsChannel.render(
                        Messages.target("'type':'teams','url':'https://example.logic.azure.com/workflows/1?sig=x'"),
                        message))
                .path("attachments")
                .get(0)
                .path("content")
                .path("body");
    }
}
