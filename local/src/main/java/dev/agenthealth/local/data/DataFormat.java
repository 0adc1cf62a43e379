package dev.agenthealth.local.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The number of the format of a data folder, in the file {@code format}. It rises when an older version can no longer read what a newer one
 * writes; a newer version reads every older format. Folders without the file have format 1.
 */
final class DataFormat {

    /** What this version writes, and the newest that it reads. */
    static final int CURRENT = 1;

    static final String FILE = "format";

    private DataFormat() {}

    /**
     * Checks that this version can read a folder.
     *
     * @throws IOException when it cannot; the message says why
     */
    static void check(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        int format = Files.exists(file) ? parse(Files.readString(file), file.toString()) : CURRENT;
        check(format, "the data folder " + folder);
    }

    static void check(int format, String what) throws IOException {
        if (format > CURRENT) {
            throw new IOException(
                    what + " has the format " + format + " of a newer version of Agent Health; this version reads"
                            + " up to format " + CURRENT + ". Run the newer version, or restore a backup of this one");
        }
    }

    /** Writes the number of this version, where the folder has another or none. */
    static void write(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        String text = CURRENT + "\n";
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            Path next = folder.resolve(FILE + ".next");
            Files.writeString(next, text);
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static int parse(String text, String file) throws IOException {
        String stripped = text.strip();
        if (!stripped.matches("[1-9][0-9]{0,8}")) {
            throw new IOException(file + " cannot be read as the number of a format");
        }
        return Integer.parseInt(stripped);
    }
}
