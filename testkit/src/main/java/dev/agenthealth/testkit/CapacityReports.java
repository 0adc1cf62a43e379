package dev.agenthealth.testkit;

import java.util.List;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/** Requests the report of consumed capacity, and reads it from responses. */
final class CapacityReports {

    private CapacityReports() {}

    /** Returns a copy of a request that asks for a report by table and index. */
    @SuppressWarnings("unchecked")
    static <T extends SdkRequest> T requested(T request) {
        SdkRequest.Builder copy = request.toBuilder();
        ((SdkPojo) copy)
                .sdkFields().stream()
                        .filter(field -> field.memberName().equals("ReturnConsumedCapacity"))
                        .forEach(field -> field.set(copy, ReturnConsumedCapacity.INDEXES.toString()));
        return (T) copy.build();
    }

    /** Returns the report of a response, with one entry per table; empty without a report. */
    @SuppressWarnings("unchecked")
    static List<ConsumedCapacity> of(Object response) {
        Object consumed = ((SdkResponse) response)
                .getValueForField("ConsumedCapacity", Object.class)
                .orElse(List.of());
        return consumed instanceof ConsumedCapacity one ? List.of(one) : (List<ConsumedCapacity>) consumed;
    }
}
