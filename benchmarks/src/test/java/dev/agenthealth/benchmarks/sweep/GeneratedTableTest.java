package dev.agenthealth.benchmarks.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agenthealth.benchmarks.RowTemplate;
import dev.agenthealth.testkit.TestTables;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** The generated table answers the AWS SDK's scans as DynamoDB does. */
@Tag("slow")
class GeneratedTableTest {

    private final GeneratedTable table = new GeneratedTable();
    private final DynamoDbClient client = table.client();

    @Test
    void segments_hold_every_row_once_in_pages_of_at_most_a_megabyte() {
        table.rows(12_345);
        Set<String> ids = new HashSet<>();
        int rows = 0;
        int rowBytes = new RowTemplate(name -> true).itemBytes();
        for (int segment = 0; segment < 2; segment++) {
            Map<String, AttributeValue> start = Map.of();
            do {
                ScanResponse page = client.scan(scan(segment, 2, start).build());
                rows += page.count();
                assertThat(page.count() * rowBytes).isLessThanOrEqualTo(1_048_576);
                page.items().forEach(item -> ids.add(item.get("id").s()));
                start = page.lastEvaluatedKey();
            } while (!start.isEmpty());
        }
        assertThat(rows).isEqualTo(12_345);
        assertThat(ids).hasSize(12_345);
        // Eventually consistent: half a unit for 4 KB, rounded up for each page.
        assertThat(table.readUnits()).isCloseTo(12_345.0 * rowBytes / 8_192, within(0.5 * table.pages()));
    }

    @Test
    void a_limit_and_a_projection_are_obeyed_and_charge_the_whole_row() {
        table.rows(500);
        ScanResponse page = client.scan(scan(0, 1, Map.of())
                .limit(100)
                .projectionExpression("#i, h")
                .expressionAttributeNames(Map.of("#i", "id"))
                .build());
        assertThat(page.items()).hasSize(100).allSatisfy(item -> assertThat(item)
                .containsOnlyKeys("id", "h"));
        int bytes = 100 * new RowTemplate(name -> true).itemBytes();
        assertThat(page.consumedCapacity().capacityUnits()).isEqualTo(Math.ceil(bytes / 4_096.0) / 2);
    }

    @Test
    void a_pass_of_the_deployed_sweep_counts_every_agent() {
        try (TestTables embedded = TestTables.create()) {
            table.rows(2_500);
            assertThat(new SweptFleet(table.before(embedded.dynamoDb()), false).pass())
                    .isEqualTo(2_500);
            assertThat(table.pages()).isEqualTo(3);
        }
    }

    private static ScanRequest.Builder scan(int segment, int segments, Map<String, AttributeValue> start) {
        return ScanRequest.builder()
                .tableName("pulses")
                .segment(segment)
                .totalSegments(segments)
                .exclusiveStartKey(start.isEmpty() ? null : start);
    }
}
