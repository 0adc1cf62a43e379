package dev.agenthealth.local.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.agenthealth.emulator.lambda.FunctionFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/** Sends the same requests to two systems, whose responses must be equivalent. Not thread-safe. */
final class SideBySide {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

    private final Side packaged;
    private final Side local;

    SideBySide(Sample.Invoker packaged, Sample.Invoker local) {
        this.packaged = new Side(packaged);
        this.local = new Side(local);
    }

    /** The difference of the answers to a step from each other or from what the step expects; empty where there is none. */
    Optional<String> difference(Step step) {
        Outcome one = packaged.run(step);
        Outcome other = local.run(step);
        if (one.answered() && other.answered() && one.likeness().equals(other.likeness()) && one.expected()) {
            return Optional.empty();
        }
        List<String> places = new ArrayList<>();
        differences("", one.likeness(), other.likeness(), places);
        return Optional.of(step.name() + ", expected " + step.status() + ", differs in " + places + "\n  packaged: "
                + one.description() + "\n  local:    " + other.description());
    }

    /** Adds the places, as JSON pointers, in which two trees differ. */
    private static void differences(String at, JsonNode one, JsonNode other, List<String> places) {
        if (one.isObject() && other.isObject()) {
            Set<String> names = new TreeSet<>();
            one.fieldNames().forEachRemaining(names::add);
            other.fieldNames().forEachRemaining(names::add);
            names.forEach(name -> differences(at + "/" + name, one.path(name), other.path(name), places));
        } else if (one.isArray() && other.isArray() && one.size() == other.size()) {
            for (int i = 0; i < one.size(); i++) {
                differences(at + "/" + i, one.get(i), other.get(i), places);
            }
        } else if (!one.equals(other)) {
            places.add(at);
        }
    }

    private record Outcome(boolean answered, boolean expected, JsonNode likeness, String description) {}

    private static final class Side {

        private final Sample.Invoker system;
        private final Likeness likeness = new Likeness();
        private final Answers answers = new Answers();

        Side(Sample.Invoker system) {
            this.system = system;
        }

        Outcome run(Step step) {
            try {
                JsonNode answer = answer(step);
                answers.add(step.name(), answer);
                boolean expected = answer.path("statusCode").asInt() == step.status()
                        && step.until().test(answer);
                return new Outcome(true, expected, likeness.of(answer), answer.toString());
            } catch (AssertionError | FunctionFailedException e) {
                return new Outcome(false, false, MissingNode.getInstance(), e.toString());
            }
        }

        /** Both systems run on the machine's clock, so that what is shown later can only be waited for. */
        private JsonNode answer(Step step) {
            long end = System.nanoTime() + PATIENCE.toNanos();
            JsonNode answer = step.sample().apply(answers).invoke(system);
            while (!step.until().test(answer) && System.nanoTime() < end) {
                LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
                answer = step.sample().apply(answers).invoke(system);
            }
            return answer;
        }
    }
}
