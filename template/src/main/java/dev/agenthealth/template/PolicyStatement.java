package dev.agenthealth.template;

import java.util.List;

/**
 * A statement of the policies of a function's role, resolved.
 *
 * @param effect {@code Allow} or {@code Deny}
 * @param actions for example {@code dynamodb:GetItem}
 * @param resources ARNs
 */
public record PolicyStatement(String effect, List<String> actions, List<String> resources) {

    public PolicyStatement {
        actions = List.copyOf(actions);
        resources = List.copyOf(resources);
    }
}
