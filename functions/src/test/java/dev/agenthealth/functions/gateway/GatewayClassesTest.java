package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.template.FunctionDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Only the gateway uses its classes, and its durations fit into the time-outs of the template. */
@Tag("SN-07")
@Tag("SYS-01")
class GatewayClassesTest {

    @Test
    void the_repair_of_receipts_does_not_use_the_classes_that_call_agents() throws IOException {
        for (Class<?> type :
                new Class<?>[] {ReceiptRepair.class, InvocationRecords.class, Wiring.class, InvocationErrors.class}) {
            assertThat(constants(type))
                    .as(type.getName())
                    .doesNotContain("org/apache/hc", "dev/agenthealth/functions/runtime/outbound", "functions/a2a");
        }
    }

    /** The text of a class file, which contains the names of all classes that it uses. */
    private static String constants(Class<?> type) throws IOException {
        try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void no_function_works_on_an_invocation_after_its_deadline() {
        try (DeployedSystem system = new DeployedSystem()) {
            FunctionDefinition gateway = system.function("GatewayFunction");
            FunctionDefinition worker = system.function("InvocationWorkerFunction");
            assertThat(SyncInvocations.MAX_RUN).isGreaterThan(gateway.timeout());
            assertThat(InvocationWorker.MAX_RUN).isGreaterThan(worker.timeout());
            assertThat(gateway.timeout().toSeconds())
                    .as("API Gateway's own limit")
                    .isLessThanOrEqualTo(30);
            assertThat(worker.timeout().toSeconds())
                    .as("a minute for the agent, and some seconds for the rest")
                    .isGreaterThanOrEqualTo(70);
        }
    }
}
