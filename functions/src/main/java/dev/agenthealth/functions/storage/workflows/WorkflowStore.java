package dev.agenthealth.functions.storage.workflows;

import static dev.agenthealth.functions.storage.dynamo.Values.list;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;
import static dev.agenthealth.functions.storage.dynamo.Values.texts;

import dev.agenthealth.functions.storage.dynamo.BatchReads;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.model.workflow.RoleDefaults;
import dev.agenthealth.model.workflow.Workflow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Workflows, and with them the declarations of their roles: each write of a workflow is one transaction, so that a role is declared by one
 * workflow at most and never by half of one. A write that answers {@code false} changed nothing. Thread-safe.
 */
public final class WorkflowStore {

    /** The most roles that one write can add, change and take away: what one transaction holds beside the workflow itself. */
    public static final int MAX_ROLES_A_CHANGE = 98;

    /** Begins the sort keys of workflows in the list, which the sweep reads together with the marks of pools. */
    static final String SUMMARY_PREFIX = "D#";

    /** The attribute of a summary with its pools' minimums, by role. */
    static final String MINIMUMS = "pools";

    private static final String VERSION = "w";
    private static final String UPDATED_AT = "at";
    private static final String AGENTS = "agents";
    private static final String ENTRY = "k";
    private static final String ROLES = "roles";
    private static final String WORKFLOW = "wf";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final Transactions transactions;
    private final BatchReads reads;

    public WorkflowStore(DynamoDbClient dynamoDb, Tables tables, Retries retries) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.transactions = new Transactions(dynamoDb, retries);
        this.reads = new BatchReads(dynamoDb, retries);
    }

    /** A workflow as the list shows it. */
    public record Summary(String name, long version, Instant updatedAt, List<String> roleIds) {

        public Summary {
            roleIds = List.copyOf(roleIds);
        }
    }

    /** The workflow with this name, as of now. */
    public Optional<Workflow> find(String name) {
        Map<String, AttributeValue> item = retries.call(
                        "read of a workflow",
                        () -> dynamoDb.getItem(r -> r.tableName(tables.registry())
                                .key(RegistryKeys.workflow(name))
                                .consistentRead(true)))
                .item();
        return item.isEmpty() ? Optional.empty() : Optional.of(read(name, item));
    }

    /** Up to {@code limit} workflows after this one, by name; {@code after} is empty at the beginning. */
    public List<Summary> page(String after, int limit) {
        List<Summary> page = new ArrayList<>();
        Map<String, AttributeValue> start =
                after.isEmpty() ? Map.of() : RegistryKeys.key(RegistryKeys.WORKFLOWS, SUMMARY_PREFIX + after);
        do {
            QueryRequest request = QueryRequest.builder()
                    .tableName(tables.registry())
                    .keyConditionExpression("#pk = :pk AND begins_with(#sk, :d)")
                    .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK, "#sk", RegistryKeys.SK))
                    .expressionAttributeValues(Map.of(":pk", s(RegistryKeys.WORKFLOWS), ":d", s(SUMMARY_PREFIX)))
                    .exclusiveStartKey(start.isEmpty() ? null : start)
                    .limit(limit - page.size())
                    .consistentRead(true)
                    .build();
            QueryResponse response = retries.call("workflows", () -> dynamoDb.query(request));
            response.items().forEach(item -> page.add(summary(item)));
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty() && page.size() < limit);
        return List.copyOf(page);
    }

    /**
     * Writes a workflow in place of the one that was read.
     *
     * @param before empty where there was none
     * @return {@code false} where it is no longer as it was read, or another workflow declares one of its roles
     * @throws IllegalArgumentException for more than {@link #MAX_ROLES_A_CHANGE} roles before and after
     */
    public boolean write(Optional<Workflow> before, Workflow workflow) {
        Set<String> left = new HashSet<>(before.map(Workflow::roleIds).orElse(List.of()));
        left.removeAll(workflow.roleIds());
        if (left.size() + workflow.agents().size() > MAX_ROLES_A_CHANGE) {
            throw new IllegalArgumentException("a change of a workflow touches too many roles");
        }
        Transactions.Items items = new Transactions.Items();
        Put.Builder put = Put.builder().tableName(tables.registry()).item(item(workflow));
        items.put(
                before.isEmpty()
                        ? put.conditionExpression("attribute_not_exists(#pk)")
                                .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK))
                        : put.conditionExpression("#w = :w")
                                .expressionAttributeNames(Map.of("#w", VERSION))
                                .expressionAttributeValues(
                                        Map.of(":w", n(before.get().version()))));
        items.put(tables.registry(), summaryItem(workflow));
        for (RoleDefaults role : workflow.agents().values()) {
            items.put(Put.builder()
                    .tableName(tables.registry())
                    .item(declaration(workflow.name(), role))
                    .conditionExpression("attribute_not_exists(#pk) OR #wf = :wf")
                    .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK, "#wf", WORKFLOW))
                    .expressionAttributeValues(Map.of(":wf", s(workflow.name()))));
        }
        left.forEach(roleId -> items.delete(tables.registry(), RegistryKeys.roleDefaults(roleId)));
        return transactions.write("workflow", items.list());
    }

    /** Removes a workflow and its roles' declarations; {@code false} where it is no longer as it was read. */
    public boolean remove(Workflow workflow) {
        Transactions.Items items = new Transactions.Items();
        items.delete(Delete.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.workflow(workflow.name()))
                .conditionExpression("#w = :w")
                .expressionAttributeNames(Map.of("#w", VERSION))
                .expressionAttributeValues(Map.of(":w", n(workflow.version()))));
        items.delete(tables.registry(), RegistryKeys.key(RegistryKeys.WORKFLOWS, SUMMARY_PREFIX + workflow.name()));
        workflow.roleIds().forEach(roleId -> items.delete(tables.registry(), RegistryKeys.roleDefaults(roleId)));
        return transactions.write("removal of a workflow", items.list());
    }

    /** Which of these roles another workflow declares, and which workflow, as of now. */
    public Map<String, String> declaredElsewhere(Workflow workflow) {
        Map<String, String> elsewhere = new LinkedHashMap<>();
        if (workflow.agents().isEmpty()) {
            return elsewhere;
        }
        List<Map<String, AttributeValue>> keys =
                workflow.roleIds().stream().map(RegistryKeys::roleDefaults).toList();
        for (Map<String, AttributeValue> item :
                reads.get(Map.of(tables.registry(), keys), true).of(tables.registry())) {
            if (!text(item, WORKFLOW).equals(workflow.name())) {
                elsewhere.put(text(item, RoleItem.ROLE), text(item, WORKFLOW));
            }
        }
        return elsewhere;
    }

    private static Map<String, AttributeValue> item(Workflow workflow) {
        Map<String, AttributeValue> item = new HashMap<>(RegistryKeys.workflow(workflow.name()));
        putHead(item, workflow);
        List<AttributeValue> agents = new ArrayList<>();
        workflow.agents().forEach((entry, role) -> {
            Map<String, AttributeValue> attributes = RoleItem.of(role);
            attributes.put(ENTRY, s(entry));
            agents.add(AttributeValue.fromM(attributes));
        });
        item.put(AGENTS, AttributeValue.fromL(agents));
        return item;
    }

    private static Workflow read(String name, Map<String, AttributeValue> item) {
        Map<String, RoleDefaults> agents = new LinkedHashMap<>();
        for (AttributeValue agent : item.get(AGENTS).l()) {
            agents.put(text(agent.m(), ENTRY), RoleItem.read(agent.m()));
        }
        return new Workflow(name, number(item, VERSION, 1), moment(item, UPDATED_AT, Instant.EPOCH), agents);
    }

    private static Map<String, AttributeValue> summaryItem(Workflow workflow) {
        Map<String, AttributeValue> item =
                new HashMap<>(RegistryKeys.key(RegistryKeys.WORKFLOWS, SUMMARY_PREFIX + workflow.name()));
        putHead(item, workflow);
        item.put(ROLES, list(workflow.roleIds()));
        Map<String, AttributeValue> minimums = new HashMap<>();
        for (RoleDefaults role : workflow.agents().values()) {
            if (role.pool().minimum() > 0) {
                minimums.put(role.roleId(), n(role.pool().minimum()));
            }
        }
        item.put(MINIMUMS, AttributeValue.fromM(minimums));
        return item;
    }

    private static Summary summary(Map<String, AttributeValue> item) {
        return new Summary(
                text(item, RegistryKeys.SK).substring(SUMMARY_PREFIX.length()),
                number(item, VERSION, 1),
                moment(item, UPDATED_AT, Instant.EPOCH),
                texts(item, ROLES));
    }

    private static Map<String, AttributeValue> declaration(String workflow, RoleDefaults role) {
        Map<String, AttributeValue> item = new HashMap<>(RoleItem.of(role));
        item.putAll(RegistryKeys.roleDefaults(role.roleId()));
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put(WORKFLOW, s(workflow));
        return item;
    }

    private static void putHead(Map<String, AttributeValue> item, Workflow workflow) {
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        item.put(VERSION, n(workflow.version()));
        item.put(UPDATED_AT, n(workflow.updatedAt().toEpochMilli()));
    }
}
