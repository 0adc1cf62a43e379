package dev.agenthealth.local.crash;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The disk of a folder as another process sees it: it fails, waits and ends that process on request ({@code disk.c}). Thread-safe. */
final class FaultyDisk {

    static final int NO_SPACE = 28;
    static final int IO_ERROR = 5;
    static final int QUOTA = 122;

    /** Of 1,000: each. */
    static final int ALWAYS = 1_000;

    private static final int NUMBERS = 13;

    private final Path folder;
    private final Path library;
    private final Path control;
    private final MappedByteBuffer numbers;

    /** A kind of operation, with the places of its rate, its error and the count of its faults. */
    enum Kind {
        WRITE(2, 10),
        SYNC(4, 11),
        READ(6, 12);

        private final int rate;
        private final int hits;

        Kind(int rate, int hits) {
            this.rate = rate;
            this.hits = hits;
        }
    }

    /**
     * Builds the library with the C compiler; skips the test where there is none.
     *
     * @param folder whose disk it is; exists
     * @param files where the library and the record are, outside of it
     */
    FaultyDisk(Path folder, Path files) throws IOException, InterruptedException {
        this.folder = folder.toRealPath();
        this.library = files.resolve("disk.so");
        this.control = files.resolve("control");
        assumeTrue(compile(files), "needs Linux on 64 bits with a C compiler and glibc");
        try (FileChannel channel = FileChannel.open(
                control, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            numbers = channel.map(FileChannel.MapMode.READ_WRITE, 0, NUMBERS * 8L);
            numbers.order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    private boolean compile(Path files) throws IOException, InterruptedException {
        if (Files.exists(library)) {
            return true;
        }
        Path source = files.resolve("disk.c");
        try (InputStream in = FaultyDisk.class.getResourceAsStream("/disk.c")) {
            Files.copy(in, source);
        }
        try {
            Process process = new ProcessBuilder(
                            "cc",
                            "-O2",
                            "-Wall",
                            "-Werror",
                            "-shared",
                            "-fPIC",
                            "-o",
                            library.toString(),
                            source.toString(),
                            "-ldl",
                            "-lpthread")
                    .redirectErrorStream(true)
                    .redirectOutput(files.resolve("cc.log").toFile())
                    .start();
            return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** The variables of a process that uses the disk. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "DISK_CONTROL", control.toString(),
                "DISK_FOLDER", folder.toString());
    }

    /** Lets operations fail from now on. @param rate of 1,000 */
    void fail(Kind kind, int rate, int error) {
        numbers.putLong(8 * (kind.rate + 1), error);
        numbers.putLong(8 * kind.rate, rate);
    }

    /** The number of faults of a kind so far. */
    long hits(Kind kind) {
        return numbers.getLong(8 * kind.hits);
    }

    void syncsTake(long millis) {
        numbers.putLong(8 * 8, millis);
    }

    void seed(long seed) {
        numbers.putLong(8 * 9, seed);
    }

    /** Ends the process before an operation, counted from 1; never for 0. */
    void killAt(long operation) {
        numbers.putLong(8, operation);
    }

    /** No faults from now on. */
    void heal() {
        for (Kind kind : Kind.values()) {
            numbers.putLong(8 * kind.rate, 0);
        }
        syncsTake(0);
    }
}
