package dev.agenthealth.emulator.support;

import java.util.Map;

/** Receives reports of the emulator about itself and about functions that fail. Thread-safe. */
public interface EmulatorLog {

    /** Records an event that an operator should check if it repeats. */
    void warn(String event, Map<String, ?> fields);

    /**
     * Records a failure.
     *
     * @param subject the failed part, for example the name of a function
     */
    void failure(String event, String subject, Throwable cause);

    /** Returns a log that drops everything. */
    static EmulatorLog none() {
        return new EmulatorLog() {
            @Override
            public void warn(String event, Map<String, ?> fields) {
                // Dropped.
            }

            @Override
            public void failure(String event, String subject, Throwable cause) {
                // Dropped.
            }
        };
    }
}
