package dev.agenthealth.functions.operations.notification.channel.email;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.operations.notification.channel.Messages;
import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.runtime.outbound.Delivery.Delivered;
import dev.agenthealth.functions.runtime.outbound.Delivery.Refused;
import dev.agenthealth.functions.runtime.outbound.Delivery.Retry;
import dev.agenthealth.functions.runtime.wiring.MailServer;
import dev.agenthealth.functions.runtime.wiring.MailServer.Mail;
import dev.agenthealth.functions.runtime.wiring.MailServer.NotSentException;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import dev.agenthealth.testkit.TestSns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sns.model.InvalidParameterException;
import software.amazon.awssdk.services.sns.model.PublishRequest;
import software.amazon.awssdk.services.sns.model.SnsException;

class EmailChannelTest {

    private static final String TOPIC = "arn:aws:sns:us-east-1:000000000000:notifications";

    private final TestSns sns = new TestSns();
    private Optional<MailServer> mailServer = Optional.empty();

    @Test
    void an_address_gets_e_mail_after_it_has_confirmed_its_subscription() {
        assertThat(send(TOPIC, Messages.deaths(37)))
                .isEqualTo(new Refused("the address has not confirmed its subscription; it was asked to once more"));
        assertThat(sns.messages()).isEmpty();
        assertThat(sns.subscriptions()).singleElement().satisfies(request -> {
            assertThat(request.protocol()).isEqualTo("email");
            assertThat(request.endpoint()).isEqualTo("on-call@example.com");
            assertThat(request.attributes())
                    .isEqualTo(Map.of("FilterPolicy", "{\"address\":[\"on-call@example.com\"]}"));
        });
        sns.confirm("on-call@example.com");
        assertThat(send(TOPIC, Messages.deaths(37))).isEqualTo(new Delivered());
        assertThat(sns.messages()).singleElement().satisfies(request -> {
            assertThat(request.topicArn()).isEqualTo(TOPIC);
            assertThat(request.subject()).isEqualTo("Agent Health: 37 events: Agent agent_1 is dead.");
            assertThat(request.messageAttributes().get("address").stringValue()).isEqualTo("on-call@example.com");
            assertThat(request.message()).contains("agent_20 is dead.").endsWith("and 17 more\n\nRule on-call\n");
        });
    }

    @Test
    void the_subject_of_an_e_mail_is_printable_ascii_of_at_most_100_characters() {
        sns.confirm("on-call@example.com");
        send(TOPIC, Messages.of(Messages.entry("a", "error", "äöü\n😀".repeat(100), false)));
        assertThat(sns.messages().get(0).subject()).matches("[ -~]{1,100}");
    }

    @Test
    void e_mail_needs_an_address_that_sns_accepts() {
        sns.failSubscription(InvalidParameterException.builder().build());
        assertThat(send(TOPIC, Messages.deaths(1))).isInstanceOf(Refused.class);
        sns.confirm("on-call@example.com");
        sns.failMessage(SnsException.builder().build());
        assertThat(send(TOPIC, Messages.deaths(1))).isInstanceOf(Retry.class);
    }

    @Test
    void a_mail_server_gets_the_same_texts_as_sns() {
        sns.confirm("on-call@example.com");
        List<Mail> mails = new ArrayList<>();
        mailServer = Optional.of(mails::add);
        for (NotificationMessage message : List.of(Messages.deaths(37), Messages.nasty())) {
            assertThat(send("", message)).isEqualTo(new Delivered());
            send(TOPIC, message);
            PublishRequest same = sns.messages().get(mails.size() - 1);
            assertThat(mails.get(mails.size() - 1))
                    .isEqualTo(new Mail(
                            message.messageId(), "on-call@example.com", same.subject(), same.message(), Messages.AT));
            assertThat(same.subject()).matches("[ -~]{1,100}");
        }
    }

    @Test
    void what_a_mail_server_does_not_accept_is_refused_or_tried_again_with_its_reason() {
        mailServer = Optional.of(mail -> {
            throw new NotSentException("full", false, null);
        });
        assertThat(send("", Messages.deaths(1))).isEqualTo(new Retry(Duration.ZERO, "full"));
        mailServer = Optional.of(mail -> {
            throw new NotSentException("unknown", true, null);
        });
        assertThat(send("", Messages.deaths(1))).isEqualTo(new Refused("unknown"));
        mailServer = Optional.empty();
        assertThat(send("", Messages.deaths(1)))
                .isEqualTo(new Retry(Duration.ZERO, "no mail server is configured (AGENT_HEALTH_SMTP_HOST)"));
    }

    private Delivery send(String topicArn, NotificationMessage message) {
        Wiring.Builder wiring =
                Wiring.of(Map.of("NOTIFICATION_TOPIC_ARN", topicArn)).sns(sns::client);
        mailServer.ifPresent(wiring::mailServer);
        return new EmailChannel(wiring.build())
                .send(Messages.target("'type':'email','address':'on-call@example.com'"), message, Messages.AT);
    }
}
