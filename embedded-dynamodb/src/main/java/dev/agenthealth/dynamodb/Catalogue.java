package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.sqlite.DatabaseFile;
import dev.agenthealth.dynamodb.sqlite.Session;
import dev.agenthealth.dynamodb.table.Index;
import dev.agenthealth.dynamodb.table.KeyAttribute;
import dev.agenthealth.dynamodb.table.KeySchema;
import dev.agenthealth.dynamodb.table.Table;
import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** The tables of a database by name. Thread-safe. Any thread reads it; the writer changes it after a commit. */
final class Catalogue {

    private volatile Map<String, Table> tables;

    Catalogue(DatabaseFile file) {
        tables = Map.copyOf(file.readers().read(Catalogue::read));
    }

    /** @throws ResourceNotFoundException if the table does not exist */
    Table table(String name) {
        Table table = name == null ? null : tables.get(name);
        if (table == null) {
            throw notFound("Requested resource not found: Table: " + name + " not found");
        }
        return table;
    }

    /**
     * Returns the current definition of a table; an index may be new since {@code earlier} was read.
     *
     * @throws ResourceNotFoundException if the table was deleted
     */
    Table current(Table earlier) {
        Table table = table(earlier.name());
        if (table.id() != earlier.id()) {
            throw notFound("Requested resource not found: Table: " + earlier.name() + " was deleted");
        }
        return table;
    }

    static ResourceNotFoundException notFound(String message) {
        return DynamoDbErrors.as("ResourceNotFoundException", message, ResourceNotFoundException.builder())
                .build();
    }

    Optional<Table> find(String name) {
        return Optional.ofNullable(tables.get(name));
    }

    Collection<Table> all() {
        return tables.values();
    }

    void put(Table table) {
        Map<String, Table> changed = new HashMap<>(tables);
        changed.put(table.name(), table);
        tables = Map.copyOf(changed);
    }

    void remove(Table table) {
        Map<String, Table> changed = new HashMap<>(tables);
        changed.remove(table.name());
        tables = Map.copyOf(changed);
    }

    /** Returns the tables that a session sees, by name. */
    static Map<String, Table> read(Session session) throws SQLException {
        Map<String, Table> found = new HashMap<>();
        try (ResultSet rows = session.statement("SELECT * FROM tables").executeQuery()) {
            while (rows.next()) {
                long id = rows.getLong("id");
                Table table = new Table(
                        id,
                        rows.getString("name"),
                        keys(rows),
                        indexes(session, id),
                        rows.getString("stream_view"),
                        rows.getString("ttl_attribute"),
                        Instant.parse(rows.getString("created_at")));
                found.put(table.name(), table);
            }
        }
        return found;
    }

    private static List<Index> indexes(Session session, long tableId) throws SQLException {
        List<Index> indexes = new ArrayList<>();
        try (ResultSet rows = session.bound("SELECT * FROM indexes WHERE table_id = ? ORDER BY id", tableId)
                .executeQuery()) {
            while (rows.next()) {
                indexes.add(new Index(
                        rows.getLong("id"), rows.getString("name"), keys(rows), rows.getBoolean("projects_all")));
            }
        }
        return indexes;
    }

    private static KeySchema keys(ResultSet rows) throws SQLException {
        List<KeyAttribute> attributes = new ArrayList<>();
        attributes.add(attribute(rows, "partition"));
        if (rows.getString("sort_key") != null) {
            attributes.add(attribute(rows, "sort"));
        }
        return new KeySchema(attributes);
    }

    private static KeyAttribute attribute(ResultSet rows, String part) throws SQLException {
        return new KeyAttribute(
                rows.getString(part + "_key"), ScalarAttributeType.fromValue(rows.getString(part + "_type")));
    }
}
