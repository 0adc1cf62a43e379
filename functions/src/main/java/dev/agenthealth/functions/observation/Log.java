package dev.agenthealth.functions.observation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import java.io.PrintStream;
import java.time.Clock;
import java.util.Map;

/**
 * The structured log: one JSON object a line, to standard output, which Lambda takes into the function's log group as it is.
 *
 * <p>Never given a key, a body or a credential. Thread-safe.
 */
public final class Log {

    private static final int BAD_GATEWAY = 502;
    private static final int GATEWAY_TIMEOUT = 504;

    private final Clock clock;
    private final PrintStream out;
    private final String stack;
    private final Sample sample;

    /** A log of everything. */
    public Log(Clock clock, PrintStream out, String stack) {
        this(clock, out, stack, new Sample(1));
    }

    /**
     * @param stack the name of the stack, which every metric has for a dimension
     * @param sample of the requests that are too frequent for a line each
     */
    public Log(Clock clock, PrintStream out, String stack, Sample sample) {
        this.clock = clock;
        this.out = out;
        this.stack = stack;
        this.sample = sample;
    }

    /** A log to standard output. */
    public static Log standard(Clock clock, String stack, Sample sample) {
        return new Log(clock, System.out, stack, sample);
    }

    /** Whether a frequent request with this id is among those that are told. */
    public boolean samples(String requestId) {
        return sample.takes(requestId);
    }

    /** A request was answered. */
    public void request(AnsweredRequest request) {
        print(request.describe(line(level(request.status()), "request")));
    }

    /** A gateway that passes on what an agent did wrong has done nothing wrong itself. */
    private static String level(int status) {
        if (status < 400) {
            return "INFO";
        }
        return status < 500 || status == BAD_GATEWAY || status == GATEWAY_TIMEOUT ? "WARN" : "ERROR";
    }

    /** Something happened that an operator may want to read. */
    public void info(String event, Map<String, ?> fields) {
        print(with(line("INFO", event), fields));
    }

    /** Something happened that an operator should look at when it repeats. */
    public void warn(String event, Map<String, ?> fields) {
        print(with(line("WARN", event), fields));
    }

    /** Something failed and was not finished here. */
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

    /** A metric without a dimension of its own. */
    public void metric(Metric metric, long value) {
        metrics(new Metrics().with(metric, value));
    }

    /** A metric with the value of its own dimension, such as the name of a function. */
    public void metric(Metric metric, long value, String dimensionValue) {
        metrics(new Metrics().with(metric, value, dimensionValue));
    }

    /** Metrics of this moment in CloudWatch's embedded format, which needs no library and no call. */
    public void metrics(Metrics metrics) {
        metrics.lines(stack, clock.instant()).forEach(this::print);
    }

    private ObjectNode line(String level, String event) {
        ObjectNode line = Json.object();
        line.put("timestamp", clock.instant().toString()).put("level", level).put("event", event);
        return line;
    }

    private static ObjectNode with(ObjectNode line, Map<String, ?> fields) {
        fields.forEach((name, value) -> {
            if (value instanceof Long number) {
                line.put(name, number);
            } else if (value instanceof Integer number) {
                line.put(name, number);
            } else if (value instanceof Double number) {
                line.put(name, number);
            } else if (value instanceof Boolean flag) {
                line.put(name, flag);
            } else {
                line.put(name, String.valueOf(value));
            }
        });
        return line;
    }

    private void print(ObjectNode line) {
        out.println(Json.text(line));
    }
}
