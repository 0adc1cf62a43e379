package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.dynamodb.files.PrivateFiles;
import dev.agenthealth.functions.runtime.json.Json;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** The sign-ins of a user. Each registry has a file in the configuration folder, which only the user can read. Thread-safe. */
final class Logins {

    private static final Duration MARGIN = Duration.ofSeconds(30);
    private static final Object THIS_PROCESS = new Object();

    private final Optional<Path> folder;

    Logins(Terminal terminal) {
        folder = base(terminal).map(base -> base.resolve("agent-health"));
    }

    /**
     * A sign-in.
     *
     * @param refreshToken empty if the provider gave no refresh token
     */
    record Login(String provider, String token, Instant endsAt, String refreshToken) {

        /** Returns the sign-in of an answer with a token. A refresh token without replacement stays valid. */
        static Login of(String provider, JsonNode answer, String refreshToken) {
            return new Login(
                    provider,
                    answer.path("token").asText(),
                    Instant.now().plusSeconds(answer.path("expires_in").asLong()),
                    answer.path("refresh_token").asText(refreshToken));
        }

        boolean isEnding() {
            return Instant.now().plus(MARGIN).isAfter(endsAt);
        }

        /** Leaves out the tokens. */
        @Override
        public String toString() {
            return "Login[" + provider + ", until " + endsAt + "]";
        }
    }

    private static Optional<Path> base(Terminal terminal) {
        for (String variable : new String[] {"XDG_CONFIG_HOME", "APPDATA", "HOME"}) {
            String value = terminal.variable(variable);
            if (!value.isEmpty()) {
                return Optional.of(variable.equals("HOME") ? Path.of(value, ".config") : Path.of(value));
            }
        }
        return Optional.empty();
    }

    /** Returns the sign-in at a registry; empty if there is no sign-in. */
    Optional<Login> find(String url) {
        if (folder.isEmpty() || !Files.exists(file(url))) {
            return Optional.empty();
        }
        try {
            JsonNode json = Json.received(Files.readString(file(url)));
            return Optional.of(new Login(
                    json.path("provider").asText(),
                    json.path("token").asText(),
                    Instant.ofEpochSecond(json.path("ends_at").asLong()),
                    json.path("refresh_token").asText()));
        } catch (IOException | RuntimeException e) {
            throw new CommandFailedException(file(url) + " cannot be read. Sign in again with 'login'.", e);
        }
    }

    /** Stores a sign-in. A reader finds the previous or the new sign-in, never a part. */
    void save(String url, Login login) {
        String json = Json.text(Json.object()
                .put("provider", login.provider())
                .put("token", login.token())
                .put("ends_at", login.endsAt().getEpochSecond())
                .put("refresh_token", login.refreshToken()));
        try {
            // Only the user can read and write such a file.
            Path next = Files.createTempFile(folder(), "login", ".tmp");
            Files.writeString(next, json);
            Files.move(next, file(url), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw notWritten(e);
        }
    }

    /** Removes the sign-in at a registry; returns false if there is no sign-in. */
    boolean remove(String url) {
        try {
            return folder.isPresent() && Files.deleteIfExists(file(url));
        } catch (IOException e) {
            throw notWritten(e);
        }
    }

    /** Runs work that no other process of this user does at the same time. */
    <T> T exclusively(Supplier<T> work) {
        // A file lock belongs to the process, not to the thread.
        synchronized (THIS_PROCESS) {
            try (FileChannel channel = PrivateFiles.open(folder().resolve(".lock"))) {
                channel.lock();
                return work.get();
            } catch (IOException e) {
                throw notWritten(e);
            }
        }
    }

    private Path folder() throws IOException {
        Path made = folder.orElseThrow(() -> new CommandFailedException(
                "There is no folder for the sign-in: none of XDG_CONFIG_HOME, APPDATA and HOME is set."));
        PrivateFiles.createFolders(made);
        return made;
    }

    /** Returns the file of a registry. The host of the address is in lower case, as browsers and servers compare it. */
    private Path file(String url) {
        int path = url.indexOf('/', url.indexOf("://") + 3);
        String host = path < 0 ? url : url.substring(0, path);
        String address = host.toLowerCase(Locale.ROOT) + url.substring(host.length());
        return folder.orElseThrow().resolve(URLEncoder.encode(address, StandardCharsets.UTF_8) + ".json");
    }

    private static CommandFailedException notWritten(IOException e) {
        return new CommandFailedException("The sign-in cannot be kept: " + BackupCommand.reason(e), e);
    }
}
