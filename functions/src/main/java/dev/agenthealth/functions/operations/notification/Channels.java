package dev.agenthealth.functions.operations.notification;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.notification.channel.Channel;
import dev.agenthealth.functions.operations.notification.channel.Target;
import dev.agenthealth.functions.operations.notification.channel.discord.DiscordChannel;
import dev.agenthealth.functions.operations.notification.channel.email.EmailChannel;
import dev.agenthealth.functions.operations.notification.channel.googlechat.GoogleChatChannel;
import dev.agenthealth.functions.operations.notification.channel.opsgenie.OpsgenieChannel;
import dev.agenthealth.functions.operations.notification.channel.pagerduty.PagerDutyChannel;
import dev.agenthealth.functions.operations.notification.channel.slack.SlackChannel;
import dev.agenthealth.functions.operations.notification.channel.teams.TeamsChannel;
import dev.agenthealth.functions.operations.notification.channel.webhook.WebhookChannel;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.util.List;
import java.util.Optional;

/**
 * The channels of notifications.
 *
 * @param all the channels, each of another type
 */
public record Channels(List<Channel> all) {

    public Channels {
        all = List.copyOf(all);
    }

    /**
     * Returns the channels of the registry.
     *
     * @param resolver resolves the host names of targets
     * @param tls secures the connections to them
     */
    public static Channels of(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        HttpSender http = new HttpSender(wiring, resolver, tls);
        return new Channels(List.of(
                new WebhookChannel(http),
                new SlackChannel(http),
                new TeamsChannel(http),
                new GoogleChatChannel(http),
                new DiscordChannel(http),
                new PagerDutyChannel(http),
                new OpsgenieChannel(http),
                new EmailChannel(wiring)));
    }

    /** Returns the channel of a valid target. */
    Channel of(Target target) {
        return all.stream()
                .filter(channel -> channel.type().equals(target.type()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no channel has the type of a target"));
    }

    /** Reads the target of a rule, like {@link Channel#read}. */
    Channel.Read read(Fields body, Optional<Target> before) {
        body.require("target");
        Fields fields = body.object("target");
        fields.require("type");
        return fields.oneOf("type", all.toArray(Channel[]::new), Channel::type)
                .map(channel -> channel.read(fields, before))
                .orElse(new Channel.Read(new Target(Json.object()), ""));
    }

    /** Reads the target of a rule in a document, like {@link Channel#imported}. */
    Channel.Imported imported(Fields body, Optional<Target> before) {
        body.require("target");
        Fields fields = body.object("target");
        fields.require("type");
        return fields.oneOf("type", all.toArray(Channel[]::new), Channel::type)
                .map(channel -> channel.imported(fields, before))
                .orElse(new Channel.Imported(Json.object(), Optional.empty(), List.of()));
    }

    /** Returns the visible fields of a stored target. */
    ObjectNode declared(JsonNode shown) {
        return all.stream()
                .filter(channel -> channel.type().equals(shown.path("type").asText()))
                .findFirst()
                .map(channel -> channel.declared(shown))
                .orElseGet(Json::object);
    }
}
