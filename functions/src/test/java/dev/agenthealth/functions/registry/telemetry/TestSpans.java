package dev.agenthealth.functions.registry.telemetry;

import java.time.Instant;

/** Spans in the JSON of OTLP, for tests. */
public final class TestSpans {

    private TestSpans() {}

    /** A request with these spans of one service. */
    public static String json(String service, String... spans) {
        return ofResource(attribute("service.name", service), "", spans);
    }

    /** A request with these spans of a resource. */
    static String ofResource(String resourceAttributes, String scope, String... spans) {
        return "{\"resourceSpans\":[{\"resource\":{\"attributes\":[" + resourceAttributes
                + "]},\"scopeSpans\":[{\"scope\":{\"name\":\"" + scope + "\"},\"spans\":[" + String.join(",", spans)
                + "]}]}]}";
    }

    /** A request with an evaluation of the first span of the first trace, of the resource of a service. */
    public static String evaluation(String service, Instant at) {
        return "{\"resourceLogs\":[{\"resource\":{\"attributes\":[" + attribute("service.name", service)
                + "]},\"scopeLogs\":[{\"logRecords\":[{\"timeUnixNano\":\"" + nanos(at)
                + "\",\"eventName\":\"gen_ai.evaluation.result\",\"traceId\":\"" + trace(1) + "\",\"spanId\":\"" + id(1)
                + "\",\"attributes\":[" + attribute("gen_ai.evaluation.name", "relevance") + ","
                + attribute("gen_ai.evaluation.score.label", "pass") + "]}]}]}]}";
    }

    /** A successful execution of an agent with this name that took 250 ms. */
    public static String span(int number, Instant end, String agent) {
        return span(number, 0, end, agent, 0, "");
    }

    /**
     * @param parent the number of the parent; 0 for none
     * @param status the code of the status
     * @param more further attributes
     */
    static String span(int number, int parent, Instant end, String agent, int status, String more) {
        return raw(
                trace(1),
                id(number),
                parent == 0 ? "" : id(parent),
                nanos(end.minusMillis(250)),
                nanos(end),
                attribute("gen_ai.operation.name", "invoke_agent") + "," + attribute("gen_ai.agent.name", agent) + more,
                status);
    }

    static String raw(
            String traceId, String spanId, String parent, String start, String end, String attributes, int status) {
        return "{\"traceId\":\"" + traceId + "\",\"spanId\":\"" + spanId + "\",\"parentSpanId\":\"" + parent
                + "\",\"name\":\"a span\",\"kind\":1,\"startTimeUnixNano\":\"" + start + "\",\"endTimeUnixNano\":\""
                + end + "\",\"attributes\":[" + attributes + "],\"status\":{\"code\":" + status + "}}";
    }

    static String attribute(String key, String value) {
        return "{\"key\":\"" + key + "\",\"value\":{\"stringValue\":\"" + value + "\"}}";
    }

    static String trace(int number) {
        return String.format("%032x", number);
    }

    static String id(int number) {
        return String.format("%016x", number);
    }

    static String nanos(Instant moment) {
        return Long.toString(moment.getEpochSecond() * 1_000_000_000 + moment.getNano());
    }
}
