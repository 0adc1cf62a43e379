package dev.agenthealth.local.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.agenthealth.functions.runtime.wiring.MailServer.Mail;
import dev.agenthealth.functions.runtime.wiring.MailServer.NotSentException;
import dev.agenthealth.local.mail.SmtpSettings.Security;
import dev.agenthealth.testkit.TestCertificates;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SmtpServerTest {

    private static final String PASSWORD = "test-password";
    private static final Instant AT = Instant.parse("2026-02-08T10:00:00Z");
    private static final Mail MAIL = mail("message_1", "on-call@example.com");

    private final GreenMail receiver = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    private Duration maxTime = Duration.ofSeconds(10);

    @BeforeEach
    void start() {
        receiver.setUser("registry@example.com", "registry", PASSWORD);
        receiver.start();
    }

    @AfterEach
    void stop() {
        receiver.stop();
    }

    @Test
    void an_e_mail_arrives_with_the_same_id_in_each_attempt() throws Exception {
        SmtpServer server = plain(receiver.getSmtp().getPort(), PASSWORD);
        server.send(MAIL);
        server.send(MAIL);
        assertThat(received()).hasSize(2).allSatisfy(message -> {
            assertThat(message.getHeader("Message-ID")).containsExactly("<message_1@agent-health>");
            assertThat(message.getHeader("From")).containsExactly("registry@example.com");
            assertThat(message.getHeader("To")).containsExactly("on-call@example.com");
            assertThat(message.getHeader("Auto-Submitted")).containsExactly("auto-generated");
            assertThat(message.getSubject()).isEqualTo("Agent Health: Agent a is dead.");
            assertThat(message.getContent()).asString().startsWith("Agent für Büro is dead.");
            assertThat(message.getSentDate()).isEqualTo(Date.from(AT));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"STARTTLS", "TLS"})
    @Tag("slow")
    void an_encrypted_connection_needs_the_certificate_of_the_host(Security security) throws Exception {
        TestCertificates certificates = TestCertificates.of("localhost");
        try (TlsFront front = new TlsFront(certificates, receiver.getSmtp().getPort())) {
            int port = security == Security.TLS ? front.tlsPort() : front.startTlsPort();
            server("localhost", port, security, PASSWORD, trusting(certificates))
                    .send(MAIL);
            assertThat(received()).hasSize(1);
            SSLSocketFactory usual = (SSLSocketFactory) SSLSocketFactory.getDefault();
            assertFails(server("localhost", port, security, PASSWORD, usual), false, "no secure connection");
            SSLSocketFactory trusted = trusting(certificates);
            assertFails(server("127.0.0.1", port, security, PASSWORD, trusted), false, "no secure connection");
            assertThat(received()).hasSize(1);
        }
    }

    @Test
    void a_server_without_starttls_gets_neither_e_mail_nor_password() throws Exception {
        List<String> commands = new CopyOnWriteArrayList<>();
        try (ServerSocket refusing = answering(commands, "250 AUTH LOGIN PLAIN")) {
            SSLSocketFactory usual = (SSLSocketFactory) SSLSocketFactory.getDefault();
            assertFails(
                    server("127.0.0.1", refusing.getLocalPort(), Security.STARTTLS, PASSWORD, usual),
                    false,
                    "does not offer STARTTLS");
        }
        assertThat(commands).allMatch(command -> command.startsWith("EHLO") || command.equals("QUIT"));
    }

    @Test
    void a_wrong_password_is_named_but_not_shown() {
        assertFails(plain(receiver.getSmtp().getPort(), "wrong-password"), false, "refuses the user or the password");
        assertThat(received()).isEmpty();
        assertThat(new SmtpSettings("host", 25, Security.TLS, "user", PASSWORD, "from").toString())
                .doesNotContain(PASSWORD);
    }

    @Test
    void a_server_that_is_down_is_tried_again() {
        int port = receiver.getSmtp().getPort();
        receiver.stop();
        assertFails(plain(port, PASSWORD), false, "cannot be reached");
        assertFails(
                server("no-such-host.invalid", port, Security.NONE, PASSWORD, (SSLSocketFactory)
                        SSLSocketFactory.getDefault()),
                false,
                "has no address");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_server_that_is_silent_or_sends_byte_after_byte_takes_no_longer_than_the_maximum(boolean silent)
            throws Exception {
        maxTime = Duration.ofMillis(200);
        try (ServerSocket slow = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            TlsFront.accept(slow, client -> {
                while (!silent) {
                    TlsFront.say(client, "2");
                }
                TlsFront.line(client.getInputStream());
            });
            assertFails(plain(slow.getLocalPort(), PASSWORD), false, "did not answer in time");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "RCPT, 550, true, answered 550 to the address",
        "RCPT, 451, false, answered 451 to the address",
        "DATA, 554, true, answered 554 to the message",
        "MAIL, 421, false, answered 421 to the message",
        "MAIL, 530, true, answered 530 to the message"
    })
    void an_answer_from_500_on_refuses_the_e_mail(String command, int code, boolean refused, String reason)
            throws Exception {
        try (ServerSocket refusing = answering(new CopyOnWriteArrayList<>(), "250 8BITMIME", command, code + " no")) {
            assertFails(plain(refusing.getLocalPort(), ""), refused, reason);
        }
    }

    @Test
    void line_breaks_add_no_header_and_a_list_of_addresses_is_refused() throws Exception {
        SmtpServer server = plain(receiver.getSmtp().getPort(), PASSWORD);
        server.send(mail("1\r\nBcc: other@example.com", "on-call@example.com"));
        assertThat(received()).singleElement().satisfies(message -> {
            assertThat(message.getHeader("Bcc")).isNull();
            assertThat(message.getHeader("Message-ID")).containsExactly("<1__Bcc__other_example.com@agent-health>");
        });
        for (String to : List.of("a@example.com,b@example.com", "a@example.com\r\nBcc: b@example.com", "a><b@x.com")) {
            NotSentException failure = catchThrowableOfType(NotSentException.class, () -> server.send(mail("2", to)));
            assertThat(failure).as(to).isNotNull();
            assertThat(failure.isRefused()).as(to).isTrue();
        }
        assertThat(received()).hasSize(1);
    }

    private static Mail mail(String id, String to) {
        return new Mail(id, to, "Agent Health: Agent a is dead.", "Agent für Büro is dead.\n", AT);
    }

    private List<MimeMessage> received() {
        return List.of(receiver.getReceivedMessages());
    }

    private SmtpServer plain(int port, String password) {
        return server("127.0.0.1", port, Security.NONE, password, (SSLSocketFactory) SSLSocketFactory.getDefault());
    }

    private SmtpServer server(String host, int port, Security security, String password, SSLSocketFactory tls) {
        String user = password.isEmpty() ? "" : "registry";
        return new SmtpServer(
                new SmtpSettings(host, port, security, user, password, "registry@example.com"), tls, maxTime);
    }

    private static SSLSocketFactory trusting(TestCertificates certificates) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {certificates.trust()}, null);
        return context.getSocketFactory();
    }

    private static void assertFails(SmtpServer server, boolean refused, String reason) {
        NotSentException failure = catchThrowableOfType(NotSentException.class, () -> server.send(MAIL));
        assertThat(failure).as(reason).isNotNull();
        assertThat(failure).hasMessageContaining(reason);
        assertThat(failure.isRefused()).isEqualTo(refused);
        assertThat(failure.getMessage()).doesNotContain("password-", "test-password", "wrong-password", "example.com");
    }

    /** A mail server that answers a command as named, and any other one with success. */
    private static ServerSocket answering(List<String> commands, String greeting, String... answers)
            throws IOException {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        TlsFront.accept(server, client -> {
            TlsFront.say(client, "220 ready\r\n");
            for (String line = TlsFront.line(client.getInputStream());
                    !line.isEmpty();
                    line = TlsFront.line(client.getInputStream())) {
                commands.add(line);
                boolean named = answers.length > 0 && line.startsWith(answers[0]);
                String usual = line.startsWith("DATA") ? "354 go ahead" : "250 ok";
                TlsFront.say(client, (line.startsWith("EHLO") ? greeting : named ? answers[1] : usual) + "\r\n");
            }
        });
        return server;
    }
}
