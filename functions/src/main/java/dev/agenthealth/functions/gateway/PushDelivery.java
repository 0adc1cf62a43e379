package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.gateway.a2a.PushConfig;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.functions.runtime.outbound.Post;
import dev.agenthealth.functions.runtime.outbound.WebhookSignature;
import dev.agenthealth.functions.runtime.secrets.UnreadableSecretException;
import dev.agenthealth.functions.storage.invocations.PushStore;
import dev.agenthealth.functions.storage.invocations.PushStore.Push;
import dev.agenthealth.functions.storage.invocations.PushStore.Pushed;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.model.RetryPauses;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends the notifications of agents to the callers that want them. They are signed by Standard Webhooks if caller and gateway share a secret. The
 * queue delivers each message at least once, and a failed notification is sent twice more. Thread-safe.
 */
final class PushDelivery {

    /** The pauses are short. Messages that wait for five minutes raise the alarm about failing workers. */
    private static final RetryPauses PAUSES =
            RetryPauses.of(Duration.ofSeconds(90), Duration.ofSeconds(10), Duration.ofSeconds(90));

    /** The form of a message. No id of a receipt contains a space. */
    private static final Pattern MESSAGE = Pattern.compile("notification ([^ ]+) ([^ -]+)-([0-9]{1,6})");

    private final PushStore store;
    private final PushSubscriptions subscriptions;
    private final AdmissionCheck admission;
    private final KeyStore keys;
    private final HttpSender receivers;
    private final Log log;
    private final Clock clock;

    PushDelivery(
            PushStore store,
            PushSubscriptions subscriptions,
            AdmissionCheck admission,
            KeyStore keys,
            HttpSender receivers,
            Log log,
            Clock clock) {
        this.store = store;
        this.subscriptions = subscriptions;
        this.admission = admission;
        this.keys = keys;
        this.receivers = receivers;
        this.log = log;
        this.clock = clock;
    }

    /** Returns the message for a notification in the queue. It contains nothing of the content. */
    static String message(Push push, int number) {
        return "notification " + push.agentId() + " " + push.id() + "-" + number;
    }

    static boolean isNotification(String message) {
        return MESSAGE.matcher(message).matches();
    }

    /**
     * Sends a notification once. It sends nothing if the notification was delivered or given up, or if its key or its agent lost the right to it.
     *
     * @return the time after which the queue must deliver the message again; empty if it is done
     */
    Optional<Duration> deliver(String message) {
        Matcher parts = MESSAGE.matcher(message);
        if (!parts.matches()) {
            return Optional.empty();
        }
        String agentId = parts.group(1);
        String id = parts.group(2);
        int number = Integer.parseInt(parts.group(3));
        Optional<Pushed> pushed = store.attempt(agentId, id, number);
        if (pushed.isEmpty()) {
            return Optional.empty();
        }
        Optional<Push> push = store.find(agentId, id).filter(this::isWanted);
        Optional<Duration> again = push.flatMap(found -> send(found, number, pushed.get()));
        if (again.isEmpty()) {
            store.removeNotification(agentId, id, number);
        }
        return again;
    }

    /** Returns whether notifications of the agent are still accepted, and the requesting key is in force. */
    private boolean isWanted(Push push) {
        try {
            admission.unblocked(push.agentId());
        } catch (CallFailedException e) {
            undelivered(push, e.reason().wireName());
            return false;
        }
        return push.keyId().equals(Authenticator.ADMINISTRATOR)
                || keys.owner(push.keyId()).isPresent();
    }

    private Optional<Duration> send(Push push, int number, Pushed pushed) {
        PushConfig target;
        try {
            target = subscriptions.open(push);
        } catch (UnreadableSecretException e) {
            log.failure("push_configuration_unreadable", push.agentId(), e);
            return Optional.empty();
        }
        Instant now = clock.instant();
        byte[] body = pushed.json().getBytes(StandardCharsets.UTF_8);
        Map<String, String> headers = headers(target, push, push.id() + "-" + number, now, body);
        Delivery delivery = receivers.send(
                List.of(new Post(URI.create(target.url()), headers, body)), now, HttpSender.Refusals.FINAL);
        if (delivery instanceof Delivery.Delivered) {
            return Optional.empty();
        }
        Optional<Duration> pause = delivery instanceof Delivery.Retry retry
                ? PAUSES.after(pushed.attempt(), retry.after())
                : Optional.empty();
        if (pause.isPresent()) {
            return pause;
        }
        if (delivery instanceof Delivery.Gone) {
            store.remove(push, push.taskId());
        }
        undelivered(push, delivery.reason());
        return Optional.empty();
    }

    private static Map<String, String> headers(
            PushConfig target, Push push, String messageId, Instant now, byte[] body) {
        Map<String, String> headers = new HashMap<>();
        headers.put(
                "Content-Type",
                push.subscriber().version() == A2aVersion.V1_0 ? "application/a2a+json" : "application/json");
        if (!target.token().isEmpty()) {
            headers.put("X-A2A-Notification-Token", target.token());
        }
        if (!target.credentials().isEmpty()) {
            headers.put("Authorization", target.scheme() + " " + target.credentials());
        }
        String shared = target.token().isEmpty() ? target.credentials() : target.token();
        if (shared.isEmpty()) {
            headers.put("webhook-id", messageId);
        } else {
            headers.putAll(WebhookSignature.headers(messageId, now, body, List.of(WebhookSignature.secretOf(shared))));
        }
        return headers;
    }

    private void undelivered(Push push, String reason) {
        log.warn("notification_not_delivered", Map.of("agent_id", push.agentId(), "reason", reason));
    }
}
