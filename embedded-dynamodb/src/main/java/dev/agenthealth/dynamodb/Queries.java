package dev.agenthealth.dynamodb;

import static dev.agenthealth.dynamodb.value.DynamoDbErrors.invalid;
import static dev.agenthealth.dynamodb.value.DynamoDbErrors.unsupported;

import dev.agenthealth.dynamodb.expression.Arguments;
import dev.agenthealth.dynamodb.expression.Condition;
import dev.agenthealth.dynamodb.expression.Expressions;
import dev.agenthealth.dynamodb.sqlite.Rows;
import dev.agenthealth.dynamodb.table.Index;
import dev.agenthealth.dynamodb.table.KeySchema;
import dev.agenthealth.dynamodb.table.Keys;
import dev.agenthealth.dynamodb.table.Table;
import dev.agenthealth.dynamodb.value.Values;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.Select;

/** Runs queries and scans. Thread-safe. */
final class Queries {

    private static final Condition ALL = item -> true;

    private final Engine engine;

    Queries(Engine engine) {
        this.engine = engine;
    }

    /** The table or index that a query reads. */
    private record Source(Table table, Optional<Index> index) {

        KeySchema keys() {
            return index.map(Index::keys).orElse(table.keys());
        }

        /** Returns the attributes of a start key: the key attributes of the table and of the index. */
        Set<String> keyNames() {
            Set<String> names = new HashSet<>();
            table.keys().attributes().forEach(attribute -> names.add(attribute.name()));
            index.ifPresent(i -> i.keys().attributes().forEach(attribute -> names.add(attribute.name())));
            return names;
        }

        Map<String, AttributeValue> keyOf(Map<String, AttributeValue> item) {
            Map<String, AttributeValue> key = new HashMap<>();
            keyNames().forEach(name -> key.put(name, item.get(name)));
            return key;
        }

        /** Refuses attributes that the index does not project. */
        void checkProjected(Set<String> attributes) {
            if (index.isPresent() && !index.get().projectsAll() && !keyNames().containsAll(attributes)) {
                throw invalid("One or more parameter values were invalid: Global secondary index "
                        + index.get().name() + " does not project " + attributes);
            }
        }

        /** Returns the position of a start key; its item may have been removed. */
        byte[] place(Map<String, AttributeValue> startKey) {
            if (!keyNames().equals(startKey.keySet())) {
                throw invalid("The provided starting key is invalid");
            }
            for (KeySchema schema :
                    index.map(i -> List.of(table.keys(), i.keys())).orElse(List.of(table.keys()))) {
                Map<String, AttributeValue> key = new HashMap<>();
                schema.copy(startKey, key);
                KeyCheck.checkKey(schema, key);
            }
            return index.map(i -> i.key(table.keys(), startKey)).orElseGet(() -> Keys.of(table.keys(), startKey));
        }
    }

    QueryResponse query(QueryRequest request) {
        if (request.hasKeyConditions() || request.hasQueryFilter() || request.hasAttributesToGet()) {
            throw unsupported("KeyConditions, QueryFilter and AttributesToGet");
        }
        Source source = source(request.tableName(), request.indexName());
        boolean consistent = Boolean.TRUE.equals(request.consistentRead());
        if (consistent && source.index().isPresent()) {
            throw invalid("Consistent reads are not supported on global secondary indexes");
        }
        Arguments arguments = Arguments.of(request.expressionAttributeNames(), request.expressionAttributeValues());
        if (request.keyConditionExpression() == null) {
            throw invalid(
                    "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
        }
        KeyRange range =
                KeyRange.of(source.keys(), Expressions.keyCondition(request.keyConditionExpression(), arguments));
        Condition filter = filter(request.filterExpression(), arguments);
        Set<String> projection = projection(request.projectionExpression(), arguments);
        arguments.checkAllUsed();
        source.checkProjected(projection);
        source.checkProjected(filter.attributes());
        if (filter.attributes().stream().anyMatch(source.keys()::has)) {
            throw invalid("Filter Expression can only contain non-primary key attributes");
        }
        boolean ascending = !Boolean.FALSE.equals(request.scanIndexForward());
        byte[] from = range.from();
        byte[] to = range.to();
        if (request.hasExclusiveStartKey()) {
            byte[] place = source.place(Values.normalized(request.exclusiveStartKey()));
            if (!range.contains(place)) {
                throw invalid("The provided starting key is outside query boundaries based on provided conditions");
            }
            if (ascending) {
                from = Keys.next(place);
            } else {
                to = place;
            }
        }
        PageReader page = read(
                source,
                from,
                to,
                ascending,
                new PageReader(limit(request.limit()), filter, projection, collects(request.select(), projection)));
        QueryResponse.Builder response = QueryResponse.builder()
                .items(page.items())
                .count(page.count())
                .scannedCount(page.scanned())
                .consumedCapacity(consumed(source, page, consistent, request.returnConsumedCapacity()));
        if (page.isFull()) {
            response.lastEvaluatedKey(source.keyOf(page.last()));
        }
        return response.build();
    }

    ScanResponse scan(ScanRequest request) {
        if (request.hasScanFilter() || request.hasAttributesToGet()) {
            throw unsupported("ScanFilter and AttributesToGet");
        }
        Source source = source(request.tableName(), request.indexName());
        boolean consistent = Boolean.TRUE.equals(request.consistentRead());
        if (consistent && source.index().isPresent()) {
            throw invalid("Consistent reads are not supported on global secondary indexes");
        }
        Arguments arguments = Arguments.of(request.expressionAttributeNames(), request.expressionAttributeValues());
        Condition filter = filter(request.filterExpression(), arguments);
        Set<String> projection = projection(request.projectionExpression(), arguments);
        arguments.checkAllUsed();
        source.checkProjected(projection);
        source.checkProjected(filter.attributes());
        int total = segments(request);
        int segment = request.segment() == null ? 0 : request.segment();
        byte[] from = Keys.ofSegment(segment, total);
        byte[] to = Keys.ofSegment(segment + 1, total);
        if (request.hasExclusiveStartKey()) {
            byte[] place = source.place(Values.normalized(request.exclusiveStartKey()));
            if (Arrays.compareUnsigned(place, from) < 0 || Arrays.compareUnsigned(place, to) >= 0) {
                throw invalid("The provided starting key is outside of the segment");
            }
            from = Keys.next(place);
        }
        PageReader page = read(
                source,
                from,
                to,
                true,
                new PageReader(limit(request.limit()), filter, projection, collects(request.select(), projection)));
        ScanResponse.Builder response = ScanResponse.builder()
                .items(page.items())
                .count(page.count())
                .scannedCount(page.scanned())
                .consumedCapacity(consumed(source, page, consistent, request.returnConsumedCapacity()));
        if (page.isFull()) {
            response.lastEvaluatedKey(source.keyOf(page.last()));
        }
        return response.build();
    }

    private static int segments(ScanRequest request) {
        if ((request.segment() == null) != (request.totalSegments() == null)) {
            throw invalid(
                    "The TotalSegments parameter is required but was not present in the request when Segment parameter is"
                            + " present");
        }
        if (request.segment() == null) {
            return 1;
        }
        int total = request.totalSegments();
        if (total < 1 || total > Limits.MAX_SEGMENTS) {
            throw invalid("1 validation error detected: Value '" + total
                    + "' at 'totalSegments' failed to satisfy constraint: Member must have value "
                    + (total < 1 ? "greater than or equal to 1" : "less than or equal to " + Limits.MAX_SEGMENTS));
        }
        if (request.segment() < 0 || request.segment() >= total) {
            throw invalid("The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: "
                    + request.segment() + " is not less than TotalSegments: " + total);
        }
        return total;
    }

    private Source source(String tableName, String indexName) {
        Table table = engine.catalogue().table(tableName);
        if (indexName == null) {
            return new Source(table, Optional.empty());
        }
        Optional<Index> index = table.index(indexName);
        if (index.isEmpty()) {
            throw invalid("The table does not have the specified index: " + indexName);
        }
        return new Source(table, index);
    }

    private PageReader read(Source source, byte[] from, byte[] to, boolean ascending, PageReader page) {
        return engine.read(session -> {
            if (source.index().isPresent()) {
                Rows.visit(session, source.table(), source.index().get(), from, to, ascending, page);
            } else {
                Rows.visit(session, source.table(), from, to, ascending, page);
            }
            return page;
        });
    }

    private static Condition filter(String expression, Arguments arguments) {
        return expression == null ? ALL : Expressions.condition(expression, "FilterExpression", arguments);
    }

    private static Set<String> projection(String expression, Arguments arguments) {
        return expression == null ? Set.of() : Expressions.projection(expression, arguments);
    }

    private static int limit(Integer limit) {
        if (limit != null && limit < 1) {
            throw invalid("1 validation error detected: Value '" + limit
                    + "' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1");
        }
        return limit == null ? Integer.MAX_VALUE : limit;
    }

    private static boolean collects(Select select, Set<String> projection) {
        if (select != null && select != Select.COUNT) {
            throw unsupported("Select " + select);
        }
        if (select == Select.COUNT && !projection.isEmpty()) {
            throw invalid("Cannot specify the ProjectionExpression when choosing to get only the Count");
        }
        return select == null;
    }

    private static ConsumedCapacity consumed(
            Source source, PageReader page, boolean consistent, ReturnConsumedCapacity wanted) {
        if (!Capacities.isWanted(wanted)) {
            return null;
        }
        Capacities.Units units = new Capacities.Units(source.table());
        double read = Capacities.read(page.bytes(), consistent);
        source.index().ifPresentOrElse(index -> units.add(index, read), () -> units.add(read));
        return units.consumed(wanted);
    }
}
