package dev.agenthealth.functions.operations.notification.channel.discord;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.notification.channel.HookChannel;
import dev.agenthealth.functions.operations.notification.channel.MessageText;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.util.regex.Pattern;

/** Webhooks of Discord. The URL is the secret. No text notifies members, becomes a link under another name, or makes Discord fetch an address. */
public final class DiscordChannel extends HookChannel {

    private static final int MAX_CONTENT = 2_000;

    /** The flag of a message that suppresses previews of addresses. */
    private static final int SUPPRESS_EMBEDS = 4;

    private static final Pattern MARKDOWN = Pattern.compile("[\\\\*_~`|>#\\[\\]<]");

    public DiscordChannel(HttpSender http) {
        super("discord", http, DiscordChannel::body);
    }

    static ObjectNode body(NotificationMessage message) {
        ObjectNode json = Json.object()
                .put(
                        "content",
                        MessageText.text(message, MAX_CONTENT, DiscordChannel::escaped, url -> " [Open](" + url + ")"))
                .put("flags", SUPPRESS_EMBEDS);
        json.putObject("allowed_mentions").putArray("parse");
        return json;
    }

    private static String escaped(String text) {
        return MARKDOWN.matcher(text).replaceAll("\\\\$0");
    }
}
