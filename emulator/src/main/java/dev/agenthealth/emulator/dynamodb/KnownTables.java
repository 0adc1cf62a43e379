package dev.agenthealth.emulator.dynamodb;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.dynamodb.services.local.shared.access.LocalDBAccess;
import software.amazon.dynamodb.services.local.shared.access.TableInfo;

/**
 * The descriptions of a database's tables. DynamoDB Local reads the one of its table for each item that a request writes, in the thread that
 * all requests share, and that of a stream beside it. Thread-safe.
 */
final class KnownTables implements InvocationHandler {

    /** After a close, work in the background ends where it finds no table. */
    private static final Set<String> CHANGES = Set.of(
            "createTable", "updateTable", "deleteTable", "createGSIColumns", "backfillGSI", "deleteGSI", "close");

    private final LocalDBAccess database;
    private final Map<String, TableInfo> byName = new ConcurrentHashMap<>();

    private KnownTables(LocalDBAccess database) {
        this.database = database;
    }

    /** The database, which reads the description of each table once, and again after a change of a table. */
    static LocalDBAccess of(LocalDBAccess database) {
        return (LocalDBAccess) Proxy.newProxyInstance(
                LocalDBAccess.class.getClassLoader(), new Class<?>[] {LocalDBAccess.class}, new KnownTables(database));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        try {
            if (method.getName().equals("getTableInfo")) {
                return byName.computeIfAbsent((String) arguments[0], database::getTableInfo);
            }
            return method.invoke(database, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } finally {
            if (CHANGES.contains(method.getName())) {
                // A description that is being read is kept before this line ends, and removed.
                byName.clear();
            }
        }
    }
}
