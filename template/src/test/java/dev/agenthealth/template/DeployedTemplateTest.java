package dev.agenthealth.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The system's own template, read whole. */
class DeployedTemplateTest {

    private final Stack stack = Template.find()
            .stack(Resolution.local()
                    .withParameter("AdminKeySha256", "0".repeat(64))
                    .withParameter("EventTools", "true"));

    @Test
    void every_function_is_understood() {
        assertThat(stack.functions())
                .extracting(FunctionDefinition::logicalId)
                .contains("RegistryFunction", "HeartbeatFunction", "SweepFunction", "PublisherFunction");
        assertThat(stack.functions()).allSatisfy(function -> assertThat(function.environment())
                .containsEntry("PULSES_TABLE", "PulsesTable")
                .containsEntry("REGISTRY_TABLE", "RegistryTable"));
    }

    @Test
    void the_sweep_may_invoke_itself() {
        assertThat(stack.functions())
                .filteredOn(function -> function.logicalId().equals("SweepFunction"))
                .singleElement()
                .satisfies(sweep -> {
                    assertThat(sweep.schedules()).hasSize(1);
                    assertThat(sweep.policies())
                            .contains(new PolicyStatement(
                                    "Allow",
                                    List.of("lambda:InvokeFunction"),
                                    List.of("arn:aws:lambda:us-east-1:000000000000:function:SweepFunction:*")));
                });
    }

    @Test
    void every_rule_listens_on_a_bus_of_the_template() {
        assertThat(stack.rules()).isNotEmpty().allSatisfy(rule -> assertThat(stack.eventBuses())
                .contains(rule.eventBus()));
    }

    @Test
    void every_stream_that_is_read_belongs_to_a_table_with_a_stream() {
        assertThat(stack.functions())
                .flatExtracting(FunctionDefinition::streams)
                .isNotEmpty()
                .allSatisfy(mapping -> assertThat(stack.tables())
                        .anyMatch(table -> table.name().equals(mapping.tableName())
                                && !table.streamViewType().isEmpty()));
    }
}
