package dev.agenthealth.local.data;

import dev.agenthealth.dynamodb.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/** The key with which a local run encrypts secrets, such as secrets of notifications. Only its owner may read its file. Immutable. */
public final class SecretsKey {

    private static final int BYTES = 32;

    private final byte[] bytes;

    private SecretsKey(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /**
     * Returns the key of a data folder, created if it is absent; without a folder a new key.
     *
     * @param folder the folder, locked by this run, with an open database
     * @throws IOException if the file cannot be read or written, or contains no key
     */
    public static SecretsKey of(Optional<Path> folder) throws IOException {
        return folder.isPresent() ? in(folder.get()) : random();
    }

    private static SecretsKey random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return new SecretsKey(bytes);
    }

    private static SecretsKey in(Path folder) throws IOException {
        Path file = folder.resolve(DataFolder.SECRETS_KEY);
        try {
            if (!Files.exists(file)) {
                DataFolder.write(file, random().base64() + "\n");
            }
            PrivateFiles.protect(file);
        } catch (IOException e) {
            throw new IOException("cannot write " + file, e);
        }
        return read(file);
    }

    /** @throws IOException if the file cannot be read, or contains no key */
    static SecretsKey read(Path file) throws IOException {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(Files.readString(file).strip());
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " holds no key; " + remedy(file), e);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read; " + remedy(file), e);
        }
        if (bytes.length != BYTES) {
            throw new IOException(file + " holds no key; " + remedy(file));
        }
        return new SecretsKey(bytes);
    }

    /** Returns the advice for an operator without the file. */
    static String remedy(Path file) {
        return "restore it from a backup, or write a new key (openssl rand -base64 32 > " + file
                + ") and set the secrets of notifications and agents again";
    }

    /** Returns the 32 bytes in base64. */
    public String base64() {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
