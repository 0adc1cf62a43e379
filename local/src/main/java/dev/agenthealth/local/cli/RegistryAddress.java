package dev.agenthealth.local.cli;

import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.AgentHealthClientBuilder;
import dev.agenthealth.client.AgentHealthException;
import dev.agenthealth.client.ForbiddenException;
import dev.agenthealth.client.ProblemException;
import dev.agenthealth.client.RegistryUnreachableException;
import dev.agenthealth.client.UnauthenticatedException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The address of the registry for a client command, with the messages for failures and refusals. */
class RegistryAddress {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://localhost:8080",
            description = "address of the registry (http://localhost:8080). AGENT_HEALTH_URL")
    private String url;

    String url() {
        return url.replaceAll("/+$", "");
    }

    ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), CommandLineTool.oneLine(message));
    }

    /** Returns a client without a credential. */
    AgentHealthClientBuilder client() {
        try {
            return AgentHealthClient.builder(url)
                    .fewRequests()
                    .maxRetryTime(Duration.ZERO)
                    .drainOnShutdown(false);
        } catch (IllegalArgumentException e) {
            throw usage(e.getMessage());
        }
    }

    /**
     * Calls the registry.
     *
     * @param needed the role of a key that suffices, for the message of a refusal
     * @throws CommandFailedException if the registry does not answer or refuses; the message says what to do
     */
    <T> T call(AgentHealthClientBuilder settings, String needed, Function<AgentHealthClient, T> work) {
        try (AgentHealthClient client = built(settings)) {
            return work.apply(client);
        } catch (RegistryUnreachableException e) {
            throw new CommandFailedException(unreachable(e), e);
        } catch (UnauthenticatedException e) {
            throw new CommandFailedException(
                    "The registry at " + url()
                            + (e.code().equals("invalid_token")
                                    ? " does not accept this token (401). " + e.detail()
                                    : " does not know this key (401). Is it a key of this registry, and not revoked?"),
                    e);
        } catch (ForbiddenException e) {
            throw new CommandFailedException(
                    "This key may not do that (403): a key with the role " + needed + " is needed. " + e.detail(), e);
        } catch (AgentHealthException e) {
            throw new CommandFailedException("The registry at " + url() + " refuses: " + mistakes(e), e);
        }
    }

    private AgentHealthClient built(AgentHealthClientBuilder settings) {
        try {
            return settings.build();
        } catch (IllegalArgumentException e) {
            throw usage(e.getMessage());
        }
    }

    /** Returns all mistakes of a request, each with the option or parameter that made it. */
    private String mistakes(AgentHealthException failure) {
        if (!(failure instanceof ProblemException problem) || problem.errors().isEmpty()) {
            return failure.getMessage();
        }
        FieldNames names = new FieldNames(spec, this);
        return problem.errors().stream()
                .map(error -> names.of(error.field()) + " " + error.message())
                .collect(Collectors.joining(", ", "", "."));
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
