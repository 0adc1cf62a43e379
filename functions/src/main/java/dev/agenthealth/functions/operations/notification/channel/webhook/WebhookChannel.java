package dev.agenthealth.functions.operations.notification.channel.webhook;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.notification.channel.Channel;
import dev.agenthealth.functions.operations.notification.channel.Target;
import dev.agenthealth.functions.operations.notification.channel.TargetField;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.functions.runtime.outbound.Post;
import dev.agenthealth.functions.runtime.outbound.WebhookSignature;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Webhooks that are signed by Standard Webhooks, with up to three secrets during a rotation, the newest first. The body has the form of Standard
 * Webhooks or of CloudEvents.
 */
public final class WebhookChannel extends Channel {

    /** The type of every message. Its {@code data} says whether it is a test or a recovery. */
    static final String TYPE = "agent_health.notification";

    /** The maximum size of a body. Standard Webhooks recommends less than 20 KB. */
    static final int MAX_BYTES = 20_000;

    private static final int MAX_SECRETS = 3;

    private static final String PLAIN = "plain";
    private static final String STRUCTURED = "cloudevents_structured";
    private static final String BINARY = "cloudevents_binary";
    private static final Pattern FORMAT = Pattern.compile(String.join("|", PLAIN, STRUCTURED, BINARY));

    private final HttpSender http;

    public WebhookChannel(HttpSender http) {
        super(
                "webhook",
                TargetField.masked("url", http::fault, WebhookChannel::withoutQuery),
                new TargetField(
                        "secrets",
                        MAX_SECRETS,
                        WebhookSignature::fault,
                        TargetField.Kind.CREDENTIAL,
                        (json, secrets) -> json.put("secret_count", secrets.size()),
                        () -> List.of(WebhookSignature.newSecret())),
                TargetField.option(
                        "format",
                        PLAIN,
                        TargetField.matching(FORMAT, "must be " + PLAIN + ", " + STRUCTURED + " or " + BINARY)));
        this.http = http;
    }

    private static String withoutQuery(String url) {
        int query = url.indexOf('?');
        return query < 0 ? url : url.substring(0, query + 1) + TargetField.HIDDEN;
    }

    /** Sends a message. A refusal is retried, as it may end without a change of the target: the receiver may be in the middle of a deployment. */
    @Override
    public boolean isForPeople() {
        return false;
    }

    @Override
    public Delivery send(Target target, NotificationMessage message, Instant attemptAt) {
        return http.send(List.of(render(target, message, attemptAt)), attemptAt, HttpSender.Refusals.PASSING);
    }

    /** Returns the request. Its id is the same for every attempt, and its timestamp is the time of this attempt. */
    static Post render(Target target, NotificationMessage message, Instant attemptAt) {
        String format = target.text("format");
        CloudEvent event = new CloudEvent(message);
        byte[] body = body(message, data -> switch (format) {
            case STRUCTURED -> event.structured(data);
            case BINARY -> data;
            default -> plain(message, data);
        });
        // Full stops separate the parts of the signed text.
        String id = message.messageId().replaceAll("[^A-Za-z0-9_:-]", "_");
        Map<String, String> headers =
                new HashMap<>(WebhookSignature.headers(id, attemptAt, body, target.texts("secrets")));
        switch (format) {
            case STRUCTURED -> headers.put("Content-Type", CloudEvent.MEDIA_TYPE);
            case BINARY -> headers.putAll(event.headers());
            default -> {}
        }
        return new Post(target.url(), headers, body);
    }

    private static ObjectNode plain(NotificationMessage message, ObjectNode data) {
        ObjectNode json = Json.object().put("type", TYPE);
        json.put("timestamp", Timestamps.text(message.at()));
        return json.set("data", data);
    }

    /** Returns the body, with as many entries as fit. */
    private static byte[] body(NotificationMessage message, UnaryOperator<ObjectNode> format) {
        ObjectNode data = Json.object();
        data.put("id", message.messageId());
        data.put("rule", message.rule());
        data.put("test", message.test());
        data.put("recovery", message.recovery());
        data.put("total", message.total());
        ArrayNode events = data.putArray("events");
        message.entries().forEach(entry -> events.add(json(message, entry)));
        byte[] body = bytes(format.apply(data));
        while (body.length > MAX_BYTES && !events.isEmpty()) {
            events.remove(events.size() - 1);
            body = bytes(format.apply(data));
        }
        return body;
    }

    private static ObjectNode json(NotificationMessage message, NotificationEntry entry) {
        ObjectNode json = Json.object();
        json.put("event_id", entry.eventId());
        json.put("detail_type", entry.detailType());
        json.put("severity", entry.severity().wireName());
        json.put("agent_id", entry.agentId());
        json.put("role_id", entry.roleId());
        json.put("at", Timestamps.text(entry.at()));
        json.put("from", entry.from());
        json.put("to", entry.to());
        json.put("summary", entry.summary());
        json.put("subject", entry.subject());
        json.put("recovery", entry.recovery());
        entry.problemId().ifPresent(id -> json.put("problem_id", id));
        message.link(entry).ifPresent(url -> json.put("url", url));
        return json;
    }

    private static byte[] bytes(ObjectNode json) {
        return Json.text(json).getBytes(StandardCharsets.UTF_8);
    }
}
