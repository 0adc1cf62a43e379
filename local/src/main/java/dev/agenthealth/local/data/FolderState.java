package dev.agenthealth.local.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The kinds of data folder, by the names of the files in it. */
enum FolderState {
    /** The folder is empty or missing; a registry may start in it. */
    NEW,
    /** The folder has a database. */
    COMPLETE;

    /** The last revision that reads folders with the database of DynamoDB Local. */
    private static final String LAST_REVISION_WITH_DYNAMODB_LOCAL = "09503db6";

    /**
     * Returns the state of a folder and changes nothing.
     *
     * @throws IOException if no registry may start on it; the message says why and what to do
     */
    static FolderState of(Path folder) throws IOException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new IOException("cannot write to the data folder " + folder + ": it is a file; choose a folder");
        }
        List<String> names = FolderFiles.names(folder);
        boolean hasDatabase = names.contains(DataFolder.DATABASE);
        if (Files.exists(folder.resolve(Restore.MARKER))
                || !hasDatabase && Files.exists(folder.resolve(Restore.STAGE))) {
            throw new IOException(
                    "a restore of the data folder " + folder + " was interrupted; run it again with --force");
        }
        if (hasDatabase) {
            return COMPLETE;
        }
        if (names.contains(FolderFiles.OLD_DATABASE)) {
            throw new IOException("the data folder " + folder + " has the database of an older format ("
                    + FolderFiles.OLD_DATABASE + "), which revision " + LAST_REVISION_WITH_DYNAMODB_LOCAL
                    + " is the last to read; choose another folder, and register the agents again");
        }
        List<String> own = names.stream().filter(FolderFiles::isOwn).toList();
        if (!own.isEmpty()) {
            throw new IOException("the data folder " + folder + " has lost its database " + DataFolder.DATABASE + " ("
                    + own.get(0) + " is there); restore a backup, or choose an empty folder to begin anew");
        }
        if (!names.isEmpty()) {
            throw new IOException("the folder " + folder + " has files of something else, such as " + names.get(0)
                    + "; choose an empty folder, or one of Agent Health");
        }
        return NEW;
    }
}
