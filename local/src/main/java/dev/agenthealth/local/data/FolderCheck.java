package dev.agenthealth.local.data;

import dev.agenthealth.dynamodb.CheckReport;
import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.dynamodb.sqlite.DatabaseFile;
import dev.agenthealth.dynamodb.sqlite.DatabaseUnusableException;
import dev.agenthealth.dynamodb.sqlite.Settings;
import dev.agenthealth.model.identity.KeyHash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Checks that a data folder is undamaged, even while a registry uses it. */
public final class FolderCheck {

    private FolderCheck() {}

    /**
     * The result of a check.
     *
     * @param problems a sentence per problem; empty if the folder is undamaged
     * @param database the counts of the database; zero if it cannot be read
     * @param messages number of messages in queues
     */
    public record Report(List<String> problems, CheckReport database, long messages) {

        public Report {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Checks a data folder.
     *
     * @throws IOException if it cannot be read
     */
    public static Report of(Path folder) throws IOException {
        CheckReport database = new CheckReport(List.of(), 0, 0, 0, 0);
        try {
            if (FolderState.of(folder) == FolderState.NEW) {
                return new Report(List.of(folder + " has no data of Agent Health"), database, 0);
            }
        } catch (IOException e) {
            return new Report(List.of(e.getMessage()), database, 0);
        }
        List<String> problems = new ArrayList<>();
        try (EmbeddedDynamoDb opened = open(folder)) {
            database = opened.inspect();
            problems.addAll(database.problems());
            DataFolder.checkSecretsKey(folder, opened);
        } catch (IOException | DatabaseUnusableException | IllegalStateException e) {
            problems.add(e.getMessage());
        }
        if (!problems.isEmpty()) {
            // Bytes from a failing disk say nothing about the data.
            DatabaseFile.diskFault(folder.resolve(DataFolder.DATABASE)).ifPresent(fault -> {
                problems.clear();
                problems.add(fault);
            });
        }
        checkKeys(folder, problems);
        return new Report(problems, database, database.messages() + checkMessages(folder, problems));
    }

    /** Writes a copy of the database of a folder as of now. */
    static void copyDatabase(Path folder, Path to) throws IOException {
        try (EmbeddedDynamoDb database = open(folder)) {
            database.copyTo(to.resolve(DataFolder.DATABASE));
        } catch (DatabaseUnusableException | IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static EmbeddedDynamoDb open(Path folder) {
        Settings settings = new Settings(folder.resolve(DataFolder.DATABASE), true, Settings.Sync.ALWAYS);
        return EmbeddedDynamoDb.inFile(settings, Set.of(), Clock.systemUTC());
    }

    private static void checkKeys(Path folder, List<String> problems) throws IOException {
        Path administrator = folder.resolve(FolderFiles.ADMINISTRATOR_KEY);
        try {
            if (Files.exists(administrator)) {
                KeyHash.ofHex(Files.readString(administrator).strip());
            }
        } catch (IllegalArgumentException e) {
            problems.add(administrator + " cannot be read as the hash of a key; AGENT_HEALTH_ADMIN_KEY replaces it");
        }
        Path secrets = folder.resolve(DataFolder.SECRETS_KEY);
        Path cards = folder.resolve(DataFolder.CARD_KEY);
        try {
            if (Files.exists(secrets)) {
                SecretsKey.read(secrets);
            }
            if (Files.exists(cards)) {
                CardKeyFile.check(cards);
            }
        } catch (IOException e) {
            problems.add(e.getMessage());
        }
    }

    private static int checkMessages(Path folder, List<String> problems) throws IOException {
        int messages = 0;
        for (Path file : FolderFiles.messages(folder)) {
            try {
                QueueFolders.read(file);
                messages++;
            } catch (NoSuchFileException e) {
                // The message was processed meanwhile.
                continue;
            } catch (IOException e) {
                problems.add(e.getMessage());
            }
        }
        return messages;
    }
}
