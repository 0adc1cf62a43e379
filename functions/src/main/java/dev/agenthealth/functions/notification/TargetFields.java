package dev.agenthealth.functions.notification;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.notification.channel.Channel;
import dev.agenthealth.functions.notification.channel.Target;
import dev.agenthealth.functions.notification.channel.TargetField;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads and shows the targets of rules. What is left out of one with secrets stays as it is, since no answer shows them. */
final class TargetFields {

    private TargetFields() {}

    /**
     * A target.
     *
     * @param target which is to be used only where no error was recorded
     * @param generatedSecret the secret that was made for a target that has none; empty otherwise
     */
    record Read(Target target, String generatedSecret) {}

    /**
     * Reads the target of a rule and records an error for each field that breaks a rule.
     *
     * @param before the target of the rule as it is; called only where something is left out
     */
    static Read read(Channels channels, Fields body, Supplier<Optional<Target>> before) {
        body.require("target");
        Fields fields = body.object("target");
        fields.require("type");
        Optional<Channel> channel = fields.oneOf("type", channels.all().toArray(Channel[]::new), Channel::type);
        Read read = channel.map(known -> read(known, fields, before)).orElse(new Read(new Target(Json.object()), ""));
        if (channel.isPresent()) {
            fields.refuseUnknown();
        }
        return read;
    }

    private static Read read(Channel channel, Fields fields, Supplier<Optional<Target>> before) {
        channel.unavailable().ifPresent(reason -> fields.refuse("type", reason));
        Optional<Target> kept = Optional.empty();
        if (hasSecret(channel) && !channel.fields().stream().allMatch(field -> fields.has(field.name()))) {
            kept = before.get().filter(target -> target.type().equals(channel.type()));
        }
        ObjectNode target = Json.object().put("type", channel.type());
        String generatedSecret = "";
        for (TargetField field : channel.fields()) {
            List<String> values = field.read(fields);
            if (values.isEmpty() && kept.isPresent()) {
                values = kept.get().texts(field.name());
            }
            if (values.isEmpty()) {
                values = field.otherwise().get();
                generatedSecret = field.secret() && !values.isEmpty() ? values.get(0) : generatedSecret;
            }
            if (values.isEmpty()) {
                fields.require(field.name());
            }
            field.put(target, values);
        }
        return new Read(new Target(target), generatedSecret);
    }

    /** What administrators see. */
    static ObjectNode shown(Channels channels, Target target) {
        Channel channel = channels.ofType(target.type());
        ObjectNode json = Json.object().put("type", target.type());
        channel.fields().forEach(field -> field.show().accept(json, target.texts(field.name())));
        return json.put("has_secret", hasSecret(channel));
    }

    private static boolean hasSecret(Channel channel) {
        return channel.fields().stream().anyMatch(TargetField::secret);
    }
}
