package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The options of a message: when and how the agent answers it.
 *
 * @param waits whether the agent answers at the end of its task, and not already at its beginning
 * @param outputModes the media types that the caller accepts; empty for any
 * @param historyLength the number of messages of the task's history in the answer; empty leaves it to the agent
 * @param metadata the JSON text of the request's metadata; may be empty
 * @param push the target for notifications about the message's task
 */
public record A2aOptions(
        boolean waits,
        List<String> outputModes,
        OptionalInt historyLength,
        String metadata,
        Optional<PushConfig> push) {

    /** The options of a request without any. */
    public static final A2aOptions DEFAULT = new A2aOptions(true, List.of(), OptionalInt.empty(), "", Optional.empty());

    /** The options of a request whose caller follows the task of the agent. */
    public static final A2aOptions EARLY = new A2aOptions(false, List.of(), OptionalInt.empty(), "", Optional.empty());

    private static final int MAX_MODES = 50;
    private static final int MAX_MODE = 255;
    private static final int MAX_HISTORY = 1_000;
    static final int MAX_METADATA_BYTES = 16 * 1024;

    public A2aOptions {
        outputModes = List.copyOf(outputModes);
    }

    /** Returns the options in the parameters of a request, in the format of either version. Errors are recorded on the fields. */
    static A2aOptions of(Fields params) {
        Fields configuration = params.object("configuration");
        boolean waits = configuration.flag("blocking", true) && !configuration.flag("returnImmediately", false);
        return new A2aOptions(
                waits,
                configuration.texts("acceptedOutputModes", MAX_MODES, MAX_MODE),
                configuration.integer("historyLength", 0, MAX_HISTORY),
                MessageFields.metadata(params, MAX_METADATA_BYTES).orElse(""),
                Stream.of(PushConfig.NEWER, PushConfig.OLDER)
                        .filter(configuration::has)
                        .map(name -> PushConfig.of(configuration.object(name)))
                        .findFirst());
    }

    /** Returns these options with another receiver of notifications. */
    public A2aOptions notifying(PushConfig receiver) {
        return new A2aOptions(waits, outputModes, historyLength, metadata, Optional.of(receiver));
    }

    /** Returns a text that is equal for equal options; empty for {@link #DEFAULT}. It may contain secrets of the caller. */
    public String text() {
        return equals(DEFAULT)
                ? ""
                : toString() + push.map(PushConfig::secretText).orElse("");
    }

    void putInto(ObjectNode params, A2aVersion version) {
        ObjectNode configuration = Json.object();
        switch (version) {
            case V0_3 -> configuration.put("blocking", waits);
            // Version 1.0 waits by default.
            case V1_0 -> {
                if (!waits) {
                    configuration.put("returnImmediately", true);
                }
            }
        }
        if (!outputModes.isEmpty()) {
            ArrayNode modes = configuration.putArray("acceptedOutputModes");
            outputModes.forEach(modes::add);
        }
        historyLength.ifPresent(length -> configuration.put("historyLength", length));
        push.ifPresent(config -> configuration.set(
                version == A2aVersion.V0_3 ? PushConfig.OLDER : PushConfig.NEWER, config.json(version)));
        if (!configuration.isEmpty()) {
            params.set("configuration", configuration);
        }
        if (!metadata.isEmpty()) {
            params.set("metadata", Json.stored(metadata));
        }
    }
}
