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

    /** The items of a partition of the registry table, eventually consistent. */
    public static Query partition(String partition) {
        return new Query(
                QueryRequest.builder(),
                partition,
                Condition.equal(Attributes.PK, Values.s(partition)),
                Condition.NONE,
                Attributes.SK);
    }

    /**
     * The items of a partition of an index.
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

    /** The items of a partition of the index {@value Attributes#DUE_INDEX}, with their keys only. */
    public static Query due(String partition) {
        return index(Attributes.DUE_INDEX, Attributes.DUE_PK, Attributes.DUE_SK, partition);
    }

    /** Only items whose sort key begins like this. */
    public Query startingWith(String prefix) {
        return withKey(Condition.beginsWith(sortKey, Values.s(prefix)));
    }

    /**
     * Only items of a partition of the table whose sort key begins like this and comes after a place.
     *
     * @param place the rest of a sort key, of an item that may be gone; empty for all
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

    /** Only items whose sort key lies between these, both included. */
    public Query between(String first, String last) {
        return withKey(Condition.between(sortKey, Values.s(first), Values.s(last)));
    }

    /** Only items whose sort key is greater; all where it is empty. */
    public Query after(String place) {
        return place.isEmpty() ? this : withKey(Condition.moreThan(sortKey, Values.s(place)));
    }

    /** Only items whose sort key is less. */
    public Query before(String place) {
        return withKey(Condition.lessThan(sortKey, Values.s(place)));
    }

    /** Only items for which the condition holds; those left out are read, and paid for, all the same. */
    public Query filter(Condition more) {
        return new Query(copy(), partition, key, filter.and(more), sortKey, projection);
    }

    /** Only these attributes of each item. */
    public Query project(String... attributes) {
        return new Query(copy(), partition, key, filter, sortKey, attributes);
    }

    /** Reads as of now; twice the read units. */
    public Query consistent() {
        return new Query(copy().consistentRead(true), partition, key, filter, sortKey, projection);
    }

    /** In descending order of the sort keys. */
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
     * The request for a page.
     *
     * @param limit the maximum number of items read; 0 for as many as fit into 1 MB
     * @param start the last key of the page before; empty at the beginning
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
