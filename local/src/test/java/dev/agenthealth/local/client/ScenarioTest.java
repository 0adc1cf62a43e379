package dev.agenthealth.local.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.PythonProcess;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Java client in the scenarios that all clients share, with a registry that misbehaves and with a real one. */
@Tag("other-programs")
class ScenarioTest {

    private static final String KEY = "test-administrator-key";

    @Test
    void the_java_client_does_what_every_scenario_says() throws Exception {
        assumeThat(PythonProcess.isThere()).isTrue();
        LocalOptions options = LocalOptions.of(Template.find(), KEY)
                .sweepPeriod(Duration.ofSeconds(1))
                .out(new PrintStream(OutputStream.nullOutputStream()));
        try (LocalSystem system = LocalSystem.start(options);
                RecordingProxy proxy = new RecordingProxy(system.baseUrl());
                ScenarioFake misbehaving = new ScenarioFake();
                ScenarioFake real = new ScenarioFake("--registry", proxy.url(), "--admin-key", KEY)) {
            // Scenarios mostly wait, so all of them run at once.
            ExecutorService executor = Executors.newCachedThreadPool();
            Map<String, Future<Boolean>> withFaults = started(misbehaving, executor);
            Map<String, Future<Boolean>> withTheRegistry = started(real, executor);
            executor.shutdown();

            List<String> failures = new ArrayList<>();
            assertThat(ran(withFaults, failures)).isGreaterThan(35);
            assertThat(ran(withTheRegistry, failures)).isGreaterThan(11);
            assertThat(failures).isEmpty();
            assertThat(proxy.faults()).isEmpty();
        }
    }

    private static Map<String, Future<Boolean>> started(ScenarioFake fake, ExecutorService executor)
            throws IOException {
        Map<String, Future<Boolean>> runs = new LinkedHashMap<>();
        for (String name : fake.names()) {
            runs.put(name, executor.submit(() -> ScenarioRun.of(fake, name)));
        }
        return runs;
    }

    private static int ran(Map<String, Future<Boolean>> runs, List<String> failures) throws InterruptedException {
        int ran = 0;
        for (Map.Entry<String, Future<Boolean>> run : runs.entrySet()) {
            try {
                ran += run.getValue().get() ? 1 : 0;
            } catch (ExecutionException e) {
                failures.add(run.getKey() + ": " + e.getCause());
            }
        }
        return ran;
    }
}
