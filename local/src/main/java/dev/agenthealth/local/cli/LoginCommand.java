package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.ForbiddenException;
import dev.agenthealth.client.ProblemException;
import dev.agenthealth.client.RateLimitedException;
import dev.agenthealth.client.RegistryBusyException;
import dev.agenthealth.client.RegistryUnreachableException;
import dev.agenthealth.local.cli.Logins.Login;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Signs a person in at a registry: by a code on any device if the provider offers it, otherwise by the browser of this machine. */
@Command(
        name = LoginCommand.NAME,
        mixinStandardHelpOptions = true,
        description = {
            "Signs you in with the identity provider of the registry: open the printed address in a browser.",
            "Commands without a key of their own use the sign-in from then on, and refresh it. It is kept in a file that only you can read."
        })
final class LoginCommand implements Callable<Integer> {

    static final String NAME = "login";

    private static final long MAX_SECONDS = 900;

    private final Terminal terminal;
    private final LongConsumer pause;

    @Mixin
    private RegistryAddress registry;

    @Option(
            names = "--provider",
            paramLabel = "NAME",
            description = "the identity provider, where the registry has several")
    private String name;

    LoginCommand(Terminal terminal) {
        this(terminal, LoginCommand::sleep);
    }

    /** @param pause waits for a number of seconds */
    LoginCommand(Terminal terminal, LongConsumer pause) {
        this.terminal = terminal;
        this.pause = pause;
    }

    @Override
    public Integer call() {
        Login login = registry.call(registry.client(), "", this::signedIn);
        JsonNode me = registry.call(registry.client().token(login::token), "", client -> {
            try {
                return client.signIn().me();
            } catch (ForbiddenException e) {
                throw new CommandFailedException("You are not signed in: " + e.detail(), e);
            }
        });
        new Logins(terminal).save(registry.url(), login);
        printMessage("Signed in at " + registry.url() + " as " + me.path("name").asText() + " ("
                + me.path("role").asText() + ")");
        for (String variable : RegistryOptions.VARIABLES) {
            if (!terminal.variable(variable).isEmpty()) {
                printMessage(variable + " is set, and commands use it instead of the sign-in");
            }
        }
        return ExitStatus.OK;
    }

    private Login signedIn(AgentHealthClient client) {
        JsonNode provider = provider(client.signIn().providers().path("providers"));
        String id = provider.path("name").asText();
        if (provider.path("device").asBoolean()) {
            return Login.of(id, byDevice(client, id), "");
        }
        if (!provider.has("authorization_endpoint")) {
            throw new CommandFailedException(
                    "The identity provider '" + id + "' does not answer, or offers no sign-in. Try again later.");
        }
        try (BrowserSignIn browser = new BrowserSignIn(provider)) {
            printMessage("Open this address in a browser of this machine:");
            printMessage(browser.address());
            return Login.of(id, client.signIn().token(id, browser.grant()), "");
        }
    }

    private JsonNode provider(JsonNode providers) {
        String names = StreamSupport.stream(providers.spliterator(), false)
                .map(provider -> provider.path("name").asText())
                .collect(Collectors.joining(", "));
        if (providers.isEmpty()) {
            throw new CommandFailedException(
                    "People do not sign in at " + registry.url() + ": no identity provider is configured.");
        }
        if (name == null && providers.size() > 1) {
            throw registry.usage("--provider NAME says by which you sign in: " + names);
        }
        for (JsonNode provider : providers) {
            if (name == null || provider.path("name").asText().equals(name)) {
                return provider;
            }
        }
        throw registry.usage("there is no identity provider '" + name + "': " + names);
    }

    /** Signs in by the device flow (RFC 8628). */
    private JsonNode byDevice(AgentHealthClient client, String provider) {
        JsonNode device = client.signIn().device(provider);
        Map<String, String> grant = Map.of(
                "grant_type",
                "device_code",
                "device_code",
                device.path("device_code").asText());
        printMessage("Open " + device.path("verification_uri").asText() + " in a browser and enter the code "
                + device.path("user_code").asText());
        long interval = Math.max(1, device.path("interval").asLong());
        long end = Math.min(MAX_SECONDS, device.path("expires_in").asLong());
        for (long waited = interval; waited <= end; waited += interval) {
            pause.accept(interval);
            try {
                return client.signIn().token(provider, grant);
            } catch (RegistryUnreachableException | RegistryBusyException | RateLimitedException e) {
                interval += 5;
            } catch (ProblemException e) {
                interval += slowdown(e);
            }
        }
        throw new CommandFailedException("The code has ended. Sign in again with 'login'.");
    }

    private static long slowdown(ProblemException refusal) {
        return switch (refusal.document().path("provider_error").asText()) {
            case "authorization_pending" -> 0;
            case "slow_down" -> 5;
            default -> throw refusal;
        };
    }

    private void printMessage(String line) {
        terminal.out().println(Text.plain(line));
        terminal.checkOutput();
    }

    private static void sleep(long seconds) {
        try {
            TimeUnit.SECONDS.sleep(seconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
    }
}
