package dev.agenthealth.local;

import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.functions.runtime.observation.Log;
import java.util.Map;

/**
 * Writes the emulator's reports to the log of the functions.
 *
 * @param log receives every line
 */
public record LoggedEmulator(Log log) implements EmulatorLog {

    @Override
    public void warn(String event, Map<String, ?> fields) {
        log.warn(event, fields);
    }

    @Override
    public void failure(String event, String subject, Throwable cause) {
        log.failure(event, subject, cause);
    }
}
