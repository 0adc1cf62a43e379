package dev.agenthealth.functions.operations.notification.channel;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A kind of target: its fields, of which some are secret, and how a message becomes what its receivers accept. Thread-safe. */
public abstract class Channel {

    private final String type;
    private final List<TargetField> fields;

    /**
     * @param type the word for it in requests
     * @param fields of a target, besides its type
     */
    protected Channel(String type, TargetField... fields) {
        this.type = type;
        this.fields = List.of(fields);
    }

    public final String type() {
        return type;
    }

    /** Returns why no rule may have such a target in this installation; empty if rules may. */
    protected Optional<String> unavailable() {
        return Optional.empty();
    }

    /** Returns whether receivers have alerts, which a message without events may end. */
    public boolean hasAlerts() {
        return false;
    }

    /**
     * Sends a message once, within {@link HttpSender#MAX_TIME}. A receiver may get it again when it is retried, with the same id.
     *
     * @param attemptAt when this attempt is made
     */
    public abstract Delivery send(Target target, NotificationMessage message, Instant attemptAt);

    /**
     * A target that was read.
     *
     * @param target which is to be used only if no error was recorded
     * @param generatedSecret the secret that was made for a target that has none; empty otherwise
     */
    public record Read(Target target, String generatedSecret) {}

    /**
     * Reads a target and records an error for each field that breaks a rule. If a channel has secrets, fields that are left out stay as they are,
     * since no answer shows all of them; a credential has to be given again if the address changes, so that it is not sent to an address that it
     * was not given for.
     *
     * @param before the target of the rule as it is
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

    private static boolean isMoved(Map.Entry<TargetField, List<String>> given, Target kept) {
        TargetField field = given.getKey();
        return !field.isCredential()
                && field.kind() != TargetField.Kind.OPTION
                && !given.getValue().isEmpty()
                && !given.getValue().equals(kept.texts(field.name()));
    }

    /** Returns a target as administrators see it. */
    public final ObjectNode shown(Target target) {
        ObjectNode json = Json.object().put("type", type);
        fields.forEach(field -> field.show().accept(json, target.texts(field.name())));
        return json.put("has_secret", hasSecret());
    }

    private boolean hasSecret() {
        return fields.stream().anyMatch(TargetField::isSecret);
    }
}
