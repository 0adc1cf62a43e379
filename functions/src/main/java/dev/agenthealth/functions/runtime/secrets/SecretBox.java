package dev.agenthealth.functions.runtime.secrets;

import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.util.Base64;

/** Encrypts secrets before they are stored. Thread-safe. */
public interface SecretBox {

    /** Set where functions are deployed: the ARN of a symmetric key of KMS. */
    String KMS_KEY = "SECRETS_KEY_ARN";

    /** Set in a local run only: 32 bytes in base64. */
    String LOCAL_KEY = "SECRETS_LOCAL_KEY";

    /**
     * Encrypts a secret, differently each time.
     *
     * @param context what the secret belongs to, such as {@code notification:on-call}; not secret itself, and needed to decrypt
     * @param plain of any length
     * @throws StorageBusyException if KMS does not answer or refuses: a retry may succeed
     */
    byte[] seal(String context, byte[] plain);

    /**
     * Decrypts a secret.
     *
     * @param context the one with which it was encrypted
     * @throws StorageBusyException if KMS does not answer or refuses: a retry may succeed
     * @throws UnreadableSecretException if it was encrypted for another context or with a key that is lost, or was changed
     */
    byte[] open(String context, byte[] sealed);

    /**
     * The box of this installation: with the key of a local run where there is one, else with the key of KMS that the template names.
     *
     * @throws IllegalStateException where there is neither, an error in the deployment
     */
    static SecretBox of(Wiring wiring) {
        if (wiring.environment().containsKey(LOCAL_KEY)) {
            return new LocalSecretBox(Base64.getDecoder().decode(wiring.required(LOCAL_KEY)));
        }
        return new KmsSecretBox(wiring.kms(), wiring.required(KMS_KEY), wiring.clock());
    }
}
