package dev.agenthealth.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the policies of roles: policies in a role itself, each {@code AWS::IAM::ManagedPolicy} of the template that the role names, and each
 * {@code AWS::IAM::Policy} that names the role.
 */
final class PolicyReader {

    private final Map<String, List<PolicyStatement>> managed = new LinkedHashMap<>();
    private final Map<String, List<PolicyStatement>> roles = new LinkedHashMap<>();

    /** Reads a resolved {@code AWS::IAM::ManagedPolicy}. The managed policies are read before the roles. */
    void readManagedPolicy(String logicalId, Section properties) {
        managed.put(logicalId, statements(properties.child("PolicyDocument")));
    }

    /** Reads a resolved {@code AWS::IAM::Role}. Managed policies of AWS itself have no statements here. */
    void readRole(String logicalId, Section properties) {
        List<PolicyStatement> statements = of(logicalId);
        for (Section policy : properties.children("Policies")) {
            statements.addAll(statements(policy.child("PolicyDocument")));
        }
        properties.texts("ManagedPolicyArns").forEach(name -> statements.addAll(managed.getOrDefault(name, List.of())));
    }

    /** Reads a resolved {@code AWS::IAM::Policy}. */
    void readPolicy(Section properties) {
        properties.texts("Roles").forEach(role -> of(role).addAll(statements(properties.child("PolicyDocument"))));
    }

    /** Returns the statements of a function's role; none without a role. */
    List<PolicyStatement> ofFunction(Section function) {
        if (function.values().containsKey("Policies")) {
            throw new TemplateException(
                    function.place() + ".Policies: not supported, the statements belong into a role");
        }
        return function.child("Role").texts("Fn::GetAtt").stream()
                .findFirst()
                .map(this::of)
                .orElse(List.of());
    }

    private List<PolicyStatement> of(String role) {
        return roles.computeIfAbsent(role, id -> new ArrayList<>());
    }

    private static List<PolicyStatement> statements(Section document) {
        return document.children("Statement").stream()
                .map(statement -> new PolicyStatement(
                        statement.text("Effect"), statement.texts("Action"), statement.texts("Resource")))
                .toList();
    }
}
