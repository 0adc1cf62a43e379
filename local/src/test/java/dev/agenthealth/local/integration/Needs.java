package dev.agenthealth.local.integration;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips a class of tests where its need is not met. The class has a display name that says so: it is what a build prints beside the
 * number of skipped tests.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Needs.Condition.class)
@interface Needs {

    Need value();

    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return context.getTestClass()
                    .flatMap(Need::unmetBy)
                    .map(need -> ConditionEvaluationResult.disabled(need.complaint()))
                    .orElseGet(() -> ConditionEvaluationResult.enabled("nothing is missing"));
        }
    }
}
