package dev.agenthealth.dynamodb.sqlite;

import dev.agenthealth.dynamodb.table.Table;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads several items of a table with one statement. A statement costs more than the search for a key. */
public final class SeveralItems {

    /** The maximum number of keys of a statement. Each number of keys has a statement of its own. */
    public static final int MAX_KEYS = 16;

    private SeveralItems() {}

    /** Returns the stored items with these keys, in the order of the keys. An absent item is empty. */
    public static List<byte[]> find(Session session, Table table, List<byte[]> keys) throws SQLException {
        List<byte[]> found = new ArrayList<>(keys.size());
        for (int from = 0; from < keys.size(); from += MAX_KEYS) {
            List<byte[]> some = keys.subList(from, Math.min(keys.size(), from + MAX_KEYS));
            found.addAll(Arrays.asList(findSome(session, table, some.toArray(new byte[0][]))));
        }
        return found;
    }

    private static byte[][] findSome(Session session, Table table, byte[][] keys) throws SQLException {
        byte[][] found = new byte[keys.length][];
        Arrays.fill(found, new byte[0]);
        String sql = session.sql(table).findSome() + "?, ".repeat(keys.length - 1) + "?)";
        try (ResultSet rows = session.bound(sql, (Object[]) keys).executeQuery()) {
            while (rows.next()) {
                found[indexOf(rows.getBytes(1), keys)] = rows.getBytes(2);
            }
        }
        return found;
    }

    private static int indexOf(byte[] key, byte[][] keys) {
        int index = 0;
        while (!Arrays.equals(key, keys[index])) {
            index++;
        }
        return index;
    }
}
