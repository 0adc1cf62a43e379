package dev.agenthealth.emulator.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** Scans in slices read what one scan reads. */
class FairScansTest {

    private static final String ID = "id";

    private final Numbers numbers = new Numbers(2_345);
    private final DynamoDbClient fair = FairScans.of(numbers);

    /** A table of items with the ids 0 to size - 1, which notes the size of each scan and how many run at the same time. */
    private static final class Numbers implements DynamoDbClient {

        private final int size;
        private final List<Integer> limits = new ArrayList<>();
        private final AtomicInteger running = new AtomicInteger();
        private int mostRunning;

        Numbers(int size) {
            this.size = size;
        }

        @Override
        public ScanResponse scan(ScanRequest request) {
            mostRunning = Math.max(mostRunning, running.incrementAndGet());
            limits.add(request.limit());
            int from = request.hasExclusiveStartKey()
                    ? Integer.parseInt(request.exclusiveStartKey().get(ID).n()) + 1
                    : 0;
            int to = Math.min(size, from + request.limit());
            Thread.yield();
            running.decrementAndGet();
            ScanResponse.Builder response = ScanResponse.builder()
                    .items(IntStream.range(from, to).mapToObj(Numbers::item).toList())
                    .count(to - from)
                    .scannedCount(to - from);
            return to < size ? response.lastEvaluatedKey(item(to - 1)).build() : response.build();
        }

        @Override
        public GetItemResponse getItem(GetItemRequest request) {
            throw ResourceNotFoundException.builder().build();
        }

        private static Map<String, AttributeValue> item(int number) {
            return Map.of(ID, AttributeValue.fromN("" + number));
        }

        @Override
        public String serviceName() {
            return SERVICE_NAME;
        }

        @Override
        public void close() {}
    }

    private static ScanRequest scan(int after, Integer limit) {
        return ScanRequest.builder()
                .tableName("Numbers")
                .limit(limit)
                .exclusiveStartKey(after < 0 ? null : Numbers.item(after))
                .build();
    }

    @ParameterizedTest
    @CsvSource({"-1,1,1", "-1,100,100", "-1,250,250", "499,1000,1000", "2299,1000,45", "2244,100,100", "-1,,1000"})
    void aPageIsReadInSlices(int after, Integer limit, int expected) {
        ScanResponse page = fair.scan(scan(after, limit));
        assertThat(page.items()).hasSize(expected);
        assertThat(page.count()).isEqualTo(expected);
        assertThat(page.scannedCount()).isEqualTo(expected);
        assertThat(page.items().get(expected - 1)).isEqualTo(Numbers.item(after + expected));
        boolean more = after + expected < numbers.size - 1;
        assertThat(page.hasLastEvaluatedKey()).isEqualTo(more);
        if (more) {
            assertThat(page.lastEvaluatedKey()).isEqualTo(Numbers.item(after + expected));
        }
        assertThat(numbers.limits).allMatch(slice -> slice <= FairScans.SLICE);
    }

    @Test
    void scansRunOneAtATime() {
        List<CompletableFuture<ScanResponse>> scans = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> fair.scan(scan(-1, 1_000))))
                .toList();
        assertThat(scans).allMatch(scan -> scan.join().items().size() == 1_000);
        assertThat(numbers.limits).hasSize(8 * 1_000 / FairScans.SLICE);
        assertThat(numbers.mostRunning).isEqualTo(1);
    }

    @Test
    void otherRequestsFailWithTheirOwnException() {
        assertThatThrownBy(() -> fair.getItem(GetItemRequest.builder().build()))
                .isInstanceOf(ResourceNotFoundException.class);
    }
}
