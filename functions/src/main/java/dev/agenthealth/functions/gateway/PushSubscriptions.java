package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.gateway.a2a.A2aCall;
import dev.agenthealth.functions.gateway.a2a.A2aError;
import dev.agenthealth.functions.gateway.a2a.A2aResult;
import dev.agenthealth.functions.gateway.a2a.PushConfig;
import dev.agenthealth.functions.health.AgentCards;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.functions.runtime.secrets.SecretBox;
import dev.agenthealth.functions.storage.invocations.PushStore;
import dev.agenthealth.functions.storage.invocations.PushStore.Push;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.CallerKind;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Subscribes the gateway to notifications about a task in place of a caller, and the gateway passes them on. The agent gets an address of the
 * gateway with a separate secret, and nothing of the caller's configuration. Thread-safe.
 */
final class PushSubscriptions {

    private static final int ID_BYTES = 16;
    private static final int SECRET_BYTES = 32;

    private final PushStore store;
    private final AgentCards cards;
    private final HttpSender receivers;
    private final SecretBox box;
    private final Log log;
    private final Clock clock;

    PushSubscriptions(PushStore store, AgentCards cards, HttpSender receivers, SecretBox box, Log log, Clock clock) {
        this.store = store;
        this.cards = cards;
        this.receivers = receivers;
        this.box = box;
        this.log = log;
        this.clock = clock;
    }

    /**
     * A subscription that the agent does not know yet.
     *
     * @param forAgent the configuration for the agent
     */
    record Begun(Push push, PushConfig forAgent) {}

    /**
     * Begins to accept notifications.
     *
     * @param taskId the task; empty if the agent has yet to create it
     * @throws A2aError if the agent's card promises no notifications, or the caller has no key
     * @throws ApiError 400 if the caller's address may not be called, 409 if the gateway's address may not be called, or the caller has too many
     *     subscriptions for the task
     */
    Begun begin(Caller caller, Admitted agent, PushTarget target, String taskId) {
        if (!cards.pushes(agent.agent())) {
            throw A2aCall.pushNotSupported();
        }
        if (caller.kind() == CallerKind.PERSON) {
            throw A2aError.of(
                    A2aError.PUSH_NOT_SUPPORTED,
                    "Notifications are for keys, as the sign-in of a person ends.",
                    "push_notification_needs_key");
        }
        PushConfig config = target.config();
        receivers.fault(config.url()).ifPresent(fault -> {
            throw ApiError.invalid(List.of(new FieldError("url", fault)));
        });
        // On a single machine, the caller chooses the host in a request, and the agent would send to it.
        receivers.fault(target.origin()).ifPresent(fault -> {
            throw ApiError.conflict(
                    "gateway_not_notifiable", "Agents cannot notify the gateway at this address, which " + fault + ".");
        });
        String name = config.id().equals(taskId) ? "" : config.id();
        Map<String, Push> others = taskId.isEmpty() ? Map.of() : store.ofTask(agent.id(), taskId, caller.keyId());
        Push sameName = others.get(name.isEmpty() ? taskId : name);
        if (others.size() >= PushStore.MAX_OF_TASK && sameName == null) {
            throw ApiError.conflict(
                    "too_many_push_configurations",
                    "A key has at most " + PushStore.MAX_OF_TASK + " configurations for a task.");
        }
        String id = random(ID_BYTES);
        String secret = random(SECRET_BYTES);
        byte[] sealed = box.seal(context(agent.id(), id), config.secretText().getBytes(StandardCharsets.UTF_8));
        Push push = new Push(
                agent.id(),
                id,
                new PushStore.Subscriber(caller.keyId(), name, target.version(), sealed),
                "",
                KeyHash.ofKey(secret),
                clock.instant(),
                sameName == null ? "" : sameName.id());
        store.begin(push);
        String url = target.origin() + "/a2a/agents/" + agent.id() + "/notifications/" + id;
        return new Begun(push, new PushConfig(idForAgent(push), url, secret, "Bearer", secret));
    }

    /** Begins to accept notifications about the task of a message, if its caller wants them. */
    Optional<Begun> begin(InvocationRequest request, Admitted agent) {
        String taskId = request.message().taskId();
        return request.push().map(target -> begin(request.caller(), agent, target, taskId));
    }

    /**
     * Returns the id for the agent. It is the same for each message of a key with this configuration, so that the agent keeps one configuration per
     * task.
     */
    static String idForAgent(Push push) {
        return HexFormat.of()
                .formatHex(Sha256.of(List.of(push.keyId(), push.configId())))
                .substring(0, 2 * ID_BYTES);
    }

    /** Connects a subscription with the task that the agent returned. A failure is only logged, as the first notification also connects them. */
    void returned(Optional<Begun> begun, JsonNode returned) {
        begun.ifPresent(subscription -> {
            Push push = subscription.push();
            try {
                A2aResult.taskId(returned).ifPresent(taskId -> store.bind(push, taskId));
            } catch (RuntimeException e) {
                log.failure("push_not_bound", push.agentId(), e);
            }
        });
    }

    /** Connects a subscription with the task in the result of a call. If the agent returned a message instead, the subscription ends. */
    void returned(Optional<Begun> begun, CallResult result) {
        if (begun.isEmpty() || result.returned().isEmpty()) {
            return;
        }
        JsonNode returned = Json.stored(result.returned());
        if (result.succeeded() && A2aResult.taskId(returned).isEmpty()) {
            withdraw(begun.get().push());
        } else {
            returned(begun, returned);
        }
    }

    /** Ends a subscription that the agent does not know. */
    void withdraw(Push push) {
        try {
            store.remove(push.agentId(), push.id());
        } catch (RuntimeException e) {
            log.failure("push_not_withdrawn", push.agentId(), e);
        }
    }

    /** Returns the decrypted address and credentials of a caller for notifications. */
    PushConfig open(Push push) {
        byte[] plain =
                box.open(context(push.agentId(), push.id()), push.subscriber().sealed());
        return PushConfig.ofSecretText(new String(plain, StandardCharsets.UTF_8));
    }

    private static String context(String agentId, String id) {
        return "push:" + agentId + " " + id;
    }

    private static String random(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
