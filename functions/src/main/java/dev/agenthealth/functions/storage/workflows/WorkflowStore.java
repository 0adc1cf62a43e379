package dev.agenthealth.functions.storage.workflows;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBERS;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.usage.UsageLimitsText;
import dev.agenthealth.model.registry.usage.LimitHolder;
import dev.agenthealth.model.registry.usage.SharedLimit;
import dev.agenthealth.model.registry.workflow.RoleDefaults;
import dev.agenthealth.model.registry.workflow.Workflow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores workflows and the declarations of their roles. Each write of a workflow is one transaction, so that at most one workflow declares
 * a role, and a declaration is never stored in part. A write that returns {@code false} changed nothing. Thread-safe.
 */
public final class WorkflowStore {

    /**
     * Maximum number of roles that one write adds, changes and removes. A transaction holds this number together with the workflow and
     * the entry of the audit log.
     */
    public static final int MAX_ROLES_A_CHANGE = 97;

    private static final Codec<Workflow> HEAD = new Codec<>();
    private static final Attribute<Long> VERSION = HEAD.always("w", NUMBER.or(1L), Workflow::version);
    private static final Attribute<Instant> UPDATED_AT = HEAD.always("at", MOMENT, Workflow::updatedAt);

    private static final String AGENTS = "agents";
    private static final Attribute<String> ENTRY = new Attribute<>("k", TEXT);
    private static final Attribute<List<String>> ROLES = new Attribute<>("roles", TEXTS);
    private static final Attribute<String> WORKFLOW = new Attribute<>("wf", TEXT);

    /** The minimums of pools by role, on an item of the list. */
    private static final Attribute<Map<String, Long>> MINIMUMS = new Attribute<>("pools", NUMBERS);

    /** The limits that the agents of roles share, each followed by a space and its role, on an item of the list. */
    private static final Attribute<List<String>> LIMITS = new Attribute<>("limits", TEXTS);

    private static final String SEPARATOR = " ";

    private final Database database;
    private final Table registry;

    public WorkflowStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** A workflow as the list shows it. */
    public record Summary(String name, long version, Instant updatedAt, List<String> roleIds) {

        public Summary {
            roleIds = List.copyOf(roleIds);
        }
    }

    /** Returns the workflow with this name, as of now. */
    public Optional<Workflow> find(String name) {
        return registry.find(ItemKind.WORKFLOW.key(name)).map(item -> read(name, item));
    }

    /** Returns up to {@code limit} workflows after {@code after}, by name; {@code after} is empty at the beginning. */
    public List<Summary> page(String after, int limit) {
        Query query = Query.partition(ItemKind.LISTED_WORKFLOW.partition())
                .startingWith(ItemKind.LISTED_WORKFLOW.prefix(), after)
                .consistent();
        return registry.first(limit, query).stream().map(WorkflowStore::summary).toList();
    }

    /** Returns the roles of all workflows, as of now. Costs one query. */
    public Set<String> declaredRoles() {
        Query query = Query.partition(ItemKind.LISTED_WORKFLOW.partition())
                .startingWith(ItemKind.LISTED_WORKFLOW.prefix())
                .consistent();
        return registry.all(query).flatMap(item -> ROLES.of(item).stream()).collect(Collectors.toSet());
    }

    /**
     * Writes a workflow, and replaces the workflow that was read.
     *
     * @param before empty if there was none
     * @return {@code false} if it is no longer as it was read, or another workflow declares one of its roles
     * @throws IllegalArgumentException for more than {@link #MAX_ROLES_A_CHANGE} roles before and after
     */
    public boolean write(Optional<Workflow> before, Workflow workflow) {
        Set<String> left = new HashSet<>(before.map(Workflow::roleIds).orElse(List.of()));
        left.removeAll(workflow.roleIds());
        if (left.size() + workflow.agents().size() > MAX_ROLES_A_CHANGE) {
            throw new IllegalArgumentException("a change of a workflow touches too many roles");
        }
        Condition noOther = Condition.absent(Attributes.PK).or(WORKFLOW.is(workflow.name()));
        Transaction transaction = database.transaction()
                .put(
                        registry,
                        item(workflow),
                        before.map(WorkflowStore::unchanged).orElse(Condition.absent(Attributes.PK)))
                .put(registry, listItem(workflow));
        workflow.agents()
                .values()
                .forEach(role -> transaction.put(registry, declaration(workflow.name(), role), noOther));
        left.forEach(roleId -> transaction.delete(registry, ItemKind.ROLE_DEFAULTS.key(roleId)));
        return transaction.commit();
    }

    /** Removes a workflow and the declarations of its roles. Returns {@code false} if it is no longer as it was read. */
    public boolean remove(Workflow workflow) {
        Transaction transaction = database.transaction()
                .delete(registry, ItemKind.WORKFLOW.key(workflow.name()), unchanged(workflow))
                .delete(registry, ItemKind.LISTED_WORKFLOW.key(workflow.name()));
        workflow.roleIds().forEach(roleId -> transaction.delete(registry, ItemKind.ROLE_DEFAULTS.key(roleId)));
        return transaction.commit();
    }

    private static Condition unchanged(Workflow seen) {
        return VERSION.is(seen.version());
    }

    /** Returns the roles of a workflow that another workflow declares, each with the name of the other workflow, as of now. */
    public Map<String, String> declaredElsewhere(Workflow workflow) {
        Map<String, String> elsewhere = new LinkedHashMap<>();
        List<Map<String, AttributeValue>> keys =
                workflow.roleIds().stream().map(ItemKind.ROLE_DEFAULTS::key).toList();
        for (Map<String, AttributeValue> item : registry.getAll(keys, true)) {
            if (!WORKFLOW.of(item).equals(workflow.name())) {
                elsewhere.put(RoleItem.ROLE.of(item), WORKFLOW.of(item));
            }
        }
        return elsewhere;
    }

    /** Returns the minimums of the pools of a workflow, at least 1, by role, from its item of the list. */
    static Map<String, Long> minimums(Map<String, AttributeValue> item) {
        return MINIMUMS.of(item);
    }

    /** Returns the limits that the agents of a workflow's roles share, from its item of the list. */
    static List<SharedLimit> limits(Map<String, AttributeValue> item) {
        return LIMITS.of(item).stream()
                .map(text -> text.split(SEPARATOR, 2))
                .map(parts -> new SharedLimit(LimitHolder.role(parts[1]), UsageLimitsText.read(parts[0])))
                .toList();
    }

    private static Map<String, AttributeValue> item(Workflow workflow) {
        Map<String, AttributeValue> item = HEAD.item(ItemKind.WORKFLOW.key(workflow.name()), workflow);
        List<AttributeValue> agents = new ArrayList<>();
        workflow.agents().forEach((entry, role) -> {
            Map<String, AttributeValue> attributes = RoleItem.of(role);
            ENTRY.put(attributes, entry);
            agents.add(AttributeValue.fromM(attributes));
        });
        item.put(AGENTS, AttributeValue.fromL(agents));
        return item;
    }

    private static Workflow read(String name, Map<String, AttributeValue> item) {
        Map<String, RoleDefaults> agents = new LinkedHashMap<>();
        for (AttributeValue agent : item.get(AGENTS).l()) {
            agents.put(ENTRY.of(agent.m()), RoleItem.read(agent.m()));
        }
        return new Workflow(name, VERSION.of(item), UPDATED_AT.of(item), agents);
    }

    private static Map<String, AttributeValue> listItem(Workflow workflow) {
        Map<String, AttributeValue> item = HEAD.item(ItemKind.LISTED_WORKFLOW.key(workflow.name()), workflow);
        ROLES.put(item, workflow.roleIds());
        List<String> limits = workflow.agents().values().stream()
                .filter(role -> role.limits().isDeclared())
                .map(role -> UsageLimitsText.of(role.limits()) + SEPARATOR + role.roleId())
                .toList();
        if (!limits.isEmpty()) {
            LIMITS.put(item, limits);
        }
        return MINIMUMS.put(
                item,
                workflow.agents().values().stream()
                        .filter(role -> role.pool().minimum() > 0)
                        .collect(Collectors.toMap(
                                RoleDefaults::roleId, role -> (long) role.pool().minimum())));
    }

    private static Summary summary(Map<String, AttributeValue> item) {
        return new Summary(
                ItemKind.LISTED_WORKFLOW.afterPrefix(item), VERSION.of(item), UPDATED_AT.of(item), ROLES.of(item));
    }

    private static Map<String, AttributeValue> declaration(String workflow, RoleDefaults role) {
        Map<String, AttributeValue> item = Attributes.item(ItemKind.ROLE_DEFAULTS.key(role.roleId()));
        item.putAll(RoleItem.of(role));
        WORKFLOW.put(item, workflow);
        return item;
    }
}
