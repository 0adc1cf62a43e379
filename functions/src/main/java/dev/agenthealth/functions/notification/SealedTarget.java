package dev.agenthealth.functions.notification;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.secrets.SecretBox;
import dev.agenthealth.functions.secrets.UnreadableSecretException;
import dev.agenthealth.functions.storage.notifications.StoredRule;
import dev.agenthealth.model.notification.NotificationTarget;
import dev.agenthealth.model.notification.NotificationTarget.Email;
import dev.agenthealth.model.notification.NotificationTarget.PagerDuty;
import dev.agenthealth.model.notification.NotificationTarget.Slack;
import dev.agenthealth.model.notification.NotificationTarget.Webhook;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Targets as they are stored, encrypted, and as administrators see them, without secrets. */
final class SealedTarget {

    /** In place of the part of a URL that may be a secret; no URL contains it, so that what is shown is not taken for one. */
    private static final String HIDDEN = "…";

    private SealedTarget() {}

    /** The target, encrypted for a rule. */
    static byte[] seal(SecretBox box, String rule, NotificationTarget target) {
        ObjectNode json = Json.object().put("type", target.type());
        if (target instanceof Webhook webhook) {
            json.put("url", webhook.url().toString());
            ArrayNode secrets = json.putArray("secrets");
            webhook.secrets().forEach(secrets::add);
        } else if (target instanceof Slack slack) {
            json.put("url", slack.url().toString());
        } else if (target instanceof PagerDuty pagerDuty) {
            json.put("url", pagerDuty.url().toString()).put("routing_key", pagerDuty.routingKey());
        } else if (target instanceof Email email) {
            json.put("address", email.address());
        }
        return box.seal(context(rule), Json.text(json).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The target of a rule.
     *
     * @throws UnreadableSecretException where its key is lost
     */
    static NotificationTarget open(SecretBox box, StoredRule rule) {
        byte[] plain = box.open(context(rule.name()), rule.sealedTarget());
        JsonNode json = Json.stored(new String(plain, StandardCharsets.UTF_8));
        URI url = URI.create(json.path("url").asText());
        return switch (json.path("type").asText()) {
            case "webhook" -> {
                List<String> secrets = new ArrayList<>();
                json.path("secrets").forEach(secret -> secrets.add(secret.asText()));
                yield new Webhook(url, secrets);
            }
            case "slack" -> new Slack(url);
            case "pagerduty" -> new PagerDuty(json.path("routing_key").asText(), url);
            case "email" -> new Email(json.path("address").asText());
            default -> throw new IllegalStateException("a stored target has an unknown type");
        };
    }

    /** What administrators see: a webhook's URL without its query, one of Slack without its path. */
    static ObjectNode shown(NotificationTarget target) {
        ObjectNode json = Json.object().put("type", target.type());
        if (target instanceof Webhook webhook) {
            String url = webhook.url().toString();
            int query = url.indexOf('?');
            json.put("url", query < 0 ? url : url.substring(0, query + 1) + HIDDEN);
            json.put("secret_count", webhook.secrets().size());
        } else if (target instanceof Slack slack) {
            json.put("url", slack.url().getScheme() + "://" + slack.url().getAuthority() + "/" + HIDDEN);
        } else if (target instanceof PagerDuty pagerDuty) {
            json.put("url", pagerDuty.url().toString());
        } else if (target instanceof Email email) {
            json.put("address", email.address());
        }
        return json.put("has_secret", !(target instanceof Email));
    }

    private static String context(String rule) {
        return "notification:" + rule;
    }
}
