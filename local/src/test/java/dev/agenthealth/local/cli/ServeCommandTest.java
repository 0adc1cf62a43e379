package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.LineWaiter;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.local.testing.TestTemplate;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands that run until they are stopped, in this process: an interrupt stops them. */
class ServeCommandTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final PrintStream standardOutput = System.out;

    @AfterEach
    void restoreStandardOutput() {
        System.setOut(standardOutput);
    }

    /** A command that is running. */
    private static final class Running implements AutoCloseable {

        final LineWaiter lines = new LineWaiter();
        private final CompletableFuture<Integer> status = new CompletableFuture<>();
        private final Thread thread;

        Running(Map<String, String> environment, String... arguments) {
            Terminal terminal = new Terminal(environment, lines, lines, false);
            thread = new Thread(() -> status.complete(new CommandLineTool(terminal).run(arguments)));
            thread.start();
        }

        /** The first line that has this text, from the text on. */
        String line(String text) throws InterruptedException {
            AtomicReference<String> found = new AtomicReference<>("");
            lines.await(
                    1,
                    line -> {
                        if (line.contains(text)) {
                            found.set(line.substring(line.indexOf(text)));
                        }
                        return line.contains(text);
                    },
                    PATIENCE);
            return found.get();
        }

        int stop() {
            thread.interrupt();
            return status.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        }

        @Override
        public void close() {
            stop();
        }
    }

    @ParameterizedTest
    @CsvSource({"''", "serve"})
    void the_system_starts_with_and_without_the_command_and_stops_in_order(String command) throws InterruptedException {
        Map<String, String> environment =
                Map.of("AGENT_HEALTH_PORT", "0", "AGENT_HEALTH_ADMIN_KEY", "my-administrator-key");
        try (Running run = new Running(environment, command.isEmpty() ? new String[0] : new String[] {command})) {
            String url = run.line("http://").split(" ")[0];
            assertThat(new RegistryCaller(url, "my-administrator-key")
                            .get("/api/v1/health")
                            .status())
                    .isEqualTo(200);
            assertThat(run.stop()).isZero();
            assertThatThrownBy(() -> new RegistryCaller(url, "my-administrator-key").get("/api/v1/health"));
        }
    }

    @Test
    void options_without_the_command_start_the_system_and_another_host_than_this_machine_is_warned_of()
            throws InterruptedException {
        try (Running run = new Running(Map.of(), "--port", "0", "--host", "0.0.0.0")) {
            assertThat(run.line("Warning: "))
                    .contains("API keys travel unencrypted", "TLS", "docs/guides/run-for-a-team.md#tls");
        }
    }

    @Test
    @Tag("slow")
    void the_demo_prints_an_address_whose_key_may_look_and_nothing_else() throws InterruptedException {
        // Data of the real registry stays as it is.
        Map<String, String> environment = new HashMap<>(Map.of("AGENT_HEALTH_DATA_DIR", "/nowhere/data"));
        try (Running run = new Running(environment, "demo", "--port", "0")) {
            String page = run.line("http://");
            String[] parts = page.split("/#key=");
            RegistryCaller viewer = new RegistryCaller(parts[0], parts[1]);
            assertThat(viewer.get("/api/v1/me").json().path("role").asText()).isEqualTo("viewer");
            assertThat(viewer.get("/v1/admin/keys").status()).isEqualTo(403);
        }
    }

    @Test
    void a_port_in_use_is_named_with_what_to_do() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            String port = String.valueOf(taken.getLocalPort());
            CommandRun run = CommandRun.of(Map.of("AGENT_HEALTH_PORT", port));
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.errors())
                    .contains("port " + port, "another program uses it", "AGENT_HEALTH_PORT")
                    .hasLineCount(1);
        }
    }

    @Test
    void a_generated_key_that_the_data_folder_does_not_take_is_not_printed(@TempDir Path folder) throws IOException {
        LocalOptions first =
                LocalOptions.of(TestTemplate.template(), "key-generated-first").preferKeptKey();
        LocalSystem.start(first.dataFolder(folder).byHand()).close();
        LocalOptions second =
                LocalOptions.of(TestTemplate.template(), "key-generated-later").preferKeptKey();
        try (LocalSystem system = ServeCommand.start(second.dataFolder(folder).byHand())) {
            assertThat(ServeCommand.readyLine(system, new ServeOptions.Start(second, "key-generated-later")))
                    .contains("that of an earlier start")
                    .doesNotContain("key-generated-later");
        }
    }
}
