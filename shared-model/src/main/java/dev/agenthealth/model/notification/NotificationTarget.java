package dev.agenthealth.model.notification;

import java.net.URI;
import java.util.List;

/** Where a rule sends its messages. No target shows its secrets as a text: they are in a URL's path and query as well. */
public sealed interface NotificationTarget {

    /** The word of its type in the HTTP interface. */
    String type();

    /**
     * A receiver of webhooks that are signed as Standard Webhooks says.
     *
     * @param secrets {@code whsec_} secrets, the newest first; more than one while they are rotated
     */
    record Webhook(URI url, List<String> secrets) implements NotificationTarget {

        public Webhook {
            secrets = List.copyOf(secrets);
        }

        @Override
        public String type() {
            return "webhook";
        }

        @Override
        public String toString() {
            return "Webhook[" + withoutPath(url) + "]";
        }
    }

    /** An incoming webhook of Slack, or of a service that reads its messages; the URL is the secret. */
    record Slack(URI url) implements NotificationTarget {

        @Override
        public String type() {
            return "slack";
        }

        @Override
        public String toString() {
            return "Slack[" + withoutPath(url) + "]";
        }
    }

    /**
     * A service of PagerDuty with an integration of its Events API v2.
     *
     * @param routingKey the integration key, which is the secret
     * @param url where events are sent, such as that of PagerDuty's service region in the EU
     */
    record PagerDuty(String routingKey, URI url) implements NotificationTarget {

        /** Where PagerDuty takes events unless another address is named. */
        public static final URI DEFAULT_URL = URI.create("https://events.pagerduty.com/v2/enqueue");

        @Override
        public String type() {
            return "pagerduty";
        }

        @Override
        public String toString() {
            return "PagerDuty[" + withoutPath(url) + "]";
        }
    }

    /** A mailbox, which gets messages after its owner confirmed the subscription. */
    record Email(String address) implements NotificationTarget {

        @Override
        public String type() {
            return "email";
        }
    }

    private static String withoutPath(URI url) {
        return url.getScheme() + "://" + url.getAuthority();
    }
}
