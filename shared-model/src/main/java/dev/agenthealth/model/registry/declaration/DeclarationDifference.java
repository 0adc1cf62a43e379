package dev.agenthealth.model.registry.declaration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The names of the parts that differ between a declaration and the accepted declaration, sorted.
 *
 * @param added parts that only the declaration has
 * @param removed parts that only the accepted declaration has
 * @param altered parts that both have, with different contents
 */
public record DeclarationDifference(List<String> added, List<String> removed, List<String> altered) {

    public DeclarationDifference {
        added = List.copyOf(added);
        removed = List.copyOf(removed);
        altered = List.copyOf(altered);
    }

    /** Returns the difference between two declarations. If one of them is collapsed, both are compared in collapsed form. */
    public static DeclarationDifference between(DeclaredParts accepted, DeclaredParts present) {
        boolean collapsed = accepted.isCollapsed() || present.isCollapsed();
        Map<String, String> before = (collapsed ? accepted.collapsed() : accepted).hashes();
        Map<String, String> after = (collapsed ? present.collapsed() : present).hashes();
        List<String> altered = new ArrayList<>();
        after.forEach((name, hash) -> {
            if (!hash.equals(before.getOrDefault(name, hash))) {
                altered.add(name);
            }
        });
        return new DeclarationDifference(without(after, before), without(before, after), altered);
    }

    private static List<String> without(Map<String, String> parts, Map<String, String> others) {
        return parts.keySet().stream().filter(name -> !others.containsKey(name)).toList();
    }

    /** Returns whether there is no difference. */
    public boolean isEmpty() {
        return added.isEmpty() && removed.isEmpty() && altered.isEmpty();
    }

    /** Returns whether only the model differs. */
    boolean isOfModel() {
        return Stream.of(added, removed, altered)
                .flatMap(List::stream)
                .allMatch(name -> name.equals(DeclaredParts.MODEL) || name.startsWith(DeclaredParts.SERVED));
    }
}
