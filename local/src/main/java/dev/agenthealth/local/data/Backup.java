package dev.agenthealth.local.data;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Backups of a data folder: a ZIP archive with all of its files and a manifest with their hashes. */
public final class Backup {

    private static final String DATABASE = "tables.db";
    private static final int BUFFER = 1 << 16;

    private Backup() {}

    /**
     * What was backed up or restored.
     *
     * @param files number of files
     * @param bytes size of the files together
     * @param createdAt when the backup was made, ISO 8601
     */
    public record Summary(int files, long bytes, String createdAt) {}

    /**
     * Writes a backup. No run uses the folder meanwhile, so that the files belong together. The archive appears when it is complete; only its
     * owner can read it, where the file system knows owners.
     *
     * @param version of this program
     * @throws IOException when the folder is in use or has no data, the archive exists, or one of them cannot be read or written
     */
    public static Summary write(Path folder, Path archive, Instant now, String version, Steps steps)
            throws IOException {
        if (!Files.exists(folder.resolve(DATABASE))) {
            throw new IOException(folder + " has no data of Agent Health");
        }
        if (archive.toAbsolutePath()
                .normalize()
                .startsWith(folder.toAbsolutePath().normalize())) {
            throw new IOException("the backup must not be inside of the data folder");
        }
        if (Files.exists(archive)) {
            throw new IOException(archive + " exists");
        }
        DataFolder locked = DataFolder.take(folder);
        try {
            List<Manifest.Item> items = new ArrayList<>();
            for (Path file : files(folder)) {
                items.add(Manifest.Item.of(folder, file));
            }
            Manifest manifest = new Manifest(now.toString(), version, items);
            Path part = archive.resolveSibling(archive.getFileName() + ".part");
            try {
                write(folder, manifest, part, steps);
                Files.move(part, archive, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
            return new Summary(items.size(), manifest.size(), manifest.createdAt());
        } finally {
            locked.close();
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> walk = Files.walk(folder)) {
            return walk.filter(Files::isRegularFile)
                    .filter(file -> !file.equals(folder.resolve(DataFolder.LOCK_FILE)))
                    .filter(file -> !file.getFileName().toString().endsWith(".next"))
                    .filter(file -> !file.startsWith(folder.resolve(Restore.STAGE)))
                    .sorted()
                    .toList();
        }
    }

    private static void write(Path folder, Manifest manifest, Path part, Steps steps) throws IOException {
        Files.deleteIfExists(part);
        try (FileChannel channel = createPrivate(part)) {
            ZipOutputStream zip = new ZipOutputStream(Channels.newOutputStream(channel));
            zip.putNextEntry(new ZipEntry(Manifest.ENTRY));
            zip.write(manifest.bytes());
            long done = 0;
            for (Manifest.Item item : manifest.files()) {
                zip.putNextEntry(new ZipEntry(item.name()));
                try (InputStream in = Files.newInputStream(folder.resolve(item.name()))) {
                    done = copy(in, zip, done, manifest.size(), steps);
                }
            }
            zip.finish();
            channel.force(true);
        }
    }

    /** Creates a file that only its owner can read, where the file system knows owners. */
    static FileChannel createPrivate(Path file) throws IOException {
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return FileChannel.open(file, StandardOpenOption.WRITE);
        }
        return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /** Copies everything, and returns the number of bytes done with it. */
    static long copy(InputStream in, OutputStream out, long doneBefore, long whole, Steps steps) throws IOException {
        byte[] buffer = new byte[BUFFER];
        long done = doneBefore;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            out.write(buffer, 0, read);
            done += read;
            steps.done(done, whole);
        }
        return done;
    }
}
