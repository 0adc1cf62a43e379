package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/** CreateTable, DescribeTable, UpdateTable and DeleteTable. */
abstract class TableContract extends Contract {

    TableContract(Backend backend) {
        super(backend);
    }

    private TableDescription describe(String table) {
        return client.describeTable(r -> r.tableName(table)).table();
    }

    private void assertRefused(Consumer<CreateTableRequest.Builder> change) {
        assertInvalid(() -> client.createTable(ContractTables.registry(backend.unusedName("registry"))
                .applyMutation(change)
                .build()));
    }

    @Test
    void a_table_is_described() {
        TableDescription table = describe(registry);

        assertThat(table.tableName()).isEqualTo(registry);
        assertThat(table.tableStatus()).isEqualTo(TableStatus.ACTIVE);
        assertThat(table.tableArn()).endsWith("table/" + registry);
        assertThat(table.keySchema()).isEqualTo(ContractTables.keys("pk", "sk"));
        assertThat(table.attributeDefinitions())
                .containsExactlyInAnyOrderElementsOf(ContractTables.strings("pk", "sk", "fp", "fs", "dp", "ds"));
        assertThat(table.billingModeSummary().billingMode()).isEqualTo(BillingMode.PAY_PER_REQUEST);
        assertThat(table.creationDateTime()).isNotNull();
        assertThat(table.streamSpecification().streamEnabled()).isTrue();
        assertThat(table.streamSpecification().streamViewType()).isEqualTo(StreamViewType.NEW_IMAGE);
        assertThat(table.latestStreamArn()).startsWith(table.tableArn() + "/stream/");
    }

    @Test
    void the_indexes_of_a_table_are_described() {
        assertThat(describe(registry).globalSecondaryIndexes())
                .extracting(GlobalSecondaryIndexDescription::indexName)
                .containsExactlyInAnyOrder("feed", "due");
        GlobalSecondaryIndexDescription index =
                describe(pulses).globalSecondaryIndexes().get(0);
        assertThat(index.indexName()).isEqualTo("by-status");
        assertThat(index.indexStatus()).isEqualTo(IndexStatus.ACTIVE);
        assertThat(index.keySchema()).isEqualTo(ContractTables.keys("x", "id"));
        assertThat(index.projection().projectionType()).isEqualTo(ProjectionType.KEYS_ONLY);
    }

    @Test
    void create_returns_the_description() {
        String name = backend.unusedName("registry");

        TableDescription table =
                client.createTable(ContractTables.registry(name).build()).tableDescription();

        assertThat(table.tableName()).isEqualTo(name);
        assertThat(table.keySchema()).isEqualTo(ContractTables.keys("pk", "sk"));
    }

    @Test
    void a_table_that_exists_is_not_created_again() {
        assertThatThrownBy(() ->
                        client.createTable(ContractTables.registry(registry).build()))
                .isInstanceOfSatisfying(
                        ResourceInUseException.class,
                        e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo("ResourceInUseException"));
    }

    @Test
    void an_unknown_table_is_not_described() {
        assertThatThrownBy(() -> describe(backend.unusedName("unknown"))).isInstanceOf(ResourceNotFoundException.class);
    }

    @Test
    void a_deleted_table_is_gone_with_its_items() {
        String name = ContractTables.createPulses(backend);
        client.putItem(r -> r.tableName(name).item(id("a")));

        client.deleteTable(r -> r.tableName(name));

        assertThatThrownBy(() -> describe(name)).isInstanceOf(ResourceNotFoundException.class);
        assertThatThrownBy(() -> client.getItem(r -> r.tableName(name).key(id("a"))))
                .isInstanceOf(ResourceNotFoundException.class);
    }

    @Test
    void an_unknown_table_is_not_deleted() {
        assertThatThrownBy(() -> client.deleteTable(r -> r.tableName(backend.unusedName("unknown"))))
                .isInstanceOf(ResourceNotFoundException.class);
    }

    @Test
    void tables_do_not_share_items() {
        String other = ContractTables.createRegistry(backend);
        put();

        assertThat(client.getItem(r -> r.tableName(other).key(key())).hasItem()).isFalse();
    }

    @Test
    void a_definition_without_use_is_refused() {
        assertRefused(
                r -> r.attributeDefinitions(ContractTables.strings("pk", "sk", "fp", "fs", "dp", "ds", "unused")));
    }

    @Test
    void a_key_without_definition_is_refused() {
        assertRefused(r -> r.attributeDefinitions(ContractTables.strings("pk", "fp", "fs", "dp", "ds")));
        assertRefused(r -> r.attributeDefinitions(ContractTables.strings("pk", "sk", "fp", "fs", "dp")));
    }

    @Test
    void a_key_of_a_type_without_order_is_refused() {
        assertRefused(r -> r.attributeDefinitions(AttributeDefinition.builder()
                .attributeName("pk")
                .attributeType("BOOL")
                .build()));
    }

    @Test
    void a_table_without_partition_key_is_refused() {
        assertRefused(r -> r.keySchema(KeySchemaElement.builder()
                .attributeName("pk")
                .keyType(KeyType.RANGE)
                .build()));
    }

    @Test
    void an_index_twice_is_refused() {
        assertRefused(r -> r.globalSecondaryIndexes(
                ContractTables.index("feed", ProjectionType.ALL, "fp", "fs"),
                ContractTables.index("feed", ProjectionType.ALL, "dp", "ds")));
    }

    @Test
    void a_name_that_is_not_valid_is_refused() {
        assertInvalid(() -> client.createTable(ContractTables.registry("ab").build()));
        assertInvalid(
                () -> client.createTable(ContractTables.registry("a table").build()));
        assertInvalid(() ->
                client.createTable(ContractTables.registry("x".repeat(256)).build()));
    }

    @Test
    void an_index_is_added_to_a_table_with_items() {
        String name = backend.unusedName("registry");
        client.createTable(ContractTables.registry(name)
                .attributeDefinitions(ContractTables.strings("pk", "sk", "fp", "fs"))
                .globalSecondaryIndexes(ContractTables.index("feed", ProjectionType.ALL, "fp", "fs"))
                .build());
        backend.awaitTable(name);
        client.putItem(r -> r.tableName(name).item(Values.with(key(), "dp", Values.s("p"), "ds", Values.s("1"))));

        client.updateTable(r -> r.tableName(name)
                .attributeDefinitions(ContractTables.strings("pk", "sk", "dp", "ds"))
                .globalSecondaryIndexUpdates(GlobalSecondaryIndexUpdate.builder()
                        .create(c -> c.indexName("due")
                                .keySchema(ContractTables.keys("dp", "ds"))
                                .projection(p -> p.projectionType(ProjectionType.KEYS_ONLY)))
                        .build()));

        assertThat(describe(name).globalSecondaryIndexes()).hasSize(2);
    }

    @Test
    void deletes_and_updates_return_the_description() {
        String name = ContractTables.createRegistry(backend);

        assertThat(client.updateTable(r -> r.tableName(name).globalSecondaryIndexUpdates(deletion("feed")))
                        .tableDescription()
                        .tableName())
                .isEqualTo(name);
        backend.awaitTable(name);
        assertThat(client.deleteTable(r -> r.tableName(name)).tableDescription().tableName())
                .isEqualTo(name);
    }

    private static GlobalSecondaryIndexUpdate deletion(String index) {
        return GlobalSecondaryIndexUpdate.builder()
                .delete(d -> d.indexName(index))
                .build();
    }
}
