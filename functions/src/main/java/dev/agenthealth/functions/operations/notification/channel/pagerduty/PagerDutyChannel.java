package dev.agenthealth.functions.operations.notification.channel.pagerduty;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.notification.channel.Alert;
import dev.agenthealth.functions.operations.notification.channel.Channel;
import dev.agenthealth.functions.operations.notification.channel.MessageText;
import dev.agenthealth.functions.operations.notification.channel.Target;
import dev.agenthealth.functions.operations.notification.channel.TargetField;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.functions.runtime.outbound.Post;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/** Integrations of PagerDuty's Events API v2. Each {@link Alert} becomes one of its alerts, which is resolved when the alert closes. */
public final class PagerDutyChannel extends Channel {

    static final int MAX_DEDUP_KEY = 255;
    static final int MAX_SUMMARY = 1_024;

    /** The default address for events. A target may name another address, such as PagerDuty's service region in the EU. */
    private static final String DEFAULT_URL = "https://events.pagerduty.com/v2/enqueue";

    private static final Pattern ROUTING_KEY = Pattern.compile("[A-Za-z0-9]{32}");

    private final HttpSender http;

    public PagerDutyChannel(HttpSender http) {
        super(
                "pagerduty",
                TargetField.visible("url", http::fault).otherwise(DEFAULT_URL),
                TargetField.credential(
                        "routing_key",
                        TargetField.matching(ROUTING_KEY, "must be the 32 letters and digits of an integration key")));
        this.http = http;
    }

    @Override
    public boolean hasAlerts() {
        return true;
    }

    @Override
    public Delivery send(Target target, NotificationMessage message, Instant attemptAt) {
        return http.send(render(target, message), attemptAt, HttpSender.Refusals.FINAL);
    }

    /** Returns the requests, in the order in which they are sent. Sending a request twice changes nothing. */
    static List<Post> render(Target target, NotificationMessage message) {
        return new Events(target, message).posts();
    }

    /** A message as events of the API. */
    private record Events(Target target, NotificationMessage message) {

        private List<Post> posts() {
            return Alert.of(message).stream()
                    .map(alert -> alert.opens() ? trigger(alert) : post(event("resolve", alert)))
                    .toList();
        }

        private Post trigger(Alert alert) {
            return alert.problem().map(entry -> trigger(alert, entry)).orElseGet(() -> triggerForAll(alert));
        }

        /** Returns an alert for the whole message. */
        private Post triggerForAll(Alert alert) {
            ObjectNode event = event("trigger", alert);
            ObjectNode payload = payload(event, MessageText.title(message), MessageText.severity(message));
            payload.put("timestamp", Timestamps.text(message.at()));
            ObjectNode details = payload.putObject("custom_details");
            details.put("total", message.total());
            var lines = details.putArray("events");
            message.entries().forEach(entry -> lines.add(MessageText.cut(MessageText.line(entry), MAX_SUMMARY)));
            return post(event);
        }

        /** Returns an alert for the problem of a subject. */
        private Post trigger(Alert alert, NotificationEntry entry) {
            ObjectNode event = event("trigger", alert);
            ObjectNode payload = payload(event, entry.summary(), entry.severity());
            payload.put("timestamp", Timestamps.text(entry.at()));
            message.link(entry).ifPresent(url -> event.put("client_url", url));
            payload.put("source", entry.agentId().isEmpty() ? Alert.SOURCE : entry.agentId());
            payload.put("class", entry.detailType());
            if (!entry.roleId().isEmpty()) {
                payload.put("component", entry.roleId());
            }
            ObjectNode details = payload.putObject("custom_details");
            details.put("event_id", entry.eventId());
            entry.problemId().ifPresent(id -> details.put("problem_id", id));
            if (!entry.to().isEmpty()) {
                details.put("from", entry.from()).put("to", entry.to());
            }
            return post(event);
        }

        private ObjectNode payload(ObjectNode event, String summary, Severity severity) {
            ObjectNode payload = event.put("client", "Agent Health").putObject("payload");
            payload.put("summary", MessageText.cut(MessageText.oneLine(summary), MAX_SUMMARY));
            payload.put("source", Alert.SOURCE);
            payload.put("severity", severity.wireName());
            payload.put("group", message.rule());
            return payload;
        }

        private ObjectNode event(String action, Alert alert) {
            ObjectNode event = Json.object().put("routing_key", target.text("routing_key"));
            return event.put("event_action", action).put("dedup_key", alert.key(MAX_DEDUP_KEY));
        }

        private Post post(ObjectNode event) {
            return new Post(target.url(), event);
        }
    }
}
