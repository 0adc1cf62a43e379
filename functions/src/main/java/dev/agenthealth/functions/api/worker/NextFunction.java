package dev.agenthealth.functions.api.worker;

import dev.agenthealth.functions.runtime.observation.Log;
import java.util.function.Supplier;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvocationType;

/** Another function that runs after this one. Thread-safe. */
public final class NextFunction {

    private final Supplier<LambdaClient> client;
    private final String functionArn;
    private final Log log;

    /**
     * @param client returns the client
     * @param functionArn the ARN of an alias
     */
    public NextFunction(Supplier<LambdaClient> client, String functionArn, Log log) {
        this.client = client;
        this.functionArn = functionArn;
        this.log = log;
    }

    /** Starts the function and does not wait for it. A failure is logged: the next run starts it as well. */
    public void start() {
        try {
            client.get().invoke(r -> r.functionName(functionArn)
                    .invocationType(InvocationType.EVENT)
                    .payload(SdkBytes.fromUtf8String("{}")));
        } catch (RuntimeException e) {
            log.failure("next_function_not_started", functionArn, e);
        }
    }
}
