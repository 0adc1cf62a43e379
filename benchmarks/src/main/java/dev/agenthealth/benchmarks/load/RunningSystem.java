package dev.agenthealth.benchmarks.load;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A system under measurement, in its own process. Other systems are suspended, so that their background work takes no processor from the
 * measured system.
 */
final class RunningSystem implements AutoCloseable {

    private static final Duration MAX_START = Duration.ofSeconds(60);
    private static final int MAX_STOP_SECONDS = 20;
    private static final String ADMINISTRATOR_KEY = "benchmark-administrator-key";

    /** A key that the reference server accepts in its default configuration. */
    private static final String OPENINTENT_KEY = "dev-user-key";

    /**
     * The start of a system.
     *
     * @param url its URL after the start
     */
    record Start(String name, Dialect dialect, URI url, List<String> command, Map<String, String> environment) {

        private static final String DATA_FOLDER = "AGENT_HEALTH_DATA_DIR";

        /** Returns the start of this project's local run from its jar, on a free port, without a data folder. */
        static Start jar(String name, Path jar) {
            int port = freePort();
            return new Start(
                    name,
                    Dialect.AGENT_HEALTH,
                    URI.create("http://127.0.0.1:" + port),
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-jar",
                            jar.toAbsolutePath().toString()),
                    Map.of("AGENT_HEALTH_PORT", "" + port, "AGENT_HEALTH_ADMIN_KEY", ADMINISTRATOR_KEY));
        }

        /**
         * Returns the start of another server.
         *
         * @param command starts it with its own empty database, on the port {@code $PORT}
         */
        static Start other(String name, Dialect dialect, String command) {
            int port = freePort();
            return new Start(
                    name,
                    dialect,
                    URI.create("http://127.0.0.1:" + port),
                    List.of("sh", "-c", "exec " + command),
                    Map.of("PORT", "" + port));
        }

        /** Returns a copy with an environment variable. */
        Start with(String variable, String value) {
            Map<String, String> more = new HashMap<>(environment);
            more.put(variable, value);
            return new Start(name, dialect, url, command, more);
        }

        /** Returns a copy with its own empty data folder. */
        Start stored() {
            try {
                return with(
                        DATA_FOLDER,
                        Files.createTempDirectory("benchmark-" + name).toString());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Returns a copy on another port, and with another data folder if it has one. */
        Start elsewhere() {
            int port = freePort();
            Map<String, String> other =
                    new HashMap<>(environment.containsKey(DATA_FOLDER) ? stored().environment : environment);
            List.of("AGENT_HEALTH_PORT", "PORT").forEach(name -> other.computeIfPresent(name, (key, old) -> "" + port));
            return new Start(name, dialect, URI.create("http://127.0.0.1:" + port), command, other);
        }

        private static int freePort() {
            try (ServerSocket briefly = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return briefly.getLocalPort();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final Start start;
    private final Process process;
    private final Thread killer;
    private final double startMillis;

    /** Starts the system and waits for its first answer. */
    RunningSystem(Start start) {
        this.start = start;
        long before = System.nanoTime();
        try {
            ProcessBuilder builder = new ProcessBuilder(start.command())
                    .redirectErrorStream(true)
                    .redirectOutput(File.createTempFile("benchmark-" + start.name(), ".log"));
            builder.environment().putAll(start.environment());
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        killer = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(killer);
        awaitAnswer(before + MAX_START.toNanos());
        startMillis = (System.nanoTime() - before) / 1e6;
    }

    /** Starts an equal system that shares nothing with this system. */
    RunningSystem startedAgain() {
        return new RunningSystem(start.elsewhere());
    }

    String name() {
        return start.name();
    }

    Dialect dialect() {
        return start.dialect();
    }

    URI url() {
        return start.url();
    }

    /** Returns the administrator's key, or a key that permits everything; empty for a server without keys. */
    String key() {
        return switch (dialect()) {
            case AGENT_HEALTH -> ADMINISTRATOR_KEY;
            case OPENINTENT -> OPENINTENT_KEY;
            case EUREKA, ETCD -> "";
        };
    }

    /** Returns the milliseconds from the start of the process to its first answer. */
    double startMillis() {
        return startMillis;
    }

    long pid() {
        return process.pid();
    }

    void suspend() {
        signal("STOP");
    }

    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void awaitAnswer(long deadline) {
        byte[] ping = Request.get(dialect().firstPath(), key());
        while (true) {
            try (Connection connection = new Connection(url())) {
                connection.send(ping);
                return;
            } catch (IOException notYet) {
                if (System.nanoTime() > deadline || !process.isAlive()) {
                    process.destroyForcibly();
                    throw new IllegalStateException(name() + " does not start: " + start.command(), notYet);
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(2);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    @Override
    public void close() {
        resume();
        process.destroy();
        try {
            if (!process.waitFor(MAX_STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().removeShutdownHook(killer);
    }
}
