package dev.agenthealth.local.cli;

import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.StackServer;
import dev.agenthealth.model.identity.KeyHash;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the system until it is stopped, and prints a line with its address when it is ready. */
@Command(
        name = ServeCommand.NAME,
        mixinStandardHelpOptions = true,
        description = "Runs the registry on this machine until it is stopped (Ctrl-C).",
        footer = {
            "",
            "AGENT_HEALTH_ADMIN_KEY is the administrator's key: 16 to 256 characters, generated and printed where it is not set. A data"
                    + " folder keeps the hash of the last one."
        })
final class ServeCommand implements Callable<Integer> {

    static final String NAME = "serve";

    /** The line after the start of a registry without a data folder. */
    static final String TEMPORARY =
            "The data is temporary: the end of this process deletes it. --data-dir FOLDER (AGENT_HEALTH_DATA_DIR) keeps it.";

    private final Terminal terminal;

    @Mixin
    private ServeOptions options;

    @Mixin
    private StackOptions stack;

    ServeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (stack.isGiven()) {
            return serveStack();
        }
        waitUntilStopped(startRegistry());
        return ExitStatus.OK;
    }

    /** Starts the registry. No frame of the waiting thread keeps the options, which hold the template. */
    private LocalSystem startRegistry() {
        ServeOptions.Start start = options.start(terminal, new SecureRandom());
        Console log = new Console(terminal.out());
        // Functions log to standard output.
        System.setOut(log);
        LocalSystem system = start(start.options().out(log));
        system.warnings().forEach(warning -> terminal.errors().println("Warning: " + warning));
        terminal.out().println(readyLine(system, start));
        if (!options.keepsData()) {
            terminal.out().println(TEMPORARY);
        }
        warnOfPlainHttp(start.options().host());
        return system;
    }

    private int serveStack() {
        Console log = new Console(terminal.out());
        System.setOut(log);
        StackServer server =
                stack.start(new StackServer.Address(options.host(), options.port(), options.checkedPublicUrl()), log);
        terminal.out().println("Agent Health serves the stack at " + server.baseUrl());
        warnOfPlainHttp(options.host());
        waitUntilStopped(server);
        return ExitStatus.OK;
    }

    /**
     * Starts the system.
     *
     * @throws CommandFailedException if it cannot start; the message is one line with the reason
     */
    static LocalSystem start(LocalOptions options) {
        try {
            return LocalSystem.start(options);
        } catch (BindException e) {
            throw notAvailable(options, e);
        } catch (IOException | RuntimeException e) {
            Throwable reason = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
            String text = reason.getMessage() == null ? reason.toString() : reason.getMessage();
            throw new CommandFailedException("Agent Health cannot start: " + CommandLineTool.oneLine(text), e);
        }
    }

    private static CommandFailedException notAvailable(LocalOptions options, BindException e) {
        return new CommandFailedException(
                "Agent Health cannot start: port " + options.port() + " of " + options.host()
                        + " is not available; another program uses it, or the address is not of this machine."
                        + " --port or AGENT_HEALTH_PORT chooses another port (0: any free one)",
                e);
    }

    /** Fails before a long preparation if the port of these options is taken. */
    static void checkPort(LocalOptions options) throws IOException {
        try {
            new ServerSocket(options.port(), 1, InetAddress.getByName(options.host())).close();
        } catch (BindException e) {
            throw notAvailable(options, e);
        }
    }

    private void warnOfPlainHttp(String host) {
        try {
            if (InetAddress.getByName(host).isLoopbackAddress()) {
                return;
            }
        } catch (UnknownHostException e) {
            throw new IllegalStateException("the server listens on an unknown address: " + host, e);
        }
        terminal.errors()
                .println("Warning: API keys travel unencrypted, since the registry speaks plain HTTP on " + host
                        + ". Put a reverse proxy with TLS in front, as in docs/guides/run-for-a-team.md#tls, and let others reach"
                        + " only the proxy.");
    }

    static String readyLine(LocalSystem system, ServeOptions.Start start) {
        String key = "as given in AGENT_HEALTH_ADMIN_KEY";
        if (!start.generatedKey().isEmpty()) {
            key = KeyHash.ofKey(start.generatedKey()).equals(system.administratorKey())
                    ? start.generatedKey()
                    : "that of an earlier start";
        }
        return "Agent Health is ready at " + system.baseUrl() + " (administrator key: " + key + ")";
    }

    /** Returns when the thread is interrupted. All other threads are daemons; otherwise the shutdown hook ends the run. */
    static void waitUntilStopped(AutoCloseable system) {
        Thread hook = new Thread(() -> close(system), "shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            HeapGrowth.checkUntilInterrupted();
        } catch (InterruptedException e) {
            Runtime.getRuntime().removeShutdownHook(hook);
            close(system);
            Thread.currentThread().interrupt();
        }
    }

    private static void close(AutoCloseable system) {
        try {
            system.close();
        } catch (Exception e) {
            throw new IllegalStateException("the system cannot be stopped in order", e);
        }
    }
}
