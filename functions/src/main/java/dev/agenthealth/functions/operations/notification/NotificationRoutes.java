package dev.agenthealth.functions.operations.notification;

import static dev.agenthealth.functions.api.access.Access.ADMINISTRATOR;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.operations.notification.channel.Channel;
import dev.agenthealth.functions.operations.transfer.Section;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.notifications.DeliveryState;
import dev.agenthealth.functions.storage.notifications.NotificationRuleStore;
import dev.agenthealth.functions.storage.notifications.StoredRule;
import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import dev.agenthealth.model.operations.notification.NotificationRule;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routes of notification rules. No answer shows a secret, except the answer to the PUT that generates it. Thread-safe. */
public final class NotificationRoutes {

    private final Database database;
    private final NotificationRuleStore rules;
    private final Channels channels;
    private final Dispatcher dispatcher;
    private final Clock clock;
    private final Log log;

    public NotificationRoutes(Wiring wiring, Database database, Channels channels, Log log) {
        this.database = database;
        this.rules = new NotificationRuleStore(database);
        this.channels = channels;
        this.dispatcher = new Dispatcher(wiring, channels, "");
        this.clock = wiring.clock();
        this.log = log;
    }

    public void addTo(Routes routes) {
        routes.on("GET /v1/admin/notifications", ADMINISTRATOR, this::list)
                .on("PUT /v1/admin/notifications/{name}", ADMINISTRATOR, this::put)
                .on("GET /v1/admin/notifications/{name}", ADMINISTRATOR, this::get)
                .on("DELETE /v1/admin/notifications/{name}", ADMINISTRATOR, this::delete)
                .on("POST /v1/admin/notifications/{name}/test", ADMINISTRATOR, this::test);
    }

    /** {@code PUT …/{name}}: creates the rule (201) or replaces it (200), and enables it. */
    private ApiResponse put(ApiRequest request) {
        Written written = OptimisticUpdates.untilPresent(() -> write(request));
        log.info(
                "notification_written",
                Map.of("rule", written.rule().name(), "by", request.caller().keyId()));
        ObjectNode json = RuleFields.shown(written.rule());
        if (!written.generatedSecret().isEmpty()) {
            ((ObjectNode) json.get("target")).put("secret", written.generatedSecret());
        }
        return ApiResponse.json(written.rule().version() == 1 ? 201 : 200, json);
    }

    /**
     * A rule in its stored form.
     *
     * @param rule the stored rule
     * @param generatedSecret the secret that was generated for it; empty if there is none
     */
    private record Written(StoredRule rule, String generatedSecret) {}

    /** Writes the rule of a request if the stored rule is still the one that this attempt read. Missing fields are kept from the stored rule. */
    private Optional<Written> write(ApiRequest request) {
        String name = request.pathId("name");
        Fields body = request.fields();
        Optional<StoredRule> before = rules.find(name);
        NotificationRule rule = RuleFields.read(
                name, body, before.map(stored -> stored.rule().createdAt()).orElseGet(clock::instant));
        Channel.Read target = channels.read(body, before.flatMap(dispatcher::open));
        body.refuseUnknown();
        body.check();
        StoredRule stored = new StoredRule(
                rule,
                before.map(StoredRule::version).orElse(0L) + 1,
                Json.text(channels.of(target.target()).shown(target.target())),
                dispatcher.seal(name, target.target()),
                before.map(StoredRule::state).orElse(DeliveryState.NONE).enabled());
        return write(request.author(), before, stored)
                ? Optional.of(new Written(stored, target.generatedSecret()))
                : Optional.empty();
    }

    /**
     * Writes a rule. Returns {@code false} if the rule is no longer as it was read.
     *
     * @throws ApiError 409 if there are too many rules
     */
    boolean write(Author author, Optional<StoredRule> before, StoredRule stored) {
        if (before.isEmpty() && rules.all().size() >= NotificationRule.MAX_RULES) {
            throw ApiError.conflict(
                    "too_many_notifications",
                    "There are " + NotificationRule.MAX_RULES + " rules already: delete one first.");
        }
        return recording(author, "notification.written", stored.name(), before, Optional.of(stored))
                .write(stored, before);
    }

    /** Returns the section of the rules. */
    public Section section() {
        return new RuleSection(this, rules, channels, dispatcher, clock);
    }

    private ApiResponse list(ApiRequest request) {
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("notifications");
        rules.all().forEach(rule -> array.add(RuleFields.shown(rule)));
        return ApiResponse.json(200, json);
    }

    private ApiResponse get(ApiRequest request) {
        return ApiResponse.json(200, RuleFields.shown(existing(request)));
    }

    /** {@code DELETE …/{name}}: deletes the rule and its collected events. Does nothing if the rule does not exist. */
    private ApiResponse delete(ApiRequest request) {
        String name = request.pathId("name");
        OptimisticUpdates.untilDone(() -> {
            Optional<StoredRule> before = rules.find(name);
            return before.isEmpty()
                    || recording(request.author(), "notification.deleted", name, before, Optional.empty())
                            .remove(before.get());
        });
        log.info(
                "notification_deleted",
                Map.of("rule", name, "by", request.caller().keyId()));
        return ApiResponse.noContent();
    }

    private NotificationRuleStore recording(
            Author author, String action, String name, Optional<StoredRule> before, Optional<StoredRule> after) {
        AuditObject rule = new AuditObject("notification", name);
        AuditEntry entry = AuditEntry.of(author, action, rule, audited(before), audited(after));
        return AuditStore.recording(database, entry, NotificationRuleStore::new);
    }

    /** Returns the rule for the audit log. It includes the version, as a change of a secret is not shown. */
    private static ObjectNode audited(Optional<StoredRule> rule) {
        return rule.map(one -> RuleFields.shown(one)
                        .<ObjectNode>without(List.of("name", "last_delivery", "last_error", "failing_since"))
                        .put("version", one.version()))
                .orElseGet(Json::object);
    }

    /** {@code POST …/{name}/test}: sends a message and returns the result, even for a disabled rule. */
    private ApiResponse test(ApiRequest request) {
        StoredRule rule = existing(request);
        Instant now = clock.instant();
        String id = "test_" + UlidCreator.getUlid();
        String sentence = "This is a test of the rule " + rule.name() + ".";
        String subject = "test:" + rule.name();
        NotificationEntry entry = new NotificationEntry(
                id, "test", EventKind.NOTICE, Severity.INFO, "", "", now, "", "", sentence, subject);
        NotificationMessage message =
                new NotificationMessage(id, rule.name(), now, List.of(entry), 1, false, true, 0, List.of(), "");
        Delivery delivery = dispatcher.send(rule, message, now);
        ObjectNode json = Json.object().put("message_id", id);
        json.put("delivered", delivery instanceof Delivery.Delivered);
        if (!delivery.reason().isEmpty()) {
            json.put("reason", delivery.reason());
        }
        return ApiResponse.json(200, json);
    }

    private StoredRule existing(ApiRequest request) {
        String name = request.pathId("name");
        return rules.find(name)
                .orElseThrow(() ->
                        ApiError.notFound("notification_not_found", "There is no notification rule '" + name + "'."));
    }
}
