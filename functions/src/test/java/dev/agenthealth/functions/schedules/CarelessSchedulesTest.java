package dev.agenthealth.functions.schedules;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.MemoryDynamoDb;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** Schedules on a storage that forgets something are found to be wrong. */
@Tag(Attack.TAG)
@Tag("exhaustive")
class CarelessSchedulesTest {

    private static final int MAX_SCHEDULES = 5_000;

    /** What is forgotten. */
    enum Mistake implements Function<MemoryDynamoDb, DynamoDbClient> {
        CONDITIONS_OF_ROWS {
            @Override
            public DynamoDbClient apply(MemoryDynamoDb client) {
                return new TestDynamoDb(client)
                        .changeTransactions(write -> Optional.of(
                                write.update() == null
                                                || !write.update().tableName().equals(TestTables.PULSES)
                                        ? write
                                        : write.toBuilder()
                                                .update(unconditional(write))
                                                .build()));
            }
        },
        CONDITIONS_OF_SCOPES {
            @Override
            public DynamoDbClient apply(MemoryDynamoDb client) {
                return new TestDynamoDb(client)
                        .changeTransactions(write -> Optional.of(
                                !puts(write, sort -> sort.startsWith("S#"))
                                        ? write
                                        : write.toBuilder()
                                                .put(write.put().toBuilder()
                                                        .conditionExpression(null)
                                                        .expressionAttributeNames(null)
                                                        .expressionAttributeValues(null)
                                                        .build())
                                                .build()));
            }
        },
        HOLDERS_OF_LEASES {
            @Override
            public DynamoDbClient apply(MemoryDynamoDb client) {
                return new TestDynamoDb(client).changeTransactions(write -> Optional.of(write)
                        .filter(one -> one.conditionCheck() == null
                                || !one.conditionCheck().tableName().equals(TestTables.PULSES)));
            }
        },
        EVENTS_OF_AGENTS {
            @Override
            public DynamoDbClient apply(MemoryDynamoDb client) {
                return new TestDynamoDb(client).changeTransactions(write -> Optional.of(write)
                        .filter(one -> !puts(one, sort -> sort.startsWith("E#"))
                                || !partition(one).startsWith("A#")));
            }
        },
        EVENTS_OF_LEASES {
            @Override
            public DynamoDbClient apply(MemoryDynamoDb client) {
                return new TestDynamoDb(client).changeTransactions(write -> Optional.of(write)
                        .filter(one -> !puts(one, sort -> sort.startsWith("E#"))
                                || !partition(one).startsWith("I#")));
            }
        },
        AUDIT_LOG {
            @Override
            public DynamoDbClient apply(MemoryDynamoDb client) {
                return new TestDynamoDb(client).changeTransactions(write -> Optional.of(write)
                        .filter(one -> !puts(one, sort -> sort.startsWith("E#"))
                                || !partition(one).startsWith("AUDIT")));
            }
        },
        POINTERS_TO_LEASES {
            @Override
            public DynamoDbClient apply(MemoryDynamoDb client) {
                return new TestDynamoDb(client).changeTransactions(write -> Optional.of(write)
                        .filter(one -> one.delete() == null
                                || !one.delete().key().containsKey("sk")
                                || !one.delete().key().get("sk").s().startsWith("L#")));
            }
        },
        TOKENS {
            @Override
            public DynamoDbClient apply(MemoryDynamoDb client) {
                return new TestDynamoDb(client).dropTokens();
            }
        };

        /** Returns whether only concurrent operations suffer. */
        boolean isOfOrder() {
            return this == CONDITIONS_OF_ROWS
                    || this == CONDITIONS_OF_SCOPES
                    || this == HOLDERS_OF_LEASES
                    || this == TOKENS;
        }

        private static software.amazon.awssdk.services.dynamodb.model.Update unconditional(TransactWriteItem write) {
            Map<String, AttributeValue> values = write.update().expressionAttributeValues();
            return write.update().toBuilder()
                    .conditionExpression(null)
                    .expressionAttributeValues(values)
                    .build();
        }

        private static boolean puts(TransactWriteItem write, Predicate<String> sort) {
            return write.put() != null
                    && write.put().item().containsKey("sk")
                    && sort.test(write.put().item().get("sk").s());
        }

        private static String partition(TransactWriteItem write) {
            return write.put().item().get("pk").s();
        }
    }

    @ParameterizedTest
    @EnumSource
    void schedules_on_a_storage_that_forgets_something_are_wrong(Mistake mistake) {
        assertThatThrownBy(() -> {
                    Random random = new Random(1);
                    try (Schedules schedules = new Schedules(mistake)) {
                        while (schedules.runs < MAX_SCHEDULES) {
                            schedules.random(random.nextLong());
                        }
                    }
                })
                .isInstanceOf(AssertionError.class)
                .message()
                .containsAnyOf(
                        // The lock of a scope shows a forgotten write first in some orders.
                        mistake.isOfOrder()
                                ? new String[] {"no order of atomic operations explains", "is not the last lease"}
                                : new String[] {""});
    }
}
