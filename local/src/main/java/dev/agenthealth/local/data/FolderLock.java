package dev.agenthealth.local.data;

import dev.agenthealth.dynamodb.files.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The lock that lets one run at a time use a data folder. It is a lock on a file in the folder, which the system releases if the process
 * ends. If this run created the folder, {@link #closeAndRemove} removes the folder again.
 */
final class FolderLock implements AutoCloseable {

    /** Another run can remove the folder between two steps of this one, but hardly ever that often. */
    private static final int MAX_ATTEMPTS = 100;

    private final Path folder;
    private final List<Path> created;
    private final FileChannel lock;
    private final FileChannel second;

    private FolderLock(Path folder, List<Path> created, FileChannel lock, FileChannel second) {
        this.folder = folder;
        this.created = created;
        this.lock = lock;
        this.second = second;
    }

    /**
     * Locks a folder, and creates it for its owner only if it does not exist.
     *
     * @throws IOException if the folder cannot be created or written to, or another run uses it
     */
    static FolderLock take(Path folder) throws IOException {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Optional<FolderLock> taken = attempt(folder, () -> {});
            if (taken.isPresent()) {
                return taken.get();
            }
        }
        throw new IOException("cannot write to the data folder " + folder);
    }

    /**
     * Returns the lock; empty if another run has removed the lock's file since this method opened it.
     *
     * @param opening runs between the opening of the file and its lock, where a test lets another run remove the folder
     */
    static Optional<FolderLock> attempt(Path folder, Runnable opening) throws IOException {
        List<Path> created = new ArrayList<>();
        List<FileChannel> opened = new ArrayList<>();
        boolean isTaken = false;
        try {
            opened.add(open(folder, created));
            opening.run();
            lock(opened.get(0), folder);
            // Closing a second channel would release the lock of POSIX systems, so it stays open.
            opened.add(PrivateFiles.open(folder.resolve(FolderFiles.LOCK)));
            isTaken = isOfSameFile(opened.get(1));
            return isTaken
                    ? Optional.of(new FolderLock(folder, List.copyOf(created), opened.get(0), opened.get(1)))
                    : Optional.empty();
        } catch (NoSuchFileException | FileAlreadyExistsException e) {
            // The folder was removed between two steps.
            return Optional.empty();
        } finally {
            if (!isTaken) {
                for (FileChannel channel : opened) {
                    channel.close();
                }
                PrivateFiles.removeEmpty(created);
            }
        }
    }

    private static FileChannel open(Path folder, List<Path> created) throws IOException {
        try {
            created.addAll(PrivateFiles.createFolders(folder));
            return PrivateFiles.open(folder.resolve(FolderFiles.LOCK));
        } catch (NoSuchFileException | FileAlreadyExistsException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException("cannot write to the data folder " + folder, e);
        }
    }

    private static void lock(FileChannel channel, Path folder) throws IOException {
        try {
            if (channel.tryLock() == null) {
                throw new IOException("the data folder " + folder + " is in use by another run");
            }
        } catch (OverlappingFileLockException e) {
            throw new IOException("the data folder " + folder + " is in use by this process", e);
        }
    }

    /** Returns true if this process has locked the file of a channel, which its path names now. */
    private static boolean isOfSameFile(FileChannel channel) throws IOException {
        try {
            channel.tryLock();
            return false;
        } catch (OverlappingFileLockException e) {
            return true;
        }
    }

    /**
     * Releases the lock. If this run created the folder, it first removes the registry's files, and then the folder and the parents that this
     * run created. A folder with any other file stays, and so does a folder that existed before.
     */
    void closeAndRemove() throws IOException {
        boolean isOwn = created.contains(folder.toAbsolutePath());
        try (this) {
            if (isOwn) {
                for (String name : FolderFiles.names(folder)) {
                    if (FolderFiles.isOwn(name)) {
                        FolderFiles.delete(folder.resolve(name));
                    }
                }
                Files.deleteIfExists(folder.resolve(FolderFiles.LOCK));
            }
        }
        PrivateFiles.removeEmpty(created);
    }

    /** Releases the lock. */
    @Override
    public void close() throws IOException {
        try (second) {
            lock.close();
        }
    }
}
