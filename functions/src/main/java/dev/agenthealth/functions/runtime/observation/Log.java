package dev.agenthealth.functions.runtime.observation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.Timestamps;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;

/**
 * The structured log: one JSON object per line on standard output, which Lambda copies to the function's log group.
 *
 * <p>Callers never pass a key, a body or a credential. Thread-safe.
 */
public final class Log {

    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int BAD_GATEWAY = 502;
    private static final int GATEWAY_TIMEOUT = 504;

    private final Clock clock;
    private final PrintStream out;
    private final String stack;
    private final Sample sample;

    /** Creates a log without sampling. */
    public Log(Clock clock, PrintStream out, String stack) {
        this(clock, out, stack, new Sample(1));
    }

    /**
     * @param stack the name of the stack, a dimension of every metric
     * @param sample selects the frequent requests that are logged
     */
    public Log(Clock clock, PrintStream out, String stack, Sample sample) {
        this.clock = clock;
        this.out = out;
        this.stack = stack;
        this.sample = sample;
    }

    /** Returns a log to standard output. */
    public static Log standard(Clock clock, String stack, Sample sample) {
        return new Log(clock, System.out, stack, sample);
    }

    /** Returns whether a frequent request with this id is logged. */
    public boolean samples(String requestId) {
        return sample.includes(requestId);
    }

    /** Logs an answered request. */
    public void request(AnsweredRequest request) {
        print(request.describe(line(level(request.status()), "request")));
    }

    /**
     * Returns the level of a status. 502 and 504 report a fault of an agent, which is no error of the gateway. Clients of MCP expect 405 if
     * there is no stream.
     */
    private static String level(int status) {
        if (status < 400 || status == METHOD_NOT_ALLOWED) {
            return "INFO";
        }
        return status < 500 || status == BAD_GATEWAY || status == GATEWAY_TIMEOUT ? "WARN" : "ERROR";
    }

    /** Logs an event of interest to an operator. */
    public void info(String event, Map<String, ?> fields) {
        print(with(line("INFO", event), fields));
    }

    /** Logs an event that needs attention when it repeats. */
    public void warn(String event, Map<String, ?> fields) {
        print(with(line("WARN", event), fields));
    }

    /** Logs a failure of work that was not completed. */
    public void failure(String event, String subject, Throwable cause) {
        ObjectNode line = line("ERROR", event);
        line.put("subject", subject).put("exception", cause.getClass().getName());
        line.put("message", String.valueOf(cause.getMessage()));
        StackTraceElement[] trace = cause.getStackTrace();
        var frames = line.putArray("trace");
        for (int i = 0; i < Math.min(trace.length, 12); i++) {
            frames.add(trace[i].toString());
        }
        if (cause.getCause() != null) {
            line.put("cause", cause.getCause().toString());
        }
        print(line);
    }

    /** Reports a metric that has no dimension besides the stack. */
    public void metric(Metric metric, long value) {
        metrics(new Metrics().with(metric, value));
    }

    /** Reports a metric with the value of its second dimension, such as the name of a function. */
    public void metric(Metric metric, long value, String dimensionValue) {
        metrics(new Metrics().with(metric, value, dimensionValue));
    }

    /** Reports metrics in CloudWatch's embedded format, with the current time. */
    public void metrics(Metrics metrics) {
        metrics.lines(stack, clock.instant()).forEach(this::print);
    }

    private ObjectNode line(String level, String event) {
        ObjectNode line = Json.object();
        line.put("timestamp", Timestamps.text(clock.instant()))
                .put("level", level)
                .put("event", event);
        return line;
    }

    private static ObjectNode with(ObjectNode line, Map<String, ?> fields) {
        fields.forEach((name, value) -> {
            if (value instanceof Number || value instanceof Boolean) {
                line.putPOJO(name, value);
            } else {
                line.put(name, value instanceof Instant moment ? Timestamps.text(moment) : String.valueOf(value));
            }
        });
        return line;
    }

    private void print(ObjectNode line) {
        out.println(Json.text(line));
    }
}
