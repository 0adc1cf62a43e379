package dev.agenthealth.emulator.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.Select;

/** Scans in slices read what one scan reads, and requests in the background take turns. */
class FairRequestsTest {

    private static final String ID = "id";
    private static final PutItemRequest PUT = PutItemRequest.builder().build();

    private final Numbers numbers = new Numbers(2_345);
    private final Turns turns = new Turns();
    private final DynamoDbClient heartbeats = new FairRequests(numbers, turns, Caller.AGENTS);
    private final DynamoDbClient fair = new FairRequests(numbers, turns, Caller.CLIENTS);
    private final DynamoDbClient background = new FairRequests(numbers, turns, Caller.NONE);

    /** A table of items with the ids 0 to size - 1, which notes the size of each scan and how many run at the same time. */
    private static final class Numbers implements DynamoDbClient {

        private final int size;
        private final List<Integer> limits = Collections.synchronizedList(new ArrayList<>());
        private final AtomicInteger running = new AtomicInteger();
        private final AtomicInteger mostRunning = new AtomicInteger();

        /** Requests that wait for each other here run at the same time. */
        private CyclicBarrier puts = new CyclicBarrier(1);

        Numbers(int size) {
            this.size = size;
        }

        @Override
        public ScanResponse scan(ScanRequest request) {
            mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
            limits.add(request.limit());
            int from = request.hasExclusiveStartKey()
                    ? Integer.parseInt(request.exclusiveStartKey().get(ID).n()) + 1
                    : 0;
            int to = Math.min(size, from + request.limit());
            running.decrementAndGet();
            List<Map<String, AttributeValue>> items = request.select() == Select.COUNT
                    ? List.of()
                    : IntStream.range(from, to).mapToObj(Numbers::item).toList();
            ScanResponse.Builder response =
                    ScanResponse.builder().items(items).count(to - from).scannedCount(to - from);
            return to < size ? response.lastEvaluatedKey(item(to - 1)).build() : response.build();
        }

        @Override
        public PutItemResponse putItem(PutItemRequest request) {
            mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                puts.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
            running.decrementAndGet();
            return PutItemResponse.builder().build();
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
        assertThat(numbers.limits).allMatch(slice -> slice <= FairRequests.SLICE);
    }

    @Test
    void aScanThatCountsHasNoItems() {
        ScanResponse counted =
                fair.scan(scan(-1, 1_000).toBuilder().select(Select.COUNT).build());
        assertThat(counted.count()).isEqualTo(1_000);
        assertThat(counted.items()).isEmpty();
    }

    @Test
    void allPagesOfAScanAreReadInSlices() {
        assertThat(fair.scanPaginator(scan(-1, 1_000)).items()).hasSize(numbers.size);
        assertThat(fair.scan(request -> request.limit(1_000)).items()).hasSize(1_000);
        assertThat(numbers.limits).allMatch(slice -> slice <= FairRequests.SLICE);
    }

    @Test
    void slicesAreShorterWhileHeartbeatsWait() {
        assertThat(turns.heartbeat(() -> turns.heartbeat(() -> fair.scan(scan(-1, 120))))
                        .items())
                .hasSize(120);
        assertThat(numbers.limits).containsExactly(FairRequests.SHORT_SLICE, FairRequests.SHORT_SLICE, 20);
    }

    @Test
    void listsTakeTurnsOneAtATime() {
        atTheSameTime(8, i -> fair.scan(scan(-1, 1_000)));
        assertThat(numbers.mostRunning).hasValue(1);
    }

    @Test
    void requestsInTheBackgroundTakeTurnsTwoAtATime() {
        numbers.puts = new CyclicBarrier(Turns.BACKGROUND);
        atTheSameTime(8, i -> background.putItem(PUT));
        assertThat(numbers.mostRunning).hasValue(Turns.BACKGROUND);
    }

    @Test
    void scansInTheBackgroundTakeTurnsAsWell() {
        atTheSameTime(8, i -> background.scan(scan(-1, 1_000)));
        assertThat(numbers.mostRunning.get()).isBetween(1, Turns.BACKGROUND);
    }

    @Test
    void requestsThatACallerWaitsForTakeNoTurn() {
        numbers.puts = new CyclicBarrier(5);
        atTheSameTime(5, i -> List.of(background, fair, fair, heartbeats, heartbeats)
                .get(i)
                .putItem(PUT));
        assertThat(numbers.mostRunning).hasValue(5);
    }

    @Test
    void requestsOfHeartbeatsAreInProgressUntilTheirAnswer() {
        numbers.puts =
                new CyclicBarrier(Turns.BUSY, () -> assertThat(turns.areBusy()).isTrue());
        atTheSameTime(Turns.BUSY, i -> heartbeats.putItem(PUT));
        assertThat(turns.areBusy()).isFalse();
    }

    @Test
    void aTurnEndsWithAnException() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> background.getItem(GetItemRequest.builder().build()))
                    .isInstanceOf(ResourceNotFoundException.class);
        }
    }

    private static void atTheSameTime(int number, IntFunction<Object> request) {
        ExecutorService threads = Executors.newFixedThreadPool(number);
        try {
            List<CompletableFuture<Object>> requests = IntStream.range(0, number)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> request.apply(i), threads))
                    .toList();
            assertThat(requests).allSatisfy(one -> assertThat(one).succeedsWithin(Duration.ofSeconds(20)));
        } finally {
            threads.shutdownNow();
        }
    }
}
