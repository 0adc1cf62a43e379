package dev.agenthealth.functions.storage.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.gateway.CallerLimit;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.testkit.TestTables;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/** The runtime configuration that is needed with every request. */
@Tag("SYS-02")
class CachedConfigurationTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final Database database = system.database();
    private final CachedConfiguration configuration = new CachedConfiguration(database);

    @Test
    @Tag("SN-07")
    @Tag("AHS-09")
    void it_is_read_from_the_item_and_else_the_default_applies() {
        assertThat(configuration.current().configuration().invocations()).isEqualTo(CallerLimit.DEFAULT);
        assertThat(configuration.current().configuration().defaultWindow()).isEqualTo(MeasurementWindow.DEFAULT);
        configure(5, 600);
        system.clock().advanceSeconds(60);
        assertThat(configuration.current().configuration().invocations()).isEqualTo(new CallerLimit(5, 50));
        assertThat(configuration.current().configuration().defaultWindow()).isEqualTo(MeasurementWindow.ofSeconds(600));
    }

    @Test
    @Tag("SYS-06")
    void what_the_item_lacks_is_the_default() {
        configure(5, 600);
        system.dynamoDb().updateItem(r -> r.tableName(TestTables.REGISTRY)
                .key(ItemKind.CONFIGURATION.key())
                .updateExpression("REMOVE default_window"));
        assertThat(configuration.current().configuration().invocations()).isEqualTo(new CallerLimit(5, 50));
        assertThat(configuration.current().configuration().defaultWindow()).isEqualTo(MeasurementWindow.DEFAULT);
        assertThat(new ConfigurationStore(database).current())
                .as("read as a whole")
                .isEqualTo(configuration(5, 86_400));
    }

    @Test
    void it_is_read_once_a_minute_for_half_a_unit() {
        configure(5, 600);
        system.meter().reset();
        assertThat(configuration.current().configuration().defaultWindow()).isEqualTo(MeasurementWindow.ofSeconds(600));
        assertThat(system.meter().operations()).containsExactly("GetItem");
        assertThat(system.meter().readUnits()).isEqualTo(0.5);
        configure(5, 900);
        system.clock().advanceSeconds(59);
        system.meter().reset();
        assertThat(configuration.current().configuration().defaultWindow()).isEqualTo(MeasurementWindow.ofSeconds(600));
        assertThat(system.meter().operations()).isEmpty();
        system.clock().advanceSeconds(1);
        assertThat(configuration.current().configuration().defaultWindow()).isEqualTo(MeasurementWindow.ofSeconds(900));
        assertThat(system.meter().operations()).containsExactly("GetItem");
    }

    @Test
    void after_a_failed_read_it_is_read_with_the_next_request() {
        configure(5, 600);
        for (int i = 0; i < 100; i++) {
            system.faults().throttleOn(GetItemRequest.class);
        }
        assertThatThrownBy(configuration::current).isInstanceOf(StorageBusyException.class);
        system.faults().clear();
        assertThat(configuration.current().configuration().defaultWindow()).isEqualTo(MeasurementWindow.ofSeconds(600));
    }

    private void configure(int invocationsPerSecond, int windowSeconds) {
        RuntimeConfiguration wanted = configuration(invocationsPerSecond, windowSeconds);
        ConfigurationStore store = new ConfigurationStore(database);
        store.replace(store.current(), wanted);
    }

    private static RuntimeConfiguration configuration(int invocationsPerSecond, int windowSeconds) {
        return RuntimeConfiguration.DEFAULT
                .with(RuntimeSettings.INVOCATIONS_PER_SECOND, invocationsPerSecond)
                .with(RuntimeSettings.INVOCATIONS_BURST, 50)
                .with(RuntimeSettings.DEFAULT_WINDOW_SECONDS, windowSeconds);
    }
}
