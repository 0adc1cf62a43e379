package dev.agenthealth.template;

import java.util.ArrayList;
import java.util.List;

/** Reads the policies of functions: policies in the function itself, and each {@code AWS::IAM::Policy} that names its role. */
final class PolicyReader {

    private PolicyReader() {}

    /**
     * Returns the statements of a function's role.
     *
     * @param function its properties, resolved
     * @param attached the statements of policies that name its role
     */
    static List<PolicyStatement> ofFunction(Section function, List<PolicyStatement> attached) {
        List<PolicyStatement> statements = new ArrayList<>();
        for (Section policy : function.children("Policies")) {
            if (!policy.values().containsKey("Statement")) {
                throw new TemplateException(policy.place() + ": only statements are supported, no named policies");
            }
            statements.addAll(statements(policy));
        }
        statements.addAll(attached);
        return statements;
    }

    /** Returns the statements of a policy document. */
    static List<PolicyStatement> statements(Section document) {
        return document.children("Statement").stream()
                .map(statement -> new PolicyStatement(
                        statement.text("Effect"), statement.texts("Action"), statement.texts("Resource")))
                .toList();
    }
}
