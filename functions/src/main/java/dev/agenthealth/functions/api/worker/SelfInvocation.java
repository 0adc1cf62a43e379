package dev.agenthealth.functions.api.worker;

import com.amazonaws.services.lambda.runtime.Context;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvocationType;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;

/**
 * Invokes the running version of the function itself and waits for the answer. The client is created on the first call, because most runs
 * need none. Thread-safe.
 */
public final class SelfInvocation {

    private static final JsonMapper MAPPER = new JsonMapper();

    /** The number of parts of an unqualified function ARN. */
    private static final int ARN_PARTS = 7;

    private final Supplier<LambdaClient> client;

    /** @param client returns the client */
    public SelfInvocation(Supplier<LambdaClient> client) {
        this.client = client;
    }

    /**
     * Returns the answer of another invocation to this message.
     *
     * @param context the context of the running invocation
     * @throws IllegalStateException if the invocation failed
     * @throws UncheckedIOException if the answer is not a JSON object
     */
    public Map<String, Object> call(Context context, Map<String, Object> message) {
        try {
            SdkBytes payload = SdkBytes.fromByteArray(MAPPER.writeValueAsBytes(message));
            InvokeResponse response = client.get().invoke(r -> r.functionName(runningVersion(context))
                    .invocationType(InvocationType.REQUEST_RESPONSE)
                    .payload(payload));
            if (response.functionError() != null) {
                throw new IllegalStateException("the invocation for a shard failed: " + response.functionError());
            }
            return MAPPER.readValue(response.payload().asByteArray(), new TypeReference<>() {});
        } catch (IOException e) {
            throw new UncheckedIOException("the answer to a shard is not a JSON object", e);
        }
    }

    /** Returns the ARN of the version, not of the alias: during a deployment the alias may lead to another version. */
    private static String runningVersion(Context context) {
        String[] parts = context.getInvokedFunctionArn().split(":");
        return String.join(":", Arrays.copyOf(parts, ARN_PARTS)) + ":" + context.getFunctionVersion();
    }
}
