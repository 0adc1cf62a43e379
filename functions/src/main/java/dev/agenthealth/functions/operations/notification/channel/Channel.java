package dev.agenthealth.functions.operations.notification.channel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A kind of target. It has the fields of targets, some of them secret, and turns messages into requests for receivers. Thread-safe. */
public abstract class Channel {

    private final String type;
    private final List<TargetField> fields;

    /**
     * @param type the name of the type in requests
     * @param fields the fields of a target, besides its type
     */
    protected Channel(String type, TargetField... fields) {
        this.type = type;
        this.fields = List.of(fields);
    }

    public final String type() {
        return type;
    }

    /** Returns the reason for which no rule may have such a target in this installation; empty if rules may. */
    protected Optional<String> unavailable() {
        return Optional.empty();
    }

    /** Returns whether receivers have alerts. Then a message without events may end an alert. */
    public boolean hasAlerts() {
        return false;
    }

    /** Returns whether people read the messages as they are sent. Programs get times in the form of RFC 3339. */
    public boolean isForPeople() {
        return true;
    }

    /**
     * Sends a message once, within {@link HttpSender#MAX_TIME}. A retry has the same id, and the receiver may get the message twice.
     *
     * @param attemptAt the time of this attempt
     */
    public abstract Delivery send(Target target, NotificationMessage message, Instant attemptAt);

    /**
     * The result of reading a target.
     *
     * @param target the target; use it only if no error was recorded
     * @param generatedSecret the secret that was generated for a target without one; otherwise empty
     */
    public record Read(Target target, String generatedSecret) {}

    /**
     * Reads a target, and records an error for each invalid field. In a channel with secrets, missing fields keep their values, since no answer
     * shows all of them. After a change of the address, a credential has to be given again, so that it is sent only to its own address.
     *
     * @param before the present target of the rule
     */
    public final Read read(Fields request, Optional<Target> before) {
        unavailable().ifPresent(reason -> request.refuse("type", reason));
        Map<TargetField, List<String>> given = new LinkedHashMap<>();
        fields.forEach(field -> given.put(field, field.read(request)));
        Optional<Target> kept =
                before.filter(target -> hasSecret() && target.type().equals(type));
        boolean moved = kept.isPresent() && given.entrySet().stream().anyMatch(field -> isMoved(field, kept.get()));
        ObjectNode target = Json.object().put("type", type);
        String generatedSecret = "";
        for (TargetField field : fields) {
            List<String> values = given.get(field);
            if (values.isEmpty() && kept.isPresent()) {
                values = kept.get().texts(field.name());
                if (moved && field.isCredential()) {
                    request.refuse(field.name(), "must be given again, since the address changes");
                }
            }
            if (values.isEmpty()) {
                values = field.otherwise().get();
                generatedSecret = field.isCredential() && !values.isEmpty() ? values.get(0) : generatedSecret;
            }
            if (values.isEmpty()) {
                request.require(field.name());
            }
            field.put(target, values);
        }
        request.refuseUnknown();
        return new Read(new Target(target), generatedSecret);
    }

    /**
     * A target in the document of a registry's configuration.
     *
     * @param declared the visible fields
     * @param target the whole target; empty if a secret is missing, or no rule may have such a target here
     * @param missing the names of the missing secrets
     */
    public record Imported(ObjectNode declared, Optional<Target> target, List<String> missing) {}

    /**
     * Reads a target of a document, in which secrets may be missing, and records an error for each invalid field. Present secrets stay if the
     * address stays.
     *
     * @param before the present target of the rule
     */
    public final Imported imported(Fields request, Optional<Target> before) {
        Map<TargetField, List<String>> given = new LinkedHashMap<>();
        fields.forEach(field -> given.put(field, field.read(request)));
        request.refuseUnknown();
        Optional<Target> kept = before.filter(target -> target.type().equals(type))
                .filter(target -> given.entrySet().stream().noneMatch(field -> isMoved(field, target)));
        ObjectNode target = Json.object().put("type", type);
        ObjectNode declared = Json.object().put("type", type);
        List<String> missing = new ArrayList<>();
        given.forEach((field, values) -> {
            List<String> known = values.isEmpty() && field.isSecret()
                    ? kept.map(stored -> stored.texts(field.name())).orElse(List.of())
                    : values;
            // A generated secret would be in no answer.
            List<String> all =
                    known.isEmpty() && !field.isCredential() ? field.otherwise().get() : known;
            field.put(target, all);
            if (all.isEmpty() && field.isSecret()) {
                missing.add(field.name());
            } else if (all.isEmpty()) {
                request.require(field.name());
            } else if (!field.isSecret()) {
                field.show().accept(declared, all);
            }
        });
        boolean complete = missing.isEmpty() && unavailable().isEmpty();
        return new Imported(declared, complete ? Optional.of(new Target(target)) : Optional.empty(), missing);
    }

    /**
     * Returns the visible fields of a target for a document.
     *
     * @param shown the target in the form that administrators see
     */
    public final ObjectNode declared(JsonNode shown) {
        ObjectNode declared = Json.object().put("type", type);
        fields.stream()
                .filter(field -> !field.isSecret() && shown.has(field.name()))
                .forEach(field -> declared.set(field.name(), shown.get(field.name())));
        return declared;
    }

    private static boolean isMoved(Map.Entry<TargetField, List<String>> given, Target kept) {
        TargetField field = given.getKey();
        return !field.isCredential()
                && field.kind() != TargetField.Kind.OPTION
                && !given.getValue().isEmpty()
                && !given.getValue().equals(kept.texts(field.name()));
    }

    /** Returns a target in the form that administrators see. */
    public final ObjectNode shown(Target target) {
        ObjectNode json = Json.object().put("type", type);
        fields.forEach(field -> field.show().accept(json, target.texts(field.name())));
        return json.put("has_secret", hasSecret());
    }

    private boolean hasSecret() {
        return fields.stream().anyMatch(TargetField::isSecret);
    }
}
