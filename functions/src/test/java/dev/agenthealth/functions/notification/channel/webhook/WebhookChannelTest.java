package dev.agenthealth.functions.notification.channel.webhook;

import static dev.agenthealth.functions.notification.channel.Messages.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agenthealth.functions.notification.channel.Messages;
import dev.agenthealth.functions.notification.channel.Post;
import dev.agenthealth.model.notification.NotificationMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WebhookChannelTest {

    private static final Instant ATTEMPT = Instant.ofEpochSecond(1_614_265_330L);
    private static final String OLDER_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

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
    void every_message_has_the_described_form_and_less_than_20_kilobytes(NotificationMessage message) {
        Post post = of(message, ATTEMPT);
        Messages.check("webhook", post);
        assertThat(post.body()).hasSizeLessThan(20_000 + 1);
        assertThat(Messages.json(post).path("data").path("total").asInt()).isEqualTo(message.total());
    }

    @Test
    void an_id_and_a_timestamp_cannot_be_taken_for_another_part_of_what_is_signed() {
        assertThat(of(Messages.nasty(), ATTEMPT).headers())
                .containsEntry("webhook-id", "msg_1__")
                .containsEntry("webhook-timestamp", "1614265330");
    }

    @Test
    void a_retry_has_the_same_id_and_body_and_a_timestamp_of_its_own() {
        Post first = of(Messages.deaths(3), ATTEMPT);
        Post second = of(Messages.deaths(3), ATTEMPT.plusSeconds(300));
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().get("webhook-id")).isEqualTo(first.headers().get("webhook-id"));
        assertThat(second.headers().get("webhook-timestamp")).isEqualTo("1614265630");
        assertThat(second.headers().get("webhook-signature"))
                .isNotEqualTo(first.headers().get("webhook-signature"));
    }

    @Test
    @Timeout(30)
    void the_official_library_verifies_a_message() throws InterruptedException {
        assumeTrue(
                run("require('standardwebhooks')", Map.of()) == 0,
                "node cannot load the package standardwebhooks: npm install standardwebhooks, and NODE_PATH to its node_modules");
        // The library refuses messages that are older than five minutes.
        Post post = of(Messages.nasty(), Instant.now());
        String verify = "const {Webhook} = require('standardwebhooks');"
                + "new Webhook(process.env.SECRET).verify(process.env.BODY, {"
                + "'webhook-id': process.env.ID, 'webhook-timestamp': process.env.AT, 'webhook-signature': process.env.SIGNATURE})";
        Map<String, String> received = Map.of(
                "SECRET", OLDER_SECRET,
                "BODY", new String(post.body(), StandardCharsets.UTF_8),
                "ID", post.headers().get("webhook-id"),
                "AT", post.headers().get("webhook-timestamp"),
                "SIGNATURE", post.headers().get("webhook-signature"));
        assertThat(run(verify, received)).isZero();
        Map<String, String> changed = new HashMap<>(received);
        changed.merge("BODY", " ", String::concat);
        assertThat(run(verify, changed)).isNotZero();
    }

    /** The exit code of a script of Node.js; -1 where there is no Node.js. */
    private static int run(String script, Map<String, String> environment) throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("node", "-e", script)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("node does not end");
            }
            return process.exitValue();
        } catch (IOException e) {
            return -1;
        }
    }

    private static Post of(NotificationMessage message, Instant attemptAt) {
        String target = "'type':'webhook','url':'https://receiver.example/hook','secrets':['%s','%s']";
        return WebhookChannel.render(Messages.target(target.formatted(SECRET, OLDER_SECRET)), message, attemptAt);
    }
}
