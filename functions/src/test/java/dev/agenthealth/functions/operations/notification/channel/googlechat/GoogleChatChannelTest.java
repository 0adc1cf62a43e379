package dev.agenthealth.functions.operations.notification.channel.googlechat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.operations.notification.channel.Messages;
import org.junit.jupiter.api.Test;

class GoogleChatChannelTest {

    @Test
    void no_text_notifies_all_members_or_hides_an_address() {
        String text = GoogleChatChannel.body(
                        Messages.of(Messages.entry("a", "error", "<users/all> <https://evil.example|docs>", false)))
                .path("text")
                .asText();
        assertThat(text)
                .isEqualTo("<\u200Busers/all> <\u200Bhttps://evil.example|docs>\n"
                        + "[error] <\u200Busers/all> <\u200Bhttps://evil.example|docs>");
    }
}
