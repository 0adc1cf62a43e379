package dev.agenthealth.functions.operations.notification.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.functions.runtime.outbound.Post;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A channel that only tests have: pagers with a number, behind a gateway that takes a token. */
public final class MadeUpChannel extends Channel {

    private static final String TOKEN = "token-HIDDEN";

    private final HttpSender http;

    public MadeUpChannel(HttpSender http) {
        super(
                "pager",
                TargetField.visible(
                        "number", TargetField.matching(Pattern.compile("[0-9]{4}"), "must have four digits")),
                TargetField.masked("gateway", http::fault, url -> TargetField.HIDDEN),
                TargetField.credential("token", TargetField.matching(Pattern.compile("token-.*"), "must be a token")));
        this.http = http;
    }

    @Override
    public Delivery send(Target target, NotificationMessage message, Instant attemptAt) {
        String text = MessageText.cut(target.text("number") + " " + MessageText.title(message), 60);
        byte[] body = Json.text(Json.object().put("text", text)).getBytes(StandardCharsets.UTF_8);
        return http.send(
                List.of(new Post(
                        java.net.URI.create(target.text("gateway")), Map.of("x-token", target.text("token")), body)),
                attemptAt,
                HttpSender.Refusals.FINAL);
    }

    static ChannelCase testCase() {
        return new ChannelCase(
                "pager",
                ChannelCase::http,
                "'number':'1234','gateway':'http://RECEIVER/PLACE','token':'" + TOKEN + "'",
                "",
                "'number':'4321'",
                List.of("token"),
                "'number':'1234','gateway':'…','has_secret':true",
                List.of("PLACE", TOKEN),
                Map.of(
                        "", List.of("number", "gateway", "token"),
                        "'number':'1','gateway':'ftp://x','token':'x'", List.of("number", "gateway", "token")),
                sent -> {
                    assertThat(sent.headers()).containsEntry("x-token", TOKEN);
                    assertThat(Json.stored(sent.body()).path("text").asText()).hasSizeLessThanOrEqualTo(60);
                });
    }
}
