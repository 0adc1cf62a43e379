package dev.agenthealth.local.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.template.TableDefinition;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** Compares a table that is there with the template's definition of it. */
final class TableShape {

    private TableShape() {}

    /** Keys, indexes and stream. */
    static void assertSame(TableDescription table, TableDefinition definition) {
        assertThat(table.tableStatus()).isEqualTo(TableStatus.ACTIVE);
        assertThat(table.keySchema()).containsExactlyElementsOf(definition.keySchema());
        assertThat(table.attributeDefinitions()).containsExactlyInAnyOrderElementsOf(definition.attributeDefinitions());
        assertThat(table.billingModeSummary().billingMode()).isEqualTo(BillingMode.PAY_PER_REQUEST);
        Map<String, GlobalSecondaryIndexDescription> indexes = table.globalSecondaryIndexes().stream()
                .collect(Collectors.toMap(GlobalSecondaryIndexDescription::indexName, Function.identity()));
        assertThat(indexes.keySet())
                .containsExactlyInAnyOrderElementsOf(definition.indexes().stream()
                        .map(GlobalSecondaryIndex::indexName)
                        .toList());
        for (GlobalSecondaryIndex index : definition.indexes()) {
            GlobalSecondaryIndexDescription there = indexes.get(index.indexName());
            assertThat(there.keySchema()).containsExactlyElementsOf(index.keySchema());
            assertThat(there.projection().projectionType())
                    .isEqualTo(index.projection().projectionType());
        }
        String view = table.streamSpecification() == null
                ? ""
                : table.streamSpecification().streamViewTypeAsString();
        assertThat(view == null ? "" : view).isEqualTo(definition.streamViewType());
    }

    /** The attribute by which items expire. */
    static void assertSame(TimeToLiveDescription expiry, TableDefinition definition) {
        assertThat(expiry.timeToLiveStatus())
                .isEqualTo(definition.ttlAttribute().isEmpty() ? TimeToLiveStatus.DISABLED : TimeToLiveStatus.ENABLED);
        assertThat(expiry.attributeName() == null ? "" : expiry.attributeName()).isEqualTo(definition.ttlAttribute());
    }
}
