package dev.agenthealth.dynamodb.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/** The topics of the contract, run on one implementation of DynamoDB, which a subclass opens. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DatabaseContract {

    private Backend opened;

    /** Opens the implementation. */
    abstract Backend open();

    @BeforeAll
    void openBackend() {
        opened = open();
    }

    @AfterAll
    void closeBackend() {
        opened.close();
    }

    final Backend opened() {
        return opened;
    }

    @Nested
    class Items extends ItemContract {
        Items() {
            super(opened());
        }
    }

    @Nested
    class Conditions extends ConditionContract {
        Conditions() {
            super(opened());
        }
    }

    @Nested
    class Updates extends UpdateContract {
        Updates() {
            super(opened());
        }
    }

    @Nested
    class Transactions extends TransactionContract {
        Transactions() {
            super(opened());
        }
    }

    @Nested
    class Queries extends QueryContract {
        Queries() {
            super(opened());
        }
    }

    @Nested
    class Indexes extends IndexContract {
        Indexes() {
            super(opened());
        }
    }

    @Nested
    class Scans extends ScanContract {
        Scans() {
            super(opened());
        }
    }

    @Nested
    class Batches extends BatchContract {
        Batches() {
            super(opened());
        }
    }

    @Nested
    class NumbersAndStrings extends ValueContract {
        NumbersAndStrings() {
            super(opened());
        }
    }

    @Nested
    class Limits extends LimitContract {
        Limits() {
            super(opened());
        }
    }

    @Nested
    class Streams extends StreamContract {
        Streams() {
            super(opened());
        }
    }

    @Nested
    class TimeToLive extends TimeToLiveContract {
        TimeToLive() {
            super(opened());
        }
    }

    @Nested
    class Tables extends TableContract {
        Tables() {
            super(opened());
        }
    }

    @Nested
    class ConsumedCapacity extends CapacityContract {
        ConsumedCapacity() {
            super(opened());
        }
    }
}
