package dev.agenthealth.functions.operations.notification.channel.slack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.notification.channel.HookChannel;
import dev.agenthealth.functions.operations.notification.channel.MessageText;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.NotificationMessage;

/**
 * Slack's incoming webhooks, and services that read the same messages. The URL is the secret. {@code text} repeats the blocks as a text, for
 * notifications on phones and for services that do not read blocks.
 */
public final class SlackChannel extends HookChannel {

    static final int MAX_HEADER = 150;

    /** The maximum number of characters that Slack recommends. */
    private static final int MAX_TEXT = 4_000;

    /** The maximum length of a summary. With escapes and a link, it stays below the 3,000 characters of a section. */
    private static final int MAX_SUMMARY = 400;

    public SlackChannel(HttpSender http) {
        super("slack", http, SlackChannel::body);
    }

    static ObjectNode body(NotificationMessage message) {
        ObjectNode json =
                Json.object().put("text", MessageText.text(message, MAX_TEXT, SlackChannel::escaped, url -> ""));
        ArrayNode blocks = json.putArray("blocks");
        ObjectNode header = blocks.addObject().put("type", "header").putObject("text");
        header.put("type", "plain_text").put("text", title(message));
        // Without this, texts in a name such as :bomb: would become pictures.
        header.put("emoji", false);
        message.entries()
                .forEach(entry ->
                        blocks.addObject().put("type", "section").set("text", mrkdwn(section(message, entry))));
        String more = MessageText.more(message, message.entries().size());
        String rule = "Rule " + MessageText.oneLine(message.rule());
        ArrayNode context = blocks.addObject().put("type", "context").putArray("elements");
        context.add(mrkdwn(escaped(more.isEmpty() ? rule : rule + " · " + more)));
        return json;
    }

    private static String title(NotificationMessage message) {
        return MessageText.cut(MessageText.title(message), MAX_HEADER);
    }

    private static String section(NotificationMessage message, NotificationEntry entry) {
        String summary = escaped(MessageText.cut(MessageText.oneLine(entry.summary()), MAX_SUMMARY));
        // Slack shows the time in the reader's time zone, or the text at the end if it cannot.
        String at = "<!date^" + entry.at().getEpochSecond() + "^{date_short_pretty} {time_secs}|"
                + Timestamps.text(entry.at()) + ">";
        return "*" + MessageText.label(entry) + "* " + summary + "\n" + at
                + message.link(entry).map(url -> " · <" + url + "|Open>").orElse("");
    }

    private static ObjectNode mrkdwn(String text) {
        // With verbatim, names of channels and addresses in a text do not become links.
        return Json.object().put("type", "mrkdwn").put("text", text).put("verbatim", true);
    }

    /** Escapes the three characters of Slack's control sequences, such as the sequence that notifies a whole channel. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
