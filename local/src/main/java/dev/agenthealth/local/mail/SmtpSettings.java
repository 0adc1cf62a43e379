package dev.agenthealth.local.mail;

import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;

/**
 * The settings of a mail server.
 *
 * @param user empty if the server needs no credentials
 * @param from the address of the sender
 */
public record SmtpSettings(String host, int port, Security security, String user, String password, String from) {

    /** The encryption of a connection. */
    public enum Security {
        /** Encrypts after a command, and sends no e-mail without encryption (RFC 3207). */
        STARTTLS,
        /** Encrypts from the beginning (RFC 8314). */
        TLS,
        NONE
    }

    /** Returns true if a text is the address of one mailbox, without a name. */
    public static boolean isAddress(String text) {
        try {
            return new InternetAddress(text, true).getAddress().equals(text) && text.indexOf('@') > 0;
        } catch (AddressException e) {
            return false;
        }
    }

    /** Leaves out the password. */
    @Override
    public String toString() {
        return "SmtpSettings[" + host + ":" + port + "]";
    }
}
