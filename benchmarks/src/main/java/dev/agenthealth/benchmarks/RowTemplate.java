package dev.agenthealth.benchmarks;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.agenthealth.dynamodb.value.Sizes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Rows in DynamoDB's JSON that differ only in their number and last heartbeat. They are written by copying bytes, so that the table costs
 * little.
 */
public final class RowTemplate {

    private static final int DIGITS = 10;
    private static final String NUMBER = "9876543210";
    private static final String ID = "agent_01KJ3N8Q6V7XH2M4T9-";
    private static final Instant MARK = Instant.ofEpochMilli(8_765_432_109_876L);
    private static final String MARK_MILLIS = String.valueOf(MARK.toEpochMilli());

    private final byte[] json;
    private final int itemBytes;
    private final int numberAt;
    private final int millisAt;

    /** @param projected returns true if a reader requests the attribute of this name */
    public RowTemplate(Predicate<String> projected) {
        Map<String, AttributeValue> row = TypicalRow.of(ID + NUMBER, Instant.EPOCH);
        row.put("h", AttributeValue.fromN(MARK_MILLIS));
        itemBytes = Sizes.item(row);
        String text = row.entrySet().stream()
                .filter(attribute -> projected.test(attribute.getKey()))
                .map(attribute -> "\"" + attribute.getKey() + "\":" + json(attribute.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
        json = text.getBytes(StandardCharsets.US_ASCII);
        numberAt = text.indexOf(NUMBER);
        millisAt = text.indexOf(MARK_MILLIS);
        if (numberAt < 0 || millisAt < 0) {
            throw new IllegalStateException("the row has no id or no last heartbeat: " + text);
        }
    }

    /** Returns the size by DynamoDB's rules, which determines the end of a page and the cost of a read. */
    public int itemBytes() {
        return itemBytes;
    }

    /** Appends the row with this number. */
    public void append(ByteArrayOutputStream out, long number, long lastHeartbeatMillis) {
        put(number, numberAt, DIGITS);
        put(lastHeartbeatMillis, millisAt, MARK_MILLIS.length());
        out.write(json, 0, json.length);
    }

    public static String id(long number) {
        return ID + String.format("%0" + DIGITS + "d", number);
    }

    public static long number(String id) {
        return Long.parseLong(id.substring(ID.length()));
    }

    private void put(long value, int at, int digits) {
        long rest = value;
        for (int i = at + digits - 1; i >= at; i--) {
            json[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    private static String json(AttributeValue value) {
        return switch (value.type()) {
            case S -> "{\"S\":" + TextNode.valueOf(value.s()) + "}";
            case N -> "{\"N\":\"" + value.n() + "\"}";
            case B -> "{\"B\":\"" + Base64.getEncoder().encodeToString(value.b().asByteArray()) + "\"}";
            case BOOL -> "{\"BOOL\":" + value.bool() + "}";
            case L -> value.l().stream().map(RowTemplate::json).collect(Collectors.joining(",", "{\"L\":[", "]}"));
            default -> throw new IllegalArgumentException("rows have no attribute of the type " + value.type());
        };
    }
}
