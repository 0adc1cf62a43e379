package dev.agenthealth.testkit;

import java.util.List;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** Requests the report of consumed capacity, and reads it from responses. */
final class CapacityReports {

    private CapacityReports() {}

    /** The same request with a report by table and index. */
    @SuppressWarnings("unchecked")
    static <T extends SdkRequest> T asked(T request) {
        ReturnConsumedCapacity detailed = ReturnConsumedCapacity.INDEXES;
        SdkRequest asked = request;
        if (request instanceof GetItemRequest r) {
            asked = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof BatchGetItemRequest r) {
            asked = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof QueryRequest r) {
            asked = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof ScanRequest r) {
            asked = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof TransactGetItemsRequest r) {
            asked = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof PutItemRequest r) {
            asked = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof UpdateItemRequest r) {
            asked = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof DeleteItemRequest r) {
            asked = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof BatchWriteItemRequest r) {
            asked = r.toBuilder().returnConsumedCapacity(detailed).build();
        } else if (request instanceof TransactWriteItemsRequest r) {
            asked = r.toBuilder().returnConsumedCapacity(detailed).build();
        }
        return (T) asked;
    }

    /** The report of a response, one entry per table; empty where there is none. */
    static List<ConsumedCapacity> of(Object response) {
        List<ConsumedCapacity> consumed = List.of();
        if (response instanceof GetItemResponse r) {
            consumed = one(r.consumedCapacity());
        } else if (response instanceof BatchGetItemResponse r) {
            consumed = r.consumedCapacity();
        } else if (response instanceof QueryResponse r) {
            consumed = one(r.consumedCapacity());
        } else if (response instanceof ScanResponse r) {
            consumed = one(r.consumedCapacity());
        } else if (response instanceof TransactGetItemsResponse r) {
            consumed = r.consumedCapacity();
        } else if (response instanceof PutItemResponse r) {
            consumed = one(r.consumedCapacity());
        } else if (response instanceof UpdateItemResponse r) {
            consumed = one(r.consumedCapacity());
        } else if (response instanceof DeleteItemResponse r) {
            consumed = one(r.consumedCapacity());
        } else if (response instanceof BatchWriteItemResponse r) {
            consumed = r.consumedCapacity();
        } else if (response instanceof TransactWriteItemsResponse r) {
            consumed = r.consumedCapacity();
        }
        return consumed;
    }

    private static List<ConsumedCapacity> one(ConsumedCapacity consumed) {
        return consumed == null ? List.of() : List.of(consumed);
    }
}
