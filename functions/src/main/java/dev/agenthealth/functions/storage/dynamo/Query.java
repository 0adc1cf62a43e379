package dev.agenthealth.functions.storage.dynamo;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** A query of items of one partition, in the order of their sort keys. Immutable and thread-safe. */
public final class Query {

    private final Source source;
    private final Condition key;
    private final Condition filter;
    private final Form form;

    private Query(Source source, Condition key, Condition filter, Form form) {
        this.source = source;
        this.key = key;
        this.filter = filter;
        this.form = form;
    }

    /**
     * The partition that a query reads.
     *
     * @param index empty for a partition of the table
     * @param sortKey the attribute that is the sort key
     */
    private record Source(String index, String partition, String sortKey) {}

    /**
     * The form of the answer.
     *
     * @param start the key after which the query begins; empty for the beginning
     * @param projection the wanted attributes; empty for all
     */
    private record Form(
            boolean consistent, boolean descending, Map<String, AttributeValue> start, List<String> projection) {

        private static final Form DEFAULT = new Form(false, false, Map.of(), List.of());
    }

    /** Returns a query of the items of a partition of the registry table, eventually consistent. */
    public static Query partition(String partition) {
        return of(new Source("", partition, Attributes.SK), Attributes.PK);
    }

    /**
     * Returns a query of the items of a partition of an index.
     *
     * @param partitionKey the attribute that is the index's partition key
     * @param sortKey the attribute that is its sort key
     */
    public static Query index(String index, String partitionKey, String sortKey, String partition) {
        return of(new Source(index, partition, sortKey), partitionKey);
    }

    private static Query of(Source source, String partitionKey) {
        return new Query(
                source, Condition.equal(partitionKey, Values.s(source.partition())), Condition.NONE, Form.DEFAULT);
    }

    /** Returns a query of the items of a partition of the index {@value Attributes#DUE_INDEX}, with their keys only. */
    public static Query due(String partition) {
        return index(Attributes.DUE_INDEX, Attributes.DUE_PK, Attributes.DUE_SK, partition);
    }

    /** Returns the query limited to items with this prefix of their sort key. */
    public Query startingWith(String prefix) {
        return withKey(Condition.beginsWith(source.sortKey(), Values.s(prefix)));
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
                : all.with(new Form(
                        form.consistent(),
                        form.descending(),
                        Attributes.key(source.partition(), prefix + place),
                        form.projection()));
    }

    /** Returns the query limited to items whose sort key lies between these keys, both included. */
    public Query between(String first, String last) {
        return withKey(Condition.between(source.sortKey(), Values.s(first), Values.s(last)));
    }

    /** Returns the query limited to items with a greater sort key; all items if {@code place} is empty. */
    public Query after(String place) {
        return place.isEmpty() ? this : withKey(Condition.moreThan(source.sortKey(), Values.s(place)));
    }

    /** Returns the query limited to items with a lower sort key. */
    public Query before(String place) {
        return withKey(Condition.lessThan(source.sortKey(), Values.s(place)));
    }

    /** Returns the query limited to items that match the condition. Excluded items are also read, and cost the same. */
    public Query filter(Condition more) {
        return new Query(source, key, filter.and(more), form);
    }

    /** Returns the query with only these attributes of each item. */
    public Query project(String... attributes) {
        return with(new Form(form.consistent(), form.descending(), form.start(), List.of(attributes)));
    }

    /** Returns the query as a strongly consistent read, which costs twice the read units. */
    public Query consistent() {
        return with(new Form(true, form.descending(), form.start(), form.projection()));
    }

    /** Returns the query in descending order of the sort keys. */
    public Query descending() {
        return with(new Form(form.consistent(), true, form.start(), form.projection()));
    }

    private Query withKey(Condition more) {
        return new Query(source, key.and(more), filter, form);
    }

    private Query with(Form changed) {
        return new Query(source, key, filter, changed);
    }

    /**
     * Returns the request for a page.
     *
     * @param limit the maximum number of items read; 0 for as many as fit into 1 MB
     * @param start the last key of the previous page; empty at the beginning
     */
    QueryRequest.Builder request(String table, int limit, Map<String, AttributeValue> start) {
        Placeholders placeholders = new Placeholders();
        Map<String, AttributeValue> from = start.isEmpty() ? form.start() : start;
        return QueryRequest.builder()
                .tableName(table)
                .indexName(source.index().isEmpty() ? null : source.index())
                .consistentRead(form.consistent() ? true : null)
                .scanIndexForward(form.descending() ? false : null)
                .exclusiveStartKey(from.isEmpty() ? null : from)
                .keyConditionExpression(key.render(placeholders))
                .filterExpression(filter.render(placeholders))
                .projectionExpression(
                        form.projection().isEmpty()
                                ? null
                                : form.projection().stream()
                                        .map(placeholders::name)
                                        .collect(Collectors.joining(", ")))
                .limit(limit == 0 ? null : limit)
                .expressionAttributeNames(placeholders.names())
                .expressionAttributeValues(placeholders.values());
    }
}
