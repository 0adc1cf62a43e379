package dev.agenthealth.functions.storage.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.wiring.ProcessState;
import dev.agenthealth.functions.runtime.wiring.ReadsTogether;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.trust.TrackRecord;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Which reads of a page of track records the storage may do together. */
class TrackRecordReadsTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final AtomicInteger together = new AtomicInteger();

    private final class Counting implements ReadsTogether {

        @Override
        public <T> T run(Supplier<T> reads) {
            together.incrementAndGet();
            return reads.get();
        }
    }

    @Test
    void each_reader_reads_its_part_of_a_page_together() {
        ProcessState process = new ProcessState();
        process.shared(ReadsTogether.class, Counting::new);
        Database database =
                Database.of(system.wiring(Map.of()).toBuilder().process(process).build());
        List<OfAgent> agents = IntStream.range(0, 100)
                .mapToObj(number -> new OfAgent("agent-" + number))
                .toList();
        Map<OfAgent, TrackRecord> records = new TrackRecordStore(database, Runnable::run).of(agents);
        assertThat(records).hasSize(100).containsValue(TrackRecord.NONE);
        assertThat(together).hasValue(TrackRecordStore.MAX_READERS);
    }
}
