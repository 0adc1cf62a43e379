package dev.agenthealth.emulator.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Tables;
import dev.agenthealth.template.Template;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.dynamodb.services.local.embedded.DynamoDBEmbedded;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;

class TableStreamTest {

    static final String TABLE = "Things";

    /** One table with a stream. */
    static final String TEMPLATE =
            """
            Resources:
              Things:
                Type: AWS::DynamoDB::Table
                Properties:
                  AttributeDefinitions: [{ AttributeName: pk, AttributeType: S }]
                  KeySchema: [{ AttributeName: pk, KeyType: HASH }]
                  StreamSpecification: { StreamViewType: NEW_IMAGE }
            """;

    private final AmazonDynamoDBLocal local = DynamoDBEmbedded.create(true);

    @BeforeEach
    void createTable() {
        Tables.create(
                local.dynamoDbClient(),
                Template.parse(TEMPLATE, "test template")
                        .stack(Resolution.local())
                        .tables());
    }

    @AfterEach
    void close() {
        local.shutdown();
    }

    private TableStream stream(StreamPosition from) {
        String arn = local.dynamoDbClient()
                .describeTable(request -> request.tableName(TABLE))
                .table()
                .latestStreamArn();
        return new TableStream(local.dynamoDbStreamsClient(), arn, from);
    }

    private void write(String... keys) {
        for (String key : keys) {
            local.dynamoDbClient()
                    .putItem(request -> request.tableName(TABLE).item(Map.of("pk", AttributeValue.fromS(key))));
        }
    }

    private static List<String> readAll(TableStream stream, int limit) {
        List<String> keys = new ArrayList<>();
        StreamPage page = stream.read(limit);
        while (!page.records().isEmpty()) {
            page.records()
                    .forEach(change -> keys.add(change.path("dynamodb")
                            .path("Keys")
                            .path("pk")
                            .path("S")
                            .asText()));
            page = stream.read(limit);
        }
        return keys;
    }

    @Test
    void readsEverythingOnceAndInOrder() {
        TableStream stream = stream(StreamPosition.BEGINNING);
        assertThat(readAll(stream, 2)).isEmpty();
        write("a", "b", "c", "d", "e");
        assertThat(readAll(stream, 2)).containsExactly("a", "b", "c", "d", "e");
        assertThat(readAll(stream, 2)).isEmpty();
        write("f");
        assertThat(readAll(stream, 2)).containsExactly("f");
    }

    @Test
    void anEmptyMapStaysOne() {
        local.dynamoDbClient().putItem(request -> request.tableName(TABLE)
                .item(Map.of("pk", AttributeValue.fromS("a"), "empty", AttributeValue.fromM(Map.of()))));
        JsonNode image = stream(StreamPosition.BEGINNING)
                .read(1)
                .records()
                .get(0)
                .path("dynamodb")
                .path("NewImage");
        assertThat(image.path("empty")).hasToString("{\"M\":{}}");
    }

    @Test
    void followsTheStreamIntoNewShards() {
        TableStream stream = stream(StreamPosition.BEGINNING);
        write("a", "b");
        local.triggerShardRollovers();
        write("c");
        local.triggerShardRollovers();
        local.triggerShardRollovers();
        write("d");
        assertThat(readAll(stream, 10)).containsExactly("a", "b", "c", "d");
        local.triggerShardRollovers();
        assertThat(readAll(stream, 10)).isEmpty();
        write("e");
        assertThat(readAll(stream, 10)).containsExactly("e");
    }

    @Test
    void continuesAtAPosition() {
        TableStream first = stream(StreamPosition.BEGINNING);
        write("a", "b", "c");
        StreamPosition behindTwo = first.read(2).position();
        local.triggerShardRollovers();
        write("d");
        assertThat(readAll(stream(behindTwo), 10)).containsExactly("c", "d");
    }

    @Test
    void aShardThatIsGoneIsPassedOver() {
        write("a");
        assertThat(readAll(stream(new StreamPosition("shardId-00000000000000000001-gone", "1")), 10))
                .containsExactly("a");
    }

    @Test
    void aCheckpointOutlivesTheProcess(@TempDir Path folder) {
        StreamPosition position = new StreamPosition("shardId-1", "000000000000000000017");
        Checkpoints.in(folder).of("F.Stream").store(position);
        Checkpoints.in(folder).of("F.Stream").store(position);
        assertThat(Checkpoints.in(folder).of("F.Stream").load()).isEqualTo(position);
        assertThat(Checkpoints.in(folder).of("Other.Stream").load()).isEqualTo(StreamPosition.BEGINNING);
    }
}
