package dev.agenthealth.local.integration;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips a class of tests where its need is not met, and says why in the name under which the class is reported. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Needs.Condition.class)
@DisplayNameGeneration(Needs.Names.class)
@interface Needs {

    Need value();

    /** Skips. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return context.getTestClass()
                    .flatMap(Need::unmetBy)
                    .map(need -> ConditionEvaluationResult.disabled(need.complaint()))
                    .orElseGet(() -> ConditionEvaluationResult.enabled("nothing is missing"));
        }
    }

    /** Says why. */
    final class Names extends DisplayNameGenerator.Standard {

        @Override
        public String generateDisplayNameForClass(Class<?> tests) {
            String name = super.generateDisplayNameForClass(tests);
            return Need.unmetBy(tests)
                    .map(need -> name + " (skipped: " + need.complaint() + ")")
                    .orElse(name);
        }
    }
}
