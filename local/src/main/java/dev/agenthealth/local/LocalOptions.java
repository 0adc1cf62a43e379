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
     * Options of a system on a free port of this machine, without a data folder, on the system's clock, with schedules and deliveries running.
     *
     * @param template the system to run
     * @param administratorKey the API key of the administrator
     */
    public static LocalOptions of(Template template, String administratorKey) {
        return of(() -> template, administratorKey);
    }

    /** Options of a system whose template is read while the start does other work. @param template called as late as possible */
    public static LocalOptions of(Supplier<Template> template, String administratorKey) {
        return new LocalOptions(template, administratorKey);
    }

    /** Uses the key that the data folder keeps instead of the one given, where it keeps one. */
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

    /** @param newPort 0 for any free one */
    public LocalOptions port(int newPort) {
        LocalOptions copy = copy();
        copy.port = newPort;
        return copy;
    }

    /** Names an address in messages and documents instead of its own. @param newUrl empty for its own */
    public LocalOptions publicUrl(String newUrl) {
        LocalOptions copy = copy();
        copy.publicUrl = newUrl;
        return copy;
    }

    /** Serves the URL of the heartbeat function. @param newPort 0 for any free one, {@link #NO_PORT} for none */
    public LocalOptions heartbeatUrlPort(int newPort) {
        LocalOptions copy = copy();
        copy.heartbeatUrlPort = newPort;
        return copy;
    }

    /**
     * Runs all functions and the database on another clock.
     *
     * @param newPause lets time pass on that clock
     */
    public LocalOptions clock(Clock newClock, Pause newPause) {
        LocalOptions copy = copy();
        copy.clock = newClock;
        copy.pause = newPause;
        return copy;
    }

    /**
     * Sets how long a minute of a schedule's rate takes.
     *
     * @param newPeriod from 1 to 60 s, whole seconds
     * @throws IllegalArgumentException when it is anything else
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

    /** Keeps the tables in a folder, which is created when it does not exist. An empty path means a temporary file. */
    public LocalOptions dataFolder(Path newFolder) {
        LocalOptions copy = copy();
        copy.dataFolder = newFolder;
        return copy;
    }

    /** Keeps the tables in a database that is open, and stays open when the system is closed. One system at a time may use it. */
    public LocalOptions database(EmbeddedDynamoDb newDatabase) {
        LocalOptions copy = copy();
        copy.database = Optional.of(newDatabase);
        return copy;
    }

    /** Lets a heartbeat survive a loss of power as soon as it is answered, instead of a second later. */
    public LocalOptions syncHeartbeats() {
        LocalOptions copy = copy();
        copy.heartbeatsSynced = true;
        return copy;
    }

    /** Decides how many bytes the disk of the database has left. */
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

    /** Allows agents with endpoints on this machine, by http as well as https; they are never called otherwise. */
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

    /** Sends notifications by e-mail through a server; they cannot be sent by e-mail otherwise. */
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

    /** True when a key that the data folder keeps is used instead. */
    boolean prefersKeptKey() {
        return keptKeyPreferred;
    }

    public String host() {
        return host;
    }

    public int port() {
        return port;
    }

    /** The address that messages and documents name; empty for the system's own. */
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

    /** The folder that keeps the tables; empty when they are in a temporary file. */
    public Optional<Path> dataFolder() {
        return Optional.of(dataFolder).filter(folder -> !folder.toString().isEmpty());
    }

    /** The database of the caller that keeps the tables; empty where the system opens its own. */
    Optional<EmbeddedDynamoDb> database() {
        return database;
    }

    /** True when heartbeats wait until the disk has them. */
    public boolean syncsHeartbeats() {
        return heartbeatsSynced;
    }

    ToLongFunction<Path> usableBytes() {
        return usableBytes;
    }

    boolean isAutomatic() {
        return automatic;
    }

    /** True when agents may have endpoints on this machine. */
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
