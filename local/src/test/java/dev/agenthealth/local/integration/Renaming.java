package dev.agenthealth.local.integration;

import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.StreamMapping;
import java.util.LinkedHashMap;
import java.util.Map;

/** Gives a function other names of tables and queues than those that the template's reader makes up. */
final class Renaming {

    private Renaming() {}

    /** @param names the other name by the one made up; what has none keeps it */
    static FunctionDefinition of(FunctionDefinition function, Map<String, String> names) {
        Map<String, String> environment = new LinkedHashMap<>(function.environment());
        environment.replaceAll((variable, value) -> names.getOrDefault(value, value));
        return with(function, environment, names);
    }

    /** Likewise, with an environment that has the other names already. */
    static FunctionDefinition with(
            FunctionDefinition function, Map<String, String> environment, Map<String, String> names) {
        return new FunctionDefinition(
                function.logicalId(),
                function.name(),
                function.handler(),
                environment,
                function.instance(),
                new FunctionDefinition.Triggers(
                        function.routes(),
                        function.schedules(),
                        function.streams().stream()
                                .map(stream -> of(stream, names))
                                .toList(),
                        function.queues()),
                function.policies());
    }

    private static StreamMapping of(StreamMapping stream, Map<String, String> names) {
        return new StreamMapping(
                stream.name(),
                names.getOrDefault(stream.tableName(), stream.tableName()),
                stream.startingPosition(),
                stream.filterPatterns(),
                stream.batchSize(),
                stream.reportsBatchItemFailures(),
                stream.retries());
    }
}
