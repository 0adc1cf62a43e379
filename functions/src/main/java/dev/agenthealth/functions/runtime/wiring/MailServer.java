package dev.agenthealth.functions.runtime.wiring;

import java.time.Instant;

/** Sends e-mail where there is no Amazon SNS. Implementations are thread-safe. */
@FunctionalInterface
public interface MailServer {

    /**
     * An e-mail of plain text.
     *
     * @param id the same for each attempt to send it
     * @param to one address
     * @param subject one line of printable ASCII
     * @param at when it is sent
     */
    record Mail(String id, String to, String subject, String text, Instant at) {}

    /**
     * Sends an e-mail once, within 10 seconds.
     *
     * @throws NotSentException where the mail server did not accept it
     */
    void send(Mail mail) throws NotSentException;

    /** An e-mail that was not accepted. The message is for operators: it names no secret and no address. */
    final class NotSentException extends Exception {

        private static final long serialVersionUID = 1L;

        private final boolean refused;

        /** @param refused whether sending the same e-mail again is of no use */
        public NotSentException(String message, boolean refused, Throwable cause) {
            super(message, cause);
            this.refused = refused;
        }

        public boolean isRefused() {
            return refused;
        }
    }
}
