package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.dynamodb.sqlite.Session;
import dev.agenthealth.dynamodb.sqlite.StatementSteps;
import dev.agenthealth.dynamodb.sqlite.StatementSteps.Statement;
import dev.agenthealth.dynamodb.table.ItemBytes;
import dev.agenthealth.dynamodb.table.KeyAttribute;
import dev.agenthealth.dynamodb.table.KeySchema;
import dev.agenthealth.dynamodb.table.Table;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** The steps of SQLite's machine for the stream, for the positions of its consumers, and for messages of queues, whatever waits. */
@Tag("slow")
class StreamStepsTest {

    private static final int PAGE = 100;
    private static final int PASSED = 500;
    private static final int INSERT = 1;

    @TempDir
    private Path folder;

    @Test
    void a_statement_takes_as_many_steps_whatever_waits() throws SQLException {
        Map<String, Long> few = steps(1_000);
        assertThat(few.values()).allMatch(steps -> steps > 0);
        assertThat(steps(100_000)).isEqualTo(few);
    }

    private Map<String, Long> steps(int waiting) throws SQLException {
        return StatementSteps.of(folder.resolve("waiting-" + waiting), session -> {
            for (int i = 0; i < waiting; i++) {
                Messages.put(session, message(i));
                addRecord(session, i);
            }
            Map<String, Statement> statements = new LinkedHashMap<>();
            statements.put("store a position", () -> Checkpoints.store(session, "publisher", PASSED));
            statements.put("read a page of the stream", () -> StreamReads.read(session, table(), PASSED, PAGE));
            statements.put("trim the stream", () -> Expiry.trim(session, 0));
            statements.put("store a message", () -> Messages.put(session, message(waiting)));
            statements.put("remove a message", () -> Messages.delete(session, message(waiting / 2)));
            return statements;
        });
    }

    private static void addRecord(Session session, int number) throws SQLException {
        Map<String, AttributeValue> item = Map.of("pk", AttributeValue.fromS("p" + number));
        session.update(
                "INSERT INTO stream (table_id, at, event, expired, old, new) VALUES (?, ?, ?, 0, NULL, ?)",
                table().id(),
                (long) number,
                (long) INSERT,
                ItemBytes.write(item, PAGE));
    }

    private static Table table() {
        return new Table(
                7,
                "Things",
                new KeySchema(List.of(new KeyAttribute("pk", ScalarAttributeType.S))),
                List.of(),
                "NEW_IMAGE",
                "",
                Instant.EPOCH);
    }

    private static StoredMessage message(int number) {
        return new StoredMessage("queue", "m" + number, Instant.ofEpochMilli(number), "text");
    }
}
