package dev.agenthealth.local.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes of tests whose JVM is killed. */
@Tag("slow")
class EndsWithParentTest {

    /** Never ends by itself. */
    static final class Endless {

        public static void main(String[] arguments) throws InterruptedException {
            System.out.println(ProcessHandle.current().pid());
            new CountDownLatch(1).await();
        }
    }

    /** Starts the other one, as a test does. */
    static final class Parent {

        public static void main(String[] arguments) throws IOException, InterruptedException {
            Process child = start(EndsWithParent.class.getName(), Endless.class.getName());
            try (BufferedReader lines = child.inputReader()) {
                System.out.println(lines.readLine());
                child.waitFor();
            }
        }
    }

    private static Process start(String... program) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1");
        builder.command().addAll(List.of(program));
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    @Test
    void a_child_ends_when_its_parent_is_killed() throws Exception {
        Process parent = start(Parent.class.getName());
        try (BufferedReader lines = parent.inputReader()) {
            ProcessHandle child =
                    ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow();
            try {
                assertThat(child.isAlive()).isTrue();
                parent.destroyForcibly().waitFor();
                assertThat(child.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
            } finally {
                child.destroyForcibly();
            }
        }
    }
}
