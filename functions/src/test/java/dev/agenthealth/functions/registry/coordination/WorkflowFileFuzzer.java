package dev.agenthealth.functions.registry.coordination;

import dev.agenthealth.functions.runtime.http.ApiError;
import java.nio.charset.StandardCharsets;

/** Workflow files, in YAML and JSON. */
public final class WorkflowFileFuzzer {

    private WorkflowFileFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        try {
            WorkflowFile.agents(new String(input, StandardCharsets.UTF_8));
        } catch (ApiError refused) {
            // Names field and line.
        }
    }
}
