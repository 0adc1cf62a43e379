package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.ProblemException;
import dev.agenthealth.local.cli.Logins.Login;
import java.util.Map;
import java.util.function.Supplier;

/** The token of a sign-in, refreshed before it expires. Thread-safe. */
final class LoginToken implements Supplier<String> {

    private final RegistryAddress registry;
    private final Logins logins;
    private volatile Login known;

    LoginToken(RegistryAddress registry, Logins logins, Login known) {
        this.registry = registry;
        this.logins = logins;
        this.known = known;
    }

    /** @throws CommandFailedException if the person has to sign in again */
    @Override
    public String get() {
        if (known.isEnding()) {
            // Many refresh tokens are valid once: two concurrent refreshes would end the sign-in.
            known = logins.exclusively(
                    () -> logins.find(registry.url()).map(this::refreshed).orElseThrow(() -> ended("")));
        }
        return known.token();
    }

    private Login refreshed(Login login) {
        if (!login.isEnding()) {
            return login;
        }
        if (login.refreshToken().isEmpty()) {
            throw ended("");
        }
        Map<String, String> grant = Map.of("grant_type", "refresh_token", "refresh_token", login.refreshToken());
        JsonNode answer = registry.call(registry.client(), "", client -> {
            try {
                return client.signIn().token(login.provider(), grant);
            } catch (ProblemException e) {
                throw e.status() == 400 || e.status() == 404 ? ended(e.detail()) : e;
            }
        });
        Login next = Login.of(login.provider(), answer, login.refreshToken());
        logins.save(registry.url(), next);
        return next;
    }

    private CommandFailedException ended(String detail) {
        return new CommandFailedException(("The sign-in at " + registry.url() + " has ended. " + detail).strip()
                + " Sign in again with 'login'.");
    }
}
