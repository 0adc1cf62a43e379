package dev.agenthealth.functions.notification.channel.googlechat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.notification.channel.Messages;
import org.junit.jupiter.api.Test;

class GoogleChatChannelTest {

    @Test
    void no_text_notifies_all_members_or_hides_an_address() {
        String text = Messages.json(GoogleChatChannel.render(
                        Messages.target(
                                "'type':'google_chat','url':'https://chat.googleapis.com/v1/spaces/a/messages?key=x'"),
                        Messages.of(Messages.entry("a", "error", "<users/all> <https://evil.example|docs>", false))))
                .path("text")
                .asText();
        assertThat(text)
                .isEqualTo("<\u200Busers/all> <\u200Bhttps://evil.example|docs>\n"
                        + "[error] <\u200Busers/all> <\u200Bhttps://evil.example|docs>");
    }
}
