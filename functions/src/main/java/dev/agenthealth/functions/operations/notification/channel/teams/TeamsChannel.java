package dev.agenthealth.functions.operations.notification.channel.teams;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.notification.channel.HookChannel;
import dev.agenthealth.functions.operations.notification.channel.MessageText;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;

/**
 * Workflows of Microsoft Teams that post an adaptive card when they receive a webhook request. The URL is the secret. Texts of agents are in text
 * runs, in which Teams reads no markup.
 */
public final class TeamsChannel extends HookChannel {

    private static final int MAX_TITLE = 150;
    private static final int MAX_SUMMARY = 300;
    private static final int MAX_BYTES = 28 * 1_024;

    public TeamsChannel(HttpSender http) {
        super("teams", http, TeamsChannel::body);
    }

    /** Returns the card, with as many events as fit. */
    static ObjectNode body(NotificationMessage message) {
        int shown = message.entries().size();
        ObjectNode json = body(message, shown);
        while (Json.text(json).getBytes(StandardCharsets.UTF_8).length > MAX_BYTES && shown > 0) {
            json = body(message, --shown);
        }
        return json;
    }

    private static ObjectNode body(NotificationMessage message, int shown) {
        ObjectNode json = Json.object().put("type", "message");
        ObjectNode card = json.putArray("attachments")
                .addObject()
                .put("contentType", "application/vnd.microsoft.card.adaptive")
                .putObject("content");
        card.put("$schema", "http://adaptivecards.io/schemas/adaptive-card.json");
        card.put("type", "AdaptiveCard").put("version", "1.4");
        ArrayNode body = card.putArray("body");
        bold(runs(body), MessageText.cut(MessageText.title(message), MAX_TITLE)).put("size", "large");
        message.entries().subList(0, shown).forEach(entry -> put(body, message, entry));
        String more = MessageText.more(message, shown);
        String rule = "Rule " + MessageText.cut(MessageText.oneLine(message.rule()), MAX_TITLE);
        run(runs(body), more.isEmpty() ? rule : rule + " · " + more).put("isSubtle", true);
        return json;
    }

    private static void put(ArrayNode body, NotificationMessage message, NotificationEntry entry) {
        ArrayNode runs = runs(body);
        bold(runs, MessageText.label(entry) + " ");
        run(runs, MessageText.cut(MessageText.oneLine(entry.summary()), MAX_SUMMARY));
        // Teams shows the time in the reader's time zone.
        String at = entry.at().truncatedTo(ChronoUnit.SECONDS).toString();
        body.addObject()
                .put("type", "TextBlock")
                .put(
                        "text",
                        "{{DATE(" + at + ", SHORT)}} {{TIME(" + at + ")}}"
                                + message.link(entry)
                                        .map(url -> " [Open](" + url + ")")
                                        .orElse(""))
                .put("isSubtle", true)
                .put("spacing", "none");
    }

    private static ArrayNode runs(ArrayNode body) {
        return body.addObject().put("type", "RichTextBlock").putArray("inlines");
    }

    private static ObjectNode bold(ArrayNode runs, String text) {
        return run(runs, text).put("weight", "bolder");
    }

    private static ObjectNode run(ArrayNode runs, String text) {
        return runs.addObject().put("type", "TextRun").put("text", text);
    }
}
