package dev.agenthealth.functions.registry.coordination;

import dev.agenthealth.functions.registry.DeclaredFields;
import dev.agenthealth.functions.registry.LimitFields;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.model.registry.usage.UsageLimits;
import dev.agenthealth.model.registry.workflow.PoolSize;
import dev.agenthealth.model.registry.workflow.RoleContact;
import dev.agenthealth.model.registry.workflow.RoleDefaults;
import dev.agenthealth.model.registry.workflow.Workflow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * A workflow file (RFC-0016 §12), as YAML or JSON.
 *
 * <p>The file belongs to the system that runs the workflow. The registry reads only its {@code agents} section, strictly, so that a
 * misspelt threshold is an error and not a default. It ignores all other sections.
 */
final class WorkflowFile {

    /** The maximum size of a file, in bytes of UTF-8. */
    static final int MAX_BYTES = 64 * 1024;

    private static final String AGENTS = "agents";
    private static final String DRAIN_TIMEOUT = "drain_timeout_seconds";

    private static final Pattern RUNBOOK = Pattern.compile("https?://[^\\s\"<>]+");

    private WorkflowFile() {}

    /**
     * Returns the declared roles by the keys of the {@code agents} section, completed with fixed defaults.
     *
     * @throws ApiError 400 naming every error with its field and line; 413 if the file is too large
     */
    static Map<String, RoleDefaults> agents(String text) {
        if (text.length() > MAX_BYTES || text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw ApiError.tooLarge(MAX_BYTES);
        }
        YamlErrors errors = new YamlErrors();
        Fields file = Fields.ofTree(YamlReader.read(text, errors), errors);
        Map<String, RoleDefaults> agents = agents(file);
        file.check();
        return agents;
    }

    /** Reads the roles in the {@code agents} section, and records an error for each invalid field. */
    static Map<String, RoleDefaults> agents(Fields file) {
        Fields section = file.object(AGENTS);
        if (!file.has(AGENTS)) {
            file.refuse(AGENTS, "is required");
        }
        if (section.names().size() > Workflow.MAX_AGENTS) {
            file.refuse(AGENTS, "may have at most " + Workflow.MAX_AGENTS + " entries");
            return Map.of();
        }
        Map<String, RoleDefaults> agents = new LinkedHashMap<>();
        Map<String, String> declaredBy = new HashMap<>();
        for (String entry : section.names()) {
            if (!Ids.isValid(entry)) {
                section.refuse(entry, Ids.RULE);
            }
            RoleDefaults role = role(entry, section.object(entry));
            String other = declaredBy.putIfAbsent(role.roleId(), entry);
            if (other != null) {
                section.object(entry).refuse("role_id", "is the role of '" + other + "' already");
            }
            agents.put(entry, role);
        }
        return agents;
    }

    private static RoleDefaults role(String entry, Fields fields) {
        String roleId = fields.id("role_id");
        List<String> capabilities = DeclaredFields.capabilities(fields);
        Fields capacity = fields.object("capacity");
        int maximum = DeclaredFields.maxTasks(capacity, Workload.NOT_DECLARED);
        capacity.refuseUnknown();
        Fields heartbeatFields = fields.object("heartbeat");
        Duration drain = drainTimeout(fields, heartbeatFields);
        HeartbeatConfig heartbeat = DeclaredFields.heartbeat(heartbeatFields, HeartbeatConfig.DEFAULT)
                .apply(HeartbeatConfig.DEFAULT);
        PoolSize pool = pool(fields.object("pool"));
        RoleContact contact = contact(fields);
        UsageLimits limits = LimitFields.shared(fields);
        fields.refuseUnknown();
        return new RoleDefaults(
                roleId.isEmpty() ? entry : roleId, capabilities, maximum, heartbeat, drain, pool, contact, limits);
    }

    private static RoleContact contact(Fields fields) {
        String runbook = fields.textOrEmpty("runbook_url", RoleContact.MAX_URL);
        if (!runbook.isEmpty() && !RUNBOOK.matcher(runbook).matches()) {
            fields.refuse("runbook_url", "must be an address with http or https, without spaces");
        }
        return new RoleContact(
                fields.textOrEmpty("contact", RoleContact.MAX_CONTACT).strip(), runbook);
    }

    /** Returns the drain timeout. RFC-0016 §12 lost its indentation, so the timeout may be beside the heartbeat or inside it. */
    private static Duration drainTimeout(Fields role, Fields heartbeat) {
        OptionalInt beside = drainTimeout(role);
        OptionalInt inside = drainTimeout(heartbeat);
        if (beside.isPresent() && inside.isPresent() && !beside.equals(inside)) {
            heartbeat.refuse(DRAIN_TIMEOUT, "is " + beside.getAsInt() + " beside the heartbeat; state it once");
        }
        return Duration.ofSeconds(
                (beside.isPresent() ? beside : inside).orElse((int) Drain.DEFAULT_TIMEOUT.toSeconds()));
    }

    private static OptionalInt drainTimeout(Fields fields) {
        return fields.integer(DRAIN_TIMEOUT, Drain.MIN_TIMEOUT_SECONDS, Drain.MAX_TIMEOUT_SECONDS);
    }

    private static PoolSize pool(Fields fields) {
        int minimum = fields.integer("min_instances", 0, PoolSize.MAX_INSTANCES).orElse(PoolSize.ANY.minimum());
        int maximum = fields.integer("max_instances", 1, PoolSize.MAX_INSTANCES).orElse(PoolSize.NO_MAXIMUM);
        if (maximum != PoolSize.NO_MAXIMUM && maximum < minimum) {
            fields.refuse("max_instances", "must be at least min_instances (" + minimum + "), but is " + maximum);
        }
        fields.refuseUnknown();
        return new PoolSize(minimum, maximum);
    }
}
