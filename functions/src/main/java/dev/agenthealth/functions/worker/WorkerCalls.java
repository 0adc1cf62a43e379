package dev.agenthealth.functions.worker;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvocationType;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;

/**
 * Calls another function and waits for its answer. The client is made with the first call, since most runs share out nothing. Thread-safe.
 */
public final class WorkerCalls {

    private static final JsonMapper MAPPER = new JsonMapper();

    private final Supplier<LambdaClient> clients;
    private final String function;

    private Optional<LambdaClient> client = Optional.empty();

    /**
     * @param clients makes the client
     * @param function name or ARN of the function
     */
    public WorkerCalls(Supplier<LambdaClient> clients, String function) {
        this.clients = clients;
        this.function = function;
    }

    /**
     * What the function answers to this message.
     *
     * @throws IllegalStateException where the function failed
     * @throws UncheckedIOException where it answered with something else than a JSON object
     */
    public Map<String, Object> call(Map<String, Object> message) {
        try {
            SdkBytes payload = SdkBytes.fromByteArray(MAPPER.writeValueAsBytes(message));
            InvokeResponse response = client().invoke(r -> r.functionName(function)
                    .invocationType(InvocationType.REQUEST_RESPONSE)
                    .payload(payload));
            if (response.functionError() != null) {
                throw new IllegalStateException("a worker failed: " + response.functionError());
            }
            return MAPPER.readValue(response.payload().asByteArray(), new TypeReference<>() {});
        } catch (IOException e) {
            throw new UncheckedIOException("a worker answered with something else than JSON", e);
        }
    }

    private synchronized LambdaClient client() {
        if (client.isEmpty()) {
            client = Optional.of(clients.get());
        }
        return client.get();
    }
}
