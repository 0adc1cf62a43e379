package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.dynamodb.sqlite.DatabaseUnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** The contents of the file across restarts, copies, damage and growth. */
class EmbeddedDynamoDbTest {

    @TempDir
    private Path folder;

    private EmbeddedDynamoDb open(String name, boolean mustExist) {
        return EmbeddedDynamoDb.inFile(folder.resolve(name), mustExist, Set.of("n"), Clock.systemUTC());
    }

    private static int count(DynamoDbClient client) {
        return client.scanPaginator(request -> request.tableName(Things.TABLE)).stream()
                .mapToInt(page -> page.count())
                .sum();
    }

    @Test
    void what_was_written_is_there_after_a_restart() {
        try (EmbeddedDynamoDb first = open("a.db", false)) {
            Things.create(first.client());
            first.client().putItem(request -> request.tableName(Things.TABLE).item(Things.item(1)));
        }
        try (EmbeddedDynamoDb second = open("a.db", true)) {
            assertThat(second.client()
                            .scan(request -> request.tableName(Things.TABLE))
                            .items())
                    .containsExactly(Things.item(1));
            assertThat(second.check()).isEmpty();
        }
    }

    @Test
    void a_copy_that_is_made_while_others_write_is_whole() throws IOException {
        try (EmbeddedDynamoDb database = open("a.db", false)) {
            Things.create(database.client());
            AtomicInteger next = new AtomicInteger();
            Thread writer = new Thread(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    int number = next.incrementAndGet();
                    database.client()
                            .putItem(request -> request.tableName(Things.TABLE).item(Things.item(number)));
                }
            });
            writer.start();
            int before = next.get();
            database.copyTo(folder.resolve("copy.db"));
            writer.interrupt();
            join(writer);
            try (EmbeddedDynamoDb copy = open("copy.db", true)) {
                assertThat(copy.check()).isEmpty();
                assertThat(count(copy.client())).isBetween(Math.max(0, before - 1), next.get());
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_missing_or_foreign_or_damaged_or_newer_file_is_refused() throws IOException, SQLException {
        assertThatThrownBy(() -> open("missing.db", true))
                .isInstanceOf(DatabaseUnusableException.class)
                .hasMessageContaining("is missing");
        Files.createFile(folder.resolve("empty.db"));
        assertThatThrownBy(() -> open("empty.db", true))
                .isInstanceOf(DatabaseUnusableException.class)
                .hasMessageContaining("is empty");
        Files.writeString(folder.resolve("text.db"), "no database at all".repeat(1_000));
        assertThatThrownBy(() -> open("text.db", true)).isInstanceOf(DatabaseUnusableException.class);
        try (var connection = java.sql.DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("foreign.db"));
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a)");
        }
        assertThatThrownBy(() -> open("foreign.db", true))
                .isInstanceOf(DatabaseUnusableException.class)
                .hasMessageContaining("not a database of this program");
        open("newer.db", false).close();
        try (var connection = java.sql.DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("newer.db"));
                var statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version = 3");
        }
        assertThatThrownBy(() -> open("newer.db", true))
                .isInstanceOf(DatabaseUnusableException.class)
                .hasMessageContaining("newer version");
    }

    @Test
    void a_check_sees_one_moment_while_others_write() {
        try (EmbeddedDynamoDb database = open("a.db", false)) {
            Things.create(database.client());
            assertThat(database.isEmpty()).isTrue();
            database.client().putItem(request -> request.tableName(Things.TABLE).item(Things.item(0)));
            assertThat(database.isEmpty()).isFalse();
            AtomicInteger next = new AtomicInteger();
            Thread writer = new Thread(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    int number = next.incrementAndGet();
                    database.client()
                            .putItem(request -> request.tableName(Things.TABLE).item(Things.item(number)));
                }
            });
            writer.start();
            for (int i = 0; i < 20; i++) {
                CheckReport report = database.inspect();
                assertThat(report.problems()).isEmpty();
                assertThat(report.indexEntries()).isEqualTo(report.items());
                assertThat(report.streamRecords()).isEqualTo(report.items());
            }
            writer.interrupt();
            join(writer);
        }
    }

    @Test
    void the_file_shrinks_when_items_have_expired() throws IOException, SQLException {
        try (EmbeddedDynamoDb database = open("a.db", false)) {
            Things.create(database.client());
            for (int i = 0; i < 4_000; i += 100) {
                int from = i;
                database.client()
                        .transactWriteItems(request -> request.transactItems(IntStream.range(from, from + 100)
                                .mapToObj(number -> TransactWriteItem.builder()
                                        .put(put -> put.tableName(Things.TABLE).item(Things.item(number)))
                                        .build())
                                .toList()));
            }
            database.checkpoints().declare(List.of("consumer"));
            database.checkpoints().store("consumer", 8_000);
            Path file = folder.resolve("a.db");
            database.client().updateTimeToLive(request -> request.tableName(Things.TABLE)
                    .timeToLiveSpecification(ttl -> ttl.attributeName("ttl").enabled(false)));
            database.copyTo(folder.resolve("full.db"));
            long full = Files.size(folder.resolve("full.db"));
            List<Map<String, AttributeValue>> keys = database
                    .client()
                    .scanPaginator(request -> request.tableName(Things.TABLE).projectionExpression("pk, sk"))
                    .items()
                    .stream()
                    .toList();
            for (int i = 0; i < keys.size(); i += 25) {
                List<WriteRequest> some = keys.subList(i, Math.min(i + 25, keys.size())).stream()
                        .map(one -> WriteRequest.builder()
                                .deleteRequest(delete -> delete.key(one))
                                .build())
                        .toList();
                database.client().batchWriteItem(request -> request.requestItems(Map.of(Things.TABLE, some)));
            }
            database.maintainOnce();
            database.maintainOnce();
            assertThat(count(database.client())).isZero();
            assertThat(Files.size(file)).isLessThan(full / 2);
            assertThat(database.check()).isEmpty();
        }
    }

    @Test
    void writes_of_many_threads_are_all_applied() {
        try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inTemporaryFile(Clock.systemUTC())) {
            Things.create(database.client());
            IntStream.range(0, 2_000).parallel().forEach(number -> database.client()
                    .updateItem(request -> request.tableName(Things.TABLE)
                            .key(Map.of("pk", AttributeValue.fromS("p" + number % 5), "sk", AttributeValue.fromS("s")))
                            .updateExpression("ADD n :1")
                            .expressionAttributeValues(Map.of(":1", AttributeValue.fromN("1")))));
            assertThat(database.client()
                            .scan(request -> request.tableName(Things.TABLE))
                            .items())
                    .hasSize(5)
                    .allSatisfy(item -> assertThat(item.get("n").n()).isEqualTo("400"));
            assertThat(database.check()).isEmpty();
        }
    }

    @Test
    void a_stream_that_is_trimmed_after_the_clock_went_back_has_no_gaps() throws IOException, SQLException {
        Instant start = Instant.parse("2026-01-10T00:00:00Z");
        AtomicReference<Instant> now = new AtomicReference<>(start);
        try (EmbeddedDynamoDb database =
                EmbeddedDynamoDb.inTemporaryFile(((InstantSource) now::get).withZone(ZoneOffset.UTC))) {
            Things.create(database.client());
            for (int i = 0; i < 4; i++) {
                Map<String, AttributeValue> item = Things.item(i);
                item.remove("ttl");
                database.client()
                        .putItem(request -> request.tableName(Things.TABLE).item(item));
                now.set(start.minus(Duration.ofDays(5)));
            }
            now.set(start.plus(Duration.ofHours(1)));
            database.maintainOnce();
            assertThat(database.inspect().problems()).isEmpty();

            now.set(start.plus(Duration.ofDays(2)));
            database.maintainOnce();
            assertThat(database.inspect().streamRecords()).isEqualTo(1);
        }
    }

    @Test
    void a_stream_keeps_what_a_consumer_has_not_passed_and_its_last_record() throws IOException, SQLException {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-10T00:00:00Z"));
        try (EmbeddedDynamoDb database =
                EmbeddedDynamoDb.inTemporaryFile(((InstantSource) now::get).withZone(ZoneOffset.UTC))) {
            Things.create(database.client());
            for (int i = 0; i < 3; i++) {
                Map<String, AttributeValue> item = Things.item(i);
                item.remove("ttl");
                database.client()
                        .putItem(request -> request.tableName(Things.TABLE).item(item));
            }
            database.checkpoints().declare(List.of("slow", "fast"));
            database.checkpoints().store("fast", 3);
            now.updateAndGet(before -> before.plus(Duration.ofDays(2)));
            database.maintainOnce();
            assertThat(database.inspect().streamRecords()).isEqualTo(3);

            database.checkpoints().store("slow", 1);
            database.maintainOnce();
            assertThat(database.inspect().streamRecords()).isEqualTo(2);

            database.checkpoints().store("slow", 3);
            database.maintainOnce();
            assertThat(database.inspect().streamRecords()).isEqualTo(1);
        }
    }

    @Test
    void all_items_that_have_expired_are_removed_at_once() {
        try (EmbeddedDynamoDb database =
                EmbeddedDynamoDb.inTemporaryFile(Clock.fixed(Instant.ofEpochSecond(2_000), ZoneOffset.UTC))) {
            Things.create(database.client());
            IntStream.range(0, 250).forEach(number -> database.client()
                    .putItem(request -> request.tableName(Things.TABLE).item(Things.item(number))));

            assertThat(database.expire()).isEqualTo(250);
            assertThat(database.isEmpty()).isTrue();
        }
    }

    @Test
    void a_file_with_a_table_that_cannot_be_read_is_refused_and_closed() throws SQLException {
        open("a.db", false).close();
        try (var connection = java.sql.DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("a.db"));
                var statement = connection.createStatement()) {
            statement.execute("INSERT INTO tables (name, partition_key, partition_type, stream_view, ttl_attribute,"
                    + " created_at) VALUES ('T', 'k', 'S', '', '', 'no time')");
        }

        assertThatThrownBy(() -> open("a.db", true))
                .isInstanceOf(DatabaseUnusableException.class)
                .hasMessageContaining("is damaged (")
                .hasMessageContaining("); restore a backup");
        // The last connection that is closed removes the log.
        assertThat(folder.resolve("a.db-wal")).doesNotExist();
    }

    @Test
    void requests_that_a_close_interrupts_fail_with_an_error_of_the_service() throws InterruptedException {
        EmbeddedDynamoDb database = open("a.db", false);
        Things.create(database.client());
        CountDownLatch written = new CountDownLatch(8);
        List<RuntimeException> failures = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            Thread thread = new Thread(() -> {
                try {
                    database.client()
                            .putItem(request -> request.tableName(Things.TABLE).item(Things.item(number)));
                    written.countDown();
                    while (true) {
                        database.client().putItem(request -> request.tableName(Things.TABLE)
                                .item(Things.item(number)));
                        database.client().scan(request -> request.tableName(Things.TABLE));
                    }
                } catch (RuntimeException e) {
                    failures.add(e);
                }
            });
            threads.add(thread);
            thread.start();
        }
        written.await();
        database.close();
        threads.forEach(EmbeddedDynamoDbTest::join);

        assertThat(failures).hasSize(8).allMatch(InternalServerErrorException.class::isInstance);
        try (EmbeddedDynamoDb again = open("a.db", true)) {
            assertThat(again.check()).isEmpty();
            assertThat(count(again.client())).isEqualTo(8);
        }
    }

    @Test
    void a_truncated_file_or_one_with_a_damaged_page_is_refused() throws IOException {
        try (EmbeddedDynamoDb database = open("a.db", false)) {
            Things.create(database.client());
            for (int i = 0; i < 200; i++) {
                int number = i;
                database.client()
                        .putItem(request -> request.tableName(Things.TABLE).item(Things.item(number)));
            }
        }
        Path file = folder.resolve("a.db");
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 4096));
        assertThatThrownBy(() -> open("a.db", true)).isInstanceOf(DatabaseUnusableException.class);
        byte[] damaged = whole.clone();
        Arrays.fill(damaged, whole.length / 8192 * 4096, whole.length / 8192 * 4096 + 4096, (byte) 7);
        Files.write(file, damaged);
        assertThatThrownBy(() -> open("a.db", true)).isInstanceOf(DatabaseUnusableException.class);
        // The last connection that is closed removes the log.
        assertThat(folder.resolve("a.db-wal")).doesNotExist();
        Files.write(file, whole);
        open("a.db", true).close();
    }

    @ParameterizedTest
    @EnumSource(names = {"UPDATED_OLD", "UPDATED_NEW"})
    void changed_attributes_alone_are_not_returned(ReturnValue wanted) {
        try (EmbeddedDynamoDb database = open("a.db", false)) {
            Things.create(database.client());
            Map<String, AttributeValue> key = Map.of("pk", AttributeValue.fromS("p"), "sk", AttributeValue.fromS("s"));

            assertThatThrownBy(() -> database.client().updateItem(request -> request.tableName(Things.TABLE)
                            .key(key)
                            .updateExpression("REMOVE a")
                            .returnValues(wanted)))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("ReturnValues " + wanted);
            assertThat(count(database.client())).isZero();
        }
    }
}
