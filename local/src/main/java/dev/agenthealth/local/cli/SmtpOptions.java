package dev.agenthealth.local.cli;

import dev.agenthealth.local.mail.SmtpSettings;
import dev.agenthealth.local.mail.SmtpSettings.Security;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of the mail server. The password is only a variable, since other programs can see options. */
final class SmtpOptions {

    static final String PASSWORD = "AGENT_HEALTH_SMTP_PASSWORD";

    private static final String DEFAULT_PORT = "587";
    private static final int MAX_PORT = 65_535;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--smtp-host",
            paramLabel = "HOST",
            defaultValue = "",
            description = "mail server that sends notifications by e-mail (none). AGENT_HEALTH_SMTP_HOST")
    private String host;

    @Option(
            names = "--smtp-port",
            paramLabel = "PORT",
            defaultValue = DEFAULT_PORT,
            description = "its port (587). AGENT_HEALTH_SMTP_PORT")
    private int port;

    @Option(
            names = "--smtp-security",
            paramLabel = "starttls|tls|none",
            defaultValue = "STARTTLS",
            description = "how the connection is encrypted (starttls). AGENT_HEALTH_SMTP_SECURITY")
    private Security security;

    @Option(
            names = "--smtp-user",
            paramLabel = "USER",
            defaultValue = "",
            description =
                    "user of the mail server, with the password in AGENT_HEALTH_SMTP_PASSWORD (none). AGENT_HEALTH_SMTP_USER")
    private String user;

    @Option(
            names = "--smtp-from",
            paramLabel = "ADDRESS",
            defaultValue = "",
            description = "address of the sender; required with --smtp-host. AGENT_HEALTH_SMTP_FROM")
    private String from;

    /**
     * Returns the settings; empty without a host.
     *
     * @throws ParameterException if a setting is out of its range or missing; the message names it
     */
    Optional<SmtpSettings> settings(Terminal terminal) {
        if (host.isEmpty()) {
            return Optional.empty();
        }
        String password = terminal.variable(PASSWORD);
        check(port >= 1 && port <= MAX_PORT, "--smtp-port (AGENT_HEALTH_SMTP_PORT) must be from 1 to 65535");
        check(SmtpSettings.isAddress(from), "--smtp-from (AGENT_HEALTH_SMTP_FROM) must be an e-mail address");
        check(
                user.isEmpty() == password.isEmpty(),
                "--smtp-user (AGENT_HEALTH_SMTP_USER) and " + PASSWORD + " must be given together");
        check(
                user.isEmpty() || security != Security.NONE,
                "--smtp-security (AGENT_HEALTH_SMTP_SECURITY) must not be none with --smtp-user: the password would travel unencrypted");
        return Optional.of(new SmtpSettings(host, port, security, user, password, from));
    }

    private void check(boolean condition, String message) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
