package dev.agenthealth.functions.storage.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Transactions are applied as a whole, and once, even where the response is lost. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-03")
class TransactionTest {

    private final List<String> tokens = new ArrayList<>();

    @AutoClose
    private TestSystem system;

    private TestDynamoDb faulty;
    private Database database;
    private Table registry;

    @BeforeAll
    void open() {
        system = new TestSystem();
        faulty = new TestDynamoDb(system.dynamoDb());
        TestDynamoDb hooked = new TestDynamoDb(faulty).before(request -> {
            if (request instanceof TransactWriteItemsRequest transaction) {
                tokens.add(transaction.clientRequestToken());
            }
        });
        Tables names = new Tables(TestTables.PULSES, TestTables.REGISTRY);
        database = new Database(hooked, names, system.clock(), system.pause(), new StorageMeter());
        registry = database.registry();
    }

    /** The tests of lost responses rely on the tokens of the embedded database. */
    @Test
    void the_storage_applies_a_transaction_with_a_repeated_token_once() {
        TransactWriteItemsRequest request = TransactWriteItemsRequest.builder()
                .transactItems(TransactWriteItem.builder()
                        .put(p -> p.tableName(TestTables.REGISTRY)
                                .item(item("token"))
                                .conditionExpression("attribute_not_exists(pk)"))
                        .build())
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
    void all_attempts_of_a_transaction_carry_one_token_that_no_other_transaction_carries() {
        tokens.clear();
        for (int i = 0; i < 3; i++) {
            faulty.cancelByConflict(TransactWriteItemsRequest.class);
        }
        faulty.loseAnswerOf(TransactWriteItemsRequest.class);
        assertThat(once("repeated").commit()).isTrue();
        assertThat(tokens).hasSize(5);
        assertThat(Set.copyOf(tokens)).hasSize(1);
        assertThat(once("next").commit()).isTrue();
        assertThat(new HashSet<>(tokens)).hasSize(2);
    }

    @Test
    void where_a_condition_does_not_hold_nothing_is_written() {
        assertThat(once("taken").commit()).isTrue();
        assertThat(once("taken").put(registry, item("beside it")).commit()).isFalse();
        assertThat(registry.get(item("beside it"))).isEmpty();
    }

    @Test
    void updates_deletes_and_checks_are_applied_under_their_conditions() {
        registry.put(item("updated"));
        registry.put(item("deleted"));
        Update update = Update.of(item("updated")).set("text", Values.s("new"));
        Condition exists = Condition.exists(Attributes.PK);
        assertThat(database.transaction()
                        .update(registry, update)
                        .delete(registry, item("deleted"), exists)
                        .check(registry, item("missing"), exists)
                        .commit())
                .isFalse();
        assertThat(registry.get(item("deleted"))).isNotEmpty();
        assertThat(database.transaction()
                        .update(registry, update)
                        .delete(registry, item("deleted"), exists)
                        .check(registry, item("missing"), exists.not())
                        .commit())
                .isTrue();
        assertThat(registry.get(item("deleted"))).isEmpty();
        assertThat(registry.get(item("updated"))).containsEntry("text", Values.s("new"));
    }

    @Test
    void an_invalid_request_is_reported_as_an_error() {
        Transaction invalid =
                database.transaction().put(registry, Map.of("pk", AttributeValue.fromS("without a sort key")));
        assertThatThrownBy(invalid::commit).isNotInstanceOf(StorageBusyException.class);
    }

    private Transaction once(String name) {
        return database.transaction().put(registry, item(name), Condition.absent(Attributes.PK));
    }

    private static Map<String, AttributeValue> item(String name) {
        return Attributes.key("TEST", name);
    }
}
