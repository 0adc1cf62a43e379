package dev.agenthealth.functions.runtime.secrets;

import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.util.Base64;

/** Encrypts secrets before they are stored. Thread-safe. */
public interface SecretBox {

    /**
     * Encrypts a secret. Each result is different.
     *
     * @param context the owner of the secret, such as {@code notification:on-call}; not secret itself, and needed to decrypt
     * @param plain the secret, of any length
     * @throws StorageBusyException if KMS does not answer or refuses: a retry may succeed
     */
    byte[] seal(String context, byte[] plain);

    /**
     * Decrypts a secret.
     *
     * @param context the context with which the secret was encrypted
     * @throws StorageBusyException if KMS does not answer, or denies the key of this installation: a retry may succeed
     * @throws UnreadableSecretException if the secret was changed or was encrypted for another context, or its key is lost or may not be used
     */
    byte[] open(String context, byte[] sealed);

    /**
     * Returns the box of this installation, with the key of a local run if it is set, else with the KMS key of the template.
     *
     * @throws IllegalStateException if neither key is set, which is an error in the deployment
     */
    static SecretBox of(Wiring wiring) {
        if (wiring.has(FunctionSettings.SECRETS_LOCAL_KEY)) {
            return new LocalSecretBox(Base64.getDecoder().decode(wiring.get(FunctionSettings.SECRETS_LOCAL_KEY)));
        }
        return new KmsSecretBox(wiring.kms(), wiring.get(FunctionSettings.SECRETS_KEY_ARN), wiring.clock());
    }
}
