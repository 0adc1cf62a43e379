package dev.agenthealth.functions.operations.notification.channel.teams;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.notification.channel.Messages;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
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

    @Test
    void a_card_of_the_longest_texts_leaves_out_events_that_do_not_fit_and_counts_them() {
        NotificationEntry[] entries = IntStream.range(0, NotificationMessage.MAX_ENTRIES)
                .mapToObj(i -> Messages.entry(":".repeat(126) + i, "error", "\u6F22".repeat(1_000), false))
                .toArray(NotificationEntry[]::new);
        ObjectNode card = TeamsChannel.body(Messages.of(entries).with(Messages.PAGE));
        assertThat(card.toString().getBytes(StandardCharsets.UTF_8)).hasSizeBetween(25_000, 28 * 1_024);
        assertThat(card.toString()).containsPattern("Rule on-call · and [1-9] more");
    }

    private static JsonNode body(NotificationMessage message) {
        return TeamsChannel.body(message)
                .path("attachments")
                .get(0)
                .path("content")
                .path("body");
    }
}
