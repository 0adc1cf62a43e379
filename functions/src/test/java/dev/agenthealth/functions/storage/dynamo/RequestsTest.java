package dev.agenthealth.functions.storage.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.runtime.observation.StorageUse;
import dev.agenthealth.testkit.MutableClock;
import dev.agenthealth.testkit.TestTables;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The capacity that each kind of request consumes is counted. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestsTest {

    private static final Map<String, AttributeValue> KEY = Attributes.key("TEST", "item");

    @AutoClose
    private final TestTables tables = TestTables.create();

    private final MutableClock clock = MutableClock.atExampleTime();

    /** On one item of less than a kilobyte, in no index. */
    enum Kind {
        GET(0.5, 0, db -> db.registry().get(KEY, false)),
        CONSISTENT_GET(1, 0, db -> db.registry().get(KEY)),
        BATCH_GET(0.5, 0, db -> db.registry().getAll(List.of(KEY), false)),
        QUERY(0.5, 0, db -> db.registry().first(1, Query.partition("TEST"))),
        SCAN(0.5, 0, db -> db.registry().scan(0, 1, List.of(Attributes.PK), item -> {})),
        PUT(0, 1, db -> db.registry().put(KEY)),
        UPDATE(0, 1, db -> db.registry().update(Update.of(KEY).set("n", Values.n(1)))),
        DELETE(0, 1, db -> db.registry().delete(KEY)),
        BATCH_WRITE(0, 1, db -> db.registry().deleteAll(List.of(KEY))),
        TRANSACTION(0, 2, db -> db.transaction().put(db.registry(), KEY).commit());

        private final StorageUse use;
        private final Consumer<Database> request;

        Kind(double readUnits, double writeUnits, Consumer<Database> request) {
            this.use = new StorageUse(readUnits, writeUnits, 0);
            this.request = request;
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_capacity_of_every_kind_of_request_is_counted(Kind kind) {
        assertThat(use(new StorageMeter(), kind)).isEqualTo(kind.use);
    }

    @ParameterizedTest
    @EnumSource
    void no_kind_of_request_asks_for_its_capacity_where_units_are_not_counted(Kind kind) {
        assertThat(use(StorageMeter.withoutUnits(), kind)).isEqualTo(StorageUse.NONE);
    }

    private StorageUse use(StorageMeter meter, Kind kind) {
        Database database = new Database(
                tables.dynamoDb(), new Tables(TestTables.PULSES, TestTables.REGISTRY), clock, clock::advance, meter);
        database.registry().put(KEY);
        StorageMeter.Tally tally = new StorageMeter.Tally();
        meter.during(tally, () -> {
            kind.request.accept(database);
            return tally;
        });
        return tally.use();
    }
}
