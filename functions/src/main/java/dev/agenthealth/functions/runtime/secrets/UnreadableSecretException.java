package dev.agenthealth.functions.runtime.secrets;

/** A secret cannot be decrypted, now or later: its key is lost, it was changed, or it belongs to something else. It has to be set again. */
public final class UnreadableSecretException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnreadableSecretException(String message) {
        super(message);
    }

    UnreadableSecretException(String message, Throwable cause) {
        super(message, cause);
    }
}
