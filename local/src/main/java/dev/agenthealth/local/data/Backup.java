package dev.agenthealth.local.data;

import dev.agenthealth.dynamodb.files.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Backups of a data folder: a ZIP archive with all of its files and a manifest with their hashes. */
public final class Backup {

    private static final int BUFFER = 1 << 16;

    /** The folder beside the archive with incomplete files. The next backup removes the files of an interrupted backup. */
    static final String STAGE = ".agent-health-backup";

    private static final String LOCK = "lock";
    private static final String COPY = "copy";
    private static final String PART = "part";

    private Backup() {}

    /**
     * The summary of a backup or a restore.
     *
     * @param files number of files
     * @param bytes size of the files together
     * @param createdAt when the backup was made, ISO 8601
     */
    public record Summary(int files, long bytes, String createdAt) {}

    /**
     * Writes a backup; a registry may use the folder meanwhile. The archive gets its name after it is complete. Only its owner can read it,
     * if the file system has owners.
     *
     * @param version the version of this program
     * @throws IOException if the folder has no data or damaged data, the archive exists, or a file cannot be read or written
     */
    public static Summary write(Path folder, Path archive, Instant now, String version, Steps steps)
            throws IOException {
        if (FolderState.of(folder) == FolderState.NEW) {
            throw new IOException(folder + " has no data of Agent Health");
        }
        Path target = archive.toAbsolutePath().normalize();
        if (target.startsWith(folder.toAbsolutePath().normalize())) {
            throw new IOException("the backup must not be inside of the data folder");
        }
        if (Files.exists(target)) {
            throw new IOException(archive + " exists");
        }
        Path stage = target.resolveSibling(STAGE);
        FileChannel lock = lock(stage, archive);
        try {
            // Left by an interrupted backup.
            FolderFiles.delete(stage.resolve(COPY));
            Path copy = stage.resolve(COPY);
            PrivateFiles.createFolders(copy);
            copy(folder, copy);
            List<Manifest.Item> items = new ArrayList<>();
            for (Path file : files(copy)) {
                items.add(Manifest.Item.of(copy, file));
            }
            Manifest manifest = new Manifest(now.toString(), version, items);
            Path part = stage.resolve(PART);
            write(copy, manifest, part, steps);
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
            FolderFiles.sync(target.getParent());
            return new Summary(items.size(), manifest.size(), manifest.createdAt());
        } finally {
            FolderFiles.delete(stage);
            lock.close();
        }
    }

    /** Creates the folder beside the archive in which the archive is written, for its owner only. */
    private static FileChannel lock(Path stage, Path archive) throws IOException {
        if (!Files.isDirectory(stage.getParent())) {
            throw new IOException("there is no folder for " + archive);
        }
        PrivateFiles.createFolders(stage);
        FileChannel channel = PrivateFiles.open(stage.resolve(LOCK));
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw new IOException(busy(stage), e);
        }
        channel.close();
        throw new IOException(busy(stage));
    }

    private static String busy(Path stage) {
        return "another backup is being written to " + stage.getParent() + "; wait for its end";
    }

    /** Copies the files of a data folder that belong together, and checks them. */
    private static void copy(Path folder, Path copy) throws IOException {
        // Messages before and after the database: a message processed meanwhile is delivered again after a restore.
        copyMessages(folder, copy);
        for (String name : List.of(DataFolder.SECRETS_KEY, DataFolder.CARD_KEY, FolderFiles.ADMINISTRATOR_KEY)) {
            FolderFiles.copyIfThere(folder.resolve(name), copy.resolve(name));
        }
        FolderCheck.copyDatabase(folder, copy);
        copyMessages(folder, copy);
        FolderState.of(folder);
        List<String> problems = FolderCheck.of(copy).problems();
        if (!problems.isEmpty()) {
            throw new IOException("the data folder " + folder + " is not whole: " + problems.get(0));
        }
    }

    private static void copyMessages(Path folder, Path copy) throws IOException {
        for (Path message : FolderFiles.messages(folder)) {
            FolderFiles.copyIfThere(message, copy.resolve(folder.relativize(message)));
        }
    }

    private static List<Path> files(Path copy) throws IOException {
        try (Stream<Path> walk = Files.walk(copy)) {
            return walk.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void write(Path folder, Manifest manifest, Path part, Steps steps) throws IOException {
        Files.deleteIfExists(part);
        try (FileChannel channel = PrivateFiles.create(part)) {
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

    /** Copies everything and returns the number of bytes done so far. */
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
