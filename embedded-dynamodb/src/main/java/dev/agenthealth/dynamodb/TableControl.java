package dev.agenthealth.dynamodb;

import static dev.agenthealth.dynamodb.value.DynamoDbErrors.invalid;
import static dev.agenthealth.dynamodb.value.DynamoDbErrors.unsupported;

import dev.agenthealth.dynamodb.sqlite.Rows;
import dev.agenthealth.dynamodb.sqlite.Session;
import dev.agenthealth.dynamodb.table.Index;
import dev.agenthealth.dynamodb.table.ItemBytes;
import dev.agenthealth.dynamodb.table.KeyAttribute;
import dev.agenthealth.dynamodb.table.KeySchema;
import dev.agenthealth.dynamodb.table.Keys;
import dev.agenthealth.dynamodb.table.Table;
import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.CreateTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveResponse;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveSpecification;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;
import software.amazon.awssdk.services.dynamodb.model.UpdateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTableResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveResponse;

/** Creates, changes, describes and deletes tables. A change is complete when its request returns. Thread-safe. */
final class TableControl {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");

    private final Engine engine;

    TableControl(Engine engine) {
        this.engine = engine;
    }

    CreateTableResponse create(CreateTableRequest request) {
        if (request.hasLocalSecondaryIndexes()) {
            throw unsupported("local secondary indexes");
        }
        if (request.tableName() == null || !NAME.matcher(request.tableName()).matches()) {
            throw invalid(
                    "TableName must be at least 3 characters long and at most 255 characters long, of a-z, A-Z, 0-9,"
                            + " _, - and .");
        }
        Map<String, ScalarAttributeType> types = types(request.attributeDefinitions());
        KeySchema keys = keys(request.keySchema(), types);
        List<Index> indexes = new ArrayList<>();
        request.globalSecondaryIndexes()
                .forEach(index -> indexes.add(
                        new Index(0, index.indexName(), keys(index.keySchema(), types), all(index.projection()))));
        checkDefinitions(types, keys, indexes);
        String stream = request.streamSpecification() != null
                        && Boolean.TRUE.equals(request.streamSpecification().streamEnabled())
                ? request.streamSpecification().streamViewTypeAsString()
                : "";
        Instant now = engine.clock().instant().truncatedTo(ChronoUnit.MILLIS);
        Table wanted = new Table(0, request.tableName(), keys, indexes, stream, "", now);
        Table created = engine.writeAlone((session, effect) -> {
            if (engine.catalogue().find(wanted.name()).isPresent()) {
                throw inUse("Table already exists: " + wanted.name());
            }
            Table table = insert(session, wanted);
            effect.wrote();
            effect.afterCommit(() -> engine.catalogue().put(table));
            return table;
        });
        return CreateTableResponse.builder()
                .tableDescription(Descriptions.of(created))
                .build();
    }

    private static void checkDefinitions(Map<String, ScalarAttributeType> types, KeySchema keys, List<Index> indexes) {
        Set<String> unused = new HashSet<>(types.keySet());
        unused.removeIf(keys::has);
        Set<String> names = new HashSet<>();
        for (Index index : indexes) {
            unused.removeIf(index.keys()::has);
            if (!names.add(index.name())) {
                throw invalid("One or more parameter values were invalid: Duplicate index name: " + index.name());
            }
        }
        if (!unused.isEmpty()) {
            throw invalid(
                    "One or more parameter values were invalid: Some AttributeDefinitions are not used: " + unused);
        }
    }

    private static ResourceInUseException inUse(String message) {
        return DynamoDbErrors.as("ResourceInUseException", message, ResourceInUseException.builder())
                .build();
    }

    private static Table insert(Session session, Table wanted) throws SQLException {
        KeyAttribute partition = wanted.keys().partition();
        session.update(
                "INSERT INTO tables (name, partition_key, partition_type, sort_key, sort_type, stream_view, ttl_attribute, created_at)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                wanted.name(),
                partition.name(),
                partition.type().toString(),
                wanted.keys().sort().map(KeyAttribute::name).orElse(null),
                wanted.keys().sort().map(sort -> sort.type().toString()).orElse(null),
                wanted.streamView(),
                wanted.ttlAttribute(),
                wanted.createdAt().toString());
        long id = session.number("SELECT last_insert_rowid()", 0);
        List<Index> indexes = new ArrayList<>();
        for (Index index : wanted.indexes()) {
            indexes.add(insert(session, id, index));
        }
        Table table = new Table(
                id,
                wanted.name(),
                wanted.keys(),
                indexes,
                wanted.streamView(),
                wanted.ttlAttribute(),
                wanted.createdAt());
        Rows.create(session, table);
        return table;
    }

    private static Index insert(Session session, long tableId, Index index) throws SQLException {
        KeyAttribute partition = index.keys().partition();
        session.update(
                "INSERT INTO indexes (table_id, name, partition_key, partition_type, sort_key, sort_type, projects_all)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?)",
                tableId,
                index.name(),
                partition.name(),
                partition.type().toString(),
                index.keys().sort().map(KeyAttribute::name).orElse(null),
                index.keys().sort().map(sort -> sort.type().toString()).orElse(null),
                index.projectsAll() ? 1L : 0L);
        return new Index(
                session.number("SELECT last_insert_rowid()", 0), index.name(), index.keys(), index.projectsAll());
    }

    private static Map<String, ScalarAttributeType> types(List<AttributeDefinition> definitions) {
        return definitions.stream()
                .collect(Collectors.toMap(AttributeDefinition::attributeName, AttributeDefinition::attributeType));
    }

    private static KeySchema keys(List<KeySchemaElement> elements, Map<String, ScalarAttributeType> types) {
        List<KeyAttribute> attributes = new ArrayList<>();
        for (KeyType part : List.of(KeyType.HASH, KeyType.RANGE)) {
            for (KeySchemaElement element : elements) {
                if (element.keyType() == part) {
                    attributes.add(new KeyAttribute(element.attributeName(), type(types, element.attributeName())));
                }
            }
        }
        if (attributes.isEmpty() || elements.get(0).keyType() != KeyType.HASH || attributes.size() > 2) {
            throw invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
        }
        return new KeySchema(attributes);
    }

    private static ScalarAttributeType type(Map<String, ScalarAttributeType> types, String name) {
        ScalarAttributeType type = types.get(name);
        if (type == null) {
            throw invalid("One or more parameter values were invalid: Some index key attributes are not defined in"
                    + " AttributeDefinitions. Keys: [" + name + "], AttributeDefinitions: " + types.keySet());
        }
        if (type == ScalarAttributeType.UNKNOWN_TO_SDK_VERSION) {
            throw invalid("1 validation error detected: Value at 'attributeDefinitions' failed to satisfy constraint:"
                    + " Member must satisfy enum value set: [B, N, S]");
        }
        if (type != ScalarAttributeType.S && type != ScalarAttributeType.B) {
            throw unsupported("keys of type " + type);
        }
        return type;
    }

    private static boolean all(Projection projection) {
        if (projection.projectionType() == ProjectionType.INCLUDE) {
            throw unsupported("indexes with the projection INCLUDE");
        }
        return projection.projectionType() == ProjectionType.ALL;
    }

    DescribeTableResponse describe(DescribeTableRequest request) {
        return DescribeTableResponse.builder()
                .table(Descriptions.of(engine.catalogue().table(request.tableName())))
                .build();
    }

    DeleteTableResponse delete(DeleteTableRequest request) {
        Table deleted = engine.writeAlone((session, effect) -> {
            Table table = engine.catalogue().table(request.tableName());
            Rows.drop(session, table);
            session.update("DELETE FROM indexes WHERE table_id = ?", table.id());
            session.update("DELETE FROM tables WHERE id = ?", table.id());
            effect.wrote();
            effect.afterCommit(() -> engine.catalogue().remove(table));
            return table;
        });
        return DeleteTableResponse.builder()
                .tableDescription(Descriptions.of(deleted))
                .build();
    }

    /** Adds and removes indexes; a new index has all entries when this returns. */
    UpdateTableResponse update(UpdateTableRequest request) {
        if (request.streamSpecification() != null || request.hasReplicaUpdates()) {
            throw unsupported("changes of a table other than of its indexes");
        }
        Map<String, ScalarAttributeType> types = types(request.attributeDefinitions());
        Table updated = engine.writeAlone((session, effect) -> {
            Table table = engine.catalogue().table(request.tableName());
            for (GlobalSecondaryIndexUpdate change : request.globalSecondaryIndexUpdates()) {
                table = table.withIndexes(
                        change.create() != null
                                ? added(session, table, change, types)
                                : removed(session, table, change));
            }
            Table result = table;
            effect.wrote();
            effect.afterCommit(() -> engine.catalogue().put(result));
            return result;
        });
        return UpdateTableResponse.builder()
                .tableDescription(Descriptions.of(updated))
                .build();
    }

    private static List<Index> added(
            Session session, Table table, GlobalSecondaryIndexUpdate change, Map<String, ScalarAttributeType> types)
            throws SQLException {
        if (change.create() == null) {
            throw unsupported("changes of an index");
        }
        String name = change.create().indexName();
        if (table.index(name).isPresent()) {
            throw invalid("Attempting to create an index which already exists: " + name);
        }
        Index index = insert(
                session,
                table.id(),
                new Index(
                        0,
                        name,
                        keys(change.create().keySchema(), types),
                        all(change.create().projection())));
        Rows.create(session, index);
        Rows.visit(session, table, Keys.ofSegment(0, 1), Keys.ofSegment(1, 1), true, stored -> {
            Map<String, AttributeValue> item = ItemBytes.read(stored);
            Rows.addEntry(session, table, index, Keys.of(table.keys(), item), item);
            return true;
        });
        List<Index> indexes = new ArrayList<>(table.indexes());
        indexes.add(index);
        return indexes;
    }

    private static List<Index> removed(Session session, Table table, GlobalSecondaryIndexUpdate change)
            throws SQLException {
        if (change.delete() == null) {
            throw unsupported("changes of an index");
        }
        Index index = table.index(change.delete().indexName())
                .orElseThrow(() -> Catalogue.notFound("Requested resource not found"));
        Rows.drop(session, index);
        session.update("DELETE FROM indexes WHERE id = ?", index.id());
        return table.indexes().stream()
                .filter(other -> other.id() != index.id())
                .toList();
    }

    UpdateTimeToLiveResponse updateTimeToLive(UpdateTimeToLiveRequest request) {
        TimeToLiveSpecification wanted = request.timeToLiveSpecification();
        String attribute = Boolean.TRUE.equals(wanted.enabled()) ? wanted.attributeName() : "";
        TimeToLiveSpecification applied = engine.writeAlone((session, effect) -> {
            Table table = engine.catalogue().table(request.tableName());
            if (table.ttlAttribute().isEmpty() == attribute.isEmpty()) {
                throw invalid("TimeToLive is already " + (attribute.isEmpty() ? "disabled" : "enabled"));
            }
            Table changed = table.withTtl(attribute);
            session.update("UPDATE tables SET ttl_attribute = ? WHERE id = ?", attribute, table.id());
            Rows.clearExpiry(session, changed);
            if (!attribute.isEmpty()) {
                listByExpiry(session, changed);
            }
            effect.wrote();
            effect.afterCommit(() -> engine.catalogue().put(changed));
            return wanted;
        });
        return UpdateTimeToLiveResponse.builder()
                .timeToLiveSpecification(applied)
                .build();
    }

    private static void listByExpiry(Session session, Table table) throws SQLException {
        Map<byte[], Long> found = new HashMap<>();
        Rows.visit(session, table, Keys.ofSegment(0, 1), Keys.ofSegment(1, 1), true, stored -> {
            Map<String, AttributeValue> item = ItemBytes.read(stored);
            long at = table.expirySeconds(item);
            if (at != Long.MAX_VALUE) {
                found.put(Keys.of(table.keys(), item), at);
            }
            return true;
        });
        for (Map.Entry<byte[], Long> one : found.entrySet()) {
            Rows.addExpiry(session, table, one.getKey(), one.getValue());
        }
    }

    DescribeTimeToLiveResponse describeTimeToLive(DescribeTimeToLiveRequest request) {
        Table table = engine.catalogue().table(request.tableName());
        boolean enabled = !table.ttlAttribute().isEmpty();
        return DescribeTimeToLiveResponse.builder()
                .timeToLiveDescription(
                        ttl -> ttl.timeToLiveStatus(enabled ? TimeToLiveStatus.ENABLED : TimeToLiveStatus.DISABLED)
                                .attributeName(enabled ? table.ttlAttribute() : null))
                .build();
    }
}
