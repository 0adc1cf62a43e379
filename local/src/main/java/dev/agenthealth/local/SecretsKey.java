package dev.agenthealth.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;

/** The key with which a local run encrypts secrets, such as those of notifications; only its owner may read its file. Immutable. */
final class SecretsKey {

    static final String FILE = "secrets.key";

    private static final int BYTES = 32;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final byte[] bytes;

    private SecretsKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * The key of a data folder, created where there is none; without a folder a new key.
     *
     * @param folder which this run has locked
     * @throws IOException when the file cannot be read or written, or holds something else
     */
    static SecretsKey of(Optional<Path> folder) throws IOException {
        return folder.isPresent() ? in(folder.get()) : random();
    }

    private static SecretsKey random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return new SecretsKey(bytes);
    }

    private static SecretsKey in(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        try {
            if (!Files.exists(file)) {
                write(folder, file);
            }
            protect(file);
            byte[] bytes = Base64.getDecoder().decode(Files.readString(file).strip());
            if (bytes.length == BYTES) {
                return new SecretsKey(bytes);
            }
        } catch (IOException e) {
            throw new IOException("cannot read or write " + file, e);
        } catch (IllegalArgumentException e) {
            throw new IOException(unreadable(file), e);
        }
        throw new IOException(unreadable(file));
    }

    private static String unreadable(Path file) {
        return file
                + " holds no key. Restore it from a backup; or delete it, and set the secrets of notifications and agents again";
    }

    /** Written beside it and moved, so that a crash leaves no half of a key. */
    private static void write(Path folder, Path file) throws IOException {
        Path next = folder.resolve(FILE + ".next");
        Files.deleteIfExists(next);
        Files.createFile(next);
        protect(next);
        Files.writeString(next, random().base64() + "\n");
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void protect(Path file) throws IOException {
        if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(file, OWNER_ONLY);
        }
    }

    /** The 32 bytes in base64. */
    String base64() {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
