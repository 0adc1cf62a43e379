package dev.agenthealth.functions.storage.dynamo;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** A query of items of one partition, in the order of their sort keys. Immutable and thread-safe. */
public final class Query {

    private final QueryRequest.Builder request;
    private final String partition;
    private final Condition key;
    private final Condition filter;
    private final String sortKey;
    private final String[] projection;

    private Query(
            QueryRequest.Builder request,
            String partition,
            Condition key,
            Condition filter,
            String sortKey,
            String... projection) {
        this.request = request;
        this.partition = partition;
        this.key = key;
        this.filter = filter;
        this.sortKey = sortKey;
        this.projection = projection;
    }

    /** Returns a query of the items of a partition of the registry table, eventually consistent. */
    public static Query partition(String partition) {
        return new Query(
                QueryRequest.builder(),
                partition,
                Condition.equal(Attributes.PK, Values.s(partition)),
                Condition.NONE,
                Attributes.SK);
    }

    /**
     * Returns a query of the items of a partition of an index.
     *
     * @param partitionKey the attribute that is the index's partition key
     * @param sortKey the attribute that is its sort key
     */
    public static Query index(String index, String partitionKey, String sortKey, String partition) {
        return new Query(
                QueryRequest.builder().indexName(index),
                partition,
                Condition.equal(partitionKey, Values.s(partition)),
                Condition.NONE,
                sortKey);
    }

    /** Returns a query of the items of a partition of the index {@value Attributes#DUE_INDEX}, with their keys only. */
    public static Query due(String partition) {
        return index(Attributes.DUE_INDEX, Attributes.DUE_PK, Attributes.DUE_SK, partition);
    }

    /** Returns the query limited to items with this prefix of their sort key. */
    public Query startingWith(String prefix) {
        return withKey(Condition.beginsWith(sortKey, Values.s(prefix)));
    }

    /**
     * Returns the query limited to items of a partition of the table with this prefix of their sort key, after a position.
     *
     * @param place the rest of a sort key, whose item may be gone; empty for all items
     */
    public Query startingWith(String prefix, String place) {
        Query all = startingWith(prefix);
        return place.isEmpty()
                ? all
                : new Query(
                        all.copy().exclusiveStartKey(Attributes.key(partition, prefix + place)),
                        partition,
                        all.key,
                        filter,
                        sortKey,
                        projection);
    }

    /** Returns the query limited to items whose sort key lies between these keys, both included. */
    public Query between(String first, String last) {
        return withKey(Condition.between(sortKey, Values.s(first), Values.s(last)));
    }

    /** Returns the query limited to items with a greater sort key; all items if {@code place} is empty. */
    public Query after(String place) {
        return place.isEmpty() ? this : withKey(Condition.moreThan(sortKey, Values.s(place)));
    }

    /** Returns the query limited to items with a lower sort key. */
    public Query before(String place) {
        return withKey(Condition.lessThan(sortKey, Values.s(place)));
    }

    /** Returns the query limited to items that match the condition. Excluded items are also read, and cost the same. */
    public Query filter(Condition more) {
        return new Query(copy(), partition, key, filter.and(more), sortKey, projection);
    }

    /** Returns the query with only these attributes of each item. */
    public Query project(String... attributes) {
        return new Query(copy(), partition, key, filter, sortKey, attributes);
    }

    /** Returns the query as a strongly consistent read, which costs twice the read units. */
    public Query consistent() {
        return new Query(copy().consistentRead(true), partition, key, filter, sortKey, projection);
    }

    /** Returns the query in descending order of the sort keys. */
    public Query descending() {
        return new Query(copy().scanIndexForward(false), partition, key, filter, sortKey, projection);
    }

    private Query withKey(Condition more) {
        return new Query(copy(), partition, key.and(more), filter, sortKey, projection);
    }

    private QueryRequest.Builder copy() {
        return request.build().toBuilder();
    }

    /**
     * Returns the request for a page.
     *
     * @param limit the maximum number of items read; 0 for as many as fit into 1 MB
     * @param start the last key of the previous page; empty at the beginning
     */
    QueryRequest request(String table, int limit, Map<String, AttributeValue> start) {
        Placeholders placeholders = new Placeholders();
        QueryRequest.Builder page = copy().tableName(table)
                .keyConditionExpression(key.render(placeholders))
                .filterExpression(filter.render(placeholders))
                .limit(limit == 0 ? null : limit);
        if (!start.isEmpty()) {
            page.exclusiveStartKey(start);
        }
        if (projection.length > 0) {
            page.projectionExpression(
                    Arrays.stream(projection).map(placeholders::name).collect(Collectors.joining(", ")));
        }
        return page.expressionAttributeNames(placeholders.names())
                .expressionAttributeValues(placeholders.values())
                .build();
    }
}
