package dev.agenthealth.emulator.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.Identity;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamViewType;
import dev.agenthealth.emulator.support.EmulatedAccount;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.Record;

/**
 * Converts stream records to the event that functions take. The event equals the event that Lambda's serializer reads from {@link RecordJson},
 * without the cost of JSON.
 */
final class RecordEvent {

    private RecordEvent() {}

    /** @param streamArn ARN of the stream that the records were read from */
    static DynamodbEvent of(List<Record> records, String streamArn) {
        DynamodbEvent event = new DynamodbEvent();
        event.setRecords(records.stream().map(record -> of(record, streamArn)).toList());
        return event;
    }

    private static DynamodbStreamRecord of(Record source, String streamArn) {
        DynamodbStreamRecord record = new DynamodbStreamRecord();
        record.setEventID(source.eventID());
        record.setEventName(source.eventNameAsString());
        record.setEventVersion(source.eventVersion());
        record.setEventSource(RecordJson.EVENT_SOURCE);
        record.setAwsRegion(EmulatedAccount.REGION);
        record.setEventSourceARN(streamArn);
        record.setDynamodb(change(source.dynamodb()));
        if (source.userIdentity() != null) {
            record.setUserIdentity(new Identity()
                    .withType(source.userIdentity().type())
                    .withPrincipalId(source.userIdentity().principalId()));
        }
        return record;
    }

    private static StreamRecord change(software.amazon.awssdk.services.dynamodb.model.StreamRecord source) {
        StreamRecord change = new StreamRecord();
        if (source.approximateCreationDateTime() != null) {
            // Lambda's JSON has whole seconds.
            change.setApproximateCreationDateTime(Date.from(
                    Instant.ofEpochSecond(source.approximateCreationDateTime().getEpochSecond())));
        }
        change.setKeys(item(source.keys()));
        if (source.hasNewImage()) {
            change.setNewImage(item(source.newImage()));
        }
        if (source.hasOldImage()) {
            change.setOldImage(item(source.oldImage()));
        }
        change.setSequenceNumber(source.sequenceNumber());
        change.setSizeBytes(source.sizeBytes());
        change.setStreamViewType(StreamViewType.fromValue(source.streamViewTypeAsString()));
        return change;
    }

    private static Map<String, AttributeValue> item(
            Map<String, software.amazon.awssdk.services.dynamodb.model.AttributeValue> attributes) {
        Map<String, AttributeValue> item = new HashMap<>(attributes.size() * 4 / 3 + 1);
        attributes.forEach((name, value) -> item.put(name, value(value)));
        return item;
    }

    private static AttributeValue value(software.amazon.awssdk.services.dynamodb.model.AttributeValue source) {
        AttributeValue value = new AttributeValue();
        switch (source.type()) {
            case S -> value.setS(source.s());
            case N -> value.setN(source.n());
            case B -> value.setB(buffer(source.b()));
            case BOOL -> value.setBOOL(source.bool());
            case NUL -> value.setNULL(true);
            case M -> value.setM(item(source.m()));
            case L -> value.setL(source.l().stream().map(RecordEvent::value).toList());
            case SS -> value.setSS(source.ss());
            case NS -> value.setNS(source.ns());
            case BS -> value.setBS(source.bs().stream().map(RecordEvent::buffer).toList());
            default -> throw new IllegalArgumentException("a stream record has a value of type " + source.type());
        }
        return value;
    }

    private static ByteBuffer buffer(SdkBytes bytes) {
        return ByteBuffer.wrap(bytes.asByteArray());
    }
}
