package dev.agenthealth.local.mail;

import dev.agenthealth.functions.runtime.wiring.MailServer;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.Authenticator;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.Session;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/** Sends e-mail by SMTP (RFC 5321), with one connection per e-mail. Thread-safe. */
public final class SmtpServer implements MailServer {

    private static final Duration MAX_TIME = Duration.ofSeconds(10);
    private static final int PERMANENT = 500;

    private final SmtpSettings settings;
    private final SSLSocketFactory tls;
    private final Duration maxTime;
    private final Session session;

    public SmtpServer(SmtpSettings settings) {
        this(settings, (SSLSocketFactory) SSLSocketFactory.getDefault(), MAX_TIME);
    }

    SmtpServer(SmtpSettings settings, SSLSocketFactory tls, Duration maxTime) {
        this.settings = settings;
        this.tls = tls;
        this.maxTime = maxTime;
        this.session = session(settings, tls);
    }

    private static Session session(SmtpSettings settings, SSLSocketFactory tls) {
        String startTls = String.valueOf(settings.security() == SmtpSettings.Security.STARTTLS);
        Properties properties = new Properties();
        properties.put("mail.smtp.host", settings.host());
        properties.put("mail.smtp.auth", String.valueOf(!settings.user().isEmpty()));
        properties.put("mail.smtp.starttls.enable", startTls);
        properties.put("mail.smtp.starttls.required", startTls);
        properties.put("mail.smtp.ssl.checkserveridentity", "true");
        properties.put("mail.smtp.ssl.socketFactory", tls);
        return Session.getInstance(properties, new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication(settings.user(), settings.password());
            }
        });
    }

    @Override
    public void send(Mail mail) throws NotSentException {
        AtomicBoolean late = new AtomicBoolean();
        try (Socket socket = new Socket()) {
            // A separate timeout per reply could add up to a multiple of the maximum time.
            CompletableFuture.delayedExecutor(maxTime.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> abort(socket, late));
            try {
                send(message(mail), socket);
            } catch (MessagingException | IOException e) {
                throw late.get()
                        ? new NotSentException("the mail server did not answer in time", false, e)
                        : failure(e);
            }
        } catch (IOException e) {
            // The e-mail was accepted; a failure to close the connection changes nothing.
        }
    }

    private static void abort(Socket socket, AtomicBoolean late) {
        late.set(true);
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing more can be done with the socket.
        }
    }

    private void send(MimeMessage message, Socket socket) throws MessagingException, IOException {
        // The address contains the name, which is compared with the certificate.
        InetAddress address = InetAddress.getByAddress(
                settings.host(), InetAddress.getByName(settings.host()).getAddress());
        socket.connect(new InetSocketAddress(address, settings.port()), (int) maxTime.toMillis());
        try (SMTPTransport transport = (SMTPTransport) session.getTransport("smtp")) {
            transport.connect(settings.security() == SmtpSettings.Security.TLS ? encrypted(socket) : socket);
            transport.sendMessage(message, message.getAllRecipients());
        }
    }

    private Socket encrypted(Socket plain) throws IOException {
        SSLSocket socket = (SSLSocket) tls.createSocket(plain, settings.host(), settings.port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private MimeMessage message(Mail mail) throws MessagingException {
        String id = "<" + mail.id().replaceAll("[^A-Za-z0-9._-]", "_") + "@agent-health>";
        MimeMessage message = new MimeMessage(session) {
            @Override
            protected void updateMessageID() throws MessagingException {
                setHeader("Message-ID", id);
            }
        };
        message.setFrom(new InternetAddress(settings.from(), true));
        message.setRecipient(Message.RecipientType.TO, new InternetAddress(mail.to(), true));
        message.setSubject(mail.subject(), StandardCharsets.US_ASCII.name());
        message.setText(mail.text(), StandardCharsets.UTF_8.name());
        message.setSentDate(Date.from(mail.at()));
        // Suppresses automatic answers of absent recipients (RFC 3834).
        message.setHeader("Auto-Submitted", "auto-generated");
        return message;
    }

    private static NotSentException failure(Exception thrown) {
        for (Throwable cause = thrown; cause != null; cause = next(cause)) {
            if (cause instanceof AddressException) {
                return new NotSentException("the address cannot get e-mail", true, thrown);
            } else if (cause instanceof AuthenticationFailedException) {
                return new NotSentException("the mail server refuses the user or the password", false, thrown);
            } else if (cause instanceof SMTPAddressFailedException e) {
                return answered("the address", e.getReturnCode(), thrown);
            } else if (cause instanceof SMTPSendFailedException e && e.getNextException() == null) {
                return answered("the message", e.getReturnCode(), thrown);
            } else if (cause instanceof UnknownHostException) {
                return new NotSentException("the host name of the mail server has no address", false, thrown);
            } else if (cause instanceof SSLException) {
                return new NotSentException("no secure connection to the mail server came about", false, thrown);
            }
        }
        String reason = String.valueOf(thrown.getMessage()).contains("STARTTLS")
                ? "the mail server does not offer STARTTLS"
                : "the mail server cannot be reached or does not accept messages";
        return new NotSentException(reason, false, thrown);
    }

    private static Throwable next(Throwable thrown) {
        return thrown instanceof MessagingException e && e.getNextException() != null
                ? e.getNextException()
                : thrown.getCause();
    }

    private static NotSentException answered(String what, int code, Throwable cause) {
        return new NotSentException("the mail server answered " + code + " to " + what, code >= PERMANENT, cause);
    }
}
