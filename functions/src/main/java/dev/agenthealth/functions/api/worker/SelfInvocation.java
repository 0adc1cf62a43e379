package dev.agenthealth.functions.api.worker;

import com.amazonaws.services.lambda.runtime.Context;
import dev.agenthealth.functions.runtime.json.Json;
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
     * @throws IllegalStateException if the invocation failed, or its answer is not a JSON object
     */
    public Map<String, Object> call(Context context, Map<String, Object> message) {
        SdkBytes payload = SdkBytes.fromUtf8String(Json.ofMessage(message));
        InvokeResponse response = client.get().invoke(r -> r.functionName(runningVersion(context))
                .invocationType(InvocationType.REQUEST_RESPONSE)
                .payload(payload));
        if (response.functionError() != null) {
            throw new IllegalStateException("the invocation for a shard failed: " + response.functionError());
        }
        return Json.message(response.payload().asUtf8String());
    }

    /** Returns the ARN of the version, not of the alias: during a deployment the alias may lead to another version. */
    private static String runningVersion(Context context) {
        String[] parts = context.getInvokedFunctionArn().split(":");
        return String.join(":", Arrays.copyOf(parts, ARN_PARTS)) + ":" + context.getFunctionVersion();
    }
}
