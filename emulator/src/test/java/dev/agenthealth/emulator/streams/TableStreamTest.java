package dev.agenthealth.emulator.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Tables;
import dev.agenthealth.template.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.dynamodb.services.local.embedded.DynamoDBEmbedded;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;

@Tag("exhaustive")
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

    private TableStream stream(String from) {
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
                    .forEach(change ->
                            keys.add(change.dynamodb().keys().get("pk").s()));
            page = stream.read(limit);
        }
        return keys;
    }

    @Test
    void reads_everything_once_and_in_order() {
        TableStream stream = stream("");
        assertThat(readAll(stream, 2)).isEmpty();
        write("a", "b", "c", "d", "e");
        assertThat(readAll(stream, 2)).containsExactly("a", "b", "c", "d", "e");
        assertThat(readAll(stream, 2)).isEmpty();
        write("f");
        assertThat(readAll(stream, 2)).containsExactly("f");
    }

    @Test
    void follows_the_stream_into_new_shards() {
        TableStream stream = stream("");
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
    void continues_at_a_position() {
        TableStream first = stream("");
        write("a", "b", "c");
        String behindTwo = first.read(2).position().sequenceNumber();
        local.triggerShardRollovers();
        write("d");
        assertThat(readAll(stream(behindTwo), 10)).containsExactly("c", "d");
    }
}
