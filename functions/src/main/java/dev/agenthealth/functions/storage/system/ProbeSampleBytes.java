package dev.agenthealth.functions.storage.system;

import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.sweep.ProbeSample;
import dev.agenthealth.model.sweep.ProbeSample.Result;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Converts a sample of probes to bytes, 14 for each agent, so that the sweep's state stays within one write unit. */
final class ProbeSampleBytes {

    private static final int BYTES = Integer.BYTES + Short.BYTES + Integer.BYTES + Integer.BYTES;

    private ProbeSampleBytes() {}

    static AttributeValue value(ProbeSample sample) {
        ByteBuffer bytes = ByteBuffer.allocate(sample.results().size() * BYTES);
        for (Result result : sample.results()) {
            bytes.putInt(result.agent())
                    .putShort((short) result.host())
                    .putInt((int) result.at().getEpochSecond())
                    .putInt(result.failed() ? -result.intervalSeconds() : result.intervalSeconds());
        }
        return Values.b(bytes.array());
    }

    /** @param value null for none */
    static ProbeSample read(AttributeValue value) {
        if (value == null) {
            return ProbeSample.EMPTY;
        }
        ByteBuffer bytes = value.b().asByteBuffer();
        List<Result> results = new ArrayList<>();
        while (bytes.remaining() >= BYTES) {
            int agent = bytes.getInt();
            int host = Short.toUnsignedInt(bytes.getShort());
            Instant at = Instant.ofEpochSecond(Integer.toUnsignedLong(bytes.getInt()));
            int interval = bytes.getInt();
            results.add(new Result(agent, host, interval < 0, at, Math.abs(interval)));
        }
        return new ProbeSample(results);
    }
}
