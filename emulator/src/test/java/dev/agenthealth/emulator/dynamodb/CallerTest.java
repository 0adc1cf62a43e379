package dev.agenthealth.emulator.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Template;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose requests come first, by the system's own template. */
class CallerTest {

    private static List<String> functions(Caller caller) {
        Resolution resolution = Resolution.local()
                .withParameter("AdminKeySha256", "0".repeat(64))
                .withParameter("EventTools", "true");
        return Template.find().stack(resolution).functions().stream()
                .filter(function -> Caller.of(function) == caller)
                .map(FunctionDefinition::logicalId)
                .toList();
    }

    @Test
    void agentsWaitForTheFunctionOfHeartbeatsAlone() {
        assertThat(functions(Caller.AGENTS)).containsExactly("HeartbeatFunction");
    }

    @Test
    void noCallerWaitsForWorkInTheBackground() {
        assertThat(functions(Caller.NONE)).contains("SweepFunction", "PublisherFunction", "MeasurementFunction");
        assertThat(functions(Caller.CLIENTS)).contains("RegistryFunction", "HealthFunction");
    }
}
