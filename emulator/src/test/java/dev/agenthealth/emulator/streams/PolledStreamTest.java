package dev.agenthealth.emulator.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.agenthealth.emulator.deadletters.DeadLetters;
import dev.agenthealth.emulator.dynamodb.EmulatedTables;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.StreamMapping;
import dev.agenthealth.template.Template;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Batches of a stream to which records are written all the time. */
class PolledStreamTest {

    private static final int BATCH_SIZE = 3;

    @AutoClose
    private final EmulatedTables tables =
            EmulatedTables.temporary(Template.parse(TableStreamTest.TEMPLATE, "test template")
                    .stack(Resolution.local())
                    .tables());

    private final List<Integer> batches = new ArrayList<>();
    private int written;

    @Test
    void a_poll_leaves_what_is_written_during_a_delivery_to_the_next_one() {
        StreamDelivery delivery = delivery(() -> write(batches.size() == 1 ? 1 : 0));
        write(2);
        assertThat(delivery.deliver(true)).isEqualTo(2);
        assertThat(delivery.deliver(true)).isEqualTo(1);
        assertThat(batches).containsExactly(2, 1);
    }

    @Test
    void a_poll_delivers_full_batches_one_after_the_other() {
        StreamDelivery delivery = delivery(() -> {});
        write(2 * BATCH_SIZE + 1);
        assertThat(delivery.deliver(true)).isEqualTo(2 * BATCH_SIZE + 1);
        assertThat(batches).containsExactly(BATCH_SIZE, BATCH_SIZE, 1);
    }

    @Test
    void everything_is_delivered_where_no_poll_follows() {
        StreamDelivery delivery = delivery(() -> write(batches.size() < 3 ? 1 : 0));
        write(2);
        assertThat(delivery.deliver(false)).isEqualTo(4);
        assertThat(batches).containsExactly(2, 1, 1);
    }

    private StreamDelivery delivery(Runnable during) {
        StreamMapping mapping = new StreamMapping(
                "Records",
                TableStreamTest.TABLE,
                "TRIM_HORIZON",
                List.of(),
                BATCH_SIZE,
                false,
                new StreamMapping.Retries(-1, Duration.ZERO, false, ""));
        String arn = tables.client()
                .describeTable(request -> request.tableName(TableStreamTest.TABLE))
                .table()
                .latestStreamArn();
        StreamFunction function = event -> {
            batches.add(event.getRecords().size());
            during.run();
            return new StreamsEventResponse(List.of());
        };
        return new StreamDelivery(
                new StreamDelivery.Receiver("TestFunction", mapping, function),
                new TableStream(tables.streams(), arn, ""),
                Checkpoint.none(),
                new DeadLetters(),
                Clock.systemUTC(),
                EmulatorLog.none());
    }

    private void write(int items) {
        for (int i = 0; i < items; i++) {
            AttributeValue key = AttributeValue.fromS("item-" + written++);
            tables.client()
                    .putItem(request -> request.tableName(TableStreamTest.TABLE).item(Map.of("pk", key)));
        }
    }
}
