package dev.agenthealth.local.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.HttpCaller;
import dev.agenthealth.template.Template;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.exporter.internal.otlp.traces.TraceRequestMarshaler;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.export.SimpleLogRecordProcessor;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The exporter of the OpenTelemetry SDK against the local system: what an instrumented agent sends becomes its health. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenTelemetryExporterTest {

    private static final String KEY = "test-administrator-key";
    private static final String TRACES = "/v1/otlp/v1/traces";
    private static final JsonMapper MAPPER = new JsonMapper();

    @AutoClose
    private LocalSystem system;

    private HttpCaller caller;

    @BeforeAll
    void start() throws IOException {
        system = LocalSystem.start(
                LocalOptions.of(Template.find(), KEY).byHand().out(new PrintStream(OutputStream.nullOutputStream())));
        caller = new HttpCaller(system.baseUrl());
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip"})
    void exported_protobuf_becomes_the_health_of_the_agent(String compression) throws IOException {
        String agent = register("exported-" + compression);
        try (OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(system.baseUrl() + TRACES)
                .setCompression(compression)
                .addHeader("x-api-key", KEY)
                .build()) {
            assertThat(exporter.export(spans(agent)).join(20, TimeUnit.SECONDS).isSuccess())
                    .isTrue();
        }
        assertMeasured(agent);
    }

    @Test
    void exported_json_becomes_the_health_of_the_agent() throws IOException {
        String agent = register("exported-json");
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        TraceRequestMarshaler.create(spans(agent)).writeJsonTo(json);
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> answer = caller.call(
                    "POST", TRACES, json.toByteArray(), "X-API-Key", KEY, "Content-Type", "application/json");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("content-type")).contains("application/json");
            assertThat(answer.body()).isEqualTo("{}");
        }
        assertMeasured(agent);
    }

    @Test
    void exported_events_become_the_quality_of_the_agent() throws IOException {
        String agent = register("exported-evaluations");
        try (OtlpHttpLogRecordExporter exporter = OtlpHttpLogRecordExporter.builder()
                        .setEndpoint(system.baseUrl() + "/v1/otlp/v1/logs")
                        .addHeader("x-api-key", KEY)
                        .build();
                SdkLoggerProvider provider = SdkLoggerProvider.builder()
                        .setResource(
                                Resource.create(Attributes.of(AttributeKey.stringKey("agent_health.agent_id"), agent)))
                        .addLogRecordProcessor(SimpleLogRecordProcessor.create(exporter))
                        .build()) {
            SpanContext evaluated = SpanContext.create(
                    "5b8efff798038103d269b633813fc60c",
                    "eee19b7ec3c1b174",
                    TraceFlags.getSampled(),
                    TraceState.getDefault());
            for (double score : new double[] {0.25, 0.75}) {
                provider.get("my-evaluator")
                        .logRecordBuilder()
                        .setContext(Context.root().with(Span.wrap(evaluated)))
                        .setEventName("gen_ai.evaluation.result")
                        .setAttribute(AttributeKey.stringKey("gen_ai.evaluation.name"), "relevance-" + score)
                        .setAttribute(AttributeKey.doubleKey("gen_ai.evaluation.score.value"), score)
                        .setAttribute(AttributeKey.stringKey("gen_ai.evaluation.explanation"), "a secret")
                        .emit();
            }
            assertThat(provider.forceFlush().join(20, TimeUnit.SECONDS).isSuccess())
                    .isTrue();
        }
        system.runSchedules();
        String health = caller.call("GET", "/api/v1/agents/" + agent + "/health", new byte[0], "X-API-Key", KEY)
                .body();
        assertThat(MAPPER.readTree(health).path("quality").toString())
                .isEqualTo("{\"average\":0.5,\"evaluations\":2,\"minimum\":null}");
        assertThat(health).doesNotContain("a secret");
    }

    @Test
    void an_exporter_with_another_key_fails_with_a_reason() {
        try (OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(system.baseUrl() + TRACES)
                .addHeader("authorization", "Bearer unknown")
                .build()) {
            assertThat(exporter.export(spans("any")).join(20, TimeUnit.SECONDS).isSuccess())
                    .isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"application/json, '{\"code\":16,'", "application/x-protobuf, '\u0008\u0010\u0012'"})
    void a_refusal_by_the_server_itself_is_a_status_in_the_encoding_of_the_request(String encoding, String begins) {
        byte[] large = new byte[1_024 * 1_024];
        HttpResponse<String> answer = caller.call("POST", TRACES, large, "X-API-Key", "?", "Content-Type", encoding);
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("content-type")).contains(encoding);
        assertThat(answer.headers().firstValue("www-authenticate")).isPresent();
        assertThat(answer.body()).startsWith(begins);
    }

    @Test
    void an_empty_answer_has_the_encoding_of_the_request() {
        String encoding = "application/x-protobuf";
        HttpResponse<String> answer =
                caller.call("POST", TRACES, new byte[0], "X-API-Key", KEY, "Content-Type", encoding);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.headers().firstValue("content-type")).contains(encoding);
    }

    /** Three executions, of which one fails, with a call of a model within each and a wrapper around the last. */
    private static List<SpanData> spans(String agent) {
        List<SpanData> spans = new ArrayList<>();
        SpanExporter collecting = new SpanExporter() {
            @Override
            public CompletableResultCode export(Collection<SpanData> more) {
                spans.addAll(more);
                return CompletableResultCode.ofSuccess();
            }

            @Override
            public CompletableResultCode flush() {
                return CompletableResultCode.ofSuccess();
            }

            @Override
            public CompletableResultCode shutdown() {
                return CompletableResultCode.ofSuccess();
            }
        };
        try (SdkTracerProvider provider = SdkTracerProvider.builder()
                .setResource(Resource.create(Attributes.builder()
                        .put("service.name", "checkout")
                        .put("agent_health.agent_id", agent)
                        .build()))
                .addSpanProcessor(SimpleSpanProcessor.create(collecting))
                .build()) {
            Tracer tracer = provider.get("my-framework");
            for (int i = 0; i < 3; i++) {
                Span span = agentSpan(tracer);
                Scope scope = span.makeCurrent();
                try {
                    tracer.spanBuilder("chat gpt-5")
                            .setAttribute("gen_ai.operation.name", "chat")
                            .setAttribute("gen_ai.input.messages", "a long prompt ".repeat(1_000))
                            .startSpan()
                            .end();
                    if (i == 2) {
                        agentSpan(tracer).end();
                        span.setStatus(StatusCode.ERROR);
                        span.setAttribute("error.type", "timeout");
                        span.recordException(new IllegalStateException("slow"));
                    }
                } finally {
                    scope.close();
                }
                span.end();
            }
        }
        return spans;
    }

    private static Span agentSpan(Tracer tracer) {
        return tracer.spanBuilder("invoke_agent Planner")
                .setAttribute("gen_ai.operation.name", "invoke_agent")
                .setAttribute("gen_ai.agent.name", "Planner")
                .startSpan();
    }

    private String register(String agentId) {
        HttpResponse<String> answer = caller.call(
                "POST",
                "/api/v1/agents",
                ("{\"agent_id\":\"" + agentId + "\",\"owner_key_id\":\"administrator\"}")
                        .getBytes(StandardCharsets.UTF_8),
                "X-API-Key",
                KEY);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return agentId;
    }

    private void assertMeasured(String agent) throws IOException {
        system.runSchedules();
        JsonNode health =
                MAPPER.readTree(caller.call("GET", "/api/v1/agents/" + agent + "/health", new byte[0], "X-API-Key", KEY)
                        .body());
        assertThat(health.path("samples").toString())
                .isEqualTo("{\"gateway\":0,\"coordinator\":0,\"self\":0,\"telemetry\":3}");
        assertThat(health.path("errors").path("timeout").asInt())
                .as(health.toString())
                .isEqualTo(1);
    }
}
