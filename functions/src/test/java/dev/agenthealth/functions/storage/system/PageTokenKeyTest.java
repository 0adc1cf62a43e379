package dev.agenthealth.functions.storage.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestTables;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The key of page tokens in its own partition, and the key of an earlier version in the runtime configuration. */
@Tag("SYS-02")
@Tag("SYS-06")
class PageTokenKeyTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    @Test
    void it_is_made_when_it_is_first_needed_and_is_read_once_by_each_process() {
        PageTokenKey first = new PageTokenKey(system.database());
        PageTokenKey second = new PageTokenKey(system.database());
        system.meter().reset();
        assertThat(second.find()).isEmpty();
        assertThat(system.meter().readUnits())
                .as("consistent reads see a key that another function has just made, or an earlier version")
                .isEqualTo(2.5);
        assertThat(item(ItemKind.PAGE_TOKEN_KEY)).isEmpty();
        assertThat(first.get()).hasSize(32).isEqualTo(second.get());
        system.meter().reset();
        assertThat(first.get()).isEqualTo(second.get());
        assertThat(system.meter().operations()).isEmpty();
        assertThat(new PageTokenKey(system.database()).get()).isEqualTo(first.get());
        assertThat(system.meter().operations()).containsExactly("GetItem");
        assertThat(system.meter().readUnits()).isEqualTo(0.5);
    }

    @Test
    void it_has_a_partition_of_its_own_that_the_public_reader_may_write() {
        new PageTokenKey(system.database()).get();
        assertThat(item(ItemKind.PAGE_TOKEN_KEY)).containsKey("page_key");
        assertThat(item(ItemKind.CONFIGURATION)).isEmpty();
    }

    @Test
    void the_key_of_an_earlier_version_stays_in_force() {
        byte[] older = new byte[32];
        older[7] = 1;
        new ConfigurationStore(system.database()).current();
        system.dynamoDb().updateItem(r -> r.tableName(TestTables.REGISTRY)
                .key(ItemKind.CONFIGURATION.key())
                .updateExpression("SET page_key = :key")
                .expressionAttributeValues(Map.of(":key", AttributeValue.fromB(SdkBytes.fromByteArray(older)))));
        assertThat(new PageTokenKey(system.database()).find()).contains(older);
        assertThat(new PageTokenKey(system.database()).get()).isEqualTo(older);
        assertThat(item(ItemKind.PAGE_TOKEN_KEY)).containsKey("page_key");
    }

    private Map<String, AttributeValue> item(ItemKind kind) {
        return system.dynamoDb()
                .getItem(r -> r.tableName(TestTables.REGISTRY).key(kind.key()))
                .item();
    }
}
