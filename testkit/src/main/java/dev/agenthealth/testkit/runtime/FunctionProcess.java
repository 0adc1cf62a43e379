package dev.agenthealth.testkit.runtime;

import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.template.FunctionDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A function in its own process, started as Lambda starts it.
 *
 * <p>The runtime interface client with its own libraries is on the class path. The working directory is the unpacked package, from which
 * the client loads the handler. The environment has the function's own variables only. The phases of SnapStart are included.
 */
public final class FunctionProcess implements AutoCloseable {

    private static final long MAX_START_SECONDS = 60;
    private static final long MAX_ANSWER_SECONDS = 60;

    private final FunctionDefinition function;
    private final RuntimeApi api;
    private final Process process;
    private final Path output;
    private final Thread killer = new Thread(this::kill);

    /**
     * The folders of a process.
     *
     * @param task the folder of the unpacked package
     * @param logs an existing folder for the process's output
     */
    public record Place(Path task, Path logs) {}

    /**
     * Starts the process and does not wait for it.
     *
     * @param command the command of the {@link RuntimeInterfaceClient}
     * @param environment variables that extend or replace the template's variables
     */
    public FunctionProcess(
            FunctionDefinition function,
            List<String> command,
            Place place,
            Map<String, String> environment,
            EmulatorLog log) {
        this.function = function;
        this.api = new RuntimeApi(function, Clock.systemUTC(), log);
        try {
            this.output = Files.createTempFile(place.logs(), function.logicalId(), ".log");
            this.process = builder(command, place.task(), environment).start();
        } catch (IOException e) {
            api.close();
            throw new UncheckedIOException(e);
        }
        process.onExit().thenAccept(ended -> api.fail("the process ended with status " + ended.exitValue()));
        Runtime.getRuntime().addShutdownHook(killer);
    }

    private ProcessBuilder builder(List<String> command, Path task, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(task.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment(function, task, api.address()));
        builder.environment().putAll(environment);
        return builder;
    }

    /** Waits until the process asks for work, after the restore of its snapshot if the function has one. */
    public void awaitStart() {
        try {
            if (function.snapStart()) {
                api.restored().get(MAX_START_SECONDS, TimeUnit.SECONDS);
            }
            api.ready().get(MAX_START_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw failure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure(e);
        }
    }

    /**
     * Returns the answer of the function to a payload; both are JSON in UTF-8.
     *
     * @throws AssertionError if it fails or does not answer, with the whole output of the process
     */
    public byte[] invoke(byte[] payload) {
        try {
            return api.invoke(payload).get(MAX_ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw failure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure(e);
        }
    }

    /** Returns the output of the process so far, including errors. */
    public String printed() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the processor time used so far; zero if the system does not report it. */
    public Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Asks the process to end and waits for its end, so that files that a JVM writes at its end are complete. */
    public void stop() {
        process.destroy();
        process.onExit().join();
    }

    @Override
    public void close() {
        kill();
        Runtime.getRuntime().removeShutdownHook(killer);
        api.close();
    }

    private void kill() {
        process.destroyForcibly();
    }

    private AssertionError failure(Exception cause) {
        return new AssertionError(
                function.logicalId() + " failed: " + cause + "\n--- what it printed ---\n" + printed(), cause);
    }

    private static Map<String, String> environment(FunctionDefinition function, Path task, String runtimeApi) {
        Map<String, String> environment = new HashMap<>(function.environment());
        environment.put("AWS_LAMBDA_RUNTIME_API", runtimeApi);
        environment.put("AWS_LAMBDA_INITIALIZATION_TYPE", function.snapStart() ? "snap-start" : "on-demand");
        environment.put("AWS_LAMBDA_FUNCTION_NAME", function.name());
        environment.put("AWS_LAMBDA_FUNCTION_VERSION", "1");
        environment.put("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", String.valueOf(function.memoryMegabytes()));
        environment.put("AWS_LAMBDA_LOG_GROUP_NAME", "/aws/lambda/" + function.name());
        environment.put("AWS_LAMBDA_LOG_STREAM_NAME", "test");
        environment.put("AWS_LAMBDA_LOG_FORMAT", "JSON");
        environment.put("_HANDLER", handler(function));
        environment.put("LAMBDA_TASK_ROOT", task.toString());
        environment.put("AWS_REGION", "us-east-1");
        environment.put("AWS_DEFAULT_REGION", "us-east-1");
        environment.put("AWS_ACCESS_KEY_ID", "local");
        environment.put("AWS_SECRET_ACCESS_KEY", "local");
        environment.put("TZ", ":UTC");
        return environment;
    }

    /** Returns the handler as the template names it. */
    public static String handler(FunctionDefinition function) {
        return function.handlerClass() + "::" + function.handlerMethod();
    }
}
