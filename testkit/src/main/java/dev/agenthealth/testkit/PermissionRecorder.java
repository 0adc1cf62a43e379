package dev.agenthealth.testkit;

import java.util.Set;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Records the permissions that each request needs on AWS. A transaction needs the permissions of its elements; a query of an index needs
 * the index and not the table. Thread-safe.
 */
final class PermissionRecorder implements RequestInterceptor {

    private final Set<Permission> uses;

    /** @param uses receives the permissions */
    PermissionRecorder(Set<Permission> uses) {
        this.uses = uses;
    }

    @Override
    public <T extends DynamoDbRequest, R> R intercept(T request, Function<T, R> operation) {
        note(request);
        return operation.apply(request);
    }

    private void note(DynamoDbRequest request) {
        if (request instanceof GetItemRequest r) {
            use("GetItem", r.tableName());
        } else if (request instanceof BatchGetItemRequest r) {
            r.requestItems().keySet().forEach(table -> use("BatchGetItem", table));
        } else if (request instanceof TransactGetItemsRequest r) {
            r.transactItems().forEach(item -> use("GetItem", item.get().tableName()));
        } else if (request instanceof QueryRequest r) {
            use("Query", r.tableName() + (r.indexName() == null ? "" : "/index/" + r.indexName()));
        } else if (request instanceof ScanRequest r) {
            use("Scan", r.tableName() + (r.indexName() == null ? "" : "/index/" + r.indexName()));
        } else if (request instanceof PutItemRequest r) {
            use("PutItem", r.tableName());
        } else if (request instanceof UpdateItemRequest r) {
            use("UpdateItem", r.tableName());
        } else if (request instanceof DeleteItemRequest r) {
            use("DeleteItem", r.tableName());
        } else if (request instanceof BatchWriteItemRequest r) {
            r.requestItems().keySet().forEach(table -> use("BatchWriteItem", table));
        } else if (request instanceof TransactWriteItemsRequest r) {
            r.transactItems().forEach(this::note);
        } else {
            throw new AssertionError(
                    "no permission is known for " + request.getClass().getSimpleName());
        }
    }

    private void note(TransactWriteItem item) {
        if (item.put() != null) {
            use("PutItem", item.put().tableName());
        }
        if (item.update() != null) {
            use("UpdateItem", item.update().tableName());
        }
        if (item.delete() != null) {
            use("DeleteItem", item.delete().tableName());
        }
        if (item.conditionCheck() != null) {
            use("ConditionCheckItem", item.conditionCheck().tableName());
        }
    }

    private void use(String operation, String tableOrIndex) {
        uses.add(new Permission(
                "dynamodb:" + operation, "arn:aws:dynamodb:us-east-1:000000000000:table/" + tableOrIndex));
    }
}
