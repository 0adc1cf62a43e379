package dev.agenthealth.functions.notification.channel.email;

import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.notification.channel.Channel;
import dev.agenthealth.functions.notification.channel.Delivery;
import dev.agenthealth.functions.notification.channel.Delivery.Delivered;
import dev.agenthealth.functions.notification.channel.Delivery.Refused;
import dev.agenthealth.functions.notification.channel.Delivery.Retry;
import dev.agenthealth.functions.notification.channel.MessageText;
import dev.agenthealth.functions.notification.channel.Target;
import dev.agenthealth.functions.notification.channel.TargetField;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.notification.NotificationMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sns.model.InvalidParameterException;
import software.amazon.awssdk.services.sns.model.MessageAttributeValue;

/**
 * E-mail, through a topic of Amazon SNS. Each address is a subscription of the topic that passes only messages for this address, and
 * takes effect when its owner has confirmed it. Thread-safe.
 */
public final class EmailChannel extends Channel {

    /** Set where functions are deployed: the topic of notifications. */
    private static final String TOPIC = "NOTIFICATION_TOPIC_ARN";

    private static final String ADDRESS = "address";

    private static final int MAX_SUBJECT = 100;
    private static final Pattern FORM = Pattern.compile("[!-?A-~]{1,64}@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+");
    private static final String UNCONFIRMED = "pending confirmation";

    private final String topicArn;
    private final Supplier<SnsClient> sns;

    public EmailChannel(Wiring wiring) {
        super("email", TargetField.visible(ADDRESS, TargetField.matching(FORM, "must be an e-mail address")));
        this.topicArn = wiring.environment().getOrDefault(TOPIC, "");
        this.sns = wiring.sns();
    }

    @Override
    protected Optional<String> unavailable() {
        return topicArn.isEmpty()
                ? Optional.of("cannot be email in a local run: e-mail is sent by Amazon SNS")
                : Optional.empty();
    }

    /** Sends a message. An address that has not confirmed its subscription gets a request to do so instead, and no message. */
    @Override
    public Delivery send(Target target, NotificationMessage message, Instant attemptAt) {
        String address = target.text(ADDRESS);
        if (topicArn.isEmpty()) {
            return new Refused("e-mail is sent by Amazon SNS, which a local run does not have");
        }
        try {
            if (!isConfirmed(address)) {
                return new Refused("the address has not confirmed its subscription; it was asked to once more");
            }
            publish(address, message);
            return new Delivered();
        } catch (InvalidParameterException e) {
            return new Refused("Amazon SNS does not accept the address");
        } catch (SdkException e) {
            return new Retry(Duration.ZERO, "Amazon SNS does not accept messages at the moment");
        }
    }

    /** Subscribing again changes nothing for a confirmed address. */
    private boolean isConfirmed(String address) {
        var filter = Json.object();
        filter.putArray(ADDRESS).add(address);
        String subscription = sns.get()
                .subscribe(request -> request.topicArn(topicArn)
                        .protocol("email")
                        .endpoint(address)
                        .attributes(Map.of("FilterPolicy", Json.text(filter))))
                .subscriptionArn();
        return !UNCONFIRMED.equals(subscription);
    }

    private void publish(String address, NotificationMessage message) {
        MessageAttributeValue to = MessageAttributeValue.builder()
                .dataType("String")
                .stringValue(address)
                .build();
        sns.get().publish(request -> request.topicArn(topicArn)
                .subject(subject(message))
                .message(text(message))
                .messageAttributes(Map.of(ADDRESS, to)));
    }

    /** SNS takes printable ASCII only, which begins with a letter, a digit or a punctuation mark. */
    private static String subject(NotificationMessage message) {
        String line = ("Agent Health: " + MessageText.title(message)).replaceAll("[^ -~]", "?");
        return line.length() <= MAX_SUBJECT ? line : line.substring(0, MAX_SUBJECT - 3) + "...";
    }

    private static String text(NotificationMessage message) {
        StringBuilder text = new StringBuilder(MessageText.title(message)).append("\n\n");
        message.entries().forEach(entry -> text.append(Timestamps.text(entry.at()))
                .append("  ")
                .append(MessageText.line(entry))
                .append(message.link(entry).map(url -> "\n  " + url).orElse(""))
                .append('\n'));
        String more = MessageText.more(message, message.entries().size());
        return text + (more.isEmpty() ? "" : more + "\n") + "\nRule " + MessageText.oneLine(message.rule()) + "\n";
    }
}
