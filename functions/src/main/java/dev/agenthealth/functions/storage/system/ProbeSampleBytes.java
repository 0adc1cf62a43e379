package dev.agenthealth.functions.storage.system;

import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.sweep.ProbeSample;
import dev.agenthealth.model.sweep.ProbeSample.Result;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Converts a sample of probes to bytes: 4 for the time of the latest result, 3 for each owner and 8 for each agent. With them, the sweep's state stays
 * within one write unit.
 *
 * <p>The bits of an agent, from the first: 18 for its number, 16 for its host, 1 for a failure, 11 for the minutes of the interval, and 18 for the
 * seconds before the latest result. A result is outdated before its seconds need more bits.
 */
final class ProbeSampleBytes {

    private static final int LATEST = Integer.BYTES;
    private static final int OWNER = Short.BYTES + Byte.BYTES;
    private static final int AGENT = Long.BYTES;
    private static final int MAX_AGE = 0x3FFFF;
    private static final int MINUTE = 60;

    /** The bytes of an agent in the previous version: number, host, time, and the interval, which is negative after a failure. */
    private static final int UNOWNED = Integer.BYTES + Short.BYTES + Integer.BYTES + Integer.BYTES;

    /** The owner of all agents that the previous version stored. Their results are outdated after two intervals. */
    private static final int UNKNOWN = 0;

    private ProbeSampleBytes() {}

    static AttributeValue value(ProbeSample sample) {
        Map<Integer, ProbeSample> owners = sample.byOwner();
        ByteBuffer bytes = ByteBuffer.allocate(
                LATEST + owners.size() * OWNER + sample.results().size() * AGENT);
        long latest = sample.results().stream()
                .mapToLong(result -> result.at().getEpochSecond())
                .max()
                .orElse(0);
        bytes.putInt((int) latest);
        owners.forEach((owner, own) -> {
            bytes.putShort(owner.shortValue()).put((byte) own.results().size());
            own.results().forEach(result -> put(bytes, result, latest));
        });
        return Values.b(bytes.array());
    }

    private static void put(ByteBuffer bytes, Result result, long latest) {
        long age = Math.min(MAX_AGE, latest - result.at().getEpochSecond());
        bytes.putLong((long) result.agent() << 46
                | (long) result.host() << 30
                | (result.failed() ? 1L << 29 : 0)
                | (long) (result.intervalSeconds() / MINUTE) << 18
                | age);
    }

    /** @param value null for none */
    static ProbeSample read(AttributeValue value) {
        if (value == null) {
            return ProbeSample.EMPTY;
        }
        ByteBuffer bytes = value.b().asByteBuffer();
        long latest = Integer.toUnsignedLong(bytes.getInt());
        List<Result> results = new ArrayList<>();
        while (bytes.remaining() >= OWNER) {
            int owner = Short.toUnsignedInt(bytes.getShort());
            for (int agents = bytes.get(); agents > 0; agents--) {
                results.add(result(owner, bytes.getLong(), latest));
            }
        }
        return new ProbeSample(results);
    }

    private static Result result(int owner, long bits, long latest) {
        return new Result(
                owner,
                (int) (bits >>> 46),
                (int) (bits >>> 30) & 0xFFFF,
                (bits & 1L << 29) != 0,
                Instant.ofEpochSecond(latest - (bits & MAX_AGE)),
                MINUTE * ((int) (bits >>> 18) & 0x7FF));
    }

    /**
     * Reads a sample of the previous version, which had no owners.
     *
     * @param value null for none
     */
    static ProbeSample readUnowned(AttributeValue value) {
        if (value == null) {
            return ProbeSample.EMPTY;
        }
        ByteBuffer bytes = value.b().asByteBuffer();
        List<Result> results = new ArrayList<>();
        while (bytes.remaining() >= UNOWNED) {
            int agent = bytes.getInt() >>> 14;
            int host = Short.toUnsignedInt(bytes.getShort());
            Instant at = Instant.ofEpochSecond(Integer.toUnsignedLong(bytes.getInt()));
            int interval = bytes.getInt();
            int minutes = (Math.abs(interval) + MINUTE - 1) / MINUTE;
            results.add(new Result(UNKNOWN, agent, host, interval < 0, at, MINUTE * minutes));
        }
        return new ProbeSample(results);
    }
}
