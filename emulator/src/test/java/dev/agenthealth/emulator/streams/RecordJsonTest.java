package dev.agenthealth.emulator.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;

class RecordJsonTest {

    private static final String ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/T/stream/now";

    private static Record change(OperationType operation, String key) {
        AttributeValue nested = AttributeValue.fromM(Map.of(
                "list", AttributeValue.fromL(List.of(AttributeValue.fromBool(true), AttributeValue.fromNul(true)))));
        return Record.builder()
                .eventID("e1")
                .eventName(operation)
                .eventVersion("1.1")
                .eventSource("aws:dynamodb")
                .awsRegion("ddblocal")
                .dynamodb(stream -> stream.approximateCreationDateTime(Instant.ofEpochSecond(1_770_544_800))
                        .keys(Map.of("pk", AttributeValue.fromS(key)))
                        .newImage(Map.of(
                                "n", AttributeValue.fromN("1.5"),
                                "b", AttributeValue.fromB(SdkBytes.fromUtf8String("hi")),
                                "m", nested,
                                "ss", AttributeValue.fromSs(List.of("x")),
                                "ns", AttributeValue.fromNs(List.of("1")),
                                "bs", AttributeValue.fromBs(List.of(SdkBytes.fromUtf8String("yo")))))
                        .sequenceNumber("42")
                        .sizeBytes(10L)
                        .streamViewType(StreamViewType.NEW_IMAGE))
                .build();
    }

    private static DynamodbEvent read(Record... records) {
        ObjectNode event = Json.object();
        ArrayNode all = event.putArray("Records");
        for (Record record : records) {
            all.add(RecordJson.of(record, ARN));
        }
        return LambdaEventSerializers.serializerFor(DynamodbEvent.class, RecordJsonTest.class.getClassLoader())
                .fromJson(Json.text(event));
    }

    @Test
    void a_function_takes_the_event_that_lambdas_own_library_reads() {
        Record created = change(OperationType.INSERT, "k");
        Record removed = created.toBuilder()
                .eventName(OperationType.REMOVE)
                .userIdentity(identity -> identity.type("Service").principalId("dynamodb.amazonaws.com"))
                .dynamodb(created.dynamodb().toBuilder()
                        .approximateCreationDateTime(Instant.ofEpochMilli(1_770_544_800_750L))
                        .newImage(null)
                        .oldImage(Map.of(
                                "empty list", AttributeValue.fromL(List.of()),
                                "empty map", AttributeValue.fromM(Map.of()),
                                "text", AttributeValue.fromS(""),
                                "no", AttributeValue.fromBool(false)))
                        .build())
                .build();
        assertThat(RecordEvent.of(List.of(created, removed), ARN).getRecords())
                .isEqualTo(read(created, removed).getRecords());
    }

    @Test
    void lambdas_own_library_reads_it() {
        DynamodbEvent read = read(change(OperationType.INSERT, "k"));
        DynamodbStreamRecord change = read.getRecords().get(0);
        assertThat(change.getEventID()).isEqualTo("e1");
        assertThat(change.getEventName()).isEqualTo("INSERT");
        assertThat(change.getEventSourceARN()).isEqualTo(ARN);
        assertThat(change.getAwsRegion()).isEqualTo("us-east-1");
        assertThat(change.getDynamodb().getSequenceNumber()).isEqualTo("42");
        assertThat(change.getDynamodb().getApproximateCreationDateTime())
                .isEqualTo(Instant.ofEpochSecond(1_770_544_800));
        assertThat(change.getDynamodb().getKeys().get("pk").getS()).isEqualTo("k");
        var image = change.getDynamodb().getNewImage();
        assertThat(image.get("n").getN()).isEqualTo("1.5");
        assertThat(new String(image.get("b").getB().array(), StandardCharsets.UTF_8))
                .isEqualTo("hi");
        assertThat(image.get("m").getM().get("list").getL().get(0).getBOOL()).isTrue();
        assertThat(image.get("m").getM().get("list").getL().get(1).getNULL()).isTrue();
        assertThat(image.get("ss").getSS()).containsExactly("x");
        assertThat(image.get("ns").getNS()).containsExactly("1");
        assertThat(image.get("bs").getBS()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "INSERT, E#1, true",
        "INSERT, E, false",
        "MODIFY, E#1, false",
        "REMOVE, E#1, false",
        "INSERT, xE#, false"
    })
    void filters_see_the_record_as_it_is_handed_over(OperationType operation, String key, boolean takes) {
        RecordFilter filter = new RecordFilter(
                List.of(
                        """
                        {"eventName":["INSERT"],"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"E#"}]}}}}\
                        """));
        assertThat(filter.takes(change(operation, key), ARN)).isEqualTo(takes);
    }

    @Test
    void one_matching_pattern_is_enough_and_none_takes_all() {
        Record change = change(OperationType.REMOVE, "k");
        assertThat(new RecordFilter(List.of("{\"eventName\":[\"INSERT\"]}", "{\"eventName\":[\"REMOVE\"]}"))
                        .takes(change, ARN))
                .isTrue();
        assertThat(new RecordFilter(List.of()).takes(change, ARN)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1.5, true", "2, false"})
    void a_filter_may_read_the_image(String number, boolean takes) {
        RecordFilter filter =
                new RecordFilter(List.of("{\"dynamodb\":{\"NewImage\":{\"n\":{\"N\":[\"" + number + "\"]}}}}"));
        assertThat(filter.takes(change(OperationType.INSERT, "k"), ARN)).isEqualTo(takes);
    }

    @Test
    void only_the_fields_of_a_filter_are_written() {
        ObjectNode json = RecordJson.of(
                change(OperationType.INSERT, "k"), ARN, Set.of("eventName", "dynamodb", "Keys", "pk")::contains);
        assertThat(json).hasToString("{\"eventName\":\"INSERT\",\"dynamodb\":{\"Keys\":{\"pk\":{\"S\":\"k\"}}}}");
    }
}
