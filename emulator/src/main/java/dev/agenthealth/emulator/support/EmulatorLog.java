package dev.agenthealth.emulator.support;

import java.util.Map;

/** Receives what the emulator reports about itself and about functions that fail. Thread-safe. */
public interface EmulatorLog {

    /** Records something that an operator should look at when it repeats. */
    void warn(String event, Map<String, ?> fields);

    /**
     * Records a failure.
     *
     * @param subject what failed, for example the name of a function
     */
    void failure(String event, String subject, Throwable cause);

    /** A log that drops everything. */
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
