package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.http.AwsService;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.kms.KmsClient;

/** The two operations of KMS that stored secrets need, with one key, which can be lost. Thread-safe. */
public final class TestKms implements AutoCloseable, AwsService {

    public static final String GENERATE_DATA_KEY = "GenerateDataKey";
    public static final String DECRYPT = "Decrypt";

    private static final String PREFIX = "TrentService.";

    private final LazyService emulated = new LazyService(this);
    private final Map<String, JsonNode> contexts = new HashMap<>();
    private final Map<String, byte[]> dataKeys = new HashMap<>();
    private final AtomicInteger made = new AtomicInteger();
    private KmsClient client;
    private boolean lost;

    /** A client that makes up to 3 attempts, without a pause between them. */
    public synchronized KmsClient client() {
        if (client == null) {
            client = emulated.endpoint()
                    .configured(KmsClient.builder())
                    .httpClientBuilder(UrlConnectionHttpClient.builder())
                    .build();
        }
        return client;
    }

    /** The requests of an operation, retries included, oldest first. */
    public List<JsonNode> requests(String operation) {
        return emulated.calls().of(operation).stream().map(TestKms::json).toList();
    }

    /** Fails the next request of an operation. */
    public void fail(String operation, int status, String error) {
        emulated.calls().failNext(operation, status, error);
    }

    /** Deletes the key. */
    public synchronized void lose() {
        lost = true;
    }

    @Override
    public Optional<String> operation(RawRequest request) {
        String target = request.header("X-Amz-Target");
        return target.startsWith(PREFIX) ? Optional.of(target.substring(PREFIX.length())) : Optional.empty();
    }

    @Override
    public synchronized RawResponse answer(RawRequest request) {
        if (lost) {
            return error("NotFoundException");
        }
        JsonNode json = json(request);
        return operation(request).orElseThrow().equals(DECRYPT) ? decrypted(json) : dataKey(json);
    }

    private RawResponse dataKey(JsonNode json) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) made.incrementAndGet());
        String encrypted =
                Base64.getEncoder().encodeToString(("encrypted key " + made.get()).getBytes(StandardCharsets.UTF_8));
        dataKeys.put(encrypted, key);
        contexts.put(encrypted, json.path("EncryptionContext"));
        return RawResponse.json(
                200,
                TestJson.object()
                        .put("CiphertextBlob", encrypted)
                        .put("Plaintext", Base64.getEncoder().encodeToString(key))
                        .put("KeyId", json.path("KeyId").asText()));
    }

    private RawResponse decrypted(JsonNode json) {
        String encrypted = json.path("CiphertextBlob").asText();
        if (!dataKeys.containsKey(encrypted) || !contexts.get(encrypted).equals(json.path("EncryptionContext"))) {
            return error("InvalidCiphertextException");
        }
        return RawResponse.json(
                200, TestJson.object().put("Plaintext", Base64.getEncoder().encodeToString(dataKeys.get(encrypted))));
    }

    private static RawResponse error(String name) {
        return RawResponse.json(400, TestJson.object().put("__type", name).put("message", name));
    }

    private static JsonNode json(RawRequest request) {
        return TestJson.read(new String(request.body(), StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        emulated.close();
    }
}
