package dev.agenthealth.emulator.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.sun.management.ThreadMXBean;
import dev.agenthealth.emulator.deadletters.DeadLetters;
import dev.agenthealth.emulator.dynamodb.EmulatedTables;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.StreamMapping;
import dev.agenthealth.template.Template;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Memory that the delivery of a record allocates, which does not depend on the machine's speed. */
class StreamCostTest {

    private static final int RECORDS = 200;
    private static final int ATTRIBUTES = 20;
    private static final int ROUNDS = 30;
    private static final long MAX_DELIVERED = 17_500;
    private static final long MAX_LEFT_OUT = 14_000;

    @AutoClose
    private final EmulatedTables tables =
            EmulatedTables.temporary(Template.parse(TableStreamTest.TEMPLATE, "test template")
                    .stack(Resolution.local())
                    .tables());

    @Test
    void a_record_becomes_an_event_without_json() {
        write("E#");
        assertThat(bytes(RECORDS)).isLessThan(MAX_DELIVERED);
    }

    @Test
    void a_record_that_the_filter_leaves_out_is_written_as_json_only_as_far_as_the_filter_reads() {
        write("other#");
        assertThat(bytes(0)).isLessThan(MAX_LEFT_OUT);
    }

    private void write(String prefix) {
        for (int i = 0; i < RECORDS; i++) {
            Map<String, AttributeValue> item = new HashMap<>(Map.of("pk", AttributeValue.fromS(prefix + i)));
            for (int j = 0; j < ATTRIBUTES; j++) {
                item.put("attribute-" + j, AttributeValue.fromS("value " + i + " of " + j));
            }
            tables.client()
                    .putItem(request -> request.tableName(TableStreamTest.TABLE).item(item));
        }
    }

    /** Returns the bytes of one record: the least of several rounds, because compilation allocates now and then. */
    private long bytes(int delivered) {
        assumeTrue(
                ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocated bytes");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < ROUNDS; i++) {
            StreamDelivery delivery = delivery();
            long before = threads.getCurrentThreadAllocatedBytes();
            assertThat(delivery.deliver(true)).isEqualTo(delivered);
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / RECORDS);
        }
        System.out.println("a record allocates " + least + " bytes");
        return least;
    }

    private StreamDelivery delivery() {
        StreamMapping mapping = new StreamMapping(
                "Records",
                TableStreamTest.TABLE,
                "TRIM_HORIZON",
                List.of("{\"eventName\":[\"INSERT\"],\"dynamodb\":{\"Keys\":{\"pk\":{\"S\":[{\"prefix\":\"E#\"}]}}}}"),
                RECORDS,
                false,
                new StreamMapping.Retries(-1, Duration.ZERO, false, ""));
        String arn = tables.client()
                .describeTable(request -> request.tableName(TableStreamTest.TABLE))
                .table()
                .latestStreamArn();
        return new StreamDelivery(
                new StreamDelivery.Receiver("TestFunction", mapping, event -> new StreamsEventResponse(List.of())),
                new TableStream(tables.streams(), arn, ""),
                Checkpoint.none(),
                new DeadLetters(),
                Clock.systemUTC(),
                EmulatorLog.none());
    }
}
