package dev.agenthealth.testkit;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.kms.model.DecryptRequest;
import software.amazon.awssdk.services.kms.model.DecryptResponse;
import software.amazon.awssdk.services.kms.model.GenerateDataKeyRequest;
import software.amazon.awssdk.services.kms.model.GenerateDataKeyResponse;
import software.amazon.awssdk.services.kms.model.InvalidCiphertextException;
import software.amazon.awssdk.services.kms.model.NotFoundException;

/** The two operations of KMS that stored secrets need, with one key, which can be lost. Thread-safe. */
public final class TestKms {

    private final ScriptedCalls<GenerateDataKeyRequest, GenerateDataKeyResponse> dataKeyCalls =
            new ScriptedCalls<>(this::dataKey);
    private final ScriptedCalls<DecryptRequest, DecryptResponse> decryptCalls = new ScriptedCalls<>(this::decrypted);
    private final Map<SdkBytes, DataKey> dataKeys = new HashMap<>();
    private boolean lost;

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
            public String serviceName() {
                return SERVICE_NAME;
            }

            @Override
            public void close() {}
        };
    }

    /** The requests for data keys, oldest first. */
    public List<GenerateDataKeyRequest> dataKeyRequests() {
        return dataKeyCalls.requests();
    }

    /** The requests to decrypt a data key, oldest first. */
    public List<DecryptRequest> decryptRequests() {
        return decryptCalls.requests();
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

    private synchronized GenerateDataKeyResponse dataKey(GenerateDataKeyRequest request) {
        requireKey();
        byte[] plain = new byte[32];
        int number = dataKeys.size() + 1;
        Arrays.fill(plain, (byte) number);
        SdkBytes encrypted = SdkBytes.fromString("encrypted key " + number, StandardCharsets.UTF_8);
        DataKey key = new DataKey(SdkBytes.fromByteArray(plain), request.encryptionContext());
        dataKeys.put(encrypted, key);
        return GenerateDataKeyResponse.builder()
                .ciphertextBlob(encrypted)
                .plaintext(key.plain())
                .keyId(request.keyId())
                .build();
    }

    private synchronized DecryptResponse decrypted(DecryptRequest request) {
        requireKey();
        DataKey key = dataKeys.get(request.ciphertextBlob());
        if (key == null || !key.context().equals(request.encryptionContext())) {
            throw InvalidCiphertextException.builder().build();
        }
        return DecryptResponse.builder().plaintext(key.plain()).build();
    }

    private void requireKey() {
        if (lost) {
            throw NotFoundException.builder().build();
        }
    }
}
