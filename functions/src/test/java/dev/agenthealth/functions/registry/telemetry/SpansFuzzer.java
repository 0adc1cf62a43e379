package dev.agenthealth.functions.registry.telemetry;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.model.registry.telemetry.EvaluationEvent;
import dev.agenthealth.model.registry.telemetry.Execution;
import dev.agenthealth.model.registry.telemetry.Span;
import dev.agenthealth.model.registry.telemetry.SpanStep;
import dev.agenthealth.model.registry.telemetry.SpanTree;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Spans of OTLP: protobuf, JSON, either compressed. */
public final class SpansFuzzer {

    private static ApiRequest request(byte[] body, String encoding) {
        return new ApiRequest(APIGatewayV2HTTPEvent.builder()
                .withHeaders(Map.of("content-encoding", encoding))
                .withBody(Base64.getEncoder().encodeToString(body))
                .withIsBase64Encoded(true)
                .build());
    }

    private static void use(List<Span> spans) {
        new SpanTree(spans);
        for (Span span : spans) {
            Execution.of(span).ifPresent(Execution::rejection);
            SpanStep.of(span);
        }
    }

    private SpansFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        for (String encoding : List.of("identity", "gzip")) {
            byte[] body;
            try {
                body = TelemetryBody.of(request(input, encoding));
            } catch (ApiError refused) {
                continue;
            }
            for (OtlpEncoding form : OtlpEncoding.values()) {
                try {
                    use(form.read(OtlpSignal.TRACES, body));
                    form.read(OtlpSignal.LOGS, body).forEach(record -> new EvaluationEvent(record).rejection());
                } catch (ApiError | UnreadableSpansException refused) {
                    // Says why.
                }
            }
        }
    }
}
