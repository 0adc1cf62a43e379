package dev.agenthealth.dynamodb.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.dynamodb.sqlite.StatementSteps.Statement;
import dev.agenthealth.dynamodb.table.Index;
import dev.agenthealth.dynamodb.table.KeyAttribute;
import dev.agenthealth.dynamodb.table.KeySchema;
import dev.agenthealth.dynamodb.table.Keys;
import dev.agenthealth.dynamodb.table.StreamFilter;
import dev.agenthealth.dynamodb.table.Table;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** The steps of SQLite's machine for each statement of a request. They do not grow with the rows of a table or of its stream. */
@Tag("slow")
class RowsStepsTest {

    private static final Rows.Origin NOW = new Rows.Origin(1_000, false, StreamFilter.ALL);
    private static final int PAGE = 10;

    @TempDir
    private Path folder;

    @Test
    void a_statement_takes_as_many_steps_whatever_is_stored() throws SQLException {
        Map<String, Long> few = steps(1_000);
        assertThat(few.values()).allMatch(steps -> steps > 0);
        assertThat(steps(100_000)).isEqualTo(few);
    }

    private Map<String, Long> steps(int items) throws SQLException {
        return StatementSteps.of(folder.resolve("items-" + items), session -> {
            Table table = table();
            Rows.create(session, table);
            for (int i = 0; i < items; i++) {
                Rows.replace(session, table, key(table, i), Map.of(), item(i, "0"), NOW);
            }
            int middle = items / 2;
            byte[] from = Keys.partition(AttributeValue.fromS("x"));
            Map<String, Statement> statements = new LinkedHashMap<>();
            statements.put("find", () -> Rows.find(session, table, key(table, middle)));
            statements.put(
                    "find several",
                    () -> SeveralItems.find(
                            session, table, List.of(key(table, middle), key(table, items), key(table, 0))));
            statements.put("page", () -> Rows.visit(session, table, new byte[0], Keys.ofSegment(1, 1), true, page()));
            statements.put(
                    "page of the index",
                    () -> Rows.visit(session, table, index(table), from, Keys.behind(from), false, page()));
            statements.put("expired", () -> Rows.expired(session, table, 0, Long.MAX_VALUE, PAGE));
            statements.put("is empty", () -> Rows.isEmpty(session, table));
            statements.put(
                    "update",
                    () -> Rows.replace(session, table, key(table, middle), item(middle, "0"), item(middle, "1"), NOW));
            statements.put(
                    "insert", () -> Rows.replace(session, table, key(table, items), Map.of(), item(items, "0"), NOW));
            statements.put(
                    "delete", () -> Rows.replace(session, table, key(table, items), item(items, "0"), Map.of(), NOW));
            return statements;
        });
    }

    private static Rows.Visitor page() {
        AtomicInteger left = new AtomicInteger(PAGE);
        return item -> left.decrementAndGet() > 0;
    }

    private static Table table() {
        KeyAttribute partition = new KeyAttribute("pk", ScalarAttributeType.S);
        return new Table(
                7,
                "Things",
                new KeySchema(List.of(partition)),
                List.of(new Index(
                        7,
                        "by-x",
                        new KeySchema(List.of(
                                new KeyAttribute("x", ScalarAttributeType.S),
                                new KeyAttribute("y", ScalarAttributeType.S))),
                        true)),
                "NEW_IMAGE",
                "ttl",
                Instant.EPOCH);
    }

    private static Index index(Table table) {
        return table.indexes().get(0);
    }

    private static byte[] key(Table table, int number) {
        return Keys.of(table.keys(), item(number, "0"));
    }

    private static Map<String, AttributeValue> item(int number, String value) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put("pk", AttributeValue.fromS("p" + number));
        item.put("x", AttributeValue.fromS("x"));
        item.put("y", AttributeValue.fromS(String.format("%09d", number)));
        item.put("v", AttributeValue.fromN(value));
        item.put("ttl", AttributeValue.fromN(Integer.toString(number + 1)));
        return item;
    }
}
