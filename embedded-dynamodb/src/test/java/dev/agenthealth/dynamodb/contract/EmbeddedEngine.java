package dev.agenthealth.dynamodb.contract;

import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** The embedded engine, in a temporary file, with a clock that tests move. */
final class EmbeddedEngine implements Backend {

    static final String NAME = "embedded DynamoDB";

    private final MovableClock clock = new MovableClock();
    private final EmbeddedDynamoDb engine = EmbeddedDynamoDb.inTemporaryFile(clock);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public DynamoDbClient client() {
        return engine.client();
    }

    @Override
    public DynamoDbStreamsClient streams() {
        return engine.streams();
    }

    @Override
    public boolean expire() {
        engine.expire();
        return true;
    }

    @Override
    public boolean advance(Duration time) {
        clock.offset = clock.offset.plus(time);
        return true;
    }

    @Override
    public void close() {
        engine.close();
    }

    /** The time of the system and an offset. */
    private static final class MovableClock extends Clock {

        private volatile Duration offset = Duration.ZERO;

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(offset);
        }
    }
}
