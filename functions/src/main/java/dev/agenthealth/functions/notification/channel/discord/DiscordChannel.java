package dev.agenthealth.functions.notification.channel.discord;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.regex.Pattern;

/** Webhooks of Discord, whose URL is the secret. No text notifies members, becomes a link under another name, or has its address fetched. */
public final class DiscordChannel extends Channel {

    private static final int MAX_CONTENT = 2_000;

    /** A message's flag: addresses in it are not shown with what is there. */
    private static final int SUPPRESS_EMBEDS = 4;

    private static final Pattern MARKDOWN = Pattern.compile("[\\\\*_~`|>#\\[\\]<]");

    private final HttpSender http;

    public DiscordChannel(HttpSender http) {
        super("discord", TargetField.hook(http));
        this.http = http;
    }

    @Override
    public Delivery send(Target target, NotificationMessage message, Instant attemptAt) {
        return http.send(List.of(render(target, message)), attemptAt, HttpSender.Refusals.FINAL);
    }

    static Post render(Target target, NotificationMessage message) {
        ObjectNode json = Json.object()
                .put(
                        "content",
                        MessageText.text(message, MAX_CONTENT, DiscordChannel::escaped, url -> " [Open](" + url + ")"))
                .put("flags", SUPPRESS_EMBEDS);
        json.putObject("allowed_mentions").putArray("parse");
        return new Post(target.url(), json);
    }

    private static String escaped(String text) {
        return MARKDOWN.matcher(text).replaceAll("\\\\$0");
    }
}
