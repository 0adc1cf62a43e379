package dev.agenthealth.functions.notification.delivery;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.model.identity.Sha256;
import dev.agenthealth.model.notification.NotificationEntry;
import dev.agenthealth.model.notification.NotificationMessage;
import dev.agenthealth.model.notification.NotificationTarget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Messages as events of PagerDuty's Events API v2. The problems of up to {@link NotificationMessage#MAX_ALERTS} subjects are an alert for each
 * of them, which its recovery resolves. More are one alert for the message, so that a mass failure is one page; the recovery of the last of
 * them resolves it.
 */
final class PagerDutyEvents {

    static final int MAX_DEDUP_KEY = 255;
    static final int MAX_SUMMARY = 1_024;

    private static final String SOURCE = "agent-health";
    private static final String MESSAGE = "message:";

    private final NotificationTarget.PagerDuty target;
    private final NotificationMessage message;

    private PagerDutyEvents(NotificationTarget.PagerDuty target, NotificationMessage message) {
        this.target = target;
        this.message = message;
    }

    /** The requests, in the order in which they are sent. Sending one again changes nothing. */
    static List<Post> of(NotificationTarget.PagerDuty target, NotificationMessage message) {
        return new PagerDutyEvents(target, message).posts();
    }

    private List<Post> posts() {
        if (message.test()) {
            return List.of(trigger(key("test:" + message.messageId())));
        }
        Set<String> resolved = new LinkedHashSet<>(message.alerts());
        message.entries().stream().filter(NotificationEntry::recovery).forEach(entry -> resolved.add(entry.subject()));
        if (!message.isGroup()) {
            resolved.removeAll(message.problems().keySet());
        }
        List<Post> posts = new ArrayList<>();
        resolved.forEach(subject -> posts.add(post(event("resolve", key(subject)))));
        message.over().forEach(messageId -> posts.add(post(event("resolve", key(MESSAGE + messageId)))));
        if (!message.isGroup()) {
            message.problems().forEach((subject, entry) -> posts.add(trigger(subject, entry)));
        } else if (message.open() > 0) {
            posts.add(trigger(key(MESSAGE + message.messageId())));
        }
        return posts;
    }

    /** An alert for the whole message. */
    private Post trigger(String dedupKey) {
        ObjectNode event = event("trigger", dedupKey);
        ObjectNode payload = payload(event, Headline.of(message), Headline.severity(message));
        payload.put("timestamp", message.at().toString());
        ObjectNode details = payload.putObject("custom_details");
        details.put("total", message.total());
        var lines = details.putArray("events");
        message.entries().forEach(entry -> lines.add(Headline.cut(Headline.line(entry), MAX_SUMMARY)));
        return post(event);
    }

    /** An alert for the problem of a subject. */
    private Post trigger(String subject, NotificationEntry entry) {
        ObjectNode event = event("trigger", key(subject));
        ObjectNode payload = payload(event, entry.summary(), Headline.severity(entry));
        payload.put("timestamp", entry.at().toString());
        payload.put("source", entry.agentId().isEmpty() ? SOURCE : entry.agentId());
        payload.put("class", entry.detailType());
        if (!entry.roleId().isEmpty()) {
            payload.put("component", entry.roleId());
        }
        ObjectNode details = payload.putObject("custom_details");
        details.put("event_id", entry.eventId());
        if (!entry.to().isEmpty()) {
            details.put("from", entry.from()).put("to", entry.to());
        }
        return post(event);
    }

    private ObjectNode payload(ObjectNode event, String summary, String severity) {
        ObjectNode payload = event.put("client", "Agent Health").putObject("payload");
        payload.put("summary", Headline.cut(Headline.oneLine(summary), MAX_SUMMARY));
        payload.put("source", SOURCE);
        payload.put("severity", severity);
        payload.put("group", message.rule());
        return payload;
    }

    private ObjectNode event(String action, String dedupKey) {
        ObjectNode event = Json.object().put("routing_key", target.routingKey());
        return event.put("event_action", action).put("dedup_key", dedupKey);
    }

    /** Alerts of different rules are different ones, even about the same subject. */
    private String key(String subject) {
        String key = SOURCE + ":" + message.rule() + ":" + subject;
        return key.length() <= MAX_DEDUP_KEY
                ? key
                : SOURCE + ":" + HexFormat.of().formatHex(Sha256.of(key));
    }

    private Post post(ObjectNode event) {
        return new Post(target.url(), Map.of(), Json.text(event).getBytes(StandardCharsets.UTF_8));
    }
}
