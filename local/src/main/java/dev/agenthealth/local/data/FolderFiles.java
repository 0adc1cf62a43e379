package dev.agenthealth.local.data;

import dev.agenthealth.dynamodb.files.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The names of the files of a data folder. */
final class FolderFiles {

    static final String LOCK = "lock";
    static final String ADMINISTRATOR_KEY = "administrator-key.sha256";

    /** The database of DynamoDB Local in versions before the first release. */
    static final String OLD_DATABASE = "tables.db";

    private static final String QUEUE_PREFIX = "queue-";
    private static final String MESSAGE_SUFFIX = ".message";
    private static final String LOST_AND_FOUND = "lost+found";

    private FolderFiles() {}

    /** Returns true for the name of a file that a registry writes into its folder. */
    static boolean isOwn(String name) {
        return name.startsWith(DataFolder.DATABASE)
                || name.startsWith(DataFolder.SECRETS_KEY)
                || name.startsWith(DataFolder.CARD_KEY)
                || name.startsWith(ADMINISTRATOR_KEY)
                || name.startsWith(QUEUE_PREFIX);
    }

    /** Returns the names in a folder, without hidden files, the lock and files of the file system; empty if the folder does not exist. */
    static List<String> names(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith(".") && !name.equals(LOCK) && !name.equals(LOST_AND_FOUND))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the files and folders that a registry wrote into its folder, including all files of its queues. */
    static List<Path> own(Path folder) throws IOException {
        List<Path> own = new ArrayList<>(List.of(folder.resolve(LOCK)));
        for (String name : names(folder)) {
            if (isOwn(name)) {
                try (Stream<Path> walk = Files.walk(folder.resolve(name))) {
                    walk.forEach(own::add);
                }
            }
        }
        return own;
    }

    /** Returns the files in which earlier versions stored messages of queues; other processes may delete them at any time. */
    static List<Path> messages(Path folder) throws IOException {
        List<Path> messages = new ArrayList<>();
        for (String name : names(folder)) {
            if (name.startsWith(QUEUE_PREFIX)) {
                try (Stream<Path> files = Files.list(folder.resolve(name))) {
                    files.filter(file -> file.toString().endsWith(MESSAGE_SUFFIX))
                            .sorted()
                            .forEach(messages::add);
                }
            }
        }
        return messages;
    }

    /** Returns the name of the queue whose message is in a file. */
    static String queueOf(Path message) {
        return message.getParent().getFileName().toString().substring(QUEUE_PREFIX.length());
    }

    /** Deletes the folders in which earlier versions stored messages of queues, with their incomplete files. */
    static void deleteQueues(Path folder) throws IOException {
        for (String name : names(folder)) {
            if (name.startsWith(QUEUE_PREFIX)) {
                delete(folder.resolve(name));
            }
        }
    }

    static void delete(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> walk = Files.walk(path)) {
            for (Path found : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(found);
            }
        }
    }

    /** Syncs the names in a folder, if the system permits that. */
    static void sync(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Windows opens no folders; it writes the names soon.
            return;
        }
    }

    /** Copies a file that others may delete meanwhile; returns false if it is gone. */
    static boolean copyIfThere(Path file, Path copy) throws IOException {
        PrivateFiles.createFolders(copy.getParent());
        Files.deleteIfExists(copy);
        try (InputStream in = Files.newInputStream(file);
                FileChannel channel = PrivateFiles.create(copy)) {
            in.transferTo(Channels.newOutputStream(channel));
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }
}
