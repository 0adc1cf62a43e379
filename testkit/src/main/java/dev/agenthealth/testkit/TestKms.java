package dev.agenthealth.testkit;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.kms.model.DecryptRequest;
import software.amazon.awssdk.services.kms.model.DecryptResponse;
import software.amazon.awssdk.services.kms.model.GenerateDataKeyRequest;
import software.amazon.awssdk.services.kms.model.GenerateDataKeyResponse;
import software.amazon.awssdk.services.kms.model.GetPublicKeyRequest;
import software.amazon.awssdk.services.kms.model.GetPublicKeyResponse;
import software.amazon.awssdk.services.kms.model.InvalidCiphertextException;
import software.amazon.awssdk.services.kms.model.KmsException;
import software.amazon.awssdk.services.kms.model.KmsInvalidStateException;
import software.amazon.awssdk.services.kms.model.MessageType;
import software.amazon.awssdk.services.kms.model.NotFoundException;
import software.amazon.awssdk.services.kms.model.SignRequest;
import software.amazon.awssdk.services.kms.model.SignResponse;
import software.amazon.awssdk.services.kms.model.SigningAlgorithmSpec;

/**
 * The operations of KMS for stored secrets, with a key that can be lost or replaced, and for signatures, with another key. Like KMS, it denies
 * access to a ciphertext whose key does not exist or may not be used. Thread-safe.
 */
public final class TestKms {

    private static final KeyPair PAIR = pair();
    private static final String ENCRYPTED = "encrypted by key ";

    private final ScriptedCalls<GenerateDataKeyRequest, GenerateDataKeyResponse> dataKeyCalls =
            new ScriptedCalls<>(this::dataKey);
    private final ScriptedCalls<DecryptRequest, DecryptResponse> decryptCalls = new ScriptedCalls<>(this::decrypted);
    private final ScriptedCalls<SignRequest, SignResponse> signCalls = new ScriptedCalls<>(TestKms::signature);
    private final ScriptedCalls<GetPublicKeyRequest, GetPublicKeyResponse> publicKeyCalls =
            new ScriptedCalls<>(request -> GetPublicKeyResponse.builder()
                    .publicKey(SdkBytes.fromByteArray(PAIR.getPublic().getEncoded()))
                    .build());
    private final Map<SdkBytes, DataKey> dataKeys = new HashMap<>();
    private int keyNumber = 1;
    private boolean lost;
    private boolean denied;

    private record DataKey(SdkBytes plain, Map<String, String> context) {}

    public KmsClient client() {
        return new KmsClient() {
            @Override
            public GenerateDataKeyResponse generateDataKey(GenerateDataKeyRequest request) {
                return dataKeyCalls.call(request);
            }

            @Override
            public DecryptResponse decrypt(DecryptRequest request) {
                return decryptCalls.call(request);
            }

            @Override
            public SignResponse sign(SignRequest request) {
                return signCalls.call(request);
            }

            @Override
            public GetPublicKeyResponse getPublicKey(GetPublicKeyRequest request) {
                return publicKeyCalls.call(request);
            }

            @Override
            public String serviceName() {
                return SERVICE_NAME;
            }

            @Override
            public void close() {}
        };
    }

    /** Returns the requests for data keys, oldest first. */
    public List<GenerateDataKeyRequest> dataKeyRequests() {
        return dataKeyCalls.requests();
    }

    /** Returns the requests to decrypt a data key, oldest first. */
    public List<DecryptRequest> decryptRequests() {
        return decryptCalls.requests();
    }

    /** Returns the requests for signatures, oldest first. */
    public List<SignRequest> signRequests() {
        return signCalls.requests();
    }

    /** Returns the requests for the public key, oldest first. */
    public List<GetPublicKeyRequest> publicKeyRequests() {
        return publicKeyCalls.requests();
    }

    /** Fails the next request for a signature. */
    public void failSign(SdkException failure) {
        signCalls.failNext(failure);
    }

    /** Fails the next request for a data key. */
    public void failDataKey(SdkException failure) {
        dataKeyCalls.failNext(failure);
    }

    /** Fails the next request to decrypt. */
    public void failDecrypt(SdkException failure) {
        decryptCalls.failNext(failure);
    }

    /** Deletes the key. */
    public synchronized void lose() {
        lost = true;
    }

    /** Replaces the key by a new one, as a new stack does. The caller may not use the former key. */
    public synchronized void replaceKey() {
        keyNumber++;
    }

    /** Takes away or returns the caller's permissions, as a faulty policy does. */
    public synchronized void deny(boolean everything) {
        denied = everything;
    }

    private synchronized GenerateDataKeyResponse dataKey(GenerateDataKeyRequest request) {
        if (denied) {
            throw accessDenied();
        }
        if (lost) {
            throw NotFoundException.builder().build();
        }
        byte[] plain = new byte[32];
        int number = dataKeys.size() + 1;
        Arrays.fill(plain, (byte) number);
        SdkBytes encrypted = SdkBytes.fromString(ownPrefix() + number, StandardCharsets.UTF_8);
        DataKey key = new DataKey(SdkBytes.fromByteArray(plain), request.encryptionContext());
        dataKeys.put(encrypted, key);
        return GenerateDataKeyResponse.builder()
                .ciphertextBlob(encrypted)
                .plaintext(key.plain())
                .keyId(request.keyId())
                .build();
    }

    private synchronized DecryptResponse decrypted(DecryptRequest request) {
        String text = new String(request.ciphertextBlob().asByteArray(), StandardCharsets.ISO_8859_1);
        if (denied || (text.startsWith(ENCRYPTED) && (lost || !text.startsWith(ownPrefix())))) {
            throw accessDenied();
        }
        DataKey key = dataKeys.get(request.ciphertextBlob());
        if (key == null || !key.context().equals(request.encryptionContext())) {
            throw InvalidCiphertextException.builder().build();
        }
        return DecryptResponse.builder().plaintext(key.plain()).build();
    }

    private String ownPrefix() {
        return ENCRYPTED + keyNumber + ": ";
    }

    /** Returns the answer of KMS for a key that does not exist or may not be used. The SDK has no class for it. */
    private static AwsServiceException accessDenied() {
        return KmsException.builder()
                .statusCode(400)
                .message("The ciphertext refers to a key that does not exist or may not be used.")
                .awsErrorDetails(AwsErrorDetails.builder()
                        .serviceName("Kms")
                        .errorCode("AccessDeniedException")
                        .build())
                .build();
    }

    private static KeyPair pair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Signs a digest like KMS, with the signature in ASN.1. */
    private static SignResponse signature(SignRequest request) {
        if (request.messageType() != MessageType.DIGEST
                || request.signingAlgorithm() != SigningAlgorithmSpec.ECDSA_SHA_256
                || request.message().asByteArray().length != 32) {
            throw KmsInvalidStateException.builder().build();
        }
        try {
            Signature signature = Signature.getInstance("NONEwithECDSA");
            signature.initSign(PAIR.getPrivate());
            signature.update(request.message().asByteArray());
            return SignResponse.builder()
                    .signature(SdkBytes.fromByteArray(signature.sign()))
                    .build();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
