package dev.agenthealth.benchmarks.budget;

import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.Stored;
import dev.agenthealth.testkit.TestTables;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Measures what a system consumes during an operation; the budget is the mean of all readings. */
final class Gauge {

    private final DeployedSystem system;
    private final CapturedOutput output;
    private Budget sum = Budget.NONE;
    private int readings;

    Gauge(DeployedSystem system, CapturedOutput output) {
        this.system = system;
        this.output = output;
    }

    /** Sends a request with this body and returns the response. */
    TestApi.Response request(TestApi.Request request, String body) {
        return reading(
                        () -> {
                            TestApi.Response answer = request.body(body).send();
                            if (answer.status() >= 400) {
                                throw new AssertionError(answer.status() + " " + answer.text());
                            }
                            return Optional.of(answer);
                        },
                        body)
                .orElseThrow();
    }

    /** Runs an operation that is no request. */
    void run(Runnable operation) {
        reading(
                () -> {
                    operation.run();
                    return Optional.empty();
                },
                "");
    }

    /** The mean of the readings. */
    Budget mean() {
        return Budget.NONE.plus(sum, 1.0 / readings);
    }

    private Optional<TestApi.Response> reading(Supplier<Optional<TestApi.Response>> operation, String body) {
        long logged = logBytes();
        Stored before = Stored.in(system.tables());
        system.ledger().reset();
        Optional<TestApi.Response> answer = operation.get();
        Stored after = Stored.in(system.tables());
        sum = sum.plus(
                new Budget(Map.of(
                        Measure.PULSES_READ_UNITS,
                        system.ledger().readUnits(TestTables.PULSES),
                        Measure.PULSES_WRITE_UNITS,
                        system.ledger().writeUnits(TestTables.PULSES),
                        Measure.REGISTRY_READ_UNITS,
                        system.ledger().readUnits(TestTables.REGISTRY),
                        Measure.REGISTRY_WRITE_UNITS,
                        system.ledger().writeUnits(TestTables.REGISTRY),
                        Measure.REQUEST_BYTES,
                        (double) bytes(body),
                        Measure.RESPONSE_BYTES,
                        answer.map(Gauge::bytes).orElse(0L).doubleValue(),
                        Measure.LOG_BYTES,
                        (double) logBytes() - logged,
                        Measure.STORED_BYTES,
                        (double) Math.max(0, after.bytes() - before.bytes()),
                        Measure.EVENTS,
                        (double) after.events() - before.events())),
                1);
        readings++;
        return answer;
    }

    private long logBytes() {
        return bytes(output.text());
    }

    private static long bytes(TestApi.Response answer) {
        long headers = answer.event().getHeaders().entrySet().stream()
                .mapToLong(header -> bytes(header.getKey() + ": " + header.getValue()) + 2)
                .sum();
        return headers + bytes(answer.text() == null ? "" : answer.text());
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
