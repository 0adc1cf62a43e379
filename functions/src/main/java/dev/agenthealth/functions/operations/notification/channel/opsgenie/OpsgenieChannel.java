package dev.agenthealth.functions.operations.notification.channel.opsgenie;

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
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Alerts in Opsgenie's Alert API, which Jira Service Management offers at another address. Each {@link Alert} becomes one of them. */
public final class OpsgenieChannel extends Channel {

    static final int MAX_MESSAGE = 130;
    static final int MAX_DESCRIPTION = 15_000;
    static final int MAX_ALIAS = 512;

    private static final String DEFAULT_URL = "https://api.opsgenie.com/v2/alerts";
    private static final Pattern API_KEY = Pattern.compile("[A-Za-z0-9._=+/-]{16,500}");

    private final HttpSender http;

    public OpsgenieChannel(HttpSender http) {
        super(
                "opsgenie",
                TargetField.visible("url", url -> http.fault(url).or(() -> fault(url)))
                        .otherwise(DEFAULT_URL),
                TargetField.credential(
                        "api_key",
                        TargetField.matching(API_KEY, "must be the key of an API integration, 16 to 500 characters")));
        this.http = http;
    }

    /** Returns the error in the address for new alerts; empty if it is valid. */
    private static Optional<String> fault(String url) {
        return url.endsWith("/alerts") ? Optional.empty() : Optional.of("must end with /alerts");
    }

    @Override
    public boolean hasAlerts() {
        return true;
    }

    @Override
    public Delivery send(Target target, NotificationMessage message, Instant attemptAt) {
        return http.send(render(target, message), attemptAt, HttpSender.Refusals.FINAL);
    }

    /** Returns the requests, in the order in which they are sent. */
    static List<Post> render(Target target, NotificationMessage message) {
        return Alert.of(message).stream()
                .map(alert -> alert.opens() ? create(target, alert, message) : close(target, alert))
                .toList();
    }

    private static Post create(Target target, Alert alert, NotificationMessage message) {
        ObjectNode json = Json.object()
                .put("alias", alert.key(MAX_ALIAS))
                .put("source", Alert.SOURCE)
                .put("description", MessageText.text(message, MAX_DESCRIPTION, text -> text, url -> " " + url));
        ObjectNode details = json.putObject("details").put("rule", message.rule());
        json.put("message", MessageText.cut(MessageText.title(message), MAX_MESSAGE))
                .put("priority", priority(MessageText.severity(message)));
        alert.problem().ifPresent(entry -> put(json, details, message, entry));
        return post(target, target.url(), json);
    }

    private static void put(ObjectNode json, ObjectNode details, NotificationMessage message, NotificationEntry entry) {
        String summary = MessageText.oneLine(entry.summary());
        json.put("message", MessageText.cut(summary, MAX_MESSAGE))
                .put("description", MessageText.cut(summary, MAX_DESCRIPTION))
                .put("priority", priority(entry.severity()));
        if (!entry.agentId().isEmpty()) {
            json.put("entity", entry.agentId());
        }
        details.put("event_id", entry.eventId())
                .put("event", entry.detailType())
                .put("at", Timestamps.text(entry.at()));
        entry.problemId().ifPresent(id -> details.put("problem_id", id));
        if (!entry.roleId().isEmpty()) {
            details.put("role_id", entry.roleId());
        }
        message.link(entry).ifPresent(url -> details.put("page", url));
    }

    private static Post close(Target target, Alert alert) {
        String alias =
                URLEncoder.encode(alert.key(MAX_ALIAS), StandardCharsets.UTF_8).replace("+", "%20");
        URI url = URI.create(target.url() + "/" + alias + "/close?identifierType=alias");
        return post(target, url, Json.object().put("source", Alert.SOURCE));
    }

    private static Post post(Target target, URI url, ObjectNode json) {
        byte[] body = Json.text(json).getBytes(StandardCharsets.UTF_8);
        return new Post(url, Map.of("Authorization", "GenieKey " + target.text("api_key")), body);
    }

    private static String priority(Severity severity) {
        return switch (severity) {
            case CRITICAL -> "P1";
            case ERROR -> "P2";
            case WARNING -> "P3";
            case INFO -> "P5";
        };
    }
}
