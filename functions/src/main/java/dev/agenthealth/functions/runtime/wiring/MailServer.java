package dev.agenthealth.functions.runtime.wiring;

import java.time.Instant;

/** Sends e-mail if the installation has no Amazon SNS. Implementations are thread-safe. */
@FunctionalInterface
public interface MailServer {

    /**
     * An e-mail of plain text.
     *
     * @param id the same for each attempt to send the e-mail
     * @param to one address
     * @param subject one line of printable ASCII
     * @param at when it is sent
     */
    record Mail(String id, String to, String subject, String text, Instant at) {}

    /**
     * Sends an e-mail once, within 10 seconds.
     *
     * @throws NotSentException if the mail server did not accept the e-mail
     */
    void send(Mail mail) throws NotSentException;

    /** Reports an e-mail that was not accepted. The message is for operators: it names no secret and no address. */
    final class NotSentException extends Exception {

        private static final long serialVersionUID = 1L;

        private final boolean refused;

        /** @param refused whether a retry would fail */
        public NotSentException(String message, boolean refused, Throwable cause) {
            super(message, cause);
            this.refused = refused;
        }

        public boolean isRefused() {
            return refused;
        }
    }
}
