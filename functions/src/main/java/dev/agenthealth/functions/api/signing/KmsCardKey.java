package dev.agenthealth.functions.api.signing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.interfaces.ECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.function.Supplier;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.kms.model.MessageType;
import software.amazon.awssdk.services.kms.model.SigningAlgorithmSpec;

/** A key whose private half never leaves KMS. Thread-safe. */
final class KmsCardKey implements CardKey {

    private static final String SERVICE = "KMS";

    private final Supplier<KmsClient> kms;
    private final String keyArn;

    /** The public half, which is requested on first use and never changes. */
    private volatile ObjectNode publicKey;

    KmsCardKey(Supplier<KmsClient> kms, String keyArn) {
        this.kms = kms;
        this.keyArn = keyArn;
    }

    @Override
    public ObjectNode publicKey() {
        ObjectNode known = publicKey;
        if (known == null) {
            known = read();
            publicKey = known;
        }
        return known.deepCopy();
    }

    private ObjectNode read() {
        try {
            byte[] encoded = kms.get()
                    .getPublicKey(request -> request.keyId(keyArn))
                    .publicKey()
                    .asByteArray();
            return CardKey.jwk(
                    (ECPublicKey) KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(encoded)));
        } catch (SdkException e) {
            throw new StorageBusyException(SERVICE, e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the template makes a key on the curve P-256", e);
        }
    }

    @Override
    public byte[] sign(byte[] input) {
        try {
            // KMS takes 4 KB at most, and cards may be larger.
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(input);
            return CardKey.concatenated(kms.get()
                    .sign(request -> request.keyId(keyArn)
                            .messageType(MessageType.DIGEST)
                            .signingAlgorithm(SigningAlgorithmSpec.ECDSA_SHA_256)
                            .message(SdkBytes.fromByteArray(digest)))
                    .signature()
                    .asByteArray());
        } catch (SdkException e) {
            throw new StorageBusyException(SERVICE, e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
