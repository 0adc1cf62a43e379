package dev.agenthealth.emulator.dynamodb;

import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.dynamodb.services.local.shared.exceptions.LocalDBAccessException;

/**
 * Refuses writes while the disk is nearly full, and all further writes after one that the disk did not take. Thread-safe.
 *
 * <p>DynamoDB Local does not survive such a write: it goes on inside a broken transaction of SQLite and loses writes that it has
 * acknowledged. One write at a time runs, so that none is acknowledged after a failed one.
 */
final class DiskGuard extends ForwardingClient {

    /** The free space below which writes are refused: what a write needs with its journal and stream records. */
    static final long RESERVED_BYTES = 4L * 1024 * 1024;

    private static final Set<Class<?>> WRITES = Set.of(
            PutItemRequest.class,
            UpdateItemRequest.class,
            DeleteItemRequest.class,
            BatchWriteItemRequest.class,
            TransactWriteItemsRequest.class);

    private final DynamoDbClient database;
    private final Disk disk;
    private final Function<String, RuntimeException> refusal;
    private final Object oneWrite = new Object();
    private boolean failed;

    /**
     * What is known of the disk.
     *
     * @param usableBytes its free space
     * @param failed true once it did not take a write
     * @param barrier returns when everything that was written so far is committed or has failed
     */
    record Disk(LongSupplier usableBytes, BooleanSupplier failed, Runnable barrier) {}

    private DiskGuard(DynamoDbClient database, Disk disk, Function<String, RuntimeException> refusal) {
        this.database = database;
        this.disk = disk;
        this.refusal = refusal;
    }

    /**
     * The client with its writes guarded.
     *
     * @param refusal makes what a refused write throws, of the reason
     */
    static DynamoDbClient guarded(DynamoDbClient database, Disk disk, Function<String, RuntimeException> refusal) {
        return new DiskGuard(database, disk, refusal);
    }

    @Override
    <R> R send(Object request, Function<DynamoDbClient, R> operation) {
        if (!WRITES.contains(request.getClass())) {
            return operation.apply(database);
        }
        synchronized (oneWrite) {
            if (failed || disk.failed().getAsBoolean()) {
                throw refusal.apply("a write to the data folder failed; free space and restart");
            }
            if (disk.usableBytes().getAsLong() < RESERVED_BYTES) {
                throw refusal.apply("the disk of the data folder has less than " + RESERVED_BYTES + " bytes free");
            }
            return write(request, operation);
        }
    }

    private <R> R write(Object request, Function<DynamoDbClient, R> operation) {
        try {
            R response = operation.apply(database);
            if (request instanceof TransactWriteItemsRequest) {
                disk.barrier().run();
            }
            failed = disk.failed().getAsBoolean();
            if (!failed) {
                return response;
            }
        } catch (LocalDBAccessException e) {
            failed = true;
        }
        throw refusal.apply("this write to the data folder failed");
    }
}
