package dev.agenthealth.functions.notification.delivery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.model.notification.NotificationEntry;
import dev.agenthealth.model.notification.NotificationMessage;
import dev.agenthealth.model.notification.NotificationTarget;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Messages for Slack's incoming webhooks, as blocks. {@code text} says the same without blocks, for notifications on phones and for services
 * that read Slack's messages but not its blocks.
 */
final class SlackMessage {

    static final int MAX_HEADER = 150;
    static final int MAX_SECTION = 3_000;

    /** Slack recommends at most 4,000 characters; the line that counts the other events needs some. */
    private static final int MAX_TEXT = 3_950;

    private static final int MAX_LINE = 180;
    private static final int MAX_SUMMARY = 500;

    private SlackMessage() {}

    static Post of(NotificationTarget.Slack target, NotificationMessage message) {
        ObjectNode json = Json.object().put("text", text(message));
        ArrayNode blocks = json.putArray("blocks");
        ObjectNode header = blocks.addObject().put("type", "header").putObject("text");
        header.put("type", "plain_text").put("text", Headline.cut(Headline.of(message), MAX_HEADER));
        // Otherwise texts such as :bomb: in a name become pictures.
        header.put("emoji", false);
        message.entries().forEach(entry -> section(blocks, section(entry)));
        String more = Headline.more(message, message.entries().size());
        String rule = "Rule " + Headline.oneLine(message.rule());
        ArrayNode context = blocks.addObject().put("type", "context").putArray("elements");
        context.add(mrkdwn(escaped(more.isEmpty() ? rule : rule + " · " + more)));
        return new Post(target.url(), Map.of(), Json.text(json).getBytes(StandardCharsets.UTF_8));
    }

    /** As many events as fit: escaping makes some texts longer. */
    private static String text(NotificationMessage message) {
        StringBuilder text = new StringBuilder(escaped(Headline.cut(Headline.of(message), MAX_HEADER)));
        int shown = 0;
        for (NotificationEntry entry : message.entries()) {
            String line = escaped(Headline.cut(Headline.line(entry), MAX_LINE));
            if (text.length() + 1 + line.length() > MAX_TEXT) {
                break;
            }
            text.append('\n').append(line);
            shown++;
        }
        String more = Headline.more(message, shown);
        return more.isEmpty() ? text.toString() : text + "\n" + more;
    }

    private static String section(NotificationEntry entry) {
        String summary = escaped(Headline.cut(Headline.oneLine(entry.summary()), MAX_SUMMARY));
        String severity = entry.recovery() ? "recovered" : escaped(entry.severity());
        // Slack shows the time in the reader's time zone, and the text at the end where it cannot.
        String at = "<!date^" + entry.at().getEpochSecond() + "^{date_short_pretty} {time_secs}|" + entry.at() + ">";
        return "*" + severity + "* " + summary + "\n" + at;
    }

    private static void section(ArrayNode blocks, String text) {
        blocks.addObject().put("type", "section").set("text", mrkdwn(Headline.cut(text, MAX_SECTION)));
    }

    private static ObjectNode mrkdwn(String text) {
        // Verbatim: names of channels and addresses in a text do not become links.
        return Json.object().put("type", "mrkdwn").put("text", text).put("verbatim", true);
    }

    /** The three characters with which Slack's control sequences are written, such as that which notifies a whole channel. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
