package dev.agenthealth.local.cli;

import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.AgentHealthException;
import dev.agenthealth.client.ForbiddenException;
import dev.agenthealth.client.ProblemException;
import dev.agenthealth.client.RegistryUnreachableException;
import dev.agenthealth.client.UnauthenticatedException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The registry that a client command talks to. The key is read from the environment or from a file, never from the arguments. */
final class RegistryOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://localhost:8080",
            description = "address of the registry (http://localhost:8080). AGENT_HEALTH_URL")
    private String url;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "file with the API key, instead of the variable AGENT_HEALTH_KEY")
    private Path keyFile;

    String url() {
        return url.replaceAll("/+$", "");
    }

    /**
     * The API key: of the file, of AGENT_HEALTH_KEY, or of AGENT_HEALTH_ADMIN_KEY.
     *
     * @throws ParameterException when there is none
     */
    String key(Terminal terminal) {
        String key = "";
        if (keyFile != null) {
            try {
                key = Files.readString(keyFile).strip();
            } catch (IOException e) {
                throw new ParameterException(spec.commandLine(), "--key-file cannot be read: " + e, e);
            }
        }
        for (String variable : new String[] {"AGENT_HEALTH_KEY", "AGENT_HEALTH_ADMIN_KEY"}) {
            key = key.isEmpty() ? terminal.variable(variable) : key;
        }
        if (key.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "an API key is needed: set AGENT_HEALTH_KEY, or name a file with --key-file");
        }
        return key;
    }

    /**
     * Talks to the registry.
     *
     * @param needed the role of a key that suffices, for the message when the registry refuses
     * @throws CommandFailedException when the registry does not answer or refuses; the message says what to do
     */
    <T> T call(Terminal terminal, String needed, Function<AgentHealthClient, T> work) {
        String key = key(terminal);
        try (AgentHealthClient client = client(key)) {
            return work.apply(client);
        } catch (RegistryUnreachableException e) {
            throw new CommandFailedException(unreachable(e), e);
        } catch (UnauthenticatedException e) {
            throw new CommandFailedException(
                    "The registry at " + url()
                            + " does not know this key (401). Is it a key of this registry, and not revoked?",
                    e);
        } catch (ForbiddenException e) {
            throw new CommandFailedException(
                    "This key may not do that (403): a key with the role " + needed + " is needed. " + e.detail(), e);
        } catch (AgentHealthException e) {
            throw new CommandFailedException("The registry at " + url() + " refuses: " + e.getMessage() + fields(e), e);
        }
    }

    /** Every mistake where there are several; the message itself names a single one. */
    private static String fields(AgentHealthException failure) {
        return failure instanceof ProblemException problem && problem.errors().size() > 1
                ? problem.errors().stream()
                        .map(error -> "'" + error.field() + "' " + error.message())
                        .collect(Collectors.joining(", ", " ", "."))
                : "";
    }

    private AgentHealthClient client(String key) {
        try {
            return AgentHealthClient.builder(url)
                    .apiKey(key)
                    .maxRetryTime(Duration.ZERO)
                    .drainOnShutdown(false)
                    .build();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), CommandLineTool.oneLine(e.getMessage()), e);
        }
    }

    private String unreachable(RegistryUnreachableException failure) {
        String reason = "no answer in time";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
                reason = "unknown host";
            } else if (cause instanceof SSLException) {
                reason = "the TLS connection failed: " + cause.getMessage();
            } else if (cause instanceof ConnectException && reason.equals("no answer in time")) {
                reason = "connection refused";
            }
        }
        return "No registry answers at " + url() + " (" + reason
                + "). Is it running ('serve' starts one)? --url or AGENT_HEALTH_URL says where it is.";
    }
}
