package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.model.ReceivedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists, writes and removes identity providers. */
@Command(
        name = IdentityProvidersCommand.NAME,
        mixinStandardHelpOptions = true,
        description =
                "Lists, writes and removes the identity providers by which people and workloads sign in. Needs an administrator's key.")
final class IdentityProvidersCommand implements Runnable {

    static final String NAME = "identity-providers";

    private static final String NEEDED = "administrator";

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    IdentityProvidersCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: list, set or remove");
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists identity providers.")
    int list(@Mixin RegistryOptions registry, @Mixin ListOptions output) {
        Listing listing = listing().check(output);
        return registry.call(
                terminal,
                NEEDED,
                client ->
                        listing.print(output, client.identityProviders().stream(), "there are no identity providers"));
    }

    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description = "Creates or replaces an identity provider, as PUT /v1/admin/identity-providers/NAME does.")
    int set(
            @Mixin RegistryOptions registry,
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--file",
                            required = true,
                            paramLabel = "FILE",
                            description = "JSON with issuer, audiences and grants, or one of 'list --json'")
                    Path file) {
        ObjectNode provider = read(file);
        JsonNode written = registry.call(
                terminal, NEEDED, client -> client.identityProviders().put(name, provider));
        listing().print(List.of(written));
        return ExitStatus.OK;
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Removes an identity provider: its tokens are refused within a minute.")
    int remove(@Mixin RegistryOptions registry, @Parameters(paramLabel = "NAME") String name) {
        return registry.call(terminal, NEEDED, client -> {
            client.identityProviders().remove(name);
            terminal.errors().println("removed " + Text.plain(name));
            return ExitStatus.OK;
        });
    }

    /** Reads a provider from a file and removes the fields that the registry adds. */
    private static ObjectNode read(Path file) {
        try {
            if (Json.received(ReceivedText.of(Files.readString(file))) instanceof ObjectNode provider) {
                return (ObjectNode) provider.without(List.of("name", "created_at"));
            }
        } catch (IOException e) {
            throw new CommandFailedException(file + " cannot be read", e);
        } catch (UnreadableJsonException e) {
            throw new CommandFailedException(file + " cannot be read as JSON", e);
        }
        throw new CommandFailedException(file + " is no JSON object");
    }

    private Listing listing() {
        return new Listing(terminal, "identity_providers")
                .field("provider", "name")
                .field("issuer", "issuer")
                .column("people sign in", provider -> provider.has("client_id") ? "yes" : "no")
                .column("grants", IdentityProvidersCommand::grants);
    }

    private static String grants(JsonNode provider) {
        return StreamSupport.stream(provider.path("grants").spliterator(), false)
                .map(grant -> grant.path("claim").asText() + "="
                        + grant.path("value").asText() + ": "
                        + grant.path("role").asText())
                .collect(Collectors.joining(", "));
    }
}
