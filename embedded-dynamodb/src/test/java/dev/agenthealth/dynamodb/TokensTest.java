package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.dynamodb.sqlite.DatabaseFile;
import dev.agenthealth.dynamodb.sqlite.Settings;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.IdempotentParameterMismatchException;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The tokens of transactions, and what a repeated transaction costs. */
class TokensTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-10T00:00:00Z"));
    private final Clock clock = ((InstantSource) now::get).withZone(ZoneOffset.UTC);
    private final Tokens tokens = new Tokens(clock);

    private void pass(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }

    @Test
    void a_token_is_known_with_its_transaction_for_ten_minutes() {
        tokens.add("a", "one");

        assertThat(tokens.isKnown("a", "one")).isTrue();
        assertThat(tokens.isKnown("b", "one")).isFalse();
        assertThatThrownBy(() -> tokens.isKnown("a", "other")).isInstanceOf(IdempotentParameterMismatchException.class);
        pass(Duration.ofMinutes(10).minusMillis(1));
        assertThat(tokens.isKnown("a", "one")).isTrue();
        pass(Duration.ofMillis(1));
        assertThat(tokens.isKnown("a", "one")).isFalse();
        assertThat(tokens.isKnown("a", "other")).isFalse();
    }

    @Test
    void a_token_that_is_removed_is_unknown() {
        tokens.add("a", "one");
        tokens.remove("a");

        assertThat(tokens.isKnown("a", "other")).isFalse();
    }

    @Test
    void the_last_50000_tokens_are_kept() {
        for (int i = 0; i <= Tokens.MAX_TOKENS; i++) {
            tokens.add("token-" + i, "content");
        }

        assertThat(tokens.isKnown("token-0", "content")).isFalse();
        assertThat(tokens.isKnown("token-1", "content")).isTrue();
        assertThat(tokens.isKnown("token-" + Tokens.MAX_TOKENS, "content")).isTrue();
    }

    @Test
    void a_repeated_transaction_is_charged_as_a_read_of_each_item() {
        try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inTemporaryFile(clock)) {
            Things.create(database.client());
            for (double units : List.of(8.0, 4.0)) {
                List<ConsumedCapacity> consumed = database.client()
                        .transactWriteItems(request -> request.clientRequestToken("token")
                                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                                .transactItems(put(1), put(2)))
                        .consumedCapacity();
                assertThat(consumed).extracting(ConsumedCapacity::capacityUnits).containsExactly(units);
            }
        }
    }

    @Test
    @Timeout(60)
    void a_transaction_is_applied_though_another_change_of_its_group_is_rolled_back(@TempDir Path folder)
            throws Exception {
        try (DatabaseFile file = DatabaseFile.open(new Settings(folder.resolve("a.db"), false, Settings.Sync.MOST))) {
            DynamoDbClient client = new Client(Engine.of(file, clock, Set.of(), 0), tokens);
            Things.create(client);
            CountDownLatch applied = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            Thread first = new Thread(() -> file.writer().write((session, effect) -> {
                applied.countDown();
                try {
                    return go.await(30, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
            Thread transaction = new Thread(() -> client.transactWriteItems(
                    request -> request.clientRequestToken("token").transactItems(put(1))));
            Thread failing =
                    new Thread(() -> assertThatThrownBy(() -> file.writer().write((session, effect) -> {
                                session.update("DELETE FROM stream");
                                throw new IllegalArgumentException("after it wrote");
                            }))
                            .isInstanceOf(IllegalArgumentException.class));
            first.start();
            applied.await();
            for (Thread waiting : List.of(transaction, failing)) {
                waiting.start();
                while (waiting.getState() != Thread.State.WAITING) {
                    Thread.onSpinWait();
                }
            }
            go.countDown();
            for (Thread thread : List.of(first, transaction, failing)) {
                thread.join();
            }

            assertThat(client.scan(request -> request.tableName(Things.TABLE)).items())
                    .containsExactly(Things.item(1));
        }
    }

    private static TransactWriteItem put(int number) {
        return TransactWriteItem.builder()
                .put(put -> put.tableName(Things.TABLE).item(Things.item(number)))
                .build();
    }
}
