package dev.agenthealth.functions.operations.notification.channel.email;

import dev.agenthealth.functions.operations.notification.channel.Channel;
import dev.agenthealth.functions.operations.notification.channel.MessageText;
import dev.agenthealth.functions.operations.notification.channel.Target;
import dev.agenthealth.functions.operations.notification.channel.TargetField;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.runtime.outbound.Delivery.Delivered;
import dev.agenthealth.functions.runtime.outbound.Delivery.Refused;
import dev.agenthealth.functions.runtime.outbound.Delivery.Retry;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.MailServer;
import dev.agenthealth.functions.runtime.wiring.MailServer.Mail;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.operations.notification.NotificationMessage;
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
 * E-mail through a topic of Amazon SNS or, on one machine, through a mail server. In the topic, each address has a subscription that passes only
 * messages for this address. It takes effect when the owner of the address has confirmed it. Thread-safe.
 */
public final class EmailChannel extends Channel {

    private static final String ADDRESS = "address";

    private static final int MAX_SUBJECT = 100;
    private static final Pattern FORM = Pattern.compile("[!-?A-~]{1,64}@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+");
    private static final String UNCONFIRMED = "pending confirmation";
    private static final String NO_SERVER = "no mail server is configured (AGENT_HEALTH_SMTP_HOST)";

    private final String topicArn;
    private final Supplier<SnsClient> sns;
    private final Optional<MailServer> mailServer;

    public EmailChannel(Wiring wiring) {
        super("email", TargetField.visible(ADDRESS, TargetField.matching(FORM, "must be an e-mail address")));
        this.topicArn = wiring.get(FunctionSettings.NOTIFICATION_TOPIC_ARN);
        this.sns = wiring.sns();
        this.mailServer = wiring.mailServer();
    }

    @Override
    protected Optional<String> unavailable() {
        return topicArn.isEmpty() && mailServer.isEmpty()
                ? Optional.of("cannot be email: " + NO_SERVER)
                : Optional.empty();
    }

    @Override
    public Delivery send(Target target, NotificationMessage message, Instant attemptAt) {
        Mail mail = new Mail(message.messageId(), target.text(ADDRESS), subject(message), text(message), attemptAt);
        if (!topicArn.isEmpty()) {
            return throughTopic(mail);
        }
        return mailServer.map(server -> through(server, mail)).orElse(new Retry(Duration.ZERO, NO_SERVER));
    }

    private static Delivery through(MailServer server, Mail mail) {
        try {
            server.send(mail);
            return new Delivered();
        } catch (MailServer.NotSentException e) {
            return e.isRefused() ? new Refused(e.getMessage()) : new Retry(Duration.ZERO, e.getMessage());
        }
    }

    /** Sends a message to confirmed addresses. Other addresses get a request to confirm their subscription instead. */
    private Delivery throughTopic(Mail mail) {
        try {
            if (!isConfirmed(mail.to())) {
                return new Refused("the address has not confirmed its subscription; it was asked to once more");
            }
            publish(mail);
            return new Delivered();
        } catch (InvalidParameterException e) {
            return new Refused("Amazon SNS does not accept the address");
        } catch (SdkException e) {
            return new Retry(Duration.ZERO, "Amazon SNS does not accept messages at the moment");
        }
    }

    /** Returns whether an address is confirmed. A repeated subscription changes nothing for a confirmed address. */
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

    private void publish(Mail mail) {
        MessageAttributeValue to = MessageAttributeValue.builder()
                .dataType("String")
                .stringValue(mail.to())
                .build();
        sns.get().publish(request -> request.topicArn(topicArn)
                .subject(mail.subject())
                .message(mail.text())
                .messageAttributes(Map.of(ADDRESS, to)));
    }

    /** Returns the subject. SNS accepts only printable ASCII that begins with a letter, a digit or a punctuation mark. */
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
