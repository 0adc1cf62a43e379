package dev.agenthealth.local.cli;

import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.AgentHealthException;
import dev.agenthealth.local.cli.Logins.Login;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Removes the sign-in of a person at a registry. */
@Command(
        name = LogoutCommand.NAME,
        mixinStandardHelpOptions = true,
        description = {
            "Forgets your sign-in at the registry, and ends it at the identity provider where that offers it.",
            "The provider's own session in a browser goes on."
        })
final class LogoutCommand implements Callable<Integer> {

    static final String NAME = "logout";

    private final Terminal terminal;

    @Mixin
    private RegistryAddress registry;

    LogoutCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Logins logins = new Logins(terminal);
        Optional<Login> login = readable(logins);
        boolean removed = logins.remove(registry.url());
        login.ifPresent(this::revoke);
        terminal.out().println((removed ? "Signed out of " : "There is no sign-in at ") + Text.plain(registry.url()));
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    /** Returns the sign-in; empty if its file cannot be read, which is then deleted anyway. */
    private Optional<Login> readable(Logins logins) {
        try {
            return logins.find(registry.url());
        } catch (CommandFailedException e) {
            return Optional.empty();
        }
    }

    /** Revokes the sign-in. It ends on this machine even if the provider fails. */
    private void revoke(Login login) {
        String token = login.refreshToken().isEmpty() ? login.token() : login.refreshToken();
        try (AgentHealthClient client = registry.client().build()) {
            client.signIn().revoke(login.provider(), token);
        } catch (AgentHealthException e) {
            terminal.errors()
                    .println("The identity provider did not end the sign-in: "
                            + CommandLineTool.oneLine(e.getMessage()));
        }
    }
}
