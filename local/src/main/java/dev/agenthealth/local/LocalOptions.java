package dev.agenthealth.local;

import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.functions.runtime.wiring.MailServer;
import dev.agenthealth.functions.runtime.wiring.Pause;
import dev.agenthealth.template.Template;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The options of a {@link LocalSystem}. Immutable: each method that sets an option returns a changed copy. */
public final class LocalOptions implements Cloneable {

    /** The port of a function URL that is not served. */
    public static final int NO_PORT = -1;

    private static final Duration MIN_SWEEP_PERIOD = Duration.ofSeconds(1);
    private static final Duration MAX_SWEEP_PERIOD = Duration.ofSeconds(60);

    private final Supplier<Template> template;
    private final String administratorKey;
    private boolean keptKeyPreferred;
    private String host = "127.0.0.1";
    private int port;
    private String publicUrl = "";
    private int heartbeatUrlPort = NO_PORT;
    private Clock clock = Clock.systemUTC();
    private Pause pause = Pause.real();
    private Duration sweepPeriod = Duration.ofSeconds(5);
    private Path dataFolder = Path.of("");
    private Optional<EmbeddedDynamoDb> database = Optional.empty();
    private boolean automatic = true;
    private boolean heartbeatsSynced;
    private ToLongFunction<Path> usableBytes = file -> file.toFile().getUsableSpace();
    private boolean loopbackEndpoints;
    private Map<String, String> environment = Map.of();
    private PrintStream out = System.out;
    private Optional<MailServer> mailServer = Optional.empty();

    private LocalOptions(Supplier<Template> template, String administratorKey) {
        this.template = template;
        this.administratorKey = administratorKey;
    }

    /**
     * Returns the options of a system on a free port of this machine, without a data folder, on the system's clock, with schedules and
     * deliveries running.
     *
     * @param template the system to run
     * @param administratorKey the API key of the administrator
     */
    public static LocalOptions of(Template template, String administratorKey) {
        return of(() -> template, administratorKey);
    }

    /**
     * Returns the options of a system that reads its template in parallel to the start.
     *
     * @param template called as late as possible
     */
    public static LocalOptions of(Supplier<Template> template, String administratorKey) {
        return new LocalOptions(template, administratorKey);
    }

    /** Uses the key of the data folder, if it keeps a key, instead of the given key. */
    public LocalOptions preferKeptKey() {
        LocalOptions copy = copy();
        copy.keptKeyPreferred = true;
        return copy;
    }

    /** @param newHost the name or address to listen on */
    public LocalOptions host(String newHost) {
        LocalOptions copy = copy();
        copy.host = newHost;
        return copy;
    }

    /** @param newPort 0 for any free port */
    public LocalOptions port(int newPort) {
        LocalOptions copy = copy();
        copy.port = newPort;
        return copy;
    }

    /**
     * Sets the address in messages and documents.
     *
     * @param newUrl empty for the system's own address
     */
    public LocalOptions publicUrl(String newUrl) {
        LocalOptions copy = copy();
        copy.publicUrl = newUrl;
        return copy;
    }

    /**
     * Serves the URL of the heartbeat function.
     *
     * @param newPort 0 for any free port, {@link #NO_PORT} for none
     */
    public LocalOptions heartbeatUrlPort(int newPort) {
        LocalOptions copy = copy();
        copy.heartbeatUrlPort = newPort;
        return copy;
    }

    /**
     * Runs all functions and the database on another clock.
     *
     * @param newPause waits for a time on that clock
     */
    public LocalOptions clock(Clock newClock, Pause newPause) {
        LocalOptions copy = copy();
        copy.clock = newClock;
        copy.pause = newPause;
        return copy;
    }

    /**
     * Sets the duration of a minute in a schedule's rate.
     *
     * @param newPeriod from 1 to 60 s, whole seconds
     * @throws IllegalArgumentException if it is out of range or not in whole seconds
     */
    public LocalOptions sweepPeriod(Duration newPeriod) {
        if (newPeriod.compareTo(MIN_SWEEP_PERIOD) < 0
                || newPeriod.compareTo(MAX_SWEEP_PERIOD) > 0
                || newPeriod.getNano() != 0) {
            throw new IllegalArgumentException("the sweep period must be from 1 to 60 whole seconds");
        }
        LocalOptions copy = copy();
        copy.sweepPeriod = newPeriod;
        return copy;
    }

    /** Keeps the tables in a folder, and creates the folder if needed. An empty path means a temporary file. */
    public LocalOptions dataFolder(Path newFolder) {
        LocalOptions copy = copy();
        copy.dataFolder = newFolder;
        return copy;
    }

    /** Keeps the tables in an open database, which stays open when the system closes. Only one system at a time may use it. */
    public LocalOptions database(EmbeddedDynamoDb newDatabase) {
        LocalOptions copy = copy();
        copy.database = Optional.of(newDatabase);
        return copy;
    }

    /** Syncs each heartbeat to the disk before its answer, instead of a second later. */
    public LocalOptions syncHeartbeats() {
        LocalOptions copy = copy();
        copy.heartbeatsSynced = true;
        return copy;
    }

    /** Sets the source of the free bytes on the database's disk. */
    LocalOptions usableBytes(ToLongFunction<Path> newUsableBytes) {
        LocalOptions copy = copy();
        copy.usableBytes = newUsableBytes;
        return copy;
    }

    /**
     * Runs schedules, streams and queues only through {@link LocalSystem#runSchedules}, {@link LocalSystem#drainStreams} and {@link
     * LocalSystem#drainQueues}.
     */
    public LocalOptions byHand() {
        LocalOptions copy = copy();
        copy.automatic = false;
        return copy;
    }

    /** Allows agents with endpoints on this machine, by http as well as https. Without this option such endpoints are never called. */
    public LocalOptions allowLoopbackEndpoints() {
        LocalOptions copy = copy();
        copy.loopbackEndpoints = true;
        return copy;
    }

    /** Adds environment variables to every function; they replace the template's variables of the same name. */
    public LocalOptions environment(Map<String, String> newEnvironment) {
        LocalOptions copy = copy();
        copy.environment = Map.copyOf(newEnvironment);
        return copy;
    }

    /** Sends e-mail notifications through a server. Without this option they cannot be sent by e-mail. */
    public LocalOptions mailServer(MailServer newMailServer) {
        LocalOptions copy = copy();
        copy.mailServer = Optional.of(newMailServer);
        return copy;
    }

    /** Prints log lines, and events delivered to log groups, to a stream other than standard output. */
    public LocalOptions out(PrintStream newOut) {
        LocalOptions copy = copy();
        copy.out = newOut;
        return copy;
    }

    Template template() {
        return template.get();
    }

    public String administratorKey() {
        return administratorKey;
    }

    /** Returns true if the key of the data folder takes precedence. */
    boolean prefersKeptKey() {
        return keptKeyPreferred;
    }

    public String host() {
        return host;
    }

    public int port() {
        return port;
    }

    /** Returns the address for messages and documents; empty for the system's own address. */
    public Optional<String> publicUrl() {
        return Optional.of(publicUrl).filter(url -> !url.isEmpty());
    }

    public int heartbeatUrlPort() {
        return heartbeatUrlPort;
    }

    Clock clock() {
        return clock;
    }

    Pause pause() {
        return pause;
    }

    public Duration sweepPeriod() {
        return sweepPeriod;
    }

    /** Returns the folder of the tables; empty if they are in a temporary file. */
    public Optional<Path> dataFolder() {
        return Optional.of(dataFolder).filter(folder -> !folder.toString().isEmpty());
    }

    /** Returns the caller's database with the tables; empty if the system opens its own. */
    Optional<EmbeddedDynamoDb> database() {
        return database;
    }

    /** Returns true if heartbeats wait for the disk. */
    public boolean syncsHeartbeats() {
        return heartbeatsSynced;
    }

    ToLongFunction<Path> usableBytes() {
        return usableBytes;
    }

    boolean isAutomatic() {
        return automatic;
    }

    /** Returns true if agents may have endpoints on this machine. */
    public boolean allowsLoopbackEndpoints() {
        return loopbackEndpoints;
    }

    Map<String, String> environment() {
        return environment;
    }

    public Optional<MailServer> mailServer() {
        return mailServer;
    }

    PrintStream out() {
        return out;
    }

    private LocalOptions copy() {
        try {
            return (LocalOptions) clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the class is cloneable", e);
        }
    }
}
