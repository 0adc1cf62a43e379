package dev.agenthealth.functions.storage.workflows;

import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.workflow.RoleDefaults;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Roles: which there are, and what workflows declare for them. Thread-safe. */
public final class RoleStore {

    private final Table registry;

    public RoleStore(Database database) {
        this.registry = database.registry();
    }

    /**
     * What is known of a role.
     *
     * @param known whether it is in the list of roles
     * @param declared whether a workflow declares it
     * @param defaults what its agents inherit; {@link RoleDefaults#NONE} where no workflow declares it
     */
    public record Role(boolean known, boolean declared, RoleDefaults defaults) {

        /** A role that no agent or workflow has named. */
        public static final Role NONE = new Role(false, false, RoleDefaults.NONE);
    }

    /** What is known of a role, as of now. One request. */
    public Role find(String roleId) {
        Role role = Role.NONE;
        for (Map<String, AttributeValue> item :
                registry.getAll(List.of(ItemKind.ROLE_DEFAULTS.key(roleId), ItemKind.ROLE_NAME.key(roleId)), true)) {
            role = text(item, Attributes.PK).equals(ItemKind.ROLE_NAME.partition())
                    ? new Role(true, role.declared(), role.defaults())
                    : new Role(role.known(), true, RoleItem.read(item));
        }
        return role;
    }

    /** Puts a role into the list of roles; repeating it changes nothing. */
    public void note(String roleId) {
        // Not in the transaction of a registration: agents of one role that start together would collide on it.
        registry.put(Attributes.item(ItemKind.ROLE_NAME.key(roleId)));
    }

    /** Up to {@code limit} roles after this one, in ascending order; {@code after} is empty at the beginning. */
    public List<String> page(String after, int limit) {
        Query query = Query.partition(ItemKind.ROLE_NAME.partition()).after(after);
        return registry.first(limit, query).stream()
                .map(item -> text(item, Attributes.SK))
                .toList();
    }
}
