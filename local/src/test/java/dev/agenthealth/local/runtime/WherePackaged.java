package dev.agenthealth.local.runtime;

import dev.agenthealth.testkit.runtime.LambdaPackage;
import dev.agenthealth.testkit.runtime.RuntimeInterfaceClient;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs a test where the package of the classes as they are now is there and can be run, and skips it with the reason elsewhere. The
 * build says in the property {@code packaged.functions} that it must run, {@code required}, or that the packages are still to
 * come, {@code later}.
 */
final class WherePackaged implements ExecutionCondition {

    private static final String PROPERTY = "packaged.functions";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (context.getTestMethod().isPresent()) {
            return ConditionEvaluationResult.enabled("the class may run");
        }
        Optional<String> reason = reasonNotTo();
        if (System.getProperty(PROPERTY, "").equals("required")
                && new LambdaPackage().unusable().isPresent()) {
            throw new IllegalStateException(reason.orElseThrow());
        }
        reason.ifPresent(text -> System.out.println("skipped: the packaged functions: " + text));
        return reason.map(ConditionEvaluationResult::disabled)
                .orElseGet(() -> ConditionEvaluationResult.enabled("the functions are packaged"));
    }

    private static Optional<String> reasonNotTo() {
        if (System.getProperty(PROPERTY, "").equals("later")) {
            return Optional.of("they are packaged later; mvn verify tests them then");
        }
        return new LambdaPackage().unusable().or(RuntimeInterfaceClient::unusable);
    }
}
