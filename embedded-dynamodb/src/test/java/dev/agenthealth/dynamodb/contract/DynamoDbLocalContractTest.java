package dev.agenthealth.dynamodb.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract on DynamoDB Local. */
@Tag("exhaustive")
class DynamoDbLocalContractTest {

    private static Backend opened;

    @BeforeAll
    static void open() {
        opened = new DynamoDbLocal();
    }

    @AfterAll
    static void close() {
        opened.close();
    }

    @Nested
    class Items extends ItemContract {
        Items() {
            super(opened);
        }
    }

    @Nested
    class Conditions extends ConditionContract {
        Conditions() {
            super(opened);
        }
    }

    @Nested
    class Updates extends UpdateContract {
        Updates() {
            super(opened);
        }
    }

    @Nested
    class Transactions extends TransactionContract {
        Transactions() {
            super(opened);
        }
    }

    @Nested
    class Queries extends QueryContract {
        Queries() {
            super(opened);
        }
    }

    @Nested
    class Indexes extends IndexContract {
        Indexes() {
            super(opened);
        }
    }

    @Nested
    class Scans extends ScanContract {
        Scans() {
            super(opened);
        }
    }

    @Nested
    class Batches extends BatchContract {
        Batches() {
            super(opened);
        }
    }

    @Nested
    class NumbersAndStrings extends ValueContract {
        NumbersAndStrings() {
            super(opened);
        }
    }

    @Nested
    class Limits extends LimitContract {
        Limits() {
            super(opened);
        }
    }

    @Nested
    class Streams extends StreamContract {
        Streams() {
            super(opened);
        }
    }

    @Nested
    class TimeToLive extends TimeToLiveContract {
        TimeToLive() {
            super(opened);
        }
    }

    @Nested
    class Tables extends TableContract {
        Tables() {
            super(opened);
        }
    }

    @Nested
    class ConsumedCapacity extends CapacityContract {
        ConsumedCapacity() {
            super(opened);
        }
    }

    @Nested
    class Refusals extends RefusalContract {
        Refusals() {
            super(opened);
        }
    }
}
