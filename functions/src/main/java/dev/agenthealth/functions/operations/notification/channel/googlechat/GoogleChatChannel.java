package dev.agenthealth.functions.operations.notification.channel.googlechat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.notification.channel.HookChannel;
import dev.agenthealth.functions.operations.notification.channel.MessageText;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.model.operations.notification.NotificationMessage;

/** Webhooks of a space in Google Chat. The query contains the secret. */
public final class GoogleChatChannel extends HookChannel {

    private static final int MAX_TEXT = 4_000;

    public GoogleChatChannel(HttpSender http) {
        super("google_chat", http, GoogleChatChannel::body);
    }

    static ObjectNode body(NotificationMessage message) {
        String text = MessageText.text(message, MAX_TEXT, GoogleChatChannel::escaped, url -> " <" + url + "|Open>");
        return Json.object().put("text", text);
    }

    /**
     * Returns an escaped text. Chat has no escapes. A zero-width space prevents that {@code <users/all>} notifies, and that an address hides behind
     * a name.
     */
    private static String escaped(String text) {
        return text.replace("<", "<\u200B");
    }
}
