package dev.agenthealth.emulator;

import dev.agenthealth.emulator.eventbridge.RuleDelivery;
import dev.agenthealth.emulator.lambda.EmulatedFunction;
import dev.agenthealth.emulator.lambda.FunctionFailedException;
import dev.agenthealth.emulator.sqs.EmulatedQueues;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.template.RuleDefinition;
import dev.agenthealth.template.RuleTarget;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Delivers events to the targets of rules. A log group gets a printed line with its name and the event; a function is invoked
 * asynchronously; a queue gets a message. Unknown targets are logged at the start and receive nothing.
 */
public final class RuleTargets implements RuleDelivery {

    private final Map<String, EmulatedFunction> functions;
    private final EmulatedQueues queues;
    private final Executor asynchronous;
    private final PrintStream out;
    private final EmulatorLog log;

    public RuleTargets(
            List<EmulatedFunction> functions,
            List<RuleDefinition> rules,
            EmulatedQueues queues,
            Executor asynchronous,
            PrintStream out,
            EmulatorLog log) {
        this.functions = functions.stream()
                .collect(Collectors.toMap(function -> function.definition().name(), Function.identity()));
        this.queues = queues;
        this.asynchronous = asynchronous;
        this.out = out;
        this.log = log;
        for (RuleDefinition rule : rules) {
            for (RuleTarget target : rule.targets()) {
                if (!isLogGroup(target)
                        && !queues.has(target.arn())
                        && functions.stream().noneMatch(function -> leadsTo(target, function))) {
                    log.warn("target_not_run_locally", Map.of("rule", rule.logicalId(), "target", target.arn()));
                }
            }
        }
    }

    @Override
    public void deliver(RuleTarget target, List<String> envelopes) {
        if (isLogGroup(target)) {
            String prefix = "[" + logGroup(target) + "] ";
            // One call, because the output is flushed at the end of each call.
            out.println(envelopes.stream()
                    .map(envelope -> prefix + envelope)
                    .collect(Collectors.joining(System.lineSeparator())));
            return;
        }
        if (queues.has(target.arn())) {
            queues.send(target.arn(), envelopes);
            return;
        }
        functions.values().stream()
                .filter(function -> leadsTo(target, function))
                .forEach(function ->
                        envelopes.forEach(envelope -> asynchronous.execute(() -> invoke(function, envelope))));
    }

    private void invoke(EmulatedFunction function, String envelope) {
        try {
            function.invoke(envelope.getBytes(StandardCharsets.UTF_8));
        } catch (FunctionFailedException e) {
            log.failure("event_not_taken", function.definition().name(), e.getCause());
        }
    }

    private static boolean isLogGroup(RuleTarget target) {
        return target.service().equals("logs");
    }

    private static String logGroup(RuleTarget target) {
        return target.arn().replaceFirst("^.*:log-group:", "").replaceFirst(":\\*$", "");
    }

    /** Returns true if the target is the function itself or an alias of it. */
    private static boolean leadsTo(RuleTarget target, EmulatedFunction function) {
        return target.service().equals("lambda")
                && (target.arn() + ":")
                        .contains(":function:" + function.definition().name() + ":");
    }
}
