package dev.agenthealth.local.data;

import dev.agenthealth.dynamodb.files.PrivateFiles;
import dev.agenthealth.functions.api.signing.LocalCardKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The key with which a local run signs agent cards. Only its owner may read its file. */
public final class CardKeyFile {

    private CardKeyFile() {}

    /**
     * Returns the key of a data folder as private JSON Web Key, created if it is absent; without a folder a new key.
     *
     * @param folder the folder, locked by this run
     * @throws IOException if the file cannot be read or written, or contains no key
     */
    public static String read(Optional<Path> folder) throws IOException {
        if (folder.isEmpty()) {
            return LocalCardKey.generate();
        }
        Path file = folder.get().resolve(DataFolder.CARD_KEY);
        try {
            if (!Files.exists(file)) {
                DataFolder.write(file, LocalCardKey.generate() + "\n");
            }
            PrivateFiles.protect(file);
        } catch (IOException e) {
            throw new IOException("cannot write " + file, e);
        }
        return check(file);
    }

    /** @throws IOException if the file cannot be read, or contains no key */
    static String check(Path file) throws IOException {
        try {
            String jwk = Files.readString(file).strip();
            LocalCardKey.read(jwk);
            return jwk;
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException(
                    file + " holds no key; restore it from a backup, or delete it, and cards are signed with a new one",
                    e);
        }
    }
}
