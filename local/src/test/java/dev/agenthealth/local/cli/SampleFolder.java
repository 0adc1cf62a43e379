package dev.agenthealth.local.cli;

import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.functions.api.signing.LocalCardKey;
import dev.agenthealth.local.testing.TestTemplate;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Tables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A data folder with items and a message, written without a start. */
final class SampleFolder {

    static final String DATABASE = "agent-health.db";
    static final String MESSAGE = "queue-agent-health-Work/1.message";
    static final int ITEMS = 200;

    private SampleFolder() {}

    static Path write(Path folder) throws IOException {
        Path queue = Files.createDirectories(folder.resolve(MESSAGE).getParent());
        Files.write(folder.resolve(DATABASE), Once.DATABASE_FILE);
        Files.writeString(folder.resolve("secrets.key"), Base64.getEncoder().encodeToString(new byte[32]));
        Files.writeString(folder.resolve("card.key"), LocalCardKey.generate());
        Files.writeString(folder.resolve("administrator-key.sha256"), "ab".repeat(32) + "\n");
        Files.writeString(
                folder.resolve(MESSAGE),
                """
                        {"id":"1","body":"b","sent_at":"2026-11-22T10:00:00Z"}\
                        """);
        Files.writeString(queue.resolve("2.message.next"), "incomplete");
        Files.createFile(folder.resolve("lock"));
        return folder;
    }

    static void put(EmbeddedDynamoDb database, int number) {
        database.client().putItem(request -> request.tableName(TestTemplate.TABLE)
                .item(Map.of(
                        "pk",
                        AttributeValue.fromS("E#" + number),
                        "text",
                        AttributeValue.fromS("some text ".repeat(50)))));
    }

    /** The database, written once because most tests of commands need it. */
    private static final class Once {

        private static final byte[] DATABASE_FILE = database();

        private static byte[] database() {
            try {
                Path folder = Files.createTempDirectory("sample-folder");
                Path file = folder.resolve(DATABASE);
                try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inFile(file, false, Set.of(), Clock.systemUTC())) {
                    Tables.create(
                            database.client(),
                            TestTemplate.template().stack(Resolution.local()).tables());
                    for (int i = 0; i < ITEMS; i++) {
                        put(database, i);
                    }
                }
                byte[] written = Files.readAllBytes(file);
                Files.delete(file);
                // Nothing of it is in another file.
                Files.delete(folder);
                return written;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
