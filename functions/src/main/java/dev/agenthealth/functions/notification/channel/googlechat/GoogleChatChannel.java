package dev.agenthealth.functions.notification.channel.googlechat;

import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.notification.channel.Channel;
import dev.agenthealth.functions.notification.channel.Delivery;
import dev.agenthealth.functions.notification.channel.HttpSender;
import dev.agenthealth.functions.notification.channel.MessageText;
import dev.agenthealth.functions.notification.channel.Post;
import dev.agenthealth.functions.notification.channel.Target;
import dev.agenthealth.functions.notification.channel.TargetField;
import dev.agenthealth.model.notification.NotificationMessage;
import java.time.Instant;
import java.util.List;

/** Webhooks of a space of Google Chat, whose query has the secret. */
public final class GoogleChatChannel extends Channel {

    private static final int MAX_TEXT = 4_000;

    private final HttpSender http;

    public GoogleChatChannel(HttpSender http) {
        super("google_chat", TargetField.hook(http));
        this.http = http;
    }

    @Override
    public Delivery send(Target target, NotificationMessage message, Instant attemptAt) {
        return http.send(List.of(render(target, message)), attemptAt, HttpSender.Refusals.FINAL);
    }

    static Post render(Target target, NotificationMessage message) {
        String text = MessageText.text(message, MAX_TEXT, GoogleChatChannel::escaped, url -> " <" + url + "|Open>");
        return new Post(target.url(), Json.object().put("text", text));
    }

    /** Chat has no way to escape: a space of no width keeps {@code <users/all>} from notifying, and an address from hiding behind a name. */
    private static String escaped(String text) {
        return text.replace("<", "<\u200B");
    }
}
