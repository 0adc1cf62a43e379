package dev.agenthealth.functions.notification;

import dev.agenthealth.functions.notification.channel.Channel;
import dev.agenthealth.functions.notification.channel.HttpSender;
import dev.agenthealth.functions.notification.channel.email.EmailChannel;
import dev.agenthealth.functions.notification.channel.pagerduty.PagerDutyChannel;
import dev.agenthealth.functions.notification.channel.slack.SlackChannel;
import dev.agenthealth.functions.notification.channel.webhook.WebhookChannel;
import dev.agenthealth.functions.outbound.NameResolver;
import dev.agenthealth.functions.outbound.SecureSockets;
import dev.agenthealth.functions.wiring.Wiring;
import java.util.List;

/**
 * The channels through which rules may notify.
 *
 * @param all each of another type
 */
public record Channels(List<Channel> all) {

    public Channels {
        all = List.copyOf(all);
    }

    /**
     * The channels of the registry.
     *
     * @param resolver resolves the host names of targets
     * @param tls secures the connections to them
     */
    public static Channels of(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        HttpSender http = new HttpSender(wiring, resolver, tls);
        return new Channels(List.of(
                new WebhookChannel(http),
                new SlackChannel(http),
                new PagerDutyChannel(http),
                new EmailChannel(wiring)));
    }

    /** The channel of a stored target. */
    Channel ofType(String type) {
        return all.stream()
                .filter(channel -> channel.type().equals(type))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a stored target has an unknown type"));
    }
}
