package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.item;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.s;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** The removal of expired items by the attribute {@code ttl}. */
abstract class TimeToLiveContract extends Contract {

    private static final long HOUR = 3600;
    private static final long YEAR = 365 * 24 * HOUR;

    TimeToLiveContract(Backend backend) {
        super(backend);
    }

    @BeforeAll
    void enable() {
        enable(registry);
    }

    private void enable(String table) {
        client.updateTimeToLive(r -> r.tableName(table)
                .timeToLiveSpecification(s -> s.attributeName("ttl").enabled(true)));
    }

    private TimeToLiveDescription describe(String table) {
        return client.describeTimeToLive(r -> r.tableName(table)).timeToLiveDescription();
    }

    private static long now() {
        return Instant.now().getEpochSecond();
    }

    private static AttributeValue expired() {
        return n(now() - HOUR);
    }

    @Test
    void it_is_disabled_at_first() {
        assertThat(describe(pulses).timeToLiveStatus()).isEqualTo(TimeToLiveStatus.DISABLED);
        assertThat(describe(pulses).attributeName()).isNull();
    }

    @Test
    void it_is_described_when_enabled() {
        assertThat(describe(registry).timeToLiveStatus()).isEqualTo(TimeToLiveStatus.ENABLED);
        assertThat(describe(registry).attributeName()).isEqualTo("ttl");
    }

    @Test
    void the_update_returns_the_specification() {
        String table = ContractTables.createRegistry(backend);

        assertThat(client.updateTimeToLive(r -> r.tableName(table).timeToLiveSpecification(t -> t.attributeName("ttl")
                                .enabled(true)))
                        .timeToLiveSpecification()
                        .attributeName())
                .isEqualTo("ttl");
    }

    @Test
    void enabling_it_twice_is_refused() {
        assertInvalid(() -> enable(registry));
    }

    @Test
    void disabling_it_where_it_is_disabled_is_refused() {
        assertInvalid(() -> client.updateTimeToLive(r -> r.tableName(pulses)
                .timeToLiveSpecification(t -> t.attributeName("ttl").enabled(false))));
    }

    @Test
    void an_unknown_table_is_refused() {
        String unknown = backend.unusedName("unknown");

        assertCode("ResourceNotFoundException", () -> describe(unknown));
        assertCode("ResourceNotFoundException", () -> enable(unknown));
    }

    @Test
    void an_expired_item_is_read_until_it_is_removed() {
        put("ttl", expired());

        assertThat(get()).isNotEmpty();
        assertThat(holds("attribute_exists(pk)")).isTrue();
    }

    @Test
    void an_expired_item_is_removed() {
        put("ttl", expired());

        assumeExpires();

        assertThat(get()).isEmpty();
    }

    @Test
    void an_item_that_has_not_expired_stays() {
        putAt("later", "ttl", n(now() + HOUR));
        putAt("never");

        assumeExpires();

        assertThat(get(key("later"))).isNotEmpty();
        assertThat(get(key("never"))).isNotEmpty();
    }

    @Test
    void an_item_whose_expiry_is_not_a_number_stays() {
        put("ttl", s(Long.toString(now() - HOUR)));

        assumeExpires();

        assertThat(get()).isNotEmpty();
    }

    @Test
    void an_item_that_expired_more_than_5_years_ago_stays() {
        putAt("old", "ttl", n(now() - 6 * YEAR));
        putAt("zero", "ttl", n(0));
        putAt("recent", "ttl", n(now() - 4 * YEAR));

        assumeExpires();

        assertThat(get(key("old"))).isNotEmpty();
        assertThat(get(key("zero"))).isNotEmpty();
        assertThat(get(key("recent"))).isEmpty();
    }

    @Test
    void an_expired_item_is_removed_from_the_indexes() {
        put("ttl", expired(), "fp", s(pk), "fs", s("1"));

        assumeExpires();

        assertThat(client.query(r -> r.tableName(registry)
                                .indexName("feed")
                                .keyConditionExpression("fp = :p")
                                .expressionAttributeValues(item(":p", s(pk))))
                        .items())
                .isEmpty();
    }

    @Test
    void a_removal_carries_the_identity_of_the_service() {
        StreamReader stream = new StreamReader(
                backend.streams(),
                client.describeTable(r -> r.tableName(registry)).table().latestStreamArn());
        put("ttl", expired());

        assumeExpires();
        Record record = stream.next().stream()
                .filter(r -> r.eventName() == OperationType.REMOVE
                        && r.dynamodb().keys().equals(key()))
                .findFirst()
                .orElseThrow();

        assertThat(record.userIdentity().type()).isEqualTo("Service");
        assertThat(record.userIdentity().principalId()).isEqualTo("dynamodb.amazonaws.com");
        assertThat(record.dynamodb().hasNewImage()).isFalse();
    }

    @Test
    void a_table_without_it_keeps_its_items() {
        putPulse(pk, "ttl", expired());

        assumeExpires();

        assertThat(pulse(pk)).isNotEmpty();
    }
}
