package dev.agenthealth.local.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Forgets the sign-in of a person at a registry. */
@Command(
        name = LogoutCommand.NAME,
        mixinStandardHelpOptions = true,
        description = "Forgets your sign-in at the registry. The identity provider goes on with its own session.")
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
        boolean removed = new Logins(terminal).remove(registry.url());
        terminal.out().println((removed ? "Signed out of " : "There is no sign-in at ") + Text.plain(registry.url()));
        terminal.checkOutput();
        return ExitStatus.OK;
    }
}
