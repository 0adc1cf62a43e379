package dev.agenthealth.functions.operations.notification.channel.webhook;

import static dev.agenthealth.functions.operations.notification.channel.Messages.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agenthealth.functions.operations.notification.channel.Messages;
import dev.agenthealth.functions.runtime.outbound.Post;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
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

    @ParameterizedTest
    @MethodSource("messages")
    void an_event_of_cloudevents_has_the_same_data_in_both_modes_and_less_than_20_kilobytes(
            NotificationMessage message) {
        Post structured = of(message, ATTEMPT, "cloudevents_structured");
        Post binary = of(message, ATTEMPT, "cloudevents_binary");
        assertThat(structured.body()).hasSizeLessThan(20_000 + 1);
        assertThat(Messages.json(structured).path("data").path("events"))
                .hasSizeGreaterThanOrEqualTo(
                        Messages.json(binary).path("events").size() - 1);
        assertThat(Messages.json(binary).path("total").asInt()).isEqualTo(message.total());
        assertThat(binary.headers())
                .containsEntry("webhook-id", structured.headers().get("webhook-id"))
                .containsEntry("ce-id", binary.headers().get("ce-id"));
    }

    @Test
    void what_a_header_cannot_hold_is_encoded_as_cloudevents_says() {
        NotificationMessage message = Messages.of(Messages.entry("a", "error", "dead", false));
        NotificationMessage named = new NotificationMessage(
                "é \"1%\u0000\n", "€", Messages.AT, message.entries(), 1, false, false, 1, List.of(), "");
        assertThat(of(named, ATTEMPT, "cloudevents_binary").headers())
                .containsEntry("ce-id", "%C3%A9%20%221%25")
                .containsEntry("ce-rule", "%E2%82%AC")
                .containsEntry("ce-subject", "agent:a")
                .containsEntry("ce-severity", "error")
                .containsEntry("webhook-id", "___1___");
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
        return of(message, attemptAt, "plain");
    }

    private static Post of(NotificationMessage message, Instant attemptAt, String format) {
        String target = "'type':'webhook','url':'https://receiver.example/hook','secrets':['%s','%s'],'format':'%s'";
        return WebhookChannel.render(
                Messages.target(target.formatted(SECRET, OLDER_SECRET, format)), message, attemptAt);
    }
}
