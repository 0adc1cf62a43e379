package dev.agenthealth.functions.runtime.secrets;

/**
 * Reports that a secret can never be decrypted: its key is lost, or the secret was changed or belongs to another context. Its owner has to
 * set it again.
 */
public final class UnreadableSecretException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnreadableSecretException(String message) {
        super(message);
    }

    UnreadableSecretException(String message, Throwable cause) {
        super(message, cause);
    }
}
