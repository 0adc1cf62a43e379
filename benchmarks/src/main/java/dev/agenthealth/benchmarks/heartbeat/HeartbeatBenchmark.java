package dev.agenthealth.benchmarks.heartbeat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Time and memory of a heartbeat without DynamoDB; {@code -prof gc} adds the allocated bytes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class HeartbeatBenchmark {

    private final HeartbeatPath path = new HeartbeatPath();

    /** Measures decoding the body, rules, building the request, reading the row, and encoding the answer. */
    @Benchmark
    public APIGatewayV2HTTPResponse heartbeat() {
        return path.answer();
    }

    /** Measures also the decoding of the event and the encoding of the response by Lambda's runtime. */
    @Benchmark
    public String heartbeatInJson() {
        return path.answerInJson();
    }
}
