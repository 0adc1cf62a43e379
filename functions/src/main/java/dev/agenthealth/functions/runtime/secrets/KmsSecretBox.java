package dev.agenthealth.functions.runtime.secrets;

import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.model.ClockRule;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.kms.model.DataKeySpec;
import software.amazon.awssdk.services.kms.model.DisabledException;
import software.amazon.awssdk.services.kms.model.GenerateDataKeyResponse;
import software.amazon.awssdk.services.kms.model.IncorrectKeyException;
import software.amazon.awssdk.services.kms.model.InvalidCiphertextException;
import software.amazon.awssdk.services.kms.model.KmsInvalidStateException;
import software.amazon.awssdk.services.kms.model.NotFoundException;

/**
 * Encrypts each secret with its own data key, which a KMS key encrypts. Secrets may therefore be longer than the 4 KB that KMS takes, and
 * one request decrypts a secret. If KMS denies a secret but not the key of this installation, the secret is unreadable. Decrypted data keys are kept for {@link #KEPT}, so that frequent use costs few requests. Thread-safe.
 */
final class KmsSecretBox implements SecretBox {

    /** The time for which a decrypted data key is kept. A secret stays readable for this time after the right to decrypt is withdrawn. */
    static final Duration KEPT = Duration.ofMinutes(5);

    private static final int MAX_KEPT = 500;
    private static final byte FORMAT = 2;
    private static final String CONTEXT = "agent-health";
    private static final String SERVICE = "KMS";

    /** The answer for a key that is not in this Region, is gone, or may not be used. */
    private static final String DENIED = "AccessDeniedException";

    private final Supplier<KmsClient> kms;
    private final String keyArn;
    private final Clock clock;
    private final Map<ByteBuffer, Kept> dataKeys = new LinkedHashMap<>();

    /** A decrypted data key for one context. */
    private record Kept(String context, byte[] key, Instant until) {}

    KmsSecretBox(Supplier<KmsClient> kms, String keyArn, Clock clock) {
        this.kms = kms;
        this.keyArn = keyArn;
        this.clock = clock;
    }

    @Override
    public byte[] seal(String context, byte[] plain) {
        GenerateDataKeyResponse dataKey = newDataKey(context);
        byte[] encryptedKey = dataKey.ciphertextBlob().asByteArray();
        byte[] sealed = SealedBytes.seal(dataKey.plaintext().asByteArray(), context, plain);
        return ByteBuffer.allocate(1 + Short.BYTES + encryptedKey.length + sealed.length)
                .put(FORMAT)
                .putShort((short) encryptedKey.length)
                .put(encryptedKey)
                .put(sealed)
                .array();
    }

    private GenerateDataKeyResponse newDataKey(String context) {
        try {
            return kms.get().generateDataKey(request -> request.keyId(keyArn)
                    .keySpec(DataKeySpec.AES_256)
                    .encryptionContext(Map.of(CONTEXT, context)));
        } catch (SdkException e) {
            throw new StorageBusyException(SERVICE, e);
        }
    }

    @Override
    public byte[] open(String context, byte[] sealed) {
        ByteBuffer bytes = ByteBuffer.wrap(sealed);
        if (bytes.remaining() < 1 + Short.BYTES || bytes.get() != FORMAT) {
            throw new UnreadableSecretException("a stored secret was encrypted by another installation");
        }
        int length = Short.toUnsignedInt(bytes.getShort());
        if (length > bytes.remaining()) {
            throw new UnreadableSecretException("a stored secret is incomplete");
        }
        byte[] encryptedKey = new byte[length];
        bytes.get(encryptedKey);
        return SealedBytes.open(dataKey(context, encryptedKey), context, bytes);
    }

    private byte[] dataKey(String context, byte[] encrypted) {
        ByteBuffer name = ByteBuffer.wrap(encrypted);
        Instant now = clock.instant();
        synchronized (dataKeys) {
            Kept kept = dataKeys.get(name);
            if (kept != null && kept.context().equals(context) && ClockRule.holds(kept.until(), KEPT, now)) {
                return kept.key();
            }
        }
        byte[] key = decrypted(context, encrypted);
        synchronized (dataKeys) {
            dataKeys.values().removeIf(kept -> !ClockRule.holds(kept.until(), KEPT, now));
            if (dataKeys.size() >= MAX_KEPT) {
                dataKeys.remove(dataKeys.keySet().iterator().next());
            }
            dataKeys.put(name, new Kept(context, key, now.plus(KEPT)));
        }
        return key;
    }

    private byte[] decrypted(String context, byte[] encrypted) {
        try {
            // The request names no key, so that a secret stays readable after the KMS key changes, as long as the
            // former key may be used.
            return kms.get()
                    .decrypt(request -> request.ciphertextBlob(SdkBytes.fromByteArray(encrypted))
                            .encryptionContext(Map.of(CONTEXT, context)))
                    .plaintext()
                    .asByteArray();
        } catch (InvalidCiphertextException | IncorrectKeyException e) {
            throw new UnreadableSecretException("a stored secret was changed, or belongs to another place", e);
        } catch (NotFoundException | DisabledException | KmsInvalidStateException e) {
            throw new UnreadableSecretException("the key of a stored secret is gone or disabled", e);
        } catch (SdkException e) {
            if (isDenied(e) && !ownKeyIsDenied()) {
                throw new UnreadableSecretException("the key of a stored secret may not be used, or is gone", e);
            }
            throw new StorageBusyException(SERVICE, e);
        }
    }

    /**
     * Encrypts and decrypts with the key of this installation. KMS denies a secret for two reasons: the secret belongs to a key that this function may
     * not use, as after a restore, or this function lost its permissions. The second reason also denies the key of the installation.
     *
     * @return {@code false} if the key works or does not exist
     * @throws StorageBusyException if KMS does not answer
     */
    private boolean ownKeyIsDenied() {
        Map<String, String> context = Map.of(CONTEXT, "self-test");
        try {
            SdkBytes encrypted = kms.get()
                    .generateDataKey(request ->
                            request.keyId(keyArn).keySpec(DataKeySpec.AES_256).encryptionContext(context))
                    .ciphertextBlob();
            kms.get().decrypt(request -> request.ciphertextBlob(encrypted).encryptionContext(context));
            return false;
        } catch (NotFoundException e) {
            return false;
        } catch (SdkException e) {
            if (isDenied(e)) {
                return true;
            }
            throw new StorageBusyException(SERVICE, e);
        }
    }

    /** Returns whether KMS refused access. The SDK has no class for this error. */
    private static boolean isDenied(SdkException failure) {
        return failure instanceof AwsServiceException answer
                && answer.awsErrorDetails() != null
                && DENIED.equals(answer.awsErrorDetails().errorCode());
    }
}
