package dev.agenthealth.functions.storage.workflows;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.census.GroupKind;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.workflow.RoleDefaults;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Lists of the roles, providers and platforms that agents and workflows have named, and what workflows declare for roles. Thread-safe. */
public final class GroupStore {

    private static final String NOTED_AT = "at";

    private final Database database;
    private final Table registry;

    public GroupStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * A role, provider or platform that an agent named.
     *
     * @param name its id
     * @param notedAt when it was first named; {@link Instant#EPOCH} where that is not known
     */
    public record Group(String name, Instant notedAt) {}

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
    public Role role(String roleId) {
        Role role = Role.NONE;
        for (Map<String, AttributeValue> item :
                registry.getAll(List.of(ItemKind.ROLE_DEFAULTS.key(roleId), ItemKind.ROLE_NAME.key(roleId)), true)) {
            role = text(item, Attributes.PK).equals(ItemKind.ROLE_NAME.partition())
                    ? new Role(true, role.declared(), role.defaults())
                    : new Role(role.known(), true, RoleItem.read(item));
        }
        return role;
    }

    /** Puts a role into its list; repeating it changes nothing. */
    public void noteRole(String roleId) {
        registry.put(Attributes.item(ItemKind.ROLE_NAME.key(roleId)));
    }

    /**
     * Puts the provider and the platform that a profile names into their lists; the role has {@link #noteRole}. One read where it names
     * any, and a write for each that is not in its list; repeating it changes nothing.
     */
    public void note(AgentProfile profile) {
        // Not in the transaction of a registration: agents of one group that start together would collide on it.
        List<Map<String, AttributeValue>> missing = new ArrayList<>();
        if (!profile.providerId().isEmpty()) {
            missing.add(ItemKind.PROVIDER_NAME.key(profile.providerId()));
        }
        if (!profile.platform().isEmpty()) {
            missing.add(ItemKind.PLATFORM_NAME.key(profile.platform()));
        }
        registry.getAll(missing, false).forEach(known -> missing.remove(Attributes.keyOf(known)));
        for (Map<String, AttributeValue> key : missing) {
            Map<String, AttributeValue> item = Attributes.item(key);
            item.put(NOTED_AT, moment(database.now()));
            registry.put(item);
        }
    }

    /** A group, as of now; empty where it is not in its list. */
    public Optional<Group> find(GroupKind kind, String name) {
        return registry.find(item(kind).key(name)).map(GroupStore::read);
    }

    /** The names of {@link #page}. */
    public List<String> names(GroupKind kind, String after, int limit) {
        return page(kind, after, limit).stream().map(Group::name).toList();
    }

    /** Up to {@code limit} groups of a kind after this one, in ascending order; {@code after} is empty at the beginning. */
    public List<Group> page(GroupKind kind, String after, int limit) {
        Query query = Query.partition(item(kind).partition()).after(after);
        return registry.first(limit, query).stream().map(GroupStore::read).toList();
    }

    private static Group read(Map<String, AttributeValue> item) {
        return new Group(text(item, Attributes.SK), moment(item, NOTED_AT, Instant.EPOCH));
    }

    private static ItemKind item(GroupKind kind) {
        return switch (kind) {
            case ROLE -> ItemKind.ROLE_NAME;
            case PROVIDER -> ItemKind.PROVIDER_NAME;
            case PLATFORM -> ItemKind.PLATFORM_NAME;
        };
    }
}
