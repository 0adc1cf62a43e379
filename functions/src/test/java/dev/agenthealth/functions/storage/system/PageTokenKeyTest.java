package dev.agenthealth.functions.storage.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import dev.agenthealth.testkit.TestTables;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The key of page tokens beside the runtime configuration. */
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
                .as("a second, consistent read sees a key that another function has just made")
                .isEqualTo(1.5);
        assertThat(item()).isEmpty();
        assertThat(first.get()).hasSize(32).isEqualTo(second.get());
        system.meter().reset();
        assertThat(first.get()).isEqualTo(second.get());
        assertThat(system.meter().operations()).isEmpty();
        assertThat(new PageTokenKey(system.database()).get()).isEqualTo(first.get());
        assertThat(system.meter().operations()).containsExactly("GetItem");
        assertThat(system.meter().readUnits()).isEqualTo(0.5);
    }

    @Test
    void the_defaults_become_the_configuration_whichever_is_first() {
        byte[] key = new PageTokenKey(system.database()).get();
        assertThat(new ConfigurationStore(system.database()).current()).isEqualTo(RuntimeConfiguration.DEFAULT);
        assertThat(item()).containsKeys("passes", "default_window");
        assertThat(new PageTokenKey(system.database()).get()).isEqualTo(key);
    }

    @Test
    void a_changed_configuration_keeps_the_key() {
        ConfigurationStore configuration = new ConfigurationStore(system.database());
        assertThat(configuration.current()).isEqualTo(RuntimeConfiguration.DEFAULT);
        byte[] key = new PageTokenKey(system.database()).get();
        configuration.replace(configuration.current(), RuntimeConfiguration.DEFAULT);
        assertThat(new PageTokenKey(system.database()).get()).isEqualTo(key);
    }

    private Map<String, AttributeValue> item() {
        return system.dynamoDb()
                .getItem(r -> r.tableName(TestTables.REGISTRY).key(ItemKind.CONFIGURATION.key()))
                .item();
    }
}
