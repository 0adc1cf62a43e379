package dev.agenthealth.local.cli;

import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.AgentHealthClientBuilder;
import dev.agenthealth.model.ReceivedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The registry and the credential of a client command. The credential comes from a file or the environment, never from the arguments. */
final class RegistryOptions extends RegistryAddress {

    private static final String KEY = "AGENT_HEALTH_KEY";
    private static final String TOKEN_FILE = "AGENT_HEALTH_TOKEN_FILE";
    private static final String ADMIN_KEY = "AGENT_HEALTH_ADMIN_KEY";

    /** The variables with a credential; each takes precedence over a sign-in. */
    static final List<String> VARIABLES = List.of(KEY, TOKEN_FILE, ADMIN_KEY);

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "file with the API key, instead of the variable AGENT_HEALTH_KEY")
    private Path keyFile;

    /**
     * Calls the registry with the key of the file or of AGENT_HEALTH_KEY, the token of AGENT_HEALTH_TOKEN_FILE, AGENT_HEALTH_ADMIN_KEY, or
     * the sign-in of 'login'.
     *
     * @param needed the role of a key that suffices, for the message of a refusal
     * @throws ParameterException if there is no credential
     * @throws CommandFailedException if the registry does not answer or refuses; the message says what to do
     */
    <T> T call(Terminal terminal, String needed, Function<AgentHealthClient, T> work) {
        return call(authenticated(terminal), needed, work);
    }

    private AgentHealthClientBuilder authenticated(Terminal terminal) {
        if (keyFile != null) {
            return withKey(contentOf(keyFile));
        }
        String key = terminal.variable(KEY);
        String tokenFile = terminal.variable(TOKEN_FILE);
        if (key.isEmpty() && !tokenFile.isEmpty()) {
            return client().tokenFile(Path.of(tokenFile));
        }
        key = key.isEmpty() ? terminal.variable(ADMIN_KEY) : key;
        return key.isEmpty() ? signedIn(new Logins(terminal)) : withKey(key);
    }

    private AgentHealthClientBuilder signedIn(Logins logins) {
        AgentHealthClientBuilder client = client();
        return logins.find(url())
                .map(login -> client.token(new LoginToken(this, logins, login)))
                .orElseThrow(
                        () -> usage(
                                "an API key or a sign-in is needed: 'login' signs in; or set AGENT_HEALTH_KEY or AGENT_HEALTH_TOKEN_FILE, or name a file with --key-file"));
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
            return ReceivedText.of(Files.readString(file)).strip();
        } catch (IOException e) {
            throw usage("--key-file cannot be read: " + e);
        }
    }
}
