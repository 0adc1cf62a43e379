package dev.agenthealth.functions.registry.outcomes;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.registry.usage.ModelName;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageCounter;
import java.util.EnumMap;
import java.util.Map;

/** Reads the tokens and calls of an execution. */
final class UsageFields {

    private UsageFields() {}

    /** Returns the usage; {@link Usage#NONE} if no number is above 0. Records every error with its field. */
    static Usage read(Fields fields) {
        Map<UsageCounter, Long> numbers = new EnumMap<>(UsageCounter.class);
        for (UsageCounter counter : UsageCounter.values()) {
            if (counter != UsageCounter.EXECUTIONS) {
                fields.wholeNumber(counter.wireName()).ifPresent(number -> {
                    if (number < 0 || number > UsageCounter.MAX) {
                        fields.refuse(counter.wireName(), "must be from 0 to " + UsageCounter.MAX);
                    } else if (number > 0) {
                        numbers.put(counter, number);
                    }
                });
            }
        }
        ModelName model = ModelName.of(
                fields.textOrEmpty("model", ModelName.MAX_LENGTH),
                fields.textOrEmpty("provider", ModelName.MAX_LENGTH));
        fields.refuseUnknown();
        if (numbers.isEmpty()) {
            return Usage.NONE;
        }
        numbers.put(UsageCounter.EXECUTIONS, 1L);
        return Usage.reported(model, numbers);
    }
}
