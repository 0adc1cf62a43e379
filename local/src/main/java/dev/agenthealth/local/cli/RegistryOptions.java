package dev.agenthealth.local.cli;

import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.AgentHealthClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * The registry that a client command talks to, and what proves who the caller is: read from a file or the environment, never from the arguments.
 */
final class RegistryOptions extends RegistryAddress {

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "file with the API key, instead of the variable AGENT_HEALTH_KEY")
    private Path keyFile;

    /**
     * Talks to the registry with the key of the file or of AGENT_HEALTH_KEY, the token of AGENT_HEALTH_TOKEN_FILE, or AGENT_HEALTH_ADMIN_KEY.
     *
     * @param needed the role of a key that suffices, for the message when the registry refuses
     * @throws ParameterException when there is none of them
     * @throws CommandFailedException when the registry does not answer or refuses; the message says what to do
     */
    <T> T call(Terminal terminal, String needed, Function<AgentHealthClient, T> work) {
        return call(authenticated(terminal), needed, work);
    }

    private AgentHealthClientBuilder authenticated(Terminal terminal) {
        if (keyFile != null) {
            return withKey(contentOf(keyFile));
        }
        String key = terminal.variable("AGENT_HEALTH_KEY");
        String tokenFile = terminal.variable("AGENT_HEALTH_TOKEN_FILE");
        if (key.isEmpty() && !tokenFile.isEmpty()) {
            return client().tokenFile(Path.of(tokenFile));
        }
        key = key.isEmpty() ? terminal.variable("AGENT_HEALTH_ADMIN_KEY") : key;
        if (key.isEmpty()) {
            throw usage("an API key is needed: set AGENT_HEALTH_KEY, or name a file with --key-file");
        }
        return withKey(key);
    }

    private AgentHealthClientBuilder withKey(String key) {
        try {
            return client().apiKey(key);
        } catch (IllegalArgumentException e) {
            throw usage(e.getMessage());
        }
    }

    private String contentOf(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw usage("--key-file cannot be read: " + e);
        }
    }
}
