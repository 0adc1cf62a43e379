package dev.agenthealth.dynamodb.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Creates files with mode 600 and folders with mode 700, independent of the process's umask. A file system without POSIX permissions keeps
 * its own rules.
 */
public final class PrivateFiles {

    private static final Set<PosixFilePermission> FILE_PERMISSIONS = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER_PERMISSIONS = PosixFilePermissions.fromString("rwx------");

    private PrivateFiles() {}

    /**
     * Creates a file, and opens it for writing.
     *
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     */
    public static FileChannel create(Path file) throws IOException {
        return open(file, StandardOpenOption.CREATE_NEW);
    }

    /** Opens a file for writing, and creates it if it does not exist. An existing file keeps its mode and its content. */
    public static FileChannel open(Path file) throws IOException {
        return open(file, StandardOpenOption.CREATE);
    }

    private static FileChannel open(Path file, OpenOption creation) throws IOException {
        return FileChannel.open(file, Set.of(creation, StandardOpenOption.WRITE), mode(file, FILE_PERMISSIONS));
    }

    /**
     * Creates a folder and its missing parents. Existing folders keep their modes. If it fails, it leaves no new folder.
     *
     * @return the folders that this call created, parents first
     */
    public static List<Path> createFolders(Path folder) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path path = folder.toAbsolutePath(); path != null && Files.notExists(path); path = path.getParent()) {
            missing.push(path);
        }
        List<Path> created = new ArrayList<>();
        try {
            for (Path path : missing) {
                if (createFolder(path)) {
                    created.add(path);
                }
            }
            Files.createDirectories(folder, mode(folder, FOLDER_PERMISSIONS));
            return created;
        } catch (IOException e) {
            removeEmpty(created);
            throw e;
        }
    }

    /** Returns false if the folder exists, perhaps because another process created it at the same time. */
    private static boolean createFolder(Path path) throws IOException {
        try {
            Files.createDirectory(path, mode(path, FOLDER_PERMISSIONS));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    /** Removes folders in the reverse order, up to the first folder that is not empty or cannot be removed. */
    public static void removeEmpty(List<Path> folders) {
        for (int i = folders.size() - 1; i >= 0; i--) {
            try {
                Files.deleteIfExists(folders.get(i));
            } catch (IOException e) {
                return;
            }
        }
    }

    private static FileAttribute<?>[] mode(Path path, Set<PosixFilePermission> permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /**
     * Removes the permissions of other users from an existing file or folder. A symbolic link stays unchanged.
     *
     * @throws IOException if the file is readable by others and belongs to another user
     */
    public static void protect(Path path) throws IOException {
        if (!Files.isSymbolicLink(path) && mayBeUsedByOthers(path)) {
            Files.setPosixFilePermissions(path, Files.isDirectory(path) ? FOLDER_PERMISSIONS : FILE_PERMISSIONS);
        }
    }

    /** Returns true if the mode of a file or folder permits any access to other users than its owner. */
    public static boolean mayBeUsedByOthers(Path path) throws IOException {
        Set<PosixFilePermission> others = EnumSet.complementOf(EnumSet.copyOf(FOLDER_PERMISSIONS));
        others.retainAll(permissions(path).orElse(Set.of()));
        return !others.isEmpty();
    }

    private static Optional<Set<PosixFilePermission>> permissions(Path path) throws IOException {
        return Files.getFileStore(path).supportsFileAttributeView("posix")
                ? Optional.of(Files.getPosixFilePermissions(path))
                : Optional.empty();
    }
}
