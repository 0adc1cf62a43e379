package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Requests of clients of A2A, by JSON-RPC of both versions. */
public final class A2aCallFuzzer {

    private static void read(A2aCall call) {
        call.canonicalFilters();
        switch (call.operation()) {
            case SEND_MESSAGE, STREAM_MESSAGE -> call.message();
            case LIST_TASKS -> call.list(fields -> 0);
            case GET_TASK, CANCEL_TASK, SUBSCRIBE -> call.task();
            case GET_EXTENDED_CARD -> call.version();
        }
    }

    private A2aCallFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String body = new String(input, StandardCharsets.UTF_8);
        for (String version : List.of("", "1.0")) {
            try {
                JsonNode json = A2aCall.json(body);
                read(A2aCall.of(json, version));
            } catch (A2aError | ApiError refused) {
                // Says why.
            }
        }
    }
}
