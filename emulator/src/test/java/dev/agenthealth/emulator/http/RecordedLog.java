package dev.agenthealth.emulator.http;

import dev.agenthealth.emulator.support.EmulatorLog;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps the reports as texts. */
final class RecordedLog implements EmulatorLog {

    private final List<String> lines = new CopyOnWriteArrayList<>();

    List<String> lines() {
        return lines;
    }

    @Override
    public void warn(String event, Map<String, ?> fields) {
        lines.add(event + " " + fields.get("request_id"));
    }

    @Override
    public void failure(String event, String subject, Throwable cause) {
        lines.add(event + " " + cause.getMessage());
    }
}
