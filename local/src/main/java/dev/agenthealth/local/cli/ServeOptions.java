package dev.agenthealth.local.cli;

import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.PackagedTemplate;
import dev.agenthealth.local.mail.SmtpServer;
import dev.agenthealth.template.Template;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a run of the system. Each option has an environment variable. */
final class ServeOptions {

    private static final String ADMIN_KEY = "AGENT_HEALTH_ADMIN_KEY";
    private static final int KEY_BYTES = 32;
    private static final int MIN_KEY = 16;
    private static final int MAX_KEY = 256;
    private static final int MAX_PORT = 65_535;
    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;
    private static final int NO_PORT = -1;

    /** Segments that every proxy and client leaves unchanged: not encoded, not empty, and neither {@code .} nor {@code ..}. */
    private static final Pattern PATH = Pattern.compile("(/(?![.]{1,2}(/|$))[A-Za-z0-9._~-]+)*/?");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "port (8080); 0 selects a free one. AGENT_HEALTH_PORT")
    private int port;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "address that it listens on (127.0.0.1). AGENT_HEALTH_HOST")
    private String host;

    @Option(
            names = "--public-url",
            paramLabel = "URL",
            defaultValue = "",
            description =
                    "address at which others reach it through a proxy, such as https://agents.example.com, perhaps with a path that the"
                            + " proxy strips: messages, documents and agents' notifications name it (the requested host)."
                            + " AGENT_HEALTH_PUBLIC_URL")
    private String publicUrl;

    @Option(
            names = "--data-dir",
            paramLabel = "FOLDER",
            defaultValue = "",
            description = "folder that keeps the data across restarts (a temporary file). AGENT_HEALTH_DATA_DIR")
    private Path dataDir;

    @Option(
            names = "--sweep-seconds",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "time between two sweeps, 1 to 60 (5). AGENT_HEALTH_SWEEP_SECONDS")
    private int sweepSeconds;

    @Option(
            names = "--heartbeat-url-port",
            paramLabel = "PORT",
            defaultValue = "-1",
            description =
                    "port of a URL for heartbeats alone, as HeartbeatFunctionUrl deploys one (none). AGENT_HEALTH_HEARTBEAT_URL_PORT")
    private int heartbeatUrlPort;

    @Option(
            names = "--event-retention-days",
            paramLabel = "DAYS",
            defaultValue = "90",
            description = "days for which events can be read, 30 to 365 (90). AGENT_HEALTH_EVENT_RETENTION_DAYS")
    private int eventRetentionDays;

    @Option(
            names = "--audit-retention-days",
            paramLabel = "DAYS",
            defaultValue = "400",
            description =
                    "days for which the audit log keeps an entry, 90 to 3650 (400). AGENT_HEALTH_AUDIT_RETENTION_DAYS")
    private int auditRetentionDays;

    @Option(
            names = "--sync-heartbeats",
            defaultValue = "false",
            description =
                    "lets a heartbeat survive a loss of power as soon as it is answered, instead of a second later; heartbeats"
                            + " take longer. AGENT_HEALTH_SYNC_HEARTBEATS=true")
    private boolean syncHeartbeats;

    @Option(
            names = "--allow-loopback-endpoints",
            defaultValue = "false",
            description =
                    "lets the gateway call agents on this machine, and notifications reach receivers on it, also by http."
                            + " AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS=true")
    private boolean allowLoopbackEndpoints;

    @Mixin
    private SmtpOptions smtp;

    /**
     * The settings of a start.
     *
     * @param options the options of the system
     * @param generatedKey the administrator's key that was generated for this run; empty if a key was given
     */
    record Start(LocalOptions options, String generatedKey) {

        /** Leaves out the key. */
        @Override
        public String toString() {
            return "Start";
        }
    }

    /**
     * Checks the options. Without a key, generates a key if the data folder keeps none.
     *
     * @throws ParameterException if an option is out of its range; the message names it
     */
    Start start(Terminal terminal, SecureRandom random) {
        String given = terminal.variable(ADMIN_KEY);
        check(
                given.isEmpty()
                        || given.length() >= MIN_KEY
                                && given.length() <= MAX_KEY
                                && given.chars().allMatch(c -> c > ' ' && c < 0x7f),
                ADMIN_KEY + " must be 16 to 256 visible ASCII characters without a space");
        check(port >= 0 && port <= MAX_PORT, "--port (AGENT_HEALTH_PORT) must be from 0 to 65535");
        check(
                heartbeatUrlPort >= NO_PORT && heartbeatUrlPort <= MAX_PORT,
                "--heartbeat-url-port (AGENT_HEALTH_HEARTBEAT_URL_PORT) must be from 0 to 65535");
        check(
                FunctionSettings.SWEEP_PERIOD_SECONDS.accepts(sweepSeconds),
                "--sweep-seconds (AGENT_HEALTH_SWEEP_SECONDS) must be from 1 to 60");
        check(
                FunctionSettings.EVENT_RETENTION_DAYS.accepts(eventRetentionDays),
                "--event-retention-days (AGENT_HEALTH_EVENT_RETENTION_DAYS) must be from 30 to 365");
        check(
                FunctionSettings.AUDIT_RETENTION_DAYS.accepts(auditRetentionDays),
                "--audit-retention-days (AGENT_HEALTH_AUDIT_RETENTION_DAYS) must be from 90 to 3650");
        String generated = given.isEmpty() ? generateKey(random) : "";
        LocalOptions options = LocalOptions.of(packagedTemplate(), given + generated)
                .host(host)
                .port(port)
                .publicUrl(checkedPublicUrl())
                .heartbeatUrlPort(heartbeatUrlPort)
                .sweepPeriod(Duration.ofSeconds(sweepSeconds))
                .dataFolder(dataDir)
                .environment(Map.of(
                        FunctionSettings.EVENT_RETENTION_DAYS.name(), Integer.toString(eventRetentionDays),
                        FunctionSettings.AUDIT_RETENTION_DAYS.name(), Integer.toString(auditRetentionDays)));
        options = syncHeartbeats ? options.syncHeartbeats() : options;
        options = allowLoopbackEndpoints ? options.allowLoopbackEndpoints() : options;
        // A reference to the constructor would load the library for e-mail without a mail server as well.
        options = smtp.settings(terminal)
                .map(settings -> new SmtpServer(settings))
                .map(options::mailServer)
                .orElse(options);
        return new Start(generated.isEmpty() ? options : options.preferKeptKey(), generated);
    }

    /** Returns the address to listen on. */
    String host() {
        return host;
    }

    /** Returns true if a folder keeps the data after the end of the process. */
    boolean keepsData() {
        return !dataDir.toString().isEmpty();
    }

    /** Returns the port to listen on; 0 for a free port. */
    int port() {
        return port;
    }

    /**
     * Returns the public address for answers; empty if it is not set.
     *
     * @throws ParameterException if it is no address; the message names it
     */
    String checkedPublicUrl() {
        Optional<String> address = address(publicUrl);
        check(
                publicUrl.isEmpty() || address.isPresent(),
                "--public-url (AGENT_HEALTH_PUBLIC_URL) must be http:// or https://, a host, and perhaps a port and a path"
                        + " of letters, digits and . _ ~ - between its slashes, and no more");
        return address.orElse("");
    }

    private void check(boolean condition, String message) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    /**
     * Returns the address in normal form, such as {@code https://agents.example.com:8443/registry}; empty if the text is no address. As in
     * browsers, scheme and host are in lower case and the scheme's default port is left out. The path has no trailing slash.
     */
    private static Optional<String> address(String text) {
        try {
            URI url = new URI(text);
            String host = url.getHost();
            String path = url.getRawPath() == null ? "" : url.getRawPath();
            boolean secure = "https".equalsIgnoreCase(url.getScheme());
            if (host == null
                    || !secure && !"http".equalsIgnoreCase(url.getScheme())
                    || url.getPort() == 0
                    || url.getPort() > MAX_PORT
                    || !PATH.matcher(path).matches()
                    || !new URI(url.getScheme(), null, host, url.getPort(), path, null, null).equals(url)
                    || url.getRawAuthority().endsWith(":")) {
                return Optional.empty();
            }
            String port = url.getPort() == -1 || url.getPort() == (secure ? HTTPS_PORT : HTTP_PORT)
                    ? ""
                    : ":" + url.getPort();
            String prefix = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
            return Optional.of((secure ? "https://" : "http://") + host.toLowerCase(Locale.ROOT) + port + prefix);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    static String generateKey(SecureRandom random) {
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Reads the template of the jar in parallel to the caller, since it takes as long as starting the server. */
    static Supplier<Template> packagedTemplate() {
        return CompletableFuture.supplyAsync(PackagedTemplate::read, task -> new Thread(task, "template").start())
                ::join;
    }
}
