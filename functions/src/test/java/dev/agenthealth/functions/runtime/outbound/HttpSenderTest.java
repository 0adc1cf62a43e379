package dev.agenthealth.functions.runtime.outbound;

import static dev.agenthealth.functions.operations.notification.channel.Messages.AT;
import static dev.agenthealth.functions.operations.notification.channel.Messages.ROUTING_KEY;
import static dev.agenthealth.functions.operations.notification.channel.Messages.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.operations.notification.channel.Channel;
import dev.agenthealth.functions.operations.notification.channel.Messages;
import dev.agenthealth.functions.operations.notification.channel.Target;
import dev.agenthealth.functions.operations.notification.channel.pagerduty.PagerDutyChannel;
import dev.agenthealth.functions.operations.notification.channel.slack.SlackChannel;
import dev.agenthealth.functions.operations.notification.channel.webhook.WebhookChannel;
import dev.agenthealth.functions.runtime.outbound.Delivery.Delivered;
import dev.agenthealth.functions.runtime.outbound.Delivery.Refused;
import dev.agenthealth.functions.runtime.outbound.Delivery.Retry;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages sent to real receivers on the loopback address. */
class HttpSenderTest {

    private static final String PATH = "/services/T0/B0/TOKEN?token=GEHEIM";
    private static final Map<String, String> LOCAL_RUN = Map.of("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true");
    private static final Duration SHORT = Duration.ofMillis(300);

    private final ScriptedServer receiver = ScriptedServer.http();

    @AfterEach
    void close() {
        receiver.close();
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
                "999999999; 999999999",
                "99999999999999999999; 0",
                "-5; 0",
                "soon; 0",
                "Sun, 08 Feb 2026 10:02:00 GMT; 120",
                "Sun, 08 Feb 2026 09:59:00 GMT; 0",
                "Mon, 08 Feb 2027 10:00:00 GMT; 31536000",
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
        assertThat(send(LOCAL_RUN, SHORT, webhook()))
                .isEqualTo(new Retry(Duration.ZERO, "the receiver did not answer in time"));
    }

    @Test
    void a_body_without_end_does_not_change_what_the_status_says() {
        receiver.plays((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes());
            receiver.hang();
        });
        assertThat(send(LOCAL_RUN, SHORT, webhook())).isEqualTo(new Delivered());
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
        Delivery delivery = send(Map.of(), HttpSender.MAX_TIME, slack(origin + PATH));
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
            for (Target target : List.of(webhook(), slack(), pagerDuty())) {
                assertThat(send(target).toString())
                        .doesNotContain("GEHEIM")
                        .doesNotContain("TOKEN")
                        .doesNotContain("127.0.0.1")
                        .doesNotContain(ROUTING_KEY)
                        .doesNotContain(SECRET);
            }
        }
    }

    private Delivery send(Target target) {
        return send(LOCAL_RUN, HttpSender.MAX_TIME, target);
    }

    private static Delivery send(Map<String, String> environment, Duration maxTime, Target target) {
        Wiring wiring = Wiring.of(environment).build();
        HttpSender http = new HttpSender(wiring, resolver(), SecureSockets.usual(), maxTime);
        Channel channel =
                switch (target.type()) {
                    case "webhook" -> new WebhookChannel(http);
                    case "slack" -> new SlackChannel(http);
                    default -> new PagerDutyChannel(http);
                };
        return channel.send(target, Messages.deaths(3), AT);
    }

    private static NameResolver resolver() {
        return host -> switch (host) {
            case "localhost" -> List.of(InetAddress.getLoopbackAddress());
            case "internal.example" -> List.of(InetAddress.getByName("192.168.0.1"));
            default -> throw new UnknownHostException();
        };
    }

    private Target webhook() {
        String target = "'type':'webhook','url':'http://127.0.0.1:%d%s','secrets':['%s']";
        return Messages.target(target.formatted(receiver.port(), PATH, SECRET));
    }

    private Target slack() {
        return slack("http://127.0.0.1:" + receiver.port() + PATH);
    }

    private static Target slack(String url) {
        return Messages.target("'type':'slack','url':'" + url + "'");
    }

    private Target pagerDuty() {
        String target = "'type':'pagerduty','routing_key':'%s','url':'http://127.0.0.1:%d/v2/enqueue'";
        return Messages.target(target.formatted(ROUTING_KEY, receiver.port()));
    }
}
