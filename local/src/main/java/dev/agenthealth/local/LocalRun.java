package dev.agenthealth.local;

import dev.agenthealth.local.fleet.FleetRun;
import java.io.IOException;
import java.net.BindException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;

/**
 * Runs the system on this machine until it is stopped (Ctrl-C), configured by environment variables; see {@link RunSettings}.
 * Prints one line with the address when it is ready. Exits with status 1 and one line on standard error when it cannot start.
 *
 * <p>With the argument {@code fleet}, runs a simulated fleet against a running system; see {@link FleetRun}.
 */
public final class LocalRun {

    private LocalRun() {}

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length > 0 && arguments[0].equals("fleet")) {
            String[] others = Arrays.copyOfRange(arguments, 1, arguments.length);
            System.exit(new FleetRun(Clock.systemUTC(), System.out).run(others, System.getenv()));
        }
        System.setOut(new Console(System.out));
        RunSettings settings;
        LocalSystem system;
        try {
            settings = RunSettings.of(System.getenv(), new SecureRandom());
            system = start(settings);
        } catch (IOException | RuntimeException e) {
            System.err.println("Agent Health cannot start: " + e.getMessage());
            System.exit(1);
            return;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(system::close, "shutdown"));
        System.out.println(readyLine(system.baseUrl(), settings.generatedKey()));
        waitUntilStopped();
    }

    private static LocalSystem start(RunSettings settings) throws IOException {
        LocalOptions options = settings.options();
        try {
            return LocalSystem.start(options);
        } catch (BindException e) {
            throw new IOException(
                    "port " + options.port() + " of " + options.host()
                            + " is not available; is it in use? AGENT_HEALTH_PORT chooses another (0 for any free one)",
                    e);
        }
    }

    private static String readyLine(String baseUrl, String generatedKey) {
        String key = generatedKey.isEmpty() ? "as given in AGENT_HEALTH_ADMIN_KEY" : generatedKey;
        return "Agent Health is ready at " + baseUrl + " (administrator key: " + key + ")";
    }

    /** All other threads are daemons: the shutdown hook ends the run. */
    private static void waitUntilStopped() {
        try {
            Thread.currentThread().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
