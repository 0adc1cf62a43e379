package dev.agenthealth.local.data;

import dev.agenthealth.dynamodb.files.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Restores a backup. The files are first unpacked and checked beside the folder's files, so that a damaged backup changes nothing. While
 * they replace the folder's files, a marker prevents a run from using the folder.
 */
public final class Restore {

    static final String STAGE = ".restoring";
    static final String MARKER = ".restore-incomplete";

    private Restore() {}

    /**
     * Restores a backup.
     *
     * @param force true to replace data in the folder
     * @throws IOException if the folder is in use or has data, the archive is no backup, damaged or of a newer version, or a file cannot be
     *     read or written
     */
    public static Backup.Summary restore(Path archive, Path folder, boolean force, Steps steps) throws IOException {
        if (!Files.isRegularFile(archive)) {
            throw new IOException("there is no file " + archive);
        }
        try (ZipFile zip = open(archive)) {
            Manifest manifest = manifest(zip, archive);
            if (!force && !FolderFiles.names(folder).isEmpty()) {
                throw new IOException("the folder " + folder + " is not empty; --force replaces what is in it");
            }
            FolderLock locked = FolderLock.take(folder);
            try {
                Path stage = folder.resolve(STAGE);
                FolderFiles.delete(stage);
                try {
                    unpack(zip, manifest, stage, archive, steps);
                    check(stage, archive);
                    replace(folder, stage);
                } finally {
                    FolderFiles.delete(stage);
                }
            } finally {
                locked.close();
            }
            return new Backup.Summary(manifest.files().size(), manifest.size(), manifest.createdAt());
        }
    }

    private static ZipFile open(Path archive) throws IOException {
        try {
            return new ZipFile(archive.toFile());
        } catch (ZipException e) {
            throw new IOException(archive + " is no backup of Agent Health, or is damaged: " + e.getMessage(), e);
        }
    }

    private static Manifest manifest(ZipFile zip, Path archive) throws IOException {
        ZipEntry entry = zip.getEntry(Manifest.ENTRY);
        if (entry == null) {
            throw new IOException(archive + " is no backup of Agent Health: it has no " + Manifest.ENTRY);
        }
        try (InputStream in = zip.getInputStream(entry)) {
            return Manifest.read(in, archive.toString());
        } catch (ZipException | com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IOException(archive + " is damaged: " + Manifest.ENTRY + " cannot be read", e);
        }
    }

    private static void unpack(ZipFile zip, Manifest manifest, Path stage, Path archive, Steps steps)
            throws IOException {
        long done = 0;
        for (Manifest.Item item : manifest.files()) {
            ZipEntry entry = zip.getEntry(item.name());
            if (entry == null) {
                throw new IOException(archive + " is damaged: " + item.name() + " is missing");
            }
            Path file = stage.resolve(item.name());
            PrivateFiles.createFolders(file.getParent());
            MessageDigest digest = Manifest.sha256();
            try (InputStream in = zip.getInputStream(entry);
                    FileChannel channel = PrivateFiles.create(file)) {
                OutputStream out = new DigestOutputStream(Channels.newOutputStream(channel), digest);
                done = Backup.copy(in, out, done, manifest.size(), steps);
                channel.force(true);
            } catch (ZipException e) {
                throw new IOException(archive + " is damaged: " + item.name() + ": " + e.getMessage(), e);
            }
            if (!HexFormat.of().formatHex(digest.digest()).equals(item.sha256())) {
                throw new IOException(
                        archive + " is damaged: " + item.name() + " has another content than it was saved with");
            }
        }
    }

    private static void check(Path stage, Path archive) throws IOException {
        List<String> problems = FolderCheck.of(stage).problems();
        if (!problems.isEmpty()) {
            throw new IOException(archive + " cannot be used: " + problems.get(0));
        }
    }

    private static void replace(Path folder, Path stage) throws IOException {
        Path marker = folder.resolve(MARKER);
        Files.deleteIfExists(marker);
        PrivateFiles.create(marker).close();
        FolderFiles.sync(folder);
        for (String old : FolderFiles.names(folder)) {
            if (FolderFiles.isOwn(old)) {
                FolderFiles.delete(folder.resolve(old));
            }
        }
        for (String name : FolderFiles.names(stage)) {
            Files.move(stage.resolve(name), folder.resolve(name));
        }
        FolderFiles.sync(folder);
        Files.delete(marker);
    }
}
