package dev.agenthealth.functions.storage.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.FaultyDynamoDb;
import dev.agenthealth.testkit.HookedDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Writes that happen together or not at all, and once, whatever becomes of the answer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-03")
class TransactionsTest {

    private TestSystem system;
    private final List<String> tokens = new ArrayList<>();

    @BeforeAll
    void open() {
        system = new TestSystem();
    }

    @AfterAll
    void close() {
        system.close();
    }

    /** What the code relies on, and what makes the tests of lost answers worth something: DynamoDB Local knows tokens as well. */
    @Test
    void the_storage_takes_a_repeated_token_for_the_same_transaction() {
        TransactWriteItemsRequest request = TransactWriteItemsRequest.builder()
                .transactItems(once("token").list())
                .clientRequestToken("a token of its own")
                .build();
        system.dynamoDb().transactWriteItems(request);
        system.dynamoDb().transactWriteItems(request);
        TransactWriteItemsRequest another =
                request.toBuilder().clientRequestToken("another token").build();
        assertThatThrownBy(() -> system.dynamoDb().transactWriteItems(another))
                .isInstanceOf(TransactionCanceledException.class);
    }

    @Test
    void all_repetitions_of_a_transaction_carry_one_token_and_no_other_carries_it() {
        FaultyDynamoDb faulty = new FaultyDynamoDb(system.dynamoDb());
        Transactions transactions = transactions(faulty);
        tokens.clear();
        for (int i = 0; i < 3; i++) {
            faulty.cancelByConflict(TransactWriteItemsRequest.class);
        }
        faulty.loseAnswerOf(TransactWriteItemsRequest.class);
        assertThat(transactions.write("test", once("repeated").list())).isTrue();
        assertThat(tokens).hasSize(5);
        assertThat(Set.copyOf(tokens)).hasSize(1);
        assertThat(transactions.write("test", once("next").list())).isTrue();
        assertThat(tokens.stream().collect(Collectors.toSet())).hasSize(2);
    }

    @Test
    void a_condition_that_does_not_hold_is_an_answer_and_nothing_is_written() {
        Transactions transactions = transactions(new FaultyDynamoDb(system.dynamoDb()));
        assertThat(transactions.write("test", once("taken").list())).isTrue();
        Transactions.Items items = once("taken");
        items.put(TestTables.REGISTRY, item("beside it"));
        assertThat(transactions.write("test", items.list())).isFalse();
        assertThat(exists("beside it")).isFalse();
    }

    @Test
    void a_mistake_of_this_systems_own_is_no_lost_race() {
        Transactions transactions = transactions(new FaultyDynamoDb(system.dynamoDb()));
        Transactions.Items items = new Transactions.Items();
        items.put(TestTables.REGISTRY, Map.of("pk", AttributeValue.fromS("without a sort key")));
        assertThatThrownBy(() -> transactions.write("test", items.list())).isNotInstanceOf(StorageBusyException.class);
    }

    private Transactions transactions(FaultyDynamoDb faulty) {
        HookedDynamoDb noting = new HookedDynamoDb(faulty, request -> {
            if (request instanceof TransactWriteItemsRequest transaction) {
                tokens.add(transaction.clientRequestToken());
            }
        });
        return new Transactions(noting, new Retries(system.clock(), system.pause()));
    }

    private static Transactions.Items once(String name) {
        return new Transactions.Items()
                .put(Put.builder()
                        .tableName(TestTables.REGISTRY)
                        .item(item(name))
                        .conditionExpression("attribute_not_exists(pk)"));
    }

    private static Map<String, AttributeValue> item(String name) {
        return RegistryKeys.key("TEST", name);
    }

    private boolean exists(String name) {
        return system.dynamoDb()
                .getItem(r -> r.tableName(TestTables.REGISTRY).key(item(name)))
                .hasItem();
    }
}
