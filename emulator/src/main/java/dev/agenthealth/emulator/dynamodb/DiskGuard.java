package dev.agenthealth.emulator.dynamodb;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.dynamodb.services.local.shared.exceptions.LocalDBAccessException;

/**
 * Refuses writes while the disk is nearly full, and all further writes after one that the disk did not take. Thread-safe.
 *
 * <p>DynamoDB Local does not survive such a write: it goes on inside a broken transaction of SQLite and loses writes that it has
 * acknowledged. One write at a time runs, so that none is acknowledged after a failed one.
 */
final class DiskGuard implements InvocationHandler {

    /** The free space below which writes are refused: what a write needs with its journal and stream records. */
    static final long RESERVED_BYTES = 4L * 1024 * 1024;

    private static final String TRANSACTION = "transactWriteItems";
    private static final Set<String> WRITES =
            Set.of("putItem", "updateItem", "deleteItem", "batchWriteItem", TRANSACTION);

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
        return (DynamoDbClient) Proxy.newProxyInstance(
                DynamoDbClient.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                new DiskGuard(database, disk, refusal));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (!WRITES.contains(method.getName())) {
            return call(method, arguments);
        }
        synchronized (oneWrite) {
            if (failed || disk.failed().getAsBoolean()) {
                throw refusal.apply("a write to the data folder failed; free space and restart");
            }
            if (disk.usableBytes().getAsLong() < RESERVED_BYTES) {
                throw refusal.apply("the disk of the data folder has less than " + RESERVED_BYTES + " bytes free");
            }
            return write(method, arguments);
        }
    }

    private Object write(Method method, Object[] arguments) throws Throwable {
        try {
            Object response = call(method, arguments);
            if (method.getName().equals(TRANSACTION)) {
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

    private Object call(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(database, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
