package dev.agenthealth.emulator.eventbridge;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/**
 * An entry of a PutEvents request; a missing text is empty.
 *
 * @param time when the event happened
 * @param timed true if the sender gave the time, which then counts towards the entry's size
 * @param eventBus name or ARN of the bus
 * @param detail JSON text
 */
record BusEntry(
        Instant time,
        boolean timed,
        String source,
        String detailType,
        String detail,
        List<String> resources,
        String eventBus) {

    private static final int TIME_BYTES = 14;

    BusEntry {
        resources = List.copyOf(resources);
    }

    /** Returns the size by EventBridge's formula: 14 bytes for a time, and all texts in UTF-8. */
    int sizeBytes() {
        int bytes = timed ? TIME_BYTES : 0;
        bytes += utf8Length(source) + utf8Length(detailType) + utf8Length(detail);
        return bytes + resources.stream().mapToInt(BusEntry::utf8Length).sum();
    }

    private static int utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
