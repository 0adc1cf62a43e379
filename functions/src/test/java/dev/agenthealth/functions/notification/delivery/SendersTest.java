package dev.agenthealth.functions.notification.delivery;

import static dev.agenthealth.functions.notification.delivery.Messages.AT;
import static dev.agenthealth.functions.notification.delivery.Messages.ROUTING_KEY;
import static dev.agenthealth.functions.notification.delivery.Messages.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.notification.delivery.Delivery.Delivered;
import dev.agenthealth.functions.notification.delivery.Delivery.Refused;
import dev.agenthealth.functions.notification.delivery.Delivery.Retry;
import dev.agenthealth.functions.observation.StorageMeter;
import dev.agenthealth.functions.outbound.NameResolver;
import dev.agenthealth.functions.outbound.SecureSockets;
import dev.agenthealth.functions.wiring.Pause;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.notification.NotificationTarget;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TestJson;
import dev.agenthealth.testkit.TestSns;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sns.model.InvalidParameterException;
import software.amazon.awssdk.services.sns.model.SnsException;

/** Messages sent to real receivers on the loopback address. */
class SendersTest {

    private static final String PATH = "/services/T0/B0/TOKEN?token=GEHEIM";
    private static final String TOPIC = "arn:aws:sns:us-east-1:000000000000:notifications";
    private static final Map<String, String> LOCAL_RUN = Map.of("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true");
    private static final Duration SHORT = Duration.ofMillis(300);

    private final ScriptedServer receiver = ScriptedServer.http();
    private final TestSns sns = new TestSns();

    @AfterEach
    void close() {
        receiver.close();
    }

    @Test
    void a_webhook_arrives_signed() {
        assertThat(send(webhook())).isEqualTo(new Delivered());
        assertThat(receiver.requests()).singleElement().satisfies(request -> {
            assertThat(request.line()).isEqualTo("POST " + PATH + " HTTP/1.1");
            assertThat(request.headers())
                    .containsEntry("content-type", "application/json")
                    .containsEntry("webhook-id", "msg_1")
                    .containsEntry("webhook-timestamp", "1770544800")
                    .containsEntry(
                            "webhook-signature",
                            WebhookSignature.of("msg_1", AT, request.body().getBytes(), List.of(SECRET)));
        });
    }

    @Test
    void slack_and_pagerduty_get_their_own_forms() {
        assertThat(send(slack())).isEqualTo(new Delivered());
        assertThat(send(pagerDuty())).isEqualTo(new Delivered());
        assertThat(TestJson.read(receiver.requests().get(0).body()).has("blocks"))
                .isTrue();
        assertThat(receiver.requests().get(0).headers()).doesNotContainKey("webhook-signature");
        for (int i = 1; i <= 3; i++) {
            assertThat(TestJson.read(receiver.requests().get(i).body())
                            .path("dedup_key")
                            .asText())
                    .isEqualTo("agent-health:on-call:agent:agent_" + i);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, Delivered, Delivered",
        "202, Delivered, Delivered",
        "204, Delivered, Delivered",
        "301, Refused, Refused",
        "302, Refused, Refused",
        "307, Refused, Refused",
        "400, Retry, Refused",
        "401, Retry, Refused",
        "403, Retry, Refused",
        "404, Retry, Refused",
        "408, Retry, Retry",
        "410, Gone, Gone",
        "425, Retry, Retry",
        "429, Retry, Retry",
        "500, Retry, Retry",
        "502, Retry, Retry",
        "503, Retry, Retry",
        "504, Retry, Retry"
    })
    void the_status_decides_whether_a_message_is_sent_again(int status, String ofWebhook, String ofOthers) {
        receiver.plays(Script.status(status, "Location: http://127.0.0.1:" + receiver.port() + "/elsewhere"));
        assertThat(send(webhook()).getClass().getSimpleName()).isEqualTo(ofWebhook);
        assertThat(send(slack()).getClass().getSimpleName()).isEqualTo(ofOthers);
        receiver.plays(Script.status(status));
        assertThat(send(pagerDuty()).getClass().getSimpleName()).isEqualTo(ofOthers);
        assertThat(receiver.requests()).noneMatch(request -> request.line().contains("elsewhere"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "30; 30",
                " 7 ; 7",
                "0; 0",
                "999999999; 86400",
                "99999999999999999999; 0",
                "-5; 0",
                "soon; 0",
                "Sun, 08 Feb 2026 10:02:00 GMT; 120",
                "Sun, 08 Feb 2026 09:59:00 GMT; 0",
                "Mon, 08 Feb 2027 10:00:00 GMT; 86400",
                "2026-02-08T10:02:00Z; 0"
            })
    void a_receiver_says_when_to_send_again(String header, long seconds) {
        receiver.plays(Script.status(429, "Retry-After: " + header));
        assertThat(send(slack())).isInstanceOfSatisfying(Retry.class, retry -> assertThat(retry.after())
                .isEqualTo(Duration.ofSeconds(seconds)));
    }

    @Test
    void the_alerts_after_one_that_was_not_accepted_wait_for_the_next_attempt() {
        receiver.plays((request, out) ->
                Script.status(request.body().contains("agent_2") ? 503 : 202).play(request, out));
        assertThat(send(pagerDuty())).isInstanceOf(Retry.class);
        assertThat(receiver.requests()).hasSize(2);
    }

    @Test
    void a_receiver_that_does_not_answer_costs_a_limited_time() {
        receiver.plays((request, out) -> receiver.hang());
        assertThat(senders(LOCAL_RUN, SHORT).send(webhook(), Messages.deaths(3), AT))
                .isEqualTo(new Retry(Duration.ZERO, "the receiver did not answer in time"));
    }

    @Test
    void a_body_without_end_does_not_change_what_the_status_says() {
        receiver.plays((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes());
            receiver.hang();
        });
        assertThat(senders(LOCAL_RUN, SHORT).send(webhook(), Messages.deaths(3), AT))
                .isEqualTo(new Delivered());
        receiver.plays((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes());
            while (true) {
                out.write(new byte[8_192]);
            }
        });
        assertThat(send(webhook())).isEqualTo(new Delivered());
    }

    @Test
    void a_closed_port_an_unknown_host_and_nonsense_are_retried() throws IOException {
        int closed;
        try (ServerSocket gone = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            closed = gone.getLocalPort();
        }
        assertThat(send(slack("http://127.0.0.1:" + closed + PATH)))
                .isEqualTo(new Retry(Duration.ZERO, "the receiver cannot be reached"));
        assertThat(send(slack("https://nowhere.invalid" + PATH)))
                .isEqualTo(new Retry(Duration.ZERO, "the host name of the target has no address"));
        receiver.plays(Script.bytes("SSH-2.0-OpenSSH_9.6\r\n"));
        assertThat(send(slack())).isInstanceOf(Retry.class);
        assertThat(send(slack("https://127.0.0.1:" + receiver.port() + PATH))).isInstanceOf(Retry.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://hooks.example",
                "https://127.0.0.1",
                "https://10.0.0.1",
                "https://169.254.169.254",
                "https://[::1]",
                "https://localhost",
                "https://internal.example",
                "https://user:GEHEIM@hooks.example",
                "ftp://hooks.example",
                "https://hooks.example\\@10.0.0.1"
            })
    void addresses_that_are_not_public_are_refused(String origin) {
        if (origin.contains("\\")) {
            origin = origin.replace("\\", "%5c");
        }
        Delivery delivery = senders(Map.of(), Senders.MAX_TIME).send(slack(origin + PATH), Messages.deaths(1), AT);
        assertThat(delivery).isInstanceOf(Refused.class);
        assertThat(receiver.connections()).isZero();
    }

    @Test
    void the_option_of_a_local_run_allows_its_own_machine_and_no_network() {
        assertThat(send(slack("http://10.0.0.1" + PATH))).isInstanceOf(Refused.class);
        assertThat(send(slack("http://internal.example" + PATH))).isInstanceOf(Refused.class);
        assertThat(send(slack("http://localhost:" + receiver.port() + PATH))).isEqualTo(new Delivered());
    }

    @Test
    void reasons_name_neither_secrets_nor_addresses() {
        for (int status : new int[] {302, 400, 410, 429, 500}) {
            receiver.plays(Script.status(status, "X: " + PATH));
            for (NotificationTarget target : List.of(webhook(), slack(), pagerDuty())) {
                assertThat(send(target).toString())
                        .doesNotContain("GEHEIM")
                        .doesNotContain("TOKEN")
                        .doesNotContain("127.0.0.1")
                        .doesNotContain(ROUTING_KEY)
                        .doesNotContain(SECRET);
            }
        }
    }

    @Test
    void an_address_gets_e_mail_after_it_has_confirmed_its_subscription() {
        NotificationTarget target = new NotificationTarget.Email("on-call@example.com");
        Senders senders = senders(Map.of("NOTIFICATION_TOPIC_ARN", TOPIC), Senders.MAX_TIME);
        assertThat(senders.send(target, Messages.deaths(37), AT))
                .isEqualTo(new Refused("the address has not confirmed its subscription; it was asked to once more"));
        assertThat(sns.messages()).isEmpty();
        assertThat(sns.subscriptions()).singleElement().satisfies(request -> {
            assertThat(request.protocol()).isEqualTo("email");
            assertThat(request.endpoint()).isEqualTo("on-call@example.com");
            assertThat(request.attributes())
                    .isEqualTo(Map.of("FilterPolicy", "{\"address\":[\"on-call@example.com\"]}"));
        });
        sns.confirm("on-call@example.com");
        assertThat(senders.send(target, Messages.deaths(37), AT)).isEqualTo(new Delivered());
        assertThat(sns.messages()).singleElement().satisfies(request -> {
            assertThat(request.topicArn()).isEqualTo(TOPIC);
            assertThat(request.subject()).isEqualTo("Agent Health: 37 events: Agent agent_1 is dead.");
            assertThat(request.messageAttributes().get("address").stringValue()).isEqualTo("on-call@example.com");
            assertThat(request.message()).contains("agent_20 is dead.").endsWith("and 17 more\n\nRule on-call\n");
        });
    }

    @Test
    void the_subject_of_an_e_mail_is_printable_ascii_of_at_most_100_characters() {
        sns.confirm("a@b.example");
        NotificationTarget target = new NotificationTarget.Email("a@b.example");
        senders(Map.of("NOTIFICATION_TOPIC_ARN", TOPIC), Senders.MAX_TIME)
                .send(target, Messages.of(Messages.entry("a", "error", "äöü\n😀".repeat(100), false)), AT);
        assertThat(sns.messages().get(0).subject()).matches("[ -~]{1,100}");
    }

    @Test
    void e_mail_needs_sns_and_an_address_that_sns_accepts() {
        NotificationTarget target = new NotificationTarget.Email("on-call@example.com");
        assertThat(send(target))
                .isEqualTo(new Refused("e-mail is sent by Amazon SNS, which a local run does not have"));
        Senders senders = senders(Map.of("NOTIFICATION_TOPIC_ARN", TOPIC), Senders.MAX_TIME);
        sns.failSubscription(InvalidParameterException.builder().build());
        assertThat(senders.send(target, Messages.deaths(1), AT)).isInstanceOf(Refused.class);
        sns.confirm("on-call@example.com");
        sns.failMessage(SnsException.builder().build());
        assertThat(senders.send(target, Messages.deaths(1), AT)).isInstanceOf(Retry.class);
    }

    private Delivery send(NotificationTarget target) {
        return senders(LOCAL_RUN, Senders.MAX_TIME).send(target, Messages.deaths(3), AT);
    }

    private Senders senders(Map<String, String> environment, Duration maxTime) {
        Wiring wiring = new Wiring(
                environment,
                Clock.systemUTC(),
                Pause.real(),
                SendersTest::none,
                SendersTest::none,
                SendersTest::none,
                SendersTest::none,
                SendersTest::none,
                sns::client,
                new StorageMeter(),
                resource -> {});
        return new Senders(wiring, resolver(), SecureSockets.usual(), maxTime);
    }

    private static <C> C none() {
        throw new AssertionError("no client of this service is needed");
    }

    private static NameResolver resolver() {
        return host -> switch (host) {
            case "localhost" -> List.of(InetAddress.getLoopbackAddress());
            case "internal.example" -> List.of(InetAddress.getByName("192.168.0.1"));
            default -> throw new UnknownHostException();
        };
    }

    private NotificationTarget webhook() {
        return new NotificationTarget.Webhook(
                URI.create("http://127.0.0.1:" + receiver.port() + PATH), List.of(SECRET));
    }

    private NotificationTarget slack() {
        return slack("http://127.0.0.1:" + receiver.port() + PATH);
    }

    private static NotificationTarget slack(String url) {
        return new NotificationTarget.Slack(URI.create(url));
    }

    private NotificationTarget pagerDuty() {
        return new NotificationTarget.PagerDuty(
                ROUTING_KEY, URI.create("http://127.0.0.1:" + receiver.port() + "/v2/enqueue"));
    }
}
