package dev.agenthealth.functions.storage.workflows;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.workflow.RoleContact;
import dev.agenthealth.model.registry.workflow.RoleDefaults;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the names of the roles, providers and platforms of agents, and of the roles of workflows, by name and by number. Also reads the
 * declarations of roles by workflows. A name is stored right before its agent, or after its workflow. The sweep removes names that are no
 * longer used. Thread-safe.
 */
public final class GroupStore {

    private static final Attribute<Instant> NOTED_AT = new Attribute<>("at", MOMENT);

    private static final Attribute<Instant> UNUSED_SINCE = new Attribute<>("unused", MOMENT.or(Instant.MAX));
    private static final String NAME = "name";

    private final Database database;
    private final Table registry;

    public GroupStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * A role, provider or platform that an agent or workflow names.
     *
     * @param name its id
     * @param notedAt when it was first named
     * @param unusedSince since when the sweep finds no agent of it; {@link Instant#MAX} if it is used
     */
    public record Group(String name, Instant notedAt, Instant unusedSince) {

        private boolean isUsed() {
            return unusedSince.equals(Instant.MAX);
        }
    }

    /**
     * The stored state of a role.
     *
     * @param known whether its name is already stored
     * @param declared whether a workflow declares it
     * @param defaults the defaults that its agents inherit; {@link RoleDefaults#NONE} if no workflow declares it
     */
    public record Role(boolean known, boolean declared, RoleDefaults defaults) {

        /** A role that no agent or workflow has named. */
        public static final Role NONE = new Role(false, false, RoleDefaults.NONE);
    }

    /** Returns the stored state of a role, as of now. Costs one request. */
    public Role role(String roleId) {
        return role(roleId, registry.getAll(keysOfRole(roleId), true));
    }

    /** Returns the keys of the items that hold the state of a role. */
    public static List<Map<String, AttributeValue>> keysOfRole(String roleId) {
        return List.of(ItemKind.ROLE_DEFAULTS.key(roleId), ItemKind.ROLE_NAME.key(roleId));
    }

    /**
     * Returns the stored state of a role.
     *
     * @param items the items of {@link #keysOfRole}, and possibly other items, but of no other role
     */
    public static Role role(String roleId, List<Map<String, AttributeValue>> items) {
        Role role = Role.NONE;
        for (Map<String, AttributeValue> item : items) {
            String partition = text(item, Attributes.PK);
            if (partition.equals(ItemKind.ROLE_NAME.partition())) {
                role = new Role(read(item).isUsed(), role.declared(), role.defaults());
            } else if (partition.equals(ItemKind.ROLE_DEFAULTS.partition(roleId))) {
                role = new Role(role.known(), true, RoleItem.read(item));
            }
        }
        return role;
    }

    /** Returns the contacts of these roles. Roles without a contact are left out. Costs one request. */
    public Map<String, RoleContact> contacts(Collection<String> roleIds) {
        Map<String, RoleContact> contacts = new HashMap<>();
        declarations(roleIds).forEach((roleId, role) -> {
            if (!role.defaults().contact().equals(RoleContact.NONE)) {
                contacts.put(roleId, role.defaults().contact());
            }
        });
        return contacts;
    }

    /** Returns only the declarations of these roles by workflows, as of now, without other roles. Costs one request for 100 roles. */
    public Map<String, Role> declarations(Collection<String> roleIds) {
        Map<String, Role> roles = new HashMap<>();
        registry.getAll(roleIds.stream().map(ItemKind.ROLE_DEFAULTS::key).toList(), true)
                .forEach(item -> roles.put(
                        ItemKind.ROLE_DEFAULTS.ofPartition(item), new Role(false, true, RoleItem.read(item))));
        return roles;
    }

    /** Stores the names of these roles. Repeating it changes nothing. */
    public void noteRoles(Collection<String> roleIds) {
        note(roleIds.stream().map(ItemKind.ROLE_NAME::key).toList());
    }

    /**
     * Stores the names of an agent's groups. Costs one read if the agent names a group, and a transaction for each name to write. Repeating
     * it changes nothing.
     *
     * @param role the stored state of the agent's role
     */
    public void note(AgentProfile profile, Role role) {
        // The names are not part of the transaction of a registration: agents of one group that start together would
        // conflict on the same item.
        List<Map<String, AttributeValue>> names = new ArrayList<>();
        for (GroupKind kind : GroupKind.values()) {
            String name = name(kind, profile);
            if (!name.isEmpty() && !(kind == GroupKind.ROLE && role.known())) {
                names.add(item(kind).key(name));
            }
        }
        note(names);
    }

    private void note(List<Map<String, AttributeValue>> names) {
        Map<Map<String, AttributeValue>, Group> known = new HashMap<>();
        registry.getAll(names, true).forEach(item -> known.put(Attributes.keyOf(item), read(item)));
        for (Map<String, AttributeValue> key : names) {
            if (known.containsKey(key) && known.get(key).isUsed()) {
                continue;
            }
            Update name = Update.upsert(key).remove(UNUSED_SINCE.name());
            if (!known.containsKey(key)) {
                name.setIfAbsent(NOTED_AT, database.now());
            }
            database.transaction()
                    .update(registry, name)
                    .update(registry, Update.upsert(numberKey(key)).set(NAME, key.get(Attributes.SK)))
                    .commit();
        }
    }

    /** Returns a group, as of now; empty if it is not in its list. */
    public Optional<Group> find(GroupKind kind, String name) {
        return registry.find(item(kind).key(name)).map(GroupStore::read);
    }

    /** Returns the names of {@link #page}. */
    public List<String> names(GroupKind kind, String after, int limit) {
        return page(kind, after, limit).stream().map(Group::name).toList();
    }

    /** Returns up to {@code limit} groups of a kind after {@code after}, in ascending order; {@code after} is empty at the beginning. */
    public List<Group> page(GroupKind kind, String after, int limit) {
        Query query = Query.partition(item(kind).partition()).after(after);
        return registry.first(limit, query).stream().map(GroupStore::read).toList();
    }

    /**
     * Returns the names of groups of a kind by their numbers. Costs half a read unit each.
     *
     * @return the names of the known numbers
     */
    public Map<Long, String> named(GroupKind kind, Set<Long> numbers) {
        Map<Long, String> names = new HashMap<>();
        List<Map<String, AttributeValue>> keys = numbers.stream()
                .map(number -> ItemKind.GROUP_NUMBER.key(item(kind).partition(), Long.toString(number)))
                .toList();
        registry.getAll(keys, false)
                .forEach(item -> names.put(Long.valueOf(text(item, Attributes.SK)), text(item, NAME)));
        return names;
    }

    /** Returns all groups of a kind in ascending order. Each page is requested when the stream reaches its first group. */
    public Stream<Group> all(GroupKind kind) {
        return registry.all(Query.partition(item(kind).partition())).map(GroupStore::read);
    }

    /** Marks groups as unused. Skips groups that are already marked, or gone. */
    public void markUnused(GroupKind kind, List<String> names, Instant since, BooleanSupplier timeLeft) {
        database.writeEach(
                names,
                1,
                (transaction, name) -> transaction.update(
                        registry,
                        Update.of(item(kind).key(name))
                                .set(UNUSED_SINCE, since)
                                .when(Condition.exists(Attributes.PK))
                                .when(Condition.absent(UNUSED_SINCE.name()))),
                timeLeft);
    }

    /** Removes the mark of groups that are marked as unused. */
    public void markUsed(GroupKind kind, List<Group> groups) {
        note(groups.stream()
                .filter(group -> !group.isUsed())
                .map(group -> item(kind).key(group.name()))
                .toList());
    }

    /** Removes groups that are marked as unused. Returns the groups whose mark is as it was read. */
    public List<Group> remove(GroupKind kind, List<Group> groups, BooleanSupplier timeLeft) {
        return database.writeEach(
                groups,
                2,
                (transaction, group) -> {
                    Map<String, AttributeValue> key = item(kind).key(group.name());
                    transaction
                            .delete(registry, key, UNUSED_SINCE.is(group.unusedSince()))
                            .delete(registry, numberKey(key));
                },
                timeLeft);
    }

    private static Group read(Map<String, AttributeValue> item) {
        return new Group(text(item, Attributes.SK), NOTED_AT.of(item), UNUSED_SINCE.of(item));
    }

    private static Map<String, AttributeValue> numberKey(Map<String, AttributeValue> nameKey) {
        return ItemKind.GROUP_NUMBER.key(
                text(nameKey, Attributes.PK), Long.toString(GroupNumber.of(text(nameKey, Attributes.SK))));
    }

    private static String name(GroupKind kind, AgentProfile profile) {
        return switch (kind) {
            case ROLE -> profile.roleId();
            case PROVIDER -> profile.description().providerId();
            case PLATFORM -> profile.description().platform();
        };
    }

    private static ItemKind item(GroupKind kind) {
        return switch (kind) {
            case ROLE -> ItemKind.ROLE_NAME;
            case PROVIDER -> ItemKind.PROVIDER_NAME;
            case PLATFORM -> ItemKind.PLATFORM_NAME;
        };
    }
}
