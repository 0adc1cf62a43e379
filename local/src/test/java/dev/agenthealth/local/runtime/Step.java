package dev.agenthealth.local.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One request to a system.
 *
 * @param name identifies the step, in failures and for later steps
 * @param status the HTTP status of the answer; 0 for a function that is not behind the HTTP API
 * @param sample made of what the same system answered to earlier steps
 * @param until holds for the answer in the end; until then the request is repeated
 */
record Step(String name, int status, Function<Answers, Sample> sample, Predicate<JsonNode> until) {

    /** A step whose first answer counts. */
    Step(String name, int status, Function<Answers, Sample> sample) {
        this(name, status, sample, answer -> true);
    }
}
