package dev.agenthealth.local;

import dev.agenthealth.functions.wiring.Pause;
import dev.agenthealth.template.Template;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** How a {@link LocalSystem} runs. Immutable; made by {@link #builder}. */
public final class LocalOptions {

    private static final Path IN_MEMORY = Path.of("");
    private static final Duration MIN_SWEEP_PERIOD = Duration.ofSeconds(1);
    private static final Duration MAX_SWEEP_PERIOD = Duration.ofSeconds(60);

    private final Template template;
    private final String administratorKey;
    private final String host;
    private final int port;
    private final Clock clock;
    private final Pause pause;
    private final Duration sweepPeriod;
    private final Path dataFolder;
    private final boolean automatic;
    private final boolean loopbackEndpoints;
    private final Map<String, String> environment;
    private final PrintStream out;

    private LocalOptions(Builder builder) {
        this.template = builder.template;
        this.administratorKey = builder.administratorKey;
        this.host = builder.host;
        this.port = builder.port;
        this.clock = builder.clock;
        this.pause = builder.pause;
        this.sweepPeriod = builder.sweepPeriod;
        this.dataFolder = builder.dataFolder;
        this.automatic = builder.automatic;
        this.loopbackEndpoints = builder.loopbackEndpoints;
        this.environment = builder.environment;
        this.out = builder.out;
    }

    /**
     * Options of a system on a free port of this machine, in memory, on the system's clock, running by itself.
     *
     * @param template the system to run
     * @param administratorKey the key that may do everything
     */
    public static Builder builder(Template template, String administratorKey) {
        return new Builder(template, administratorKey);
    }

    Template template() {
        return template;
    }

    String administratorKey() {
        return administratorKey;
    }

    String host() {
        return host;
    }

    int port() {
        return port;
    }

    Clock clock() {
        return clock;
    }

    Pause pause() {
        return pause;
    }

    Duration sweepPeriod() {
        return sweepPeriod;
    }

    /** The folder that keeps the tables; empty when they are in memory. */
    Optional<Path> dataFolder() {
        return dataFolder.equals(IN_MEMORY) ? Optional.empty() : Optional.of(dataFolder);
    }

    boolean isAutomatic() {
        return automatic;
    }

    /** Whether agents may have endpoints on this machine. */
    boolean allowsLoopbackEndpoints() {
        return loopbackEndpoints;
    }

    Map<String, String> environment() {
        return environment;
    }

    PrintStream out() {
        return out;
    }

    /** Whether items expire: DynamoDB Local removes them by the machine's clock, which is wrong on any other. */
    boolean itemsExpire() {
        return clock.equals(Clock.systemUTC());
    }

    /** Collects options; each method returns the builder itself. Not thread-safe. */
    public static final class Builder {

        private final Template template;
        private final String administratorKey;
        private String host = "127.0.0.1";
        private int port;
        private Clock clock = Clock.systemUTC();
        private Pause pause = Pause.real();
        private Duration sweepPeriod = Duration.ofSeconds(5);
        private Path dataFolder = IN_MEMORY;
        private boolean automatic = true;
        private boolean loopbackEndpoints;
        private Map<String, String> environment = Map.of();
        private PrintStream out = System.out;

        private Builder(Template template, String administratorKey) {
            this.template = template;
            this.administratorKey = administratorKey;
        }

        /** @param newHost the name or address to listen on */
        public Builder host(String newHost) {
            host = newHost;
            return this;
        }

        /** @param newPort 0 for any free one */
        public Builder port(int newPort) {
            port = newPort;
            return this;
        }

        /**
         * Runs all functions on another clock. Items do not expire then.
         *
         * @param newPause how functions let time pass on that clock
         */
        public Builder clock(Clock newClock, Pause newPause) {
            clock = newClock;
            pause = newPause;
            return this;
        }

        /**
         * Sets how long a minute of a schedule's rate takes.
         *
         * @param newPeriod from 1 to 60 s, whole seconds
         * @throws IllegalArgumentException when it is anything else
         */
        public Builder sweepPeriod(Duration newPeriod) {
            if (newPeriod.compareTo(MIN_SWEEP_PERIOD) < 0
                    || newPeriod.compareTo(MAX_SWEEP_PERIOD) > 0
                    || newPeriod.getNano() != 0) {
                throw new IllegalArgumentException("the sweep period must be from 1 to 60 whole seconds");
            }
            sweepPeriod = newPeriod;
            return this;
        }

        /** Keeps the tables in a folder, which is made when it is not there. */
        public Builder dataFolder(Path newFolder) {
            dataFolder = newFolder;
            return this;
        }

        /**
         * Runs schedules, streams and queues only through {@link LocalSystem#runSchedules}, {@link LocalSystem#drainStreams} and {@link
         * LocalSystem#drainQueues}.
         */
        public Builder byHand() {
            automatic = false;
            return this;
        }

        /** Lets agents have endpoints on this machine, by http as well as https; they are never called otherwise. */
        public Builder allowLoopbackEndpoints() {
            loopbackEndpoints = true;
            return this;
        }

        /** Gives every function these environment variables, in place of the template's where both name one. */
        public Builder environment(Map<String, String> newEnvironment) {
            environment = Map.copyOf(newEnvironment);
            return this;
        }

        /** Sends log lines, and events delivered to log groups, somewhere else than to standard output. */
        public Builder out(PrintStream newOut) {
            out = newOut;
            return this;
        }

        public LocalOptions build() {
            return new LocalOptions(this);
        }
    }
}
