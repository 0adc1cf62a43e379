package dev.agenthealth.local.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A shell in which a reader pastes the commands of a document, beside a running system whose time it moves. */
final class Shell {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String JAR = "local/target/agent-health-local.jar";
    private static final int TICK_SECONDS = 5;
    private static final int LIMIT_SECONDS = 120;
    /** {@code sleep} moves the time of the system; a short one also waits for processes that a document starts. */
    private static final String PRELUDE =
            """
            set -m -o pipefail
            export AGENT_HEALTH_URL=SYSTEM PYTHONPATH=PYTHON PYTHONDONTWRITEBYTECODE=1
            agent-health-agent() { python3 -W error -m agent_health "$@"; }
            trap 'kill $(jobs -p) 2>/dev/null' EXIT
            sleep() { [ "$1" -gt 1 ] || command sleep 3; command curl -sf "CLOCK/sleep/$1"; }
            date() { if [ "$1" = +%s ]; then command curl -sf "CLOCK/seconds"; else command curl -sf "CLOCK/date"; fi; }
            java() {
              [ "$1 $2" = "-jar JAR" ] || { echo "unexpected: java $*"; return 1; }
              shift 2; command java -cp "CLASSES" -XX:TieredStopAtLevel=1 dev.agenthealth.local.cli.Main "$@"
            }
            """;

    private final LocalSystem system;
    private final MutableClock clock;
    private final Path folder;

    /** A shell that begins in this folder, which is empty. */
    Shell(LocalSystem system, MutableClock clock, Path folder) {
        this.system = system;
        this.clock = clock;
        this.folder = folder;
    }

    /**
     * Runs the examples one after the other in one shell. Skips the test where bash or curl is not installed.
     *
     * @return what each example printed to standard output
     */
    List<String> run(List<Example> examples) throws IOException, InterruptedException {
        assumeThat(Files.isExecutable(Path.of("/bin/bash")) && Files.isExecutable(Path.of("/usr/bin/curl")))
                .as("bash and curl are installed")
                .isTrue();
        HttpServer time = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        time.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            byte[] answer = new byte[0];
            if (path.equals("/date")) {
                answer = clock.instant().toString().getBytes(StandardCharsets.UTF_8);
            } else if (path.equals("/seconds")) {
                answer = Long.toString(clock.instant().getEpochSecond()).getBytes(StandardCharsets.UTF_8);
            } else {
                pass(Integer.parseInt(path.substring("/sleep/".length())));
            }
            exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        time.start();
        try {
            Files.createSymbolicLink(folder.resolve("local"), ROOT.resolve("local"));
            Files.createSymbolicLink(folder.resolve("examples"), ROOT.resolve("examples"));
            Path script = folder.resolve("script.sh");
            Files.writeString(
                    script,
                    script(examples, "http://127.0.0.1:" + time.getAddress().getPort()));
            return outputs(execute(script), examples);
        } finally {
            time.stop(0);
        }
    }

    private void pass(int seconds) {
        for (int left = seconds; left > 0; left -= TICK_SECONDS) {
            clock.advanceSeconds(Math.min(left, TICK_SECONDS));
            system.runSchedules();
            system.drainStreams();
            system.drainQueues();
        }
    }

    private String script(List<Example> examples, String clockUrl) {
        StringBuilder script = new StringBuilder(PRELUDE.replace("CLOCK", clockUrl)
                .replace("SYSTEM", system.baseUrl())
                .replace("JAR", JAR)
                .replace("=PYTHON ", "=" + ROOT.resolve("clients/python") + " ")
                .replace("CLASSES", System.getProperty("java.class.path")));
        for (int i = 0; i < examples.size(); i++) {
            script.append("echo '@begin ").append(i).append("'\n");
            script.append(
                    examples.get(i).answer().isPresent()
                            ? "unset -f curl\n"
                            : "curl() { command curl --fail-with-body \"$@\"; }\n");
            script.append(examples.get(i).text().replace("http://localhost:8080", system.baseUrl()));
            script.append("\nstatus=$?; echo; echo \"@end ").append(i).append(" $status\"\n");
        }
        return script.toString();
    }

    private String execute(Path script) throws IOException, InterruptedException {
        Path printed = folder.resolve("printed");
        Path errors = folder.resolve("errors");
        Process bash = new ProcessBuilder("/bin/bash", script.toString())
                .directory(folder.toFile())
                .redirectOutput(printed.toFile())
                .redirectError(errors.toFile())
                .start();
        boolean ended = bash.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            bash.descendants().forEach(ProcessHandle::destroyForcibly);
            bash.destroyForcibly().waitFor();
        }
        System.out.println(Files.readString(errors, StandardCharsets.UTF_8));
        String text = Files.readString(printed, StandardCharsets.UTF_8);
        assertThat(ended).as("ended within " + LIMIT_SECONDS + " s: " + text).isTrue();
        return text;
    }

    private static List<String> outputs(String printed, List<Example> examples) {
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < examples.size(); i++) {
            Matcher block = Pattern.compile("@begin " + i + "\n(.*)\n@end " + i + " (\\d+)\n", Pattern.DOTALL)
                    .matcher(printed);
            assertThat(block.find())
                    .as(examples.get(i) + " ran to its end: " + printed)
                    .isTrue();
            assertThat(block.group(2))
                    .as("exit status of " + examples.get(i) + ": " + block.group(1))
                    .isEqualTo("0");
            outputs.add(block.group(1));
        }
        return outputs;
    }
}
