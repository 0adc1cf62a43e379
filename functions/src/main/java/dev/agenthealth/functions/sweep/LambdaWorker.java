package dev.agenthealth.functions.sweep;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agenthealth.functions.sweep.FleetSegments.SegmentRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvocationType;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;

/** A worker in an invocation of its own. Thread-safe. */
final class LambdaWorker implements SharedOutFleet.Worker {

    private static final JsonMapper MAPPER = new JsonMapper();

    private final LambdaClient lambda;
    private final String function;
    private final SegmentRange range;

    /**
     * @param function name or ARN of the worker function
     */
    LambdaWorker(LambdaClient lambda, String function, SegmentRange range) {
        this.lambda = lambda;
        this.function = function;
        this.range = range;
    }

    @Override
    public FleetReading read(Inspection inspection) {
        return WorkerMessages.reading(
                invoke(new WorkerMessages.Request(false, range, inspection, Orders.HOUSEKEEPING_ONLY)));
    }

    @Override
    public Deeds act(Inspection inspection, Orders orders) {
        return WorkerMessages.deeds(invoke(new WorkerMessages.Request(true, range, inspection.withoutPools(), orders)));
    }

    private Map<String, Object> invoke(WorkerMessages.Request request) {
        try {
            SdkBytes payload = SdkBytes.fromByteArray(MAPPER.writeValueAsBytes(WorkerMessages.of(request)));
            InvokeResponse response = lambda.invoke(r -> r.functionName(function)
                    .invocationType(InvocationType.REQUEST_RESPONSE)
                    .payload(payload));
            if (response.functionError() != null) {
                throw new IllegalStateException("a worker of the sweep failed: " + response.functionError());
            }
            return MAPPER.readValue(response.payload().asByteArray(), new TypeReference<>() {});
        } catch (IOException e) {
            throw new UncheckedIOException("a worker of the sweep answered with something else than JSON", e);
        }
    }
}
