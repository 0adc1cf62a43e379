package dev.agenthealth.benchmarks.cost;

import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.Stored;
import dev.agenthealth.testkit.TestTables;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads all meters of a system around a deed; the mean of all readings is the deed's budget. */
final class Gauge {

    private static final Budget NOTHING = new Budget(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    private final DeployedSystem system;
    private final CapturedOutput output;
    private Budget sum = NOTHING;
    private int readings;

    Gauge(DeployedSystem system, CapturedOutput output) {
        this.system = system;
        this.output = output;
    }

    /** A request with this body; what it answers. */
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

    /** Something that is no request. */
    void run(Runnable deed) {
        reading(
                () -> {
                    deed.run();
                    return Optional.empty();
                },
                "");
    }

    /** What one of them took, if each took the same. */
    Budget mean() {
        return NOTHING.plus(sum, 1.0 / readings);
    }

    private Optional<TestApi.Response> reading(Supplier<Optional<TestApi.Response>> deed, String body) {
        long logged = logBytes();
        Stored before = Stored.in(system.tables());
        system.ledger().reset();
        Optional<TestApi.Response> answer = deed.get();
        Stored after = Stored.in(system.tables());
        sum = sum.plus(
                new Budget(
                        system.ledger().readUnits(TestTables.PULSES),
                        system.ledger().writeUnits(TestTables.PULSES),
                        system.ledger().readUnits(TestTables.REGISTRY),
                        system.ledger().writeUnits(TestTables.REGISTRY),
                        bytes(body),
                        answer.map(Gauge::bytes).orElse(0L),
                        logBytes() - logged,
                        Math.max(0, after.bytes() - before.bytes()),
                        after.events() - before.events(),
                        0),
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
