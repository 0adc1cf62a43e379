package dev.agenthealth.functions.measurement;

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

/** A worker in an invocation of its own. The client is made with the first call: most measurements share out nothing. Thread-safe. */
final class LambdaMeasurementWorker implements MeasurementWorker {

    private static final JsonMapper MAPPER = new JsonMapper();

    private final Supplier<LambdaClient> clients;
    private final String function;

    private Optional<LambdaClient> lambda = Optional.empty();

    /**
     * @param clients makes the client
     * @param function name or ARN of the worker function
     */
    LambdaMeasurementWorker(Supplier<LambdaClient> clients, String function) {
        this.clients = clients;
        this.function = function;
    }

    @Override
    public MeasurementPass.Outcome measure(int shard) {
        try {
            SdkBytes payload =
                    SdkBytes.fromByteArray(MAPPER.writeValueAsBytes(MeasurementWorkerFunction.request(shard)));
            InvokeResponse response = lambda().invoke(r -> r.functionName(function)
                    .invocationType(InvocationType.REQUEST_RESPONSE)
                    .payload(payload));
            if (response.functionError() != null) {
                throw new IllegalStateException("a worker of the measurement failed: " + response.functionError());
            }
            Map<String, Object> numbers = MAPPER.readValue(response.payload().asByteArray(), new TypeReference<>() {});
            return MeasurementPass.Outcome.ofNames(numbers);
        } catch (IOException e) {
            throw new UncheckedIOException("a worker of the measurement answered with something else than JSON", e);
        }
    }

    private synchronized LambdaClient lambda() {
        if (lambda.isEmpty()) {
            lambda = Optional.of(clients.get());
        }
        return lambda.get();
    }
}
